"""What every endpoint shares: JSON in, JSON out, whose key it is, the shape of an answer.

Knows: the order in which a request is refused before a service is asked.  Must not know: any single endpoint.
"""

from __future__ import annotations

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

from games import access, log
from games.api import documents
from games.api.requests import StrictJSONParser
from games.errors import GameLocked, NotAuthenticated, StaleVersion
from games.log import Ledger
from games.models import Key
from games.services import Outcome
from games.services import Request as Writing


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
        """The key that the request shows, if it opens this game.

        Errors: `NotAuthenticated`, `NotFound`.
        """
        scheme, _, secret = request.META.get("HTTP_AUTHORIZATION", "").strip().partition(" ")
        if scheme.lower() != "bearer":
            raise NotAuthenticated()
        key = access.key_of_secret(secret.strip())
        access.require_game(key, game_id)
        request.auth = key
        return key

    def scorekeeper(self, request: Request, game_id: str) -> Key:
        """The key that the request shows, if it may change this game.

        Errors: those of `bearer`, `Forbidden`.
        """
        key = self.bearer(request, game_id)
        access.require_scorekeeper(key)
        return key


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

    Errors: `StaleVersion`, `GameLocked`.
    """
    ledger = log.read(key.game)
    if writing.version is not None and writing.version != ledger.version:
        raise StaleVersion(ledger)
    if ledger.locked:
        raise GameLocked()
    return ledger


def written(outcome: Outcome, key: Key) -> Response:
    """The answer to a write: 201, or 200 if it had been done before."""
    answer = {"version": outcome.version, "state": documents.state(outcome.ledger, may_record=key.may_record)}
    return Response(answer, status=200 if outcome.repeated else 201)
