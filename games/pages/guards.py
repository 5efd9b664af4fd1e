"""Access checks of the pages: each decorator finds the table or group, or refuses.

A view gets its table as a `PaperTable` or a `DigitalTable`: the mode of a game is decided here, once for each request.
An `NjetError` that a view does not catch becomes a refusal page here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import wraps
from typing import Concatenate, TypeVar

from django.contrib.sessions.backends.base import SessionBase
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from games.errors import NotFound, SeatOnly, TableOnlyOperation, TooManyWrites, headers_of
from games.keys import following, permissions, sessions
from games.keys.sessions import GameKeys
from games.keys.write_rate import write_rate
from games.models import Game, GroupKey, Key, Mode
from games.pages import ledgers
from games.pages.base_table import Table, wants_fragment
from games.pages.digital.digital_table import DigitalTable
from games.pages.errors import no_group, no_table, refusal_page
from games.pages.parts.players import players_of
from games.pages.table.paper_table import PaperTable
from games.rules import NjetError
from games.services.bot_speed import Phones

T = TypeVar("T", bound=Table)
View = Callable[..., HttpResponseBase]
"""A view as the addresses call it: with the parameters of the address."""
TableView = Callable[Concatenate[HttpRequest, T, ...], HttpResponse]


# --- tables ---


def at_table(view: TableView[Table]) -> View:
    """Admit holders of a key of the game."""
    return _guarded(view, lambda table: table)


def records(view: TableView[Table]) -> View:
    """Admit scorekeepers; in a digital game that is the host."""
    return _guarded(view, _recorder)


def corrects(view: TableView[PaperTable]) -> View:
    """Admit scorekeepers of a physical table.  In a digital game the app has seen every card: nothing to correct."""
    return _guarded(view, lambda table: _paper(_recorder(table)))


def at_digital_table(view: TableView[DigitalTable]) -> View:
    """Admit holders of a key of a digital game."""
    return _guarded(view, _digital)


def seated(view: TableView[DigitalTable]) -> View:
    """Admit the player of the seat that is shown."""
    return _guarded(view, _seated)


def by_mode(*, paper: TableView[PaperTable], digital: TableView[DigitalTable]) -> View:
    """Admit holders of a key of the game, to one view for each mode."""

    @at_table
    def view(request: HttpRequest, table: Table) -> HttpResponse:
        return digital(request, table) if isinstance(table, DigitalTable) else paper(request, _paper(table))

    return view


def sees_table(view: TableView[Table]) -> View:
    """Admit holders of a key of the game or of its group: for pages that only show."""
    return _guarded(view, lambda table: table, find_keys=sessions.keys_seeing, on_no_key=no_table)


def sees_digital_table(view: TableView[DigitalTable]) -> View:
    """The same for digital games."""
    return _guarded(view, _digital, find_keys=sessions.keys_seeing, on_no_key=no_table)


def _guarded(
    view: TableView[T],
    admit: Callable[[Table], T],
    *,
    find_keys: Callable[[SessionBase, str], GameKeys] = sessions.keys_of_game,
    on_no_key: Callable[..., HttpResponse] | None = None,
) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, game_id: str, **parameters: object) -> HttpResponse:
        try:
            keys = find_keys(request.session, game_id)
            _ = keys.first
        except NotFound:
            page = lost_page(request, game_id)
            if page is not None:
                return page
            keys = GameKeys(_followed(request, game_id))
            if keys.own is None:
                return _redirect_members(request, game_id) if on_no_key is None else on_no_key(request)
        try:
            table = admit(_table_of(request, keys.first, keys.seats))
            return _too_many_writes(request, table) or view(request, table, **parameters)
        except NjetError as error:
            return refusal_page(request, error, game_id)

    return guarded


def _followed(request: HttpRequest, game_id: str) -> Key | None:
    """The key of a phone that opens the next game of its table, None for another one."""
    with suppress(NotFound):
        return following.follow(request.session, game_id) if request.method == "GET" else None
    return None


def _too_many_writes(request: HttpRequest, table: Table) -> HttpResponse | None:
    """The refusal of a form after too many, as the table shows it for a tap there; None if it may be read.

    Errors: `TooManyWrites`, for a page of its own.
    """
    if request.method != "POST":
        return None
    try:
        write_rate.count(table.key)
    except TooManyWrites as error:
        if not wants_fragment(request):
            raise
        response = table.render(request, refusal=error, status=error.status)
        for name, value in headers_of(error).items():
            response[name] = value
        return response
    return None


def table_of(request: HttpRequest, game_id: str) -> Table:
    """The table of a browser with a key of the game.  Refusals: `NotFound` without one."""
    keys = sessions.keys_of_game(request.session, game_id)
    return _table_of(request, keys.first, keys.seats)


def _table_of(request: HttpRequest, key: Key, seats: Mapping[int, Key]) -> Table:
    return table_for(
        key,
        seats,
        request.POST.get("seat") or request.GET.get("seat", ""),
        lost=lambda: sessions.lost_of_session(request.session, key.game_id),
    )


def table_for(
    key: Key,
    seats: Mapping[int, Key],
    asked: str,
    *,
    lost: Callable[[], Sequence[Key]],
    phones: Callable[[], Phones] | None = None,
) -> Table:
    """The table for a browser with these keys, by its mode.  `asked`: the seat to show, if the browser has several."""
    if key.game.mode != Mode.DIGITAL:
        return PaperTable(key.game, key)
    # Python refuses to read a number of thousands of digits.
    if asked.isascii() and asked.isdigit() and len(asked) < 3 and int(asked) in seats:
        seat: int | None = int(asked)
    else:
        seat = next(iter(seats)) if len(seats) == 1 else None
    return DigitalTable(key.game, key, seats=seats, seat=seat, lost=lost, phones=phones)


def _recorder(table: Table) -> Table:
    permissions.require(permissions.records, table.key)
    return table


def _paper(table: Table) -> PaperTable:
    if not isinstance(table, PaperTable):
        raise TableOnlyOperation()
    return table


def _digital(table: Table, refusal: Exception | None = None) -> DigitalTable:
    if not isinstance(table, DigitalTable):
        raise refusal or Http404
    return table


def _seated(table: Table) -> DigitalTable:
    digital = _digital(table, SeatOnly())
    digital.require_actor()
    return digital


def lost_page(request: HttpRequest, game_id: str) -> HttpResponse | None:
    """The page for a phone that has lost its seats, with the reasons; None if it never had any."""
    lost = sessions.lost_of_session(request.session, game_id)
    if not lost:
        return None
    players = players_of(ledgers.seen(lost[0].game, None).current_setup)
    context = {
        "game_id": game_id,
        "lost": [(key.lost, players[key.seat]) for key in lost if key.seat is not None],
        "is_member": _is_member(request, game_id),
    }
    return render(request, "games/errors/seat_lost.html", context, status=403)


def _redirect_members(request: HttpRequest, game_id: str) -> HttpResponse:
    """Redirect members of the table's group to its enter page; for all others the table does not exist."""
    if request.method == "GET" and not wants_fragment(request) and _is_member(request, game_id):
        return redirect("games:enter", game_id)
    return no_table(request)


