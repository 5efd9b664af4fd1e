"""The endpoints of a group: itself, its players, its tables, its keys.

Knows: which service answers which endpoint, and which key of the group it takes.  Must not know: how a request is read
or a document is built; how games are counted.
"""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from games.api import describe_groups as describe
from games.api import documents, figures, group_requests, links
from games.api.base import ApiView, known
from games.api.requests import nothing
from games.errors import NotAuthenticated, NotFound
from games.keys import invitations, permissions, registry
from games.models import Key
from games.services import group_players, groups


class GroupsView(ApiView):
    """People who play together."""

    @describe.found
    def post(self, request: Request) -> Response:
        name = group_requests.group_name(request.data)
        key = groups.create_group(name=name, creator_label=None)
        of_group = links.of_group(request, key.group_id)
        return Response({"id": key.group_id, "name": key.group.name, "key": key.secret, "links": of_group}, 201)


class GroupView(ApiView):
    """One group."""

    @describe.group
    def get(self, request: Request, group_id: str) -> Response:
        key = self.of_group(request, group_id)
        return Response(figures.group(key, links.of_group(request, group_id)))

    @describe.rename
    def post(self, request: Request, group_id: str) -> Response:
        name = group_requests.group_name(request.data)
        key = self.owner(request, group_id)
        key.group = groups.rename_group(group_id=group_id, name=name)
        return Response(figures.group(key, links.of_group(request, group_id)))

    @describe.dissolve
    def delete(self, request: Request, group_id: str) -> Response:
        self.owner(request, group_id)
        groups.delete_group(group_id=group_id)
        return Response(status=204)


# --- players ---


class GroupPlayersView(ApiView):
    """The regulars."""

    @describe.group_players
    def get(self, request: Request, group_id: str) -> Response:
        return Response(figures.players(self.of_group(request, group_id).group))

    @describe.add_player
    def post(self, request: Request, group_id: str) -> Response:
        asked = group_requests.new_player(request.data)
        self.member(request, group_id)
        player = group_players.add_player(group_id=group_id, name=asked.name, token=asked.token)
        return Response(figures.player(player), 201)


class GroupPlayerView(ApiView):
    """One of them."""

    @describe.change_player
    def post(self, request: Request, group_id: str, player_id: str) -> Response:
        asked = group_requests.player_change(request.data)
        figures.demand_player(self.of_group(request, group_id).group, player_id)
        self.member(request, group_id)
        player = group_players.change_player(group_id=group_id, player_id=player_id, name=asked.name, token=asked.token)
        return Response(figures.player(player))


class MergeView(ApiView):
    """Two players who are one person."""

    @describe.merge
    def post(self, request: Request, group_id: str, player_id: str) -> Response:
        into_id = group_requests.merging(request.data)
        key = self.of_group(request, group_id)
        for each in (player_id, into_id):
            figures.demand_player(key.group, each)
        permissions.require(permissions.owns_group, key)
        return Response(
            figures.player(group_players.merge_players(group_id=group_id, player_id=player_id, into_id=into_id))
        )


class EraseView(ApiView):
    """A person's name, taken out of everything."""

    @describe.erase
    def post(self, request: Request, group_id: str, player_id: str) -> Response:
        nothing(request.data)
        key = self.of_group(request, group_id)
        figures.demand_player(key.group, player_id)
        permissions.require(permissions.owns_group, key)
        return Response(figures.player(group_players.erase_player(group_id=group_id, player_id=player_id)))


# --- tables ---


class GroupGamesView(ApiView):
    """The tables of a group."""

    @describe.adopt
    def post(self, request: Request, group_id: str) -> Response:
        asked = group_requests.adopting(request.data)
        key = self.of_group(request, group_id)
        of_game = _key_of_game(asked.secret, asked.game_id)
        permissions.require(permissions.plays_in_group, key)
        permissions.require(permissions.records, of_game)
        groups.adopt(group_id=group_id, game_id=asked.game_id)
        seats = figures.seats_of(asked.game_id)
        return Response({"game": asked.game_id, "seats": seats, "links": links.of_game(request, asked.game_id)}, 201)


class GroupGameView(ApiView):
    """A table of a group."""

    @describe.release
    def delete(self, request: Request, group_id: str, game_id: str) -> Response:
        key = self.of_group(request, group_id)
        registry.viewing_key(key, known(game_id))
        permissions.require(permissions.owns_group, key)
        groups.release(group_id=group_id, game_id=game_id)
        return Response(status=204)


class EnterView(ApiView):
    """A place at a table of a group."""

    @describe.enter
    def post(self, request: Request, group_id: str, game_id: str) -> Response:
        role = group_requests.entering(request.data)
        key = self.of_group(request, group_id)
        entered = invitations.enter(key=key, game_id=known(game_id), role=role)
        return Response(documents.joined(entered, entered.secret, links.of_game(request, game_id)), 201)


# --- keys ---


class GroupKeysView(ApiView):
    """Who may do what in a group."""

    @describe.group_keys
    def get(self, request: Request, group_id: str) -> Response:
        own = self.owner(request, group_id)
        return Response([documents.group_key_row(key, own=own) for key in figures.keys_of(own.group)])

    @describe.give_key
    def post(self, request: Request, group_id: str) -> Response:
        asked = group_requests.new_key(request.data)
        own = self.owner(request, group_id)
        key = registry.issue(group=own.group, role=asked.role, label=asked.label, program=True)
        return Response({**documents.group_key_row(key, own=own), "key": key.secret}, 201)


class GroupKeyView(ApiView):
    """One key of a group."""

    @describe.revoke_group_key
    def delete(self, request: Request, group_id: str, key_id: int) -> Response:
        self.owner(request, group_id)
        groups.revoke_key(group_id=group_id, key_id=key_id)
        return Response(status=204)


class RenewView(ApiView):
    """Another secret for a key of a group."""

    @describe.renew_key
    def post(self, request: Request, group_id: str, key_id: int) -> Response:
        nothing(request.data)
        own = self.owner(request, group_id)
        key = groups.renew_key(group_id=group_id, key_id=key_id)
        return Response({**documents.group_key_row(key, own=own), "key": key.secret})


class GroupInvitesView(ApiView):
    """Ways into a group."""

    @describe.invite_to_group
    def post(self, request: Request, group_id: str) -> Response:
        role = group_requests.inviting(request.data)
        key = self.of_group(request, group_id)
        permissions.require(permissions.NEEDED_TO_INVITE[role], key)
        made = invitations.invite_to_group(group=key.group, role=role, maker=key)
        return Response(documents.invitation(made, links.of_invitation(request, made.token)), 201)


def _key_of_game(secret: str, game_id: str) -> Key:
    """The key that opens a game: without a right one the game does not exist for whoever asks."""
    try:
        key = registry.key_of_secret(secret)
    except NotAuthenticated as error:
        raise NotFound() from error
    permissions.game_of(key, game_id)
    return key
