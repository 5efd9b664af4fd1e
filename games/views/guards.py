"""Who stands before a page: the one guard of every page of a table.

Knows: which key a browser bears, how a refusal becomes a page.  Must not know: what a page shows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games import access, log
from games.errors import Forbidden, NotFound, status_of
from games.log import Ledger
from games.models import Game, Key
from games.presentation import words
from games.rules import NjetError

P = ParamSpec("P")


@dataclass(frozen=True)
class Table:
    """A table as the browser before it may see it."""

    game: Game
    key: Key

    @property
    def ledger(self) -> Ledger:
        """The log, folded."""
        return log.read(self.game)


def at_table(
    view: Callable[Concatenate[HttpRequest, Table, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponse]:
    """Let in whoever bears a key of the game; for everybody else the table does not exist."""

    @wraps(view)
    def guarded(request: HttpRequest, game_id: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            key = access.key_of_session(request.session, game_id)
        except NotFound:
            return render(request, "games/no_table.html", status=404)
        try:
            return view(request, Table(key.game, key), *args, **kwargs)
        except NjetError as error:
            return refusal_page(request, error, game_id)

    return guarded


def records(
    view: Callable[Concatenate[HttpRequest, Table, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Table, P], HttpResponse]:
    """Refuse viewers."""

    @wraps(view)
    def guarded(request: HttpRequest, table: Table, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not table.key.may_record:
            raise Forbidden()
        return view(request, table, *args, **kwargs)

    return guarded


def wants_fragment(request: HttpRequest) -> bool:
    """Whether a phone has the page already and asks for its changing part only."""
    return bool(request.htmx)  # type: ignore[attr-defined]  (set by django-htmx's middleware)


def refusal_page(request: HttpRequest, error: NjetError, game_id: str = "") -> HttpResponse:
    """A refusal as a page of its own, with the way back."""
    context = {"sentence": words.error_sentence(error), "code": error.code, "game_id": game_id}
    return render(request, "games/refused.html", context, status=status_of(error))