def _is_member(request: HttpRequest, game_id: str) -> bool:
    try:
        sessions.group_key_for_game(request.session, game_id)
    except NotFound:
        return False
    return True


def require_deletes(session: SessionBase, key: Key) -> None:
    """Refuse unless this browser may delete the game of its key.

    Errors: `OwnersOnly`, `OpenerOnly`.
    """
    owner = _owns_group(session, key.game)
    permissions.require(permissions.deletes, key, owner=owner)
    permissions.require(permissions.deletes_locked, key, owner=owner)


def may_delete(session: SessionBase, key: Key) -> bool:
    """Whether this browser may delete the game of its key."""
    owner = _owns_group(session, key.game)
    return permissions.deletes(key, owner=owner) and permissions.deletes_locked(key, owner=owner)


def _owns_group(session: SessionBase, game: Game) -> bool:
    group = game.present_group
    return group is not None and any(each.owns and each.group_id == group.pk for each in sessions.group_keys(session))


# --- groups ---


GroupView = Callable[Concatenate[HttpRequest, GroupKey, ...], HttpResponseBase]
"""A view with the browser's key of the group."""


def in_group(view: GroupView) -> View:
    """Admit holders of a key of the group; for all others it does not exist."""
    return _in_group(view, permissions.looks_at_group)


def in_group_plays(view: GroupView) -> View:
    """Admit members and owners of the group."""
    return _in_group(view, permissions.plays_in_group)


def in_group_owns(view: GroupView) -> View:
    """Admit owners of the group."""
    return _in_group(view, permissions.owns_group)


def _in_group(view: GroupView, permission: Callable[[GroupKey], bool]) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, group_id: str, **parameters: object) -> HttpResponseBase:
        try:
            key = sessions.group_key_of_session(request.session, group_id)
        except NotFound:
            return no_group(request)
        # No name contains a null character, and PostgreSQL refuses to look for one.
        if any("\0" in str(each) for each in parameters.values()):
            raise Http404
        try:
            permissions.require(permission, key)
            if request.method == "POST":
                write_rate.count(key)
            return view(request, key, **parameters)
        except NjetError as error:
            return refusal_page(request, error, group_id=group_id)

    return guarded
