"""A whole game as a document, written and read again: `json` with its log, `njet` as people read it.

Knows: the two documents; that what is read has to be a game that the rules allow, entry for entry.  Must not know: who
may have it, where it is stored.  Who wrote an entry is not part of a document: it would tell whose phones were there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from django.utils import timezone

from games.bots import LEVELS
from games.errors import NotFinished
from games.formats import notation
from games.formats.notation import Record
from games.log import store
from games.log.ledger import Ledger, blank
from games.log.store import NewEntry
from games.models import Game, Mode
from games.rules import (
    RULES_VERSION,
    ActionEntry,
    AddPenalty,
    AmendEntry,
    LockEntry,
    Play,
    Setup,
    SetupEntry,
    UndoEntry,
    fold,
)
from games.rules.entries import (
    entry_from_json,
    kind_of_entry,
    payload_of,
    setup_from_json,
    setup_to_json,
)
from games.rules.errors import Malformed, WrongType
from games.rules.proposals import Takeback, after_undo
from games.rules.replay import (
    AnswerEntry,
    Effective,
    Entry,
    KeyedAction,
    ProposalEntry,
    Replay,
    SeatEntry,
    amend,
    refold,
)
from games.rules.text import clean_line

FORMAT = "njet-game"
SCHEMA = 1

MOST_BYTES = 1024 * 1024
"""Of a document as it is written: what is taken in can be handed out and taken in again."""
MOST_ENTRIES = 5_000
"""A game of 99 rounds, marker by marker and trick by trick, has about 3,400."""
MOST_PENALTIES = 1_000
"""Ten in each of 99 rounds.  Every state after a penalty carries it along."""
MOST_CHANGES = 200
"""Of one amendment."""
MOST_REPLAYED = 40_000
"""Actions that corrections make the reader play once more, all together: from the first one that is another on.  In a
game of 99 rounds that is the whole game 12 times, or its last round 600 times.  Taking back costs nothing."""
LOOKS_LIKE_A_REPLAY = 200
"""Looking through so many actions takes about as long as playing one."""

EARLIEST, LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
"""A clock may be wrong by years, at its first second after a power cut, or put back during a game: that loses nobody's
game.  What no clock shows is refused."""

Document = dict[str, Any]


@dataclass(frozen=True)
class Imported:
    """A finished game that was read: its log, checked entry by entry, and what it comes to."""

    ledger: Ledger
    entries: Sequence[NewEntry]
    began: datetime
    ended: datetime
    locked_at: datetime | None
    source: Document


# --- writing ---


def document(game: Game, *, viewer: int | None = None) -> Document:
    """The whole game for programs: nothing that is stored of it is missing but who wrote it down.

    Of a digital game that is being played it holds what a seat may see, or with None everybody at the table.
    """
    ledger = store.seen(game, viewer)
    state = ledger.state
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        **_source_of(game),
        "mode": game.mode,
        "rules_version": game.rules_version,
        "created_at": _moment(game.created_at),
        "finished_at": _optional_moment(game.finished_at),
        "locked_at": _optional_moment(game.locked_at),
        "setup": game.setup,
        "log": [_row(row.seq, row.at, row.kind, row.seat, row.payload) for row in store.seen_rows(ledger)],
        "result": {
            "totals": list(state.totals),
            "ranks": list(state.ranks),
            "winners": list(state.winners),
        },
    }


def _row(seq: int, at: datetime, kind: str, seat: int | None, payload: Mapping[str, Any]) -> Document:
    return {"seq": seq, "at": _moment(at), "kind": kind, "seat": seat, "payload": payload}


def text(game: Game, *, viewer: int | None = None) -> str:
    """The whole game for people, as it counts: without what was taken back, with what was corrected.

    Of a digital game that is being played it tells what a seat may see, or with None everybody at the table.
    """
    ledger = store.seen(game, viewer)
    source, seats = _source_of(game), tuple(keyed.seat for keyed in ledger.counting.actions)
    return notation.write(
        Record(
            setup=ledger.current_setup,
            actions=tuple(keyed.action for keyed in ledger.counting.actions),
            seats=seats if any(seat is not None for seat in seats) else (),
            began=_to_the_second(game.created_at),
            ended=None if game.finished_at is None else _to_the_second(game.finished_at),
            group=source["group"],
            source=source["id"],
        )
    )


def _source_of(game: Game) -> Document:
    """Where a game comes from: an imported one still says so, so that writing it again gives the same."""
    source = game.source or {}
    group = source.get("group") if game.group is None else game.group.name
    return {"id": source.get("id") or game.pk, "group": group}


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _optional_moment(at: datetime | None) -> str | None:
    return None if at is None else _moment(at)


def _to_the_second(at: datetime) -> str:
    # Not `strftime`: whether it fills a year up with zeros is left to the platform.
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


# --- reading ---


def read_text(text: str) -> Imported:
    """The finished game of an `njet` text.

    Errors: `NotationError` and its kin, `NotFinished`; `WrongType` for more than a document may hold.
    """
    record = notation.parse(text)
    now = timezone.now()
    began = _optional_moment_of(record.began) or _optional_moment_of(record.ended) or now
    ended = _optional_moment_of(record.ended) or max(began, now)
    entries: list[Entry] = [ActionEntry(seq, *move) for seq, move in enumerate(record.moves, start=1)]
    source = _source(record.source, record.group)
    return _imported(setup_to_json(record.setup), entries, [began] * len(entries), began, ended, None, source)


def read_document(value: object) -> Imported:
    """The finished game of a `json` document.

    Errors: `Malformed` and its kin; the refusal of the first entry that the rules forbid; `NotFinished`.
    """
    if not isinstance(value, Mapping) or value.get("format") != FORMAT:
        raise WrongType(field="format", expected=f"“{FORMAT}”")
    if value.get("schema") != SCHEMA:
        raise WrongType(field="schema", expected=str(SCHEMA))
    setup = setup_from_json(value.get("setup"))
    mode = Mode.DIGITAL if setup.digital else Mode.TABLE
    if value.get("mode") != mode:
        raise WrongType(field="mode", expected=f"“{mode}”")
    if value.get("rules_version") != RULES_VERSION:
        raise WrongType(field="rules_version", expected=str(RULES_VERSION))
    rows = value.get("log")
    if not isinstance(rows, list):
        raise WrongType(field="log", expected="a list of entries")
    _demand_few("log", len(rows), MOST_ENTRIES, "entries")
    store.demand_storable("setup", value.get("setup"))
    store.demand_storable("log", rows)
    read = [_entry(seq, row) for seq, row in enumerate(rows, start=1)]
    imported = _imported(
        setup_to_json(setup),
        [entry for entry, _ in read],
        [at for _, at in read],
        _moment_of("created_at", value.get("created_at")),
        _optional_moment_of(value.get("finished_at")),
        _optional_moment_of(value.get("locked_at")),
        _source(value.get("id"), value.get("group")),
    )
    totals = list(imported.ledger.state.totals)
    result = value.get("result")
    if result is not None and (not isinstance(result, Mapping) or result.get("totals") != totals):
        raise WrongType(field="result", expected=f"the totals {totals}, by the rules")
    return imported


def _imported(
    setup: Document,
    entries: Sequence[Entry],
    times: Sequence[datetime],
    began: datetime,
    ended: datetime | None,
    locked_at: datetime | None,
    source: Document,
) -> Imported:
    _demand_few("log", len(entries), MOST_ENTRIES, "entries")
    _demand_few("log", sum(map(_penalties_in, entries)), MOST_PENALTIES, "penalties")
    read = [NewEntry(entry, at, None) for entry, at in zip(entries, times, strict=True)]
    if _written_length(setup, read) > MOST_BYTES:
        raise WrongType(field="log", expected=f"a game of at most {MOST_BYTES // 1024} KB")
    ledger, seats = _folded(setup, entries)
    _demand_cards(ledger)
    if ended is None:
        raise _no_moment("finished_at")
    if ledger.locked and locked_at is None:
        locked_at = next(new.at for new in read if isinstance(new.entry, LockEntry))
    return Imported(
        ledger,
        [replace(new, seat=seats.get(new.entry.seq)) for new in read],
        began,
        ended,
        locked_at if ledger.locked else None,
        source,
    )


def _demand_few(name: str, count: int, most: int, what: str) -> None:
    if count > most:
        raise WrongType(field=name, expected=f"a list of at most {most} {what}")


def _demand_cards(ledger: Ledger) -> None:
    """Refuse a digital game whose rounds cannot be checked; only one that was not finished may stay hidden."""
    hidden = {step.round_number for step in ledger.replay.applied if ledger.digital and isinstance(step.action, Play)}
    hidden -= {step.round_number for step in ledger.replay.applied if step.full is not None}
    if any(number <= len(ledger.state.finished) for number in hidden):
        raise WrongType(field="log", expected="every card of every finished round")


def _penalties_in(entry: Entry) -> int:
    match entry:
        case ActionEntry(_, AddPenalty()):
            return 1
        case AmendEntry(_, changes):
            return sum(isinstance(getattr(change, "action", None), AddPenalty) for change in changes)
    return 0


def _written_length(setup: Document, read: Sequence[NewEntry]) -> int:
    """How long the document will be, in bytes; a little is added for what it says besides."""
    rows = [_row(new.entry.seq, new.at, kind_of_entry(new.entry), 0, payload_of(new.entry)) for new in read]
    return len(json.dumps([setup, rows], ensure_ascii=False).encode()) + 2_000


def _entry(seq: int, row: object) -> tuple[Entry, datetime]:
    if not isinstance(row, Mapping):
        raise WrongType(field="log", expected="a list of objects")
    kind, payload = row.get("kind"), row.get("payload")
    if isinstance(row.get("seq"), bool) or row.get("seq") != seq:
        raise WrongType(field="seq", expected=f"{seq}")
    if not isinstance(kind, str) or not isinstance(payload, dict):
        raise WrongType(field="log", expected="entries with seq, at, kind and payload")
    seat = row.get("seat")
    if seat is not None and (isinstance(seat, bool) or not isinstance(seat, int)):
        raise WrongType(field="seat", expected="a seat or nothing")
    return _entry_of(seq, kind, payload, seat), _moment_of("at", row.get("at"))


def _entry_of(seq: int, kind: str, payload: Document, seat: int | None) -> Entry:
    changes = payload.get("changes")
    if kind == AmendEntry.kind and isinstance(changes, list):
        _demand_few("changes", len(changes), MOST_CHANGES, "corrections")
    entry = entry_from_json(seq, kind, payload, seat)
    if isinstance(entry, SeatEntry) and entry.bot not in (None, *LEVELS):
        raise WrongType(field="bot", expected="level")
    return entry


# --- the log, grown entry by entry as it was written: each has to be allowed where it stands ---


def _folded(setup: Document, entries: Sequence[Entry]) -> tuple[Ledger, dict[int, int | None]]:
    """The ledger, and who was due at each entry that was an action."""
    ledger = blank(setup)
    seats: dict[int, int | None] = {}
    before: dict[int, Ledger] = {}
    room = MOST_REPLAYED
    # Actions are added in one go: each time, the whole ledger is copied.
    for is_action, group in groupby(entries, lambda entry: isinstance(entry, ActionEntry)):
        if is_action:
            added = list(group)
            _demand_open(ledger, added[0])
            ledger = ledger.with_entries(added)
            seats |= {step.key.seq: step.seat for step in ledger.replay.applied[-len(added) :]}
            continue
        for entry in group:
            if isinstance(entry, SeatEntry | ProposalEntry | AnswerEntry):
                _demand_told(ledger, entry)
                ledger = ledger.with_entries([entry])
                seats[entry.seq] = entry.seat
                continue
            if isinstance(entry, AmendEntry | SetupEntry):
                before[entry.seq] = ledger
            ledger, replayed = _corrected(ledger, entry, before)
            room -= replayed
            if room < 0:
                raise WrongType(field="log", expected="a game with fewer corrections")
    if ledger.state.current is not None:
        raise NotFinished()
    return ledger, seats


def _demand_told(ledger: Ledger, entry: SeatEntry | ProposalEntry | AnswerEntry) -> None:
    """Refuse what no player of a digital game could have done or asked there."""
    _demand_open(ledger, entry)
    known = True
    match entry:
        case ProposalEntry(proposal=Takeback(seqs)):
            known = bool(seqs) and set(seqs) <= set(ledger.counting.undoable)
        case AnswerEntry(about=about):
            known = any(each.seq == about for each in ledger.counting.proposals)
    if not ledger.digital or not 0 <= entry.seat < ledger.state.players or not known:
        raise Malformed(problem=f"entry {entry.seq} does not belong there")


def _demand_open(ledger: Ledger, entry: Entry) -> None:
    # A name may be erased later; nothing else follows the end.
    if ledger.locked:
        raise Malformed(problem=f"entry {entry.seq} follows the confirmation of the result")


def _corrected(ledger: Ledger, entry: Entry, before: Mapping[int, Ledger]) -> tuple[Ledger, int]:
    """The ledger with an entry that is no action, and how many actions had to be played once more for that."""
    counting, replay, replayed = ledger.counting, ledger.replay, 0
    match entry:
        case UndoEntry(_, undoes):
            _demand_open(ledger, entry)
            if undoes != (counting.undoable or (None,))[-1]:
                raise Malformed(problem=f"entry {entry.seq} takes back what is not the latest entry")
            counting, replay = _without_latest(ledger, before)
        case AmendEntry() | SetupEntry() if ledger.digital:
            raise Malformed(problem=f"entry {entry.seq} corrects a digital game")
        case AmendEntry(seq, changes):
            _demand_open(ledger, entry)
            actions = tuple(amend(counting.actions, seq=seq, changes=changes))
            kept = _same_start(counting.actions, actions)
            replayed = len(actions) - kept + (len(changes) + 2) * len(actions) // LOOKS_LIKE_A_REPLAY
            counting = replace(counting, actions=actions, undoable=(*counting.undoable, seq))
            replay = refold(replay, kept, actions[kept:])
        case SetupEntry(seq, setup):
            _demand_correction(ledger, seq, setup)
            replayed = len(counting.actions)
            counting = replace(counting, setup=setup, undoable=(*counting.undoable, seq))
            replay = fold(setup, counting.actions)
        case LockEntry():
            _demand_open(ledger, entry)
            if ledger.state.current is not None:
                raise NotFinished()
    if replay.error is not None:
        raise replay.error
    grown = replace(
        ledger,
        version=entry.seq,
        entries=(*ledger.entries, entry),
        counting=counting,
        replay=replay,
        locked=ledger.locked or isinstance(entry, LockEntry),
    )
    return grown, replayed


def _without_latest(ledger: Ledger, before: Mapping[int, Ledger]) -> tuple[Effective, Replay]:
    counting = ledger.counting
    seq = counting.undoable[-1]
    if seq in before:
        return before[seq].counting, before[seq].replay
    earlier = replace(
        counting,
        actions=counting.actions[:-1],
        undoable=counting.undoable[:-1],
        proposals=after_undo(counting.proposals),
    )
    return earlier, refold(ledger.replay, len(ledger.replay.applied) - 1, ())


def _same_start(old: Sequence[KeyedAction], new: Sequence[KeyedAction]) -> int:
    """How many actions at the start are the same.  Whole slices are compared: that is much faster than one by one."""
    same, possible = 0, min(len(old), len(new))
    while same < possible:
        middle = (same + possible + 1) // 2
        if old[same:middle] == new[same:middle]:
            same = middle
        else:
            possible = middle - 1
    return same


def _demand_correction(ledger: Ledger, seq: int, setup: Setup) -> None:
    """Refuse what no correction of a set-up changes; of a confirmed game only names change, since one may be erased."""
    now = ledger.current_setup
    tokens = [seat.token for seat in setup.seats]
    put_right = now.corrected(
        names=setup.names,
        tokens=None if ledger.locked else tokens,
        dealer=None if ledger.locked else setup.dealer,
        rounds=None if ledger.locked else setup.ruleset.options.rounds,
    )
    if setup != put_right:
        raise Malformed(problem=f"entry {seq} changes what cannot be changed in a set-up any more")


def _moment_of(name: str, value: object) -> datetime:
    moment = _optional_moment_of(value)
    if moment is None:
        raise _no_moment(name)
    return moment


def _no_moment(name: str) -> WrongType:
    return WrongType(field=name, expected="a time in ISO 8601 with its zone")


def _optional_moment_of(value: object) -> datetime | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise _no_moment("time")
    try:
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is None:
            raise ValueError(value)
        moment = moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise _no_moment("time") from error
    if not EARLIEST <= moment < LATEST:
        raise WrongType(field="time", expected=f"a time between {EARLIEST.year} and {LATEST.year}")
    return moment


def _source(game_id: object, group: object) -> Document:
    named = {"id": _line("id", game_id), "group": _line("group", group)}
    return {name: each for name, each in named.items() if each}


def _line(name: str, value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or len(value) > 200:
        raise WrongType(field=name, expected="a short text")
    store.demand_storable(name, value)
    return clean_line(value)
