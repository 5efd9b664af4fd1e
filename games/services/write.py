"""The one path of every write to a game.

A write is one transaction: wait in the queue, lock the game, find a repeated request, compare the version, let the
caller decide which entries to add, append them, copy the results to columns, and notify the phones after the commit.

Usually the game is still as the key of the request was read with it.  Then nothing is read again: the entries are
decided for that version, and the database refuses them if it has another one or if the request is a repetition.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.dispatch import Signal
from django.utils import timezone

from games.database import write_queue
from games.database.prepared import Prepared
from games.errors import GameFull, GameLocked, NotFound, RequestIdReused, StaleVersion, UndoNotAllowed
from games.formats.document import most_entries
from games.groups import totals
from games.live.hub import hub
from games.log import store
from games.log.durations import durations
from games.log.ledger import Ledger
from games.models import Game, Group, Key, Seat, Status
from games.rules.errors import NjetError, WrongType
from games.rules.replay import Entry, HintEntry, HolderEntry, OccasionEntry
from games.services.bot_names import own_bots

logger = logging.getLogger(__name__)

LONGEST_REQUEST_ID = 64

extended = Signal()
"""Sent within the transaction of a write, with the whole `ledger`: what has to follow is stored together with it."""


@dataclass(frozen=True)
class WriteRequest:
    """How a client identifies a write: the version that it saw, an id, and the body that belongs to the id."""

    version: int | None = None
    request_id: str | None = None
    body: Mapping[str, object] | None = None

    def fingerprint(self, operation: str) -> str:
        """A hash of operation and body: an id that comes with another fingerprint was reused."""
        content = json.dumps([operation, self.body], sort_keys=True, default=str)
        return hashlib.sha256(content.encode()).hexdigest()


@dataclass(frozen=True)
class Outcome:
    """The result of a write: `version` after this request, the present ledger, whether the request was a repetition."""

    version: int
    ledger: Ledger
    repeated: bool = False


def only_holders_changed(ledger: Ledger, version: int) -> bool:
    """Whether since a version nothing came that matters at the table: other phones, hints, when it was played."""
    return all(isinstance(entry, HolderEntry | HintEntry | OccasionEntry) for entry in ledger.entries[version:])


def write(
    operation: str,
    *,
    game_id: str,
    actor: Key | None,
    request: WriteRequest,
    decide: Callable[[Ledger], Sequence[Entry]],
    when_locked: type[GameLocked | UndoNotAllowed] = GameLocked,
    same_to: Callable[[Ledger, int], bool] = only_holders_changed,
) -> Outcome:
    """Write the entries that `decide` returns for the present ledger, which shows every card.

    `actor` None: a bot.  The outcome's ledger shows what the actor's seat may see.  `same_to`: whether the client may
    act on this older version, because nothing that matters to the write has changed since.
    Errors: `StaleVersion`, also for a lost race; `RequestIdReused`, `when_locked`, `GameFull`, `NotFound`; those of
    `decide`.
    """
    request_id, fingerprint = _request_id(request), request.fingerprint(operation)
    request_hash = None if request_id is None else fingerprint
    by: dict[str, Any] = {"actor": actor, "request_id": request_id, "request_hash": request_hash}
    viewer = None if actor is None else actor.seat
    if actor is not None and actor.game_id == game_id:
        ledger = store.read(actor.game)
        if request.version in (None, ledger.version) and not ledger.locked:
            # What is refused here is decided below, for the game as it is by then.
            with suppress(IntegrityError, NjetError), write_queue.in_turn():
                grown = extend(actor.game, ledger, _decided(ledger, decide), **by)
                if grown.version > ledger.version:
                    return Outcome(grown.version, grown.seen_by(viewer))
    try:
        with write_queue.in_turn():
            game = locked_game(game_id)
            ledger = store.read(game)
            written = _repeated(game_id, actor, request_id, fingerprint)
            if written is not None:
                return Outcome(written, ledger.seen_by(viewer), repeated=True)
            seen = request.version
            if seen is not None and seen != game.version and not (seen < game.version and same_to(ledger, seen)):
                raise StaleVersion(ledger.seen_by(viewer))
            if ledger.locked:
                raise when_locked()
            entries = decide(ledger) if actor is None else _decided(ledger, decide)
            grown = extend(game, ledger, entries, **by)
            return Outcome(grown.version, grown.seen_by(viewer))
    except IntegrityError as error:
        # Only a writer that got past the lock is here; the constraint on (game, seq) has kept the log consistent.
        logger.warning("a race for game %s was settled by a constraint: %s", game_id, error)
        raise StaleVersion(store.seen(Game.objects.get(pk=game_id), viewer)) from error


def _decided(ledger: Ledger, decide: Callable[[Ledger], Sequence[Entry]]) -> Sequence[Entry]:
    """The entries of a phone or program.  Bots and changes of a seat's phone only follow: there is room for them.

    Errors: `GameFull`; those of `decide`.
    """
    entries, most = decide(ledger), most_entries(digital=ledger.digital)
    if entries and ledger.version + len(entries) > most:
        raise GameFull(most=most)
    return entries


_LOCKED = Prepared(lambda pk: Game.objects.select_for_update().filter(pk=pk, deleted_at=None))


def locked_game(game_id: str) -> Game:
    """A game, locked until the end of the transaction.

    Errors: `NotFound`.
    """
    game = _LOCKED.first(game_id)
    if game is None:
        raise NotFound()
    return game


def locked_group(group_id: str) -> Group:
    """A group, locked until the end of the transaction.  Lock order: games before their group.

    Errors: `NotFound`.
    """
    group = totals.locked(group_id)
    if group is None or group.deleted_at is not None:
        raise NotFound()
    return group


def extend(
    game: Game,
    ledger: Ledger,
    entries: Sequence[Entry],
    *,
    actor: Key | None,
    request_id: str | None = None,
    request_hash: str | None = None,
) -> Ledger:
    """Append entries and copy the results, within the transaction of the caller.

    Errors: `IntegrityError` unless the game in the database is at the version of the ledger.
    """
    if not entries:
        return ledger
    # The higher version locks the game until the end of the transaction.
    present = Game.objects.filter(pk=game.pk, version=ledger.version, deleted_at=None)
    if not present.update(version=ledger.version + len(entries)):
        raise IntegrityError(f"the version is not {ledger.version} any more")
    at = store.now()
    grown = store.append(game, ledger, entries, actor=actor, at=at, request_id=request_id, request_hash=request_hash)
    # To the microsecond, which is not shown: results are listed in this order.
    _copy_results(game, ledger, grown, timezone.now())
    extended.send(Game, ledger=grown)
    key = None if actor is None else actor.pk
    transaction.on_commit(lambda: hub.announce(game.pk, grown.version, key=key))
    return grown


def _request_id(request: WriteRequest) -> str | None:
    if request.request_id is not None:
        store.demand_storable("request_id", request.request_id)
        if len(request.request_id) > LONGEST_REQUEST_ID:
            raise WrongType(field="request_id", expected="text_of_limited_length", most=LONGEST_REQUEST_ID)
    return request.request_id


def _repeated(game_id: str, actor: Key | None, request_id: str | None, fingerprint: str) -> int | None:
    if request_id is None or actor is None:
        return None
    written = store.find_request(game_id, actor, request_id)
    if written is None:
        return None
    seq, request_hash = written
    if request_hash != fingerprint:
        raise RequestIdReused()
    return seq


def _copy_results(game: Game, before: Ledger, after: Ledger, now: datetime) -> None:
    game.version = after.version
    if not after.state.is_over and _result(after) == _result(before):
        return
    standings_before, standings = seat_results(before), seat_results(after)
    # Its group may have changed since it was read; from now on it is locked.
    game.refresh_from_db()
    fields = []
    for name, value in {**results_of(after), **_times(game, before, after, now)}.items():
        if getattr(game, name) != value:
            setattr(game, name, value)
            fields.append(name)
    if after.locked and game.locked_at is None:
        game.locked_at = now
        fields.append("locked_at")
    game.save(update_fields=fields)
    if standings != standings_before or after.current_setup.earlier != before.current_setup.earlier:
        _copy_standings(game, before, after, standings)
    totals.update(game, after.replay)


def _result(ledger: Ledger) -> tuple[object, ...]:
    """All that the copies are computed from; comparing it takes no time where nothing has changed."""
    state = ledger.state
    return state.finished, state.penalties, state.is_over, ledger.current_setup, own_bots(ledger), ledger.occasion


def _times(game: Game, before: Ledger, after: Ledger, now: datetime) -> dict[str, object]:
    """When the game began and ended and how long it took, in the columns of a game: as stated, else as recorded."""
    if not after.state.is_over:
        return {"finished_at": None, "minutes": None}
    if before.state.is_over and after.occasion == before.occasion:
        return {}
    written = store.times(game.pk)
    minutes = after.occasion.minutes or durations(after, written).game
    began, ended = after.began, game.finished_at or now
    if began is not None:
        ended = began + timedelta(minutes=minutes or 0)
    elif before.began is not None:
        # What was stated before is withdrawn.  A game from paper has no action: it was entered at once.
        began = min(written.values())
        ended = max((written[step.key.seq] for step in after.replay.applied), default=began)
    return {"created_at": began or game.created_at, "finished_at": ended, "minutes": minutes}


def _copy_standings(game: Game, before: Ledger, after: Ledger, standings: Sequence[Mapping[str, object]]) -> None:
    called, now_called = before.current_setup.names, after.current_setup.names
    group = None
    earlier = after.current_setup.earlier
    if called != now_called or before.current_setup.earlier != earlier:
        # Another person sat there: the game counts for another player of the group.
        totals.take_out(game)
        group = totals.locked(game.group_id)
        totals.place_stints(game, group, earlier)
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    # A statement for all columns of all seats takes longer to build than all the rest of a write.
    changed = {"total"}
    for seat, values in zip(seats, standings, strict=True):
        if called[seat.number] != now_called[seat.number]:
            values = {**values, "player_id": None}
        for name, value in values.items():
            if getattr(seat, name) != value:
                setattr(seat, name, value)
                changed.add(name)
    Seat.objects.bulk_update(seats, sorted(changed))
    if group is not None:
        totals.seat_players(group, seats)


def results_of(ledger: Ledger) -> dict[str, object]:
    """The columns of a game that copy what its log says."""
    state = ledger.state
    return {
        "status": (Status.FINISHED if state.is_over else Status.PLAYING).value,
        "rounds_played": state.rounds_on_sheet,
        "place": ledger.occasion.place,
        "note": ledger.occasion.note,
    }


def seat_results(ledger: Ledger) -> list[dict[str, object]]:
    """The columns of the seats that copy what the log says, by seat."""
    state, winners = ledger.state, ledger.state.winners
    figures = zip(ledger.current_setup.seats, state.totals, state.ranks, own_bots(ledger), strict=True)
    return [
        {
            "name": seat.name,
            "token": seat.token,
            "total": total,
            "rank": rank,
            "is_winner": number in winners,
            "bot": bot or "",
        }
        for number, (seat, total, rank, bot) in enumerate(figures)
    ]
