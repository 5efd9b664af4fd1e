"""Who stands before a page: the one guard of every page of a table.

Knows: which key a browser bears, how a refusal becomes a page.  Must not know: what a page shows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from games.errors import Forbidden, NotFound, TableOnlyOperation, status_of
from games.keys import permissions, sessions
from games.log import store
from games.log.ledger import Ledger
from games.models import Game, Group, GroupKey, Key, Mode
from games.pages.parts.players import players_of
from games.rules import NjetError
from games.texts import words

P = ParamSpec("P")


@dataclass(frozen=True)
class Table:
    """A table as the browser before it may see it.

    `seats`: the keys of the seats of a digital game that the browser bears; `seat`: the one whose hand is shown, None
    for a spectator, for a host who does not play, and between two seats that share the phone.
    """

    game: Game
    key: Key
    seats: Mapping[int, Key] = field(default_factory=dict)
    seat: int | None = None

    @property
    def door(self) -> GroupKey | None:
        """The key of the group that lets a browser look which has no seat here; None for who has one."""
        return self.key.through if self.key.pk is None else None

    @property
    def ledger(self) -> Ledger:
        """The log, folded, as far as the seat that is shown may read it."""
        return store.seen(self.game, self.seat)


@dataclass(frozen=True)
class Club:
    """A group as the browser before it may see it."""

    group: Group
    key: GroupKey


def at_table(
    view: Callable[Concatenate[HttpRequest, Table, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponse]:
    """Let in whoever bears a key of the game; for everybody else the table does not exist.

    Whoever is of the table's group is shown the way to a seat.
    """

    @wraps(view)
    def guarded(request: HttpRequest, game_id: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            key = sessions.key_of_session(request.session, game_id)
        except NotFound:
            return seat_taken(request, game_id) or _at_the_door(request, game_id)
        return _seen(view, request, _table_of(request, key), *args, **kwargs)

    return guarded


def _table_of(request: HttpRequest, key: Key) -> Table:
    if key.game.mode != Mode.DIGITAL:
        return Table(key.game, key)
    seats = sessions.seats_of_session(request.session, key.game_id)
    asked = request.POST.get("seat") or request.GET.get("seat", "")
    # Python refuses to read a number of thousands of digits.
    if asked.isascii() and asked.isdigit() and len(asked) < 3 and int(asked) in seats:
        return Table(key.game, key, seats, int(asked))
    return Table(key.game, key, seats, next(iter(seats)) if len(seats) == 1 else None)


def sees_table(
    view: Callable[Concatenate[HttpRequest, Table, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponse]:
    """Let in whoever bears a key of the game or of its group: for pages that only show."""

    @wraps(view)
    def guarded(request: HttpRequest, game_id: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            key = sessions.key_seeing(request.session, game_id)
        except NotFound:
            return seat_taken(request, game_id) or no_table(request)
        return _seen(view, request, _table_of(request, key), *args, **kwargs)

    return guarded


def _seen(
    view: Callable[Concatenate[HttpRequest, Table, P], HttpResponse],
    request: HttpRequest,
    table: Table,
    *args: P.args,
    **kwargs: P.kwargs,
) -> HttpResponse:
    try:
        return view(request, table, *args, **kwargs)
    except NjetError as error:
        return refusal_page(request, error, table.game.pk)


def seat_taken(request: HttpRequest, game_id: str) -> HttpResponse | None:
    """What a phone is told whose seat was claimed on another one, None if it never had any."""
    lost = sessions.superseded_of_session(request.session, game_id)
    if not lost:
        return None
    players = players_of(store.seen(lost[0].game, None).current_setup)
    context = {"game_id": game_id, "lost": [players[key.seat] for key in lost if key.seat is not None]}
    return render(request, "games/errors/seat_taken.html", context, status=403)


def _at_the_door(request: HttpRequest, game_id: str) -> HttpResponse:
    try:
        sessions.group_key_for_game(request.session, game_id)
    except NotFound:
        return no_table(request)
    if request.method == "GET" and not wants_fragment(request):
        return redirect("games:enter", game_id)
    return no_table(request)


def no_table(request: HttpRequest) -> HttpResponse:
    """What a table looks like that is not there, or not for this browser."""
    return render(request, "games/errors/no_table.html", status=404)


def in_group(
    view: Callable[Concatenate[HttpRequest, Club, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponse]:
    """Let in whoever bears a key of the group; for everybody else it does not exist."""

    @wraps(view)
    def guarded(request: HttpRequest, group_id: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            key = sessions.group_key_of_session(request.session, group_id)
        except NotFound:
            return render(request, "games/errors/no_group.html", status=404)
        # Nothing is called so, and PostgreSQL refuses to look for what it cannot hold.
        if any("\0" in str(each) for each in kwargs.values()):
            raise Http404
        try:
            return view(request, Club(key.group, key), *args, **kwargs)
        except NjetError as error:
            return refusal_page(request, error, group_id=group_id)

    return guarded


def plays(
    view: Callable[Concatenate[HttpRequest, Club, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Club, P], HttpResponse]:
    """Refuse those of a group who may only look."""

    @wraps(view)
    def guarded(request: HttpRequest, club: Club, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        permissions.require(permissions.plays_in_group, club.key)
        return view(request, club, *args, **kwargs)

    return guarded


def owns(
    view: Callable[Concatenate[HttpRequest, Club, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Club, P], HttpResponse]:
    """Refuse whoever does not look after the group."""

    @wraps(view)
    def guarded(request: HttpRequest, club: Club, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        permissions.require(permissions.owns_group, club.key)
        return view(request, club, *args, **kwargs)

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


def physical(
    view: Callable[Concatenate[HttpRequest, Table, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Table, P], HttpResponse]:
    """Refuse what is done at a physical table only: where the app has seen every card nothing is put right."""

    @wraps(view)
    def guarded(request: HttpRequest, table: Table, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if table.game.mode == Mode.DIGITAL:
            raise TableOnlyOperation()
        return view(request, table, *args, **kwargs)

    return guarded


def wants_fragment(request: HttpRequest) -> bool:
    """Whether a phone has the page already and asks for its changing part only."""
    return bool(request.htmx)  # type: ignore[attr-defined]  # (set by django-htmx's middleware)


def refusal_page(request: HttpRequest, error: NjetError, game_id: str = "", *, group_id: str = "") -> HttpResponse:
    """A refusal as a page of its own, with the way back."""
    sentence = words.error_sentence(error)
    context = {"sentence": sentence, "code": error.code, "game_id": game_id, "group_id": group_id}
    return render(request, "games/errors/refused.html", context, status=status_of(error))
