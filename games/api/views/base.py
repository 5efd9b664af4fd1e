"""What the endpoints have in common, by the kind of key that they take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django.http import HttpRequest
from rest_framework.permissions import AllowAny, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from games.api import links
from games.api.authentication import (
    BearerAuthentication,
    GameKeyAuthentication,
    GroupKeyAuthentication,
    GroupReaderAuthentication,
)
from games.api.permissions import HasKey, OpensGame, OpensGroup, Right
from games.api.serializers.state import state_of
from games.api.throttles import WriteThrottle
from games.errors import GameLocked, NotAuthenticated, NotFound, StaleVersion
from games.keys import permissions
from games.keys.addresses import client_address
from games.keys.hashes import hash_of_address
from games.live.hub import hub
from games.log import store
from games.log.ledger import Ledger
from games.models import TABLE_ROLES, Group, GroupKey, Key, Mode
from games.rules.errors import NjetError
from games.services.creation import Created
from games.services.idempotent_creation import ProgramRequest
from games.services.write import Outcome, WriteRequest


class ApiView(APIView):
    """An endpoint.  `rights`: what its keys must be allowed; `rights_to_change`: besides, for every method but GET."""

    tag = "Everybody"
    permission_classes: Sequence[type[BasePermission]] = (AllowAny,)
    throttle_classes: Sequence[type[BaseThrottle]] = (WriteThrottle,)
    rights: Sequence[type[Right]] = ()
    rights_to_change: Sequence[type[Right]] = ()
    http_method_names = ("get", "head", "post", "delete")

    def get_permissions(self) -> list[BasePermission]:
        more = () if self.request.method in ("GET", "HEAD") else self.rights_to_change
        return [permission() for permission in (*self.permission_classes, *self.rights, *more)]

    def serialized(
        self,
        serializer: type[Serializer[Any]],
        instance: object,
        status: int = 200,
        *,
        many: bool = False,
    ) -> Response:
        """An answer that a serializer writes."""
        return Response(serializer(instance, many=many, context={"request": self.request}).data, status)


class GameEndpoint(ApiView):
    """An endpoint of a game."""

    tag = "Games"
    authentication_classes: Sequence[type[BearerAuthentication]] = (GameKeyAuthentication, GroupReaderAuthentication)
    permission_classes: Sequence[type[BasePermission]] = (OpensGame,)

    @property
    def key(self) -> Key:
        """The key of the request; of a key of the game's group, a viewer's that is stored nowhere."""
        return cast("Key", self.request.auth)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        key = self.key
        if key.seat is not None:
            # A program that plays is as present as a phone.
            hub.note_request(key.game_id, key.pk, key.label, may_record=key.may_record)

    def demand_digital(self, refusal: NjetError) -> None:
        """Refuse at a physical table what only digital games have."""
        if self.key.game.mode != Mode.DIGITAL:
            raise refusal

    def seen_for_preview(self, request: WriteRequest) -> Ledger:
        """The ledger that a preview is made from: refused where the change itself would be.

        Errors: `StaleVersion`, `GameLocked`.
        """
        ledger = store.seen(self.key.game, self.key.seat)
        if request.version is not None and request.version != ledger.version:
            raise StaleVersion(ledger)
        if ledger.locked:
            raise GameLocked()
        return ledger

    def written(self, outcome: Outcome) -> Response:
        """The answer to a change: 201, or 200 if it was done by an earlier request."""
        state = state_of(outcome.ledger, self.key.game, may_record=self.key.may_record)
        return Response({"version": outcome.version, "state": state}, 200 if outcome.repeated else 201)


class GroupEndpoint(ApiView):
    """An endpoint of a group."""

    tag = "Groups"
    authentication_classes = (GroupKeyAuthentication,)
    permission_classes: Sequence[type[BasePermission]] = (OpensGroup,)

    @property
    def key(self) -> GroupKey:
        return cast("GroupKey", self.request.auth)


class ResultsEndpoint(ApiView):
    """An endpoint about the group of the key."""

    tag = "Results"
    authentication_classes = (GroupKeyAuthentication,)
    permission_classes = (HasKey,)

    @property
    def group(self) -> Group:
        return cast("GroupKey", self.request.auth).group


class OpeningEndpoint(ApiView):
    """An endpoint that opens a game; in a group, with the key of one of its members."""

    authentication_classes = (GroupKeyAuthentication,)

    def member_of(self, group_id: str | None) -> GroupKey | None:
        """The key of the request, if a group is named.

        Errors: `NotAuthenticated`, `NotFound`, `MembersOnly`.
        """
        if group_id is None:
            return None
        key = cast("GroupKey | None", self.request.auth)
        if key is None:
            raise NotAuthenticated()
        if key.group_id != group_id:
            raise NotFound()
        permissions.require(permissions.plays_in_group, key)
        return key


class UnknownPath(ApiView):
    """Every address without an endpoint."""

    schema = None

    def http_method_not_allowed(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Response:
        raise NotFound()

    @property
    def default_response_headers(self) -> dict[str, str]:
        return {}


def repeatable(request: Request, request_id: str | None) -> ProgramRequest | None:
    """The request of a program that creates something, if it has an id: it may be sent again.

    An id belongs to the key of the request, or to the address that it comes from.
    """
    if request_id is None:
        return None
    key = request.auth
    sender = f"address {hash_of_address(client_address(request))}"
    if isinstance(key, Key | GroupKey):
        sender = f"{'game' if isinstance(key, Key) else 'group'} key {key.pk}"
    sent = WriteRequest(body={"body": request.data, "parameters": request.query_params.dict()})
    return ProgramRequest(sender, request_id, sent.fingerprint(request.path))


def created(request: Request, made: Created) -> Response:
    """The answer to a new game, with its keys: they are shown again only to the same request, sent again."""
    game = made.game

    invited = {place: links.of_invitation(request, token) for place, token in made.links.items()}
    join: dict[str, object] = {role.value: invited[role.value] for role in TABLE_ROLES}
    if made.ledger.digital:
        join["seats"] = {str(seat): invited[str(seat)] for seat in made.seat_secrets}
    answer = {
        "id": game.pk,
        "version": made.ledger.version,
        "keys": {**made.secrets, "seats": {str(seat): secret for seat, secret in made.seat_secrets.items()}},
        "links": {**links.of_game(request, game.pk), "join": join},
        "state": state_of(made.ledger, game, may_record=True),
    }
    return Response(answer, 200 if made.repeated else 201)
