"""What every endpoint shares: JSON in, JSON out, whose key it is, the shape of an answer.

Knows: the order in which a request is refused before a service is asked; what a key of a game, and one of its group,
opens.  Must not know: any single endpoint.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest
from rest_framework.exceptions import NotFound
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api import documents, links
from games.api.fields import StrictJSONParser
from games.bot_runner import process
from games.errors import GameLocked, NotAuthenticated, SeatOnly, StaleVersion, TableOnlyOperation
from games.errors import NotFound as NothingHere
from games.keys import invitations, permissions, registry
from games.live.hub import hub
from games.log import store
from games.log.ledger import Ledger
from games.models import TABLE_ROLES, GroupKey, Key, Mode, Role, Status
from games.rules.errors import DigitalOnly
from games.services.creation import Created
from games.services.write import Outcome
from games.services.write import WriteRequest as Writing

AN_ID = re.compile(r"[0-9a-z]{1,12}", re.ASCII)


class OneFormat(BaseContentNegotiation):
    """Every address answers in its one format, whatever a client says it would accept."""

    def select_parser(self, request: Request, parsers: Sequence[BaseParser]) -> BaseParser | None:
        sent = request.content_type.partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == sent), None)

    def select_renderer(
        self, request: Request, renderers: Sequence[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], renderers[0].media_type


class ApiView(APIView):
    """An endpoint."""

    authentication_classes = ()
    permission_classes = ()
    parser_classes = (StrictJSONParser,)
    renderer_classes = (JSONRenderer,)
    content_negotiation_class = OneFormat
    metadata_class = None
    http_method_names = ("get", "head", "post", "delete")

    def bearer(self, request: Request, game_id: str) -> Key:
        """The key that the request shows, if it opens this game; a key of the game's group looks on.

        Errors: `NotAuthenticated`, `NotFound`.
        """
        secret = _secret(request)
        try:
            key = registry.key_of_secret(secret)
        except NotAuthenticated:
            key = registry.viewing_key(registry.group_key_of_secret(secret), known(game_id))
        permissions.game_of(key, game_id)
        if key.seat is not None:
            # A program that plays is as present as a phone.
            hub.heard(game_id, key.pk, key.label, may_record=key.may_record)
        request.auth = key
        if key.game.mode == Mode.DIGITAL and key.game.status == Status.PLAYING:
            process.ensure_running()
        return key

    def player(self, request: Request, game_id: str) -> Key:
        """The key that the request shows, if it may act: at a table a scorekeeper's, in a digital game that of a seat.

        Errors: those of `bearer`, `Forbidden`.
        """
        key = self.bearer(request, game_id)
        if key.game.mode != Mode.DIGITAL:
            permissions.require(permissions.records, key)
        elif key.seat is None:
            raise SeatOnly()
        return key

    def seated(self, request: Request, game_id: str, *, doing: str) -> Key:
        """The same for what there is in digital games only.

        Errors: those of `player`, `DigitalOnly`.
        """
        key = self.player(request, game_id)
        if key.game.mode != Mode.DIGITAL:
            raise DigitalOnly(action=doing)
        return key

    def scorekeeper(self, request: Request, game_id: str) -> Key:
        """The key that the request shows, if it may change this game.

        Errors: those of `bearer`, `Forbidden`.
        """
        key = self.bearer(request, game_id)
        permissions.require(permissions.records, key)
        return key

    def deleter(self, request: Request, game_id: str) -> None:
        """Whether the request shows a key that may delete this game: its scorekeeper's, or its group's owner's.

        Errors: those of `bearer`, `Forbidden`; what a group counts only its owners delete.
        """
        key = self.bearer(request, game_id)
        if key.pk is None:
            permissions.require(permissions.owns_group, registry.group_key_of_secret(_secret(request)))
        else:
            permissions.require(permissions.records, key)
            permissions.require(permissions.deletes, key.game, owner=False)

    def of_group(self, request: Request, group_id: str | None = None) -> GroupKey:
        """The key that the request shows, if it is one of this group; without an id: of whichever group.

        Errors: `NotAuthenticated`, `NotFound`.
        """
        key = registry.group_key_of_secret(_secret(request))
        if group_id is not None and key.group_id != group_id:
            raise NothingHere()
        return key

    def member(self, request: Request, group_id: str) -> GroupKey:
        """The key that the request shows, if it may open tables in this group.

        Errors: those of `of_group`, `Forbidden`.
        """
        key = self.of_group(request, group_id)
        permissions.require(permissions.plays_in_group, key)
        return key

    def owner(self, request: Request, group_id: str) -> GroupKey:
        """The key that the request shows, if it may look after this group.

        Errors: those of `of_group`, `Forbidden`.
        """
        key = self.of_group(request, group_id)
        permissions.require(permissions.owns_group, key)
        return key


def known(stored_id: str) -> str:
    """An id as ours are; whatever else stands in an address names nothing, and no database is asked for it.

    Errors: `NotFound`.
    """
    if not AN_ID.fullmatch(stored_id):
        raise NothingHere()
    return stored_id


def _secret(request: Request) -> str:
    scheme, _, secret = request.META.get("HTTP_AUTHORIZATION", "").strip().partition(" ")
    if scheme.lower() != "bearer":
        raise NotAuthenticated()
    return str(secret.strip())


class UnknownPath(ApiView):
    """Whatever is not an endpoint."""

    schema = None

    def http_method_not_allowed(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Response:
        raise NotFound

    @property
    def default_response_headers(self) -> dict[str, str]:
        return {}


def ledger_seen(key: Key, writing: Writing) -> Ledger:
    """The ledger that a preview looks at: refused where the write itself would be.

    Errors: `StaleVersion`, `GameLocked`, `TableOnlyOperation`.
    """
    ledger = store.seen(key.game, key.seat)
    if writing.version is not None and writing.version != ledger.version:
        raise StaleVersion(ledger)
    if ledger.locked:
        raise GameLocked()
    if ledger.digital:
        raise TableOnlyOperation()
    return ledger


def written(outcome: Outcome, key: Key) -> Response:
    """The answer to a write: 201, or 200 if it had been done before."""
    answer = {"version": outcome.version, "state": documents.state(outcome.ledger, may_record=key.may_record)}
    return Response(answer, status=200 if outcome.repeated else 201)


def created(request: Request, made: Created) -> Response:
    """The answer to whoever opened a table: the only time that its keys are shown."""
    game = made.game

    def link(role: Role, seat: int | None = None) -> str:
        return links.of_invitation(request, invitations.invite(game=game, role=role, seat=seat).token)

    join: dict[str, object] = {role.value: link(role) for role in TABLE_ROLES}
    if made.ledger.digital:
        process.ensure_running()
        join["seats"] = {str(seat): link(Role.SEAT, seat) for seat in made.seat_secrets}
    answer = {
        "id": game.pk,
        "version": made.ledger.version,
        "keys": {**made.secrets, "seats": {str(seat): secret for seat, secret in made.seat_secrets.items()}},
        "links": {**links.of_game(request, game.pk), "join": join},
        "state": documents.state(made.ledger, may_record=True),
    }
    return Response(answer, status=201)
