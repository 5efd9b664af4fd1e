"""Invitations, joining, and the keys of a game."""

from __future__ import annotations

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
)
from games.api.views.base import ApiView, GameEndpoint
from games.club import lists
from games.keys import invitations
from games.keys.addresses import client_address
from games.models import GroupInvite, Role
from games.rules.errors import DigitalOnly, UnknownSeat
from games.services import seating, tables


class InvitesView(GameEndpoint):
    rights = (IsScorekeeper,)

    @operation(
        "invite",
        made(InvitationSerializer, "A code and a link, shown this once, for 12 hours."),
        request=InviteRequestSerializer,
        refuses=(422,),
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Invite a player or a spectator.

        An invitation to a seat of a digital game replaces its earlier keys when it is used.
        """
        asked = read(InviteRequestSerializer, request.data).validated_data
        role, seat = Role(asked["role"]), asked.get("seat")
        if seat is not None:
            self.demand_digital(DigitalOnly(action="seat"))
            if seat >= self.key.game.players:
                raise UnknownSeat(seat=seat)
        made = invitations.invite(game=self.key.game, role=role, seat=seat, maker=self.key)
        return self.serialized(InvitationSerializer, made, 201)


class JoinView(ApiView):
    @operation(
        "join",
        made(JOINED, "A new key of the table or of the group."),
        request=JoinRequestSerializer,
        refuses=(404, 429),
        parameters=[RETRY_AFTER],
    )
    def post(self, request: Request) -> Response:
        """Join a table or a group.

        Takes the code or the token of an invitation. After ten wrong ones in ten minutes, joining is blocked for a
        while.
        """
        asked = read(JoinRequestSerializer, request.data).validated_data
        address = client_address(request._request)
        invite = invitations.find_invite(address=address, token=asked["token"], code=asked["code"])
        if isinstance(invite, GroupInvite):
            return self.serialized(JoinedGroupSerializer, invitations.join(invite=invite, label=asked["name"]), 201)
        join = invitations.join if invite.seat is None else seating.sit_down
        return self.serialized(JoinedTableSerializer, join(invite=invite, label=asked["name"]), 201)


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
        """Revoke a key."""
        tables.revoke_key(game_id=game_id, key_id=key_id, actor=self.key)
        return Response(status=204)
