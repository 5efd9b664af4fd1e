"""Invitations, joining, and the keys of a game."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.openapi import DELETED, RETRY_AFTER, found, made, operation
from games.api.permissions import IsScorekeeper
from games.api.serializers.fields import read
from games.api.serializers.groups import JOINED, JoinedGroupSerializer
from games.api.serializers.keys import (
    InvitationSerializer,
    InviteRequestSerializer,
    JoinedTableSerializer,
    JoinRequestSerializer,
    KeySerializer,
    OpenInvitationSerializer,
)
from games.api.views.base import ApiView, GameEndpoint, repeatable
from games.groups import lists
from games.keys import invitations
from games.keys.addresses import client_address
from games.models import GroupKey, Role
from games.rules.errors import DigitalOnly, UnknownSeat
from games.services import given_again, tables


class InvitesView(GameEndpoint):
    rights_to_change = (IsScorekeeper,)

    @operation("invites", found(OpenInvitationSerializer(many=True), "The latest first, without codes and links."))
    def get(self, request: Request, game_id: str) -> Response:
        """The open invitations to a game.

        A scorekeeper's key shows all of them, another key those that it made and those to its seat.
        """
        return self.serialized(OpenInvitationSerializer, invitations.listed([self.key]), many=True)

    @operation(
        "invite",
        made(InvitationSerializer, "A code and a link, shown this once, for 12 hours.", repeatable=True),
        request=InviteRequestSerializer,
        refuses=(409, 422),
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Invite a player or a spectator.

        An invitation to a seat of a digital game replaces its earlier keys when it is used, and ends with this use; a
        bot that plays there leaves the seat.
        """
        asked = read(InviteRequestSerializer, request.data).validated_data
        role, seat = Role(asked["role"]), asked.get("seat")
        if seat is not None:
            self.demand_digital(DigitalOnly(action="seat"))
            if seat >= self.key.game.players:
                raise UnknownSeat(seat=seat)
        made = given_again.invite(
            game=self.key.game,
            role=role,
            seat=seat,
            maker=self.key,
            single_use=asked["single_use"],
            asked=repeatable(request, asked["request_id"]),
        )
        return self.serialized(InvitationSerializer, made, 200 if made.repeated else 201)


class InviteView(GameEndpoint):
    @operation("withdraw_invite", DELETED)
    def delete(self, request: Request, game_id: str, invite_id: int) -> Response:
        """Withdraw an open invitation.

        Of those that the key's list shows. The keys that it has given stay valid.
        """
        invitations.withdraw_one(invitations.listed([self.key]), invite_id)
        return Response(status=204)


class JoinView(ApiView):
    @operation(
        "join",
        made(JOINED, "A new key of the table or of the group.", repeatable=True),
        request=JoinRequestSerializer,
        refuses=(404, 409, 429),
        parameters=[RETRY_AFTER],
    )
    def post(self, request: Request) -> Response:
        """Join a table or a group.

        Takes the code or the token of an invitation. After ten wrong codes from one address in ten minutes, or sixty
        from all addresses in a minute, further wrong ones are answered 429. What is valid never waits.

        To take a seat is to agree to what the table has agreed on: `open_hands` of the state.
        """
        asked = read(JoinRequestSerializer, request.data).validated_data
        key = given_again.join(
            token=asked["token"],
            code=asked["code"],
            label=asked["name"],
            address=client_address(cast(HttpRequest, request)),
            asked=repeatable(request, asked["request_id"]),
        )
        serializer = JoinedGroupSerializer if isinstance(key, GroupKey) else JoinedTableSerializer
        return self.serialized(serializer, key, 200 if key.repeated else 201)


class KeysView(GameEndpoint):
    rights = (IsScorekeeper,)

    @operation("keys", found(KeySerializer(many=True), "Without secrets."))
    def get(self, request: Request, game_id: str) -> Response:
        """The keys of a game."""
        return self.serialized(KeySerializer, lists.devices_of(self.key.game), many=True)


class KeyView(GameEndpoint):
    rights = (IsScorekeeper,)

    @operation("revoke_key", DELETED, refuses=(409,))
    def delete(self, request: Request, game_id: str, key_id: int) -> Response:
        """Revoke a key.

        Every open invitation to its role or above (viewer, seat, scorekeeper), and every one that it made, is withdrawn
        with it.
        """
        tables.revoke_key(game_id=game_id, key_id=key_id, actor=self.key)
        return Response(status=204)
