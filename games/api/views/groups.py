"""A group: itself, its players, its tables, its keys."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from games.api import figures
from games.api.ids import demand_id
from games.api.openapi import DELETED, found, made, operation
from games.api.permissions import GroupHasGame, GroupHasPlayer, IsMember, IsOwner
from games.api.serializers.fields import EmptyRequestSerializer, read
from games.api.serializers.groups import (
    AdoptedGameSerializer,
    AdoptRequestSerializer,
    CreatedGroupSerializer,
    EnterRequestSerializer,
    GivenGroupKeySerializer,
    GroupInvitationSerializer,
    GroupInviteRequestSerializer,
    GroupKeyRequestSerializer,
    GroupKeySerializer,
    GroupPlayerSerializer,
    GroupRequestSerializer,
    GroupSerializer,
    MergeRequestSerializer,
    NewGroupSerializer,
    NewPlayerRequestSerializer,
    NewSeasonRequestSerializer,
    OpenGroupInvitationSerializer,
    PlayerRequestSerializer,
    SeasonRequestSerializer,
    SeasonSerializer,
)
from games.api.serializers.keys import JoinedTableSerializer
from games.api.throttles import FoundationThrottle
from games.api.views.base import ApiView, GroupEndpoint, repeatable
from games.errors import NotAuthenticated, NotFound
from games.groups import lists
from games.keys import invitations, permissions, registry
from games.models import GroupRole, Key, Role
from games.services import deletion, given_again, group_players, groups, seasons


class GroupsView(ApiView):
    throttle_classes = (FoundationThrottle,)
    tag = "Groups"

    @operation(
        "create_group",
        made(CreatedGroupSerializer, "The group and its owner's key, shown this once.", repeatable=True),
        request=NewGroupSerializer,
        refuses=(409, 422, 429),
    )
    def post(self, request: Request) -> Response:
        """Create a group."""
        asked = read(NewGroupSerializer, request.data).validated_data
        key = groups.create_group(
            name=asked["name"], creator_label=None, asked=repeatable(request, asked["request_id"])
        )
        return self.serialized(CreatedGroupSerializer, key, 200 if key.repeated else 201)


class GroupView(GroupEndpoint):
    rights_to_change = (IsOwner,)

    @operation("group", found(GroupSerializer, "As the key holder may see it."))
    def get(self, request: Request, group_id: str) -> Response:
        """A group."""
        return self.serialized(GroupSerializer, self.key)

    @operation("rename_group", found(GroupSerializer, "Renamed."), request=GroupRequestSerializer, refuses=(422,))
    def post(self, request: Request, group_id: str) -> Response:
        """Rename a group.

        For owners.
        """
        name = read(GroupRequestSerializer, request.data).validated_data["name"]
        self.key.group = groups.rename_group(group_id=group_id, name=name)
        return self.serialized(GroupSerializer, self.key)

    @operation("delete_group", DELETED)
    def delete(self, request: Request, group_id: str) -> Response:
        """Delete a group.

        With its players, figures and keys; its games stay open to the holders of their own keys. For owners. For 30
        days a phone that owns it can restore it: then the keys are valid again. Until then it does not exist.
        """
        deletion.delete_group(group_id=group_id, actor=self.key)
        return Response(status=204)


# --- players ---


class GroupPlayersView(GroupEndpoint):
    rights_to_change = (IsMember,)

    @operation("group_players", found(GroupPlayerSerializer(many=True), "The most frequent players first."))
    def get(self, request: Request, group_id: str) -> Response:
        """The players of a group."""
        return self.serialized(GroupPlayerSerializer, figures.players(self.key.group), many=True)

    @operation(
        "add_player",
        made(GroupPlayerSerializer, "The new player.", repeatable=True),
        request=NewPlayerRequestSerializer,
        refuses=(409, 422),
    )
    def post(self, request: Request, group_id: str) -> Response:
        """Add a player.

        For members. A player who sits down at a table of the group under a new name is added without this.
        """
        asked = read(NewPlayerRequestSerializer, request.data).validated_data
        player = group_players.add_player(
            group_id=group_id,
            name=asked["name"],
            token=asked["token"] or "",
            asked=repeatable(request, asked["request_id"]),
        )
        return self.serialized(GroupPlayerSerializer, player, 200 if player.repeated else 201)


class GroupPlayerView(GroupEndpoint):
    permission_classes = (GroupHasPlayer,)
    rights = (IsMember,)

    @operation(
        "change_player", found(GroupPlayerSerializer, "As it is now."), request=PlayerRequestSerializer, refuses=(422,)
    )
    def post(self, request: Request, group_id: str, player_id: str) -> Response:
        """Change a player's name or favourite token.

        For members.
        """
        asked = read(PlayerRequestSerializer, request.data).validated_data
        return self.serialized(
            GroupPlayerSerializer, group_players.change_player(group_id=group_id, player_id=player_id, **asked)
        )


class MergeView(GroupEndpoint):
    permission_classes = (GroupHasPlayer,)
    rights = (IsOwner,)

    @operation(
        "merge_players",
        found(GroupPlayerSerializer, "The player who stays."),
        request=MergeRequestSerializer,
        refuses=(422,),
    )
    def post(self, request: Request, group_id: str, player_id: str) -> Response:
        """Merge two players who are one person.

        For owners. All games of the player become those of `into`.
        """
        into = demand_id(read(MergeRequestSerializer, request.data).validated_data["into"])
        return self.serialized(
            GroupPlayerSerializer, group_players.merge_players(group_id=group_id, player_id=player_id, into_id=into)
        )


class EraseView(GroupEndpoint):
    permission_classes = (GroupHasPlayer,)
    rights = (IsOwner,)

    @operation("erase_player", found(GroupPlayerSerializer, "As it is now."), request=EmptyRequestSerializer)
    def post(self, request: Request, group_id: str, player_id: str) -> Response:
        """Erase a person's name.

        For owners. The games stay in the figures under a number; sheets and logs lose the name.
        """
        read(EmptyRequestSerializer, request.data)
        return self.serialized(
            GroupPlayerSerializer, group_players.erase_player(group_id=group_id, player_id=player_id)
        )


# --- seasons ---


class SeasonsView(GroupEndpoint):
    rights_to_change = (IsMember,)

    @operation("seasons", found(SeasonSerializer(many=True), "The latest first."))
    def get(self, request: Request, group_id: str) -> Response:
        """The seasons of a group.

        Their ids narrow `results/`, `statistics/` and the statistics of a player and of two.
        """
        return self.serialized(SeasonSerializer, lists.seasons_of(self.key.group), many=True)

    @operation(
        "add_season",
        made(SeasonSerializer, "The new season.", repeatable=True),
        request=NewSeasonRequestSerializer,
        refuses=(409, 422),
    )
    def post(self, request: Request, group_id: str) -> Response:
        """Add a season.

        For members.
        """
        asked = read(NewSeasonRequestSerializer, request.data).validated_data
        once = repeatable(request, asked.pop("request_id"))
        season = seasons.create_season(group_id=group_id, **asked, asked=once)
        return self.serialized(SeasonSerializer, season, 200 if season.repeated else 201)


class SeasonView(GroupEndpoint):
    rights = (IsMember,)

    @operation(
        "change_season", found(SeasonSerializer, "As it is now."), request=SeasonRequestSerializer, refuses=(422,)
    )
    def post(self, request: Request, group_id: str, season_id: int) -> Response:
        """Change the name and the days of a season.

        For members.
        """
        asked = read(SeasonRequestSerializer, request.data).validated_data
        season = seasons.change_season(group_id=group_id, season_id=season_id, **asked)
        return self.serialized(SeasonSerializer, season)

    @operation("delete_season", DELETED)
    def delete(self, request: Request, group_id: str, season_id: int) -> Response:
        """Delete a season.

        For members. Its games stay.
        """
        seasons.delete_season(group_id=group_id, season_id=season_id)
        return Response(status=204)


# --- tables ---


class GroupGamesView(GroupEndpoint):
    rights = (IsMember,)

    @operation(
        "adopt_game",
        made(AdoptedGameSerializer, "It counts in the group from now on."),
        request=AdoptRequestSerializer,
        refuses=(409,),
    )
    def post(self, request: Request, group_id: str) -> Response:
        """Add a table to the group.

        For members who also have a key of the game that may record.
        """
        asked = read(AdoptRequestSerializer, request.data).validated_data
        of_game = _key_of_game(asked["key"], asked["game"])
        permissions.require(permissions.records, of_game)
        groups.adopt(group_id=group_id, game_id=of_game.game_id)
        return self.serialized(AdoptedGameSerializer, of_game.game, 201)


class GroupGameView(GroupEndpoint):
    permission_classes = (GroupHasGame,)
    rights = (IsOwner,)

    @operation("release_game", DELETED)
    def delete(self, request: Request, group_id: str, game_id: str) -> Response:
        """Remove a table from the group.

        For owners. The game stays open to the holders of its own keys.
        """
        groups.release(group_id=group_id, game_id=game_id)
        return Response(status=204)


class EnterView(GroupEndpoint):
    permission_classes = (GroupHasGame,)

    @operation(
        "enter_game",
        made(JoinedTableSerializer, "A key of the game, shown this once.", repeatable=True),
        request=EnterRequestSerializer,
        refuses=(403, 409),
    )
    def post(self, request: Request, group_id: str, game_id: str) -> Response:
        """Sit down at a table of the group.

        Members may record; viewers of the group get viewers' keys. The key is revoked together with the group's key.
        """
        asked = read(EnterRequestSerializer, request.data).validated_data
        once = repeatable(request, asked["request_id"])
        key = given_again.enter(key=self.key, game_id=game_id, role=Role(asked["role"]), asked=once)
        return self.serialized(JoinedTableSerializer, key, 200 if key.repeated else 201)


# --- keys ---


class GroupKeysView(GroupEndpoint):
    rights = (IsOwner,)

    @operation("group_keys", found(GroupKeySerializer(many=True), "Without secrets."))
    def get(self, request: Request, group_id: str) -> Response:
        """The keys of a group.

        For owners.
        """
        return self.serialized(GroupKeySerializer, lists.keys_of(self.key.group), many=True)

    @operation(
        "create_group_key",
        made(GivenGroupKeySerializer, "The key with its secret, shown this once.", repeatable=True),
        request=GroupKeyRequestSerializer,
        refuses=(409,),
    )
    def post(self, request: Request, group_id: str) -> Response:
        """Create a key of the group.

        For owners.
        """
        asked = read(GroupKeyRequestSerializer, request.data).validated_data
        key = given_again.issue_group_key(
            group=self.key.group,
            role=GroupRole(asked["role"]),
            label=asked["label"] or "",
            asked=repeatable(request, asked["request_id"]),
        )
        return self.serialized(GivenGroupKeySerializer, key, 200 if key.repeated else 201)


class GroupKeyView(GroupEndpoint):
    rights = (IsOwner,)

    @operation("revoke_group_key", DELETED, refuses=(409,))
    def delete(self, request: Request, group_id: str, key_id: int) -> Response:
        """Revoke a key of the group.

        For owners. Every key of a table that was opened with it is revoked too. Every open invitation to the group for
        its role or above (viewer, member, owner), and every one that it made, is withdrawn with it; likewise those to
        these tables.
        """
        groups.revoke_key(group_id=group_id, key_id=key_id)
        return Response(status=204)


class RenewView(GroupEndpoint):
    rights = (IsOwner,)

    @operation(
        "renew_group_key",
        found(GivenGroupKeySerializer, "The key with its new secret, shown this once."),
        request=EmptyRequestSerializer,
    )
    def post(self, request: Request, group_id: str, key_id: int) -> Response:
        """Renew the secret of a program's key.

        For owners. The old secret is no longer valid.
        """
        read(EmptyRequestSerializer, request.data)
        key = groups.renew_key(group_id=group_id, key_id=key_id)
        return self.serialized(GivenGroupKeySerializer, key)


class GroupInvitesView(GroupEndpoint):
    @operation(
        "group_invites", found(OpenGroupInvitationSerializer(many=True), "The latest first, without codes and links.")
    )
    def get(self, request: Request, group_id: str) -> Response:
        """The open invitations to the group.

        An owner's key shows all of them, another key those that it made.
        """
        return self.serialized(OpenGroupInvitationSerializer, invitations.listed_of_group(self.key), many=True)

    @operation(
        "invite_to_group",
        made(GroupInvitationSerializer, "A code and a link, shown this once, for 12 hours.", repeatable=True),
        request=GroupInviteRequestSerializer,
        refuses=(403, 409, 422),
    )
    def post(self, request: Request, group_id: str) -> Response:
        """Invite to the group.

        Members invite members and viewers; owners also owners.
        """
        asked = read(GroupInviteRequestSerializer, request.data).validated_data
        role, single_use = GroupRole(asked["role"]), asked["single_use"]
        permissions.require(permissions.NEEDED_TO_INVITE[role], self.key)
        made = given_again.invite_to_group(
            group=self.key.group,
            role=role,
            maker=self.key,
            single_use=single_use,
            asked=repeatable(request, asked["request_id"]),
        )
        return self.serialized(GroupInvitationSerializer, made, 200 if made.repeated else 201)


class GroupInviteView(GroupEndpoint):
    @operation("withdraw_group_invite", DELETED)
    def delete(self, request: Request, group_id: str, invite_id: int) -> Response:
        """Withdraw an open invitation to the group.

        Of those that the key's list shows. The keys that it has given stay valid.
        """
        invitations.withdraw_one(invitations.listed_of_group(self.key), invite_id)
        return Response(status=204)


def _key_of_game(secret: str, game_id: str) -> Key:
    """The key of a game: without a valid one the game does not exist for the sender."""
    try:
        key = registry.key_of_secret(secret)
    except NotAuthenticated as error:
        raise NotFound() from error
    permissions.game_of(key, game_id)
    return key
