"""A whole game as a document, written and read again: `json` with its log, `njet` as people read it.

A document is read strictly: every entry has to be legal in its place.  The author of an entry is not part of a
document, since it would reveal whose phones were used.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any, assert_never

from django.utils import timezone

from games.bots import LEVELS
from games.errors import (
    CardsMissing,
    DigitalCorrection,
    DocumentTooLong,
    EntryAfterLock,
    EntryOutOfPlace,
    ImpossibleTime,
    NotFinished,
    SetupFixed,
    TooManyChanges,
    TooManyCorrections,
    TooManyEntries,
    TooManyPenalties,
    UndoOutOfOrder,
)
from games.formats import notation
from games.formats.notation import Record
from games.log import store, times
from games.log.durations import durations
from games.log.ledger import Ledger
from games.log.store import NewEntry, StoredEntry
from games.models import Game
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
)
from games.rules.entries import (
    entry_from_json,
    kind_of_entry,
    setup_from_json,
    setup_to_json,
)
from games.rules.errors import WrongType
from games.rules.occasion import Occasion
from games.rules.proposals import Takeback
from games.rules.replay import (
    AnswerEntry,
    ConfirmEntry,
    CorrectionEntry,
    DeleteAction,
    Entry,
    HintEntry,
    HolderEntry,
    OccasionEntry,
    ProposalEntry,
    SeatEntry,
)
from games.rules.text import clean_line

FORMAT = "njet-game"
SCHEMA = 1

MOST_BYTES = 1024 * 1024
"""Of a document as it is written: an imported game can be exported and imported again."""
MOST_ENTRIES = 5_000
"""A game of 99 rounds, marker by marker and trick by trick, has about 3,800."""
MOST_DIGITAL_ENTRIES = 10_000
"""A digital game of 99 rounds with five players has about 8,200."""
MOST_PENALTIES = 1_000
"""Ten in each of 99 rounds."""
MOST_REPLAYED = 100_000
"""Entries times corrections (amendments, corrected set-ups and their undos), because the log is folded again after
each: at most 10 seconds.  10 rounds, trick by trick, may have 250 corrections.  Undoing an action costs nothing."""
MOST_CHANGES = 1_000
"""Of all amendments together."""

EARLIEST, LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
"""A clock may be wrong by years, at its first second after a power cut, or put back during a game: such a game is
accepted.  Other times are refused."""

LONGEST_FRAME = 120
"""More bytes than a document has for an entry besides its payload."""

LONGEST_EVENING = timedelta(hours=6)
"""A text has no times but that of its beginning and its end: what lies longer apart was no time of play alone."""

Document = dict[str, Any]


@dataclass(frozen=True)
class Imported:
    """A finished game that was read: its log, checked entry by entry, and its ledger."""

    ledger: Ledger
    entries: Sequence[NewEntry]
    began: datetime
    ended: datetime
    locked_at: datetime | None
    source: Document

    @property
    def minutes(self) -> int | None:
        """Of play, as stated, else by the times of its entries; of a text, from its beginning to its end."""
        written = {new.seq: new.at for new in self.entries}
        known = self.ledger.occasion.minutes or durations(self.ledger, written).game
        if known is not None or len(set(written.values())) > 1:
            return known
        took = self.ended - self.began
        return round(took / timedelta(minutes=1)) or None if timedelta() < took <= LONGEST_EVENING else None


# --- writing ---


def document(game: Game, *, viewer: int | None = None) -> Document:
    """The whole game for programs: everything that is stored but the authors of the entries.

    Of a running digital game it holds what the seat `viewer` may see, or with None what everyone may see.
    """
    ledger = store.seen(game, viewer)
    state = ledger.state
    result = {"totals": list(state.totals), "ranks": list(state.ranks), "winners": list(state.winners)}
    return stored_document(game, store.seen_rows(ledger), result)


def stored_document(game: Game, rows: Sequence[StoredEntry], result: Document) -> Document:
    """The document of a game with these entries and this result."""
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        **source_of(game),
        "mode": game.mode,
        "rules_version": game.rules_version,
        "created_at": times.to_json(game.created_at),
        "finished_at": _optional_time(game.finished_at),
        "locked_at": _optional_time(game.locked_at),
        "setup": game.setup,
        "log": [_row(row.seq, row.at, row.kind, row.seat, row.payload) for row in rows],
        "result": result,
    }


def _row(seq: int, at: datetime, kind: str, seat: int | None, payload: Mapping[str, Any]) -> Document:
    return {"seq": seq, "at": times.to_json(at), "kind": kind, "seat": seat, "payload": payload}


def text(game: Game, *, viewer: int | None = None) -> str:
    """The whole game for people, as it counts: without undone actions, with corrections applied.

    Of a running digital game it holds what the seat `viewer` may see, or with None what everyone may see.
    """
    ledger = store.seen(game, viewer)
    source, seats = source_of(game), tuple(keyed.seat for keyed in ledger.counting.actions)
    return notation.write(
        Record(
            setup=ledger.current_setup,
            actions=tuple(keyed.action for keyed in ledger.counting.actions),
            seats=seats if any(seat is not None for seat in seats) else (),
            began=times.to_json(game.created_at),
            ended=_optional_time(game.finished_at),
            group=source["group"],
            source=source["id"],
            occasion=replace(ledger.occasion, began=None),
        )
    )


def source_of(game: Game) -> Document:
    """Where a game comes from: an imported game keeps its source, so that a second export gives the same."""
    source = game.source or {}
    group = source.get("group") if game.present_group is None else game.present_group.name
    played_on = source.get("played_on")
    if game.from_step is not None:
        played_on = {"game": game.deals_of_id, "step": game.from_step}
    return {"id": source.get("id") or game.pk, "group": group, "played_on": played_on}


def _optional_time(at: datetime | None) -> str | None:
    return None if at is None else times.to_json(at)


# --- reading ---


def read_text(text: str) -> Imported:
    """The finished game of an `njet` text.

    Errors: `NotationError` and its subclasses, `NotFinished`; `WrongType` for more than a document may hold.
    """
    record = notation.parse(text)
    now = timezone.now()
    began = _optional_time_of(record.began) or _optional_time_of(record.ended) or now
    ended = _optional_time_of(record.ended) or max(began, now)
    entries: list[Entry] = [ActionEntry(seq, *move) for seq, move in enumerate(record.moves, start=1)]
    if record.occasion != Occasion():
        entries.append(OccasionEntry(len(entries) + 1, record.occasion))
    source = _source(record.source, record.group)
    return _imported(record.setup, entries, [began] * len(entries), began, ended, None, source)


def read_document(value: object) -> Imported:
    """The finished game of a `json` document.

    Errors: `Malformed` and its subclasses; the refusal of the first entry that the rules forbid; `NotFinished`.
    """
    if not isinstance(value, Mapping) or value.get("format") != FORMAT:
        raise WrongType(field="format", expected=FORMAT)
    if not _is(value.get("schema"), SCHEMA):
        raise WrongType(field="schema", expected=str(SCHEMA))
    setup = setup_from_json(value.get("setup"))
    if value.get("mode") != setup.mode:
        raise WrongType(field="mode", expected=setup.mode)
    if not _is(value.get("rules_version"), RULES_VERSION):
        raise WrongType(field="rules_version", expected=str(RULES_VERSION))
    rows = value.get("log")
    if not isinstance(rows, list):
        raise WrongType(field="log", expected="list")
    most = most_entries(digital=setup.digital)
    if len(rows) > most:
        raise TooManyEntries(most=most)
    store.demand_storable("setup", value.get("setup"))
    read = [_entry(seq, row) for seq, row in enumerate(rows, start=1)]
    imported = _imported(
        setup,
        [entry for entry, _ in read],
        [at for _, at in read],
        _time_of("created_at", value.get("created_at")),
        _optional_time_of(value.get("finished_at")),
        _optional_time_of(value.get("locked_at")),
        _source(value.get("id"), value.get("group"), value.get("played_on")),
    )
    totals = list(imported.ledger.state.totals)
    result = value.get("result")
    if result is not None and (not isinstance(result, Mapping) or not _is(result.get("totals"), totals)):
        raise WrongType(field="totals", expected=str(totals))
    return imported


def _is(value: object, expected: object) -> bool:
    """Whether a value of JSON is the expected one: Python says that true equals 1, and 1.0 too."""
    if isinstance(value, list) and isinstance(expected, list):
        return len(value) == len(expected) and all(map(_is, value, expected))
    return type(value) is type(expected) and value == expected


def _imported(
    setup: Setup,
    entries: Sequence[Entry],
    times: Sequence[datetime],
    began: datetime,
    ended: datetime | None,
    locked_at: datetime | None,
    source: Document,
) -> Imported:
    _demand_within_limits(entries, digital=setup.digital)
    payloads = [store.payload_text(entry) for entry in entries]
    _demand_storable(payloads)
    written = setup_to_json(setup)
    if _is_too_long(written, entries, times, payloads):
        raise DocumentTooLong(most=MOST_BYTES // 1024)
    ledger, seats = _folded(Ledger.of("", written, setup, ()), entries)
    _demand_cards(ledger)
    if ended is None:
        raise _no_time("finished_at")
    if ledger.locked and locked_at is None:
        locked_at = next(at for entry, at in zip(entries, times, strict=True) if isinstance(entry, LockEntry))
    return Imported(
        ledger,
        [
            NewEntry(entry.seq, kind_of_entry(entry), payload, seats.get(entry.seq), at)
            for entry, at, payload in zip(entries, times, payloads, strict=True)
        ],
        began,
        ended,
        locked_at if ledger.locked else None,
        source,
    )


def _demand_within_limits(entries: Sequence[Entry], *, digital: bool) -> None:
    """Refuse documents over the size limits."""
    most = most_entries(digital=digital)
    if len(entries) > most:
        raise TooManyEntries(most=most)
    actions = [each.action for each in entries if isinstance(each, ActionEntry)]
    # Nearly all entries are actions.
    others = [each for each in entries if not isinstance(each, ActionEntry)]
    changes = [change for each in others if isinstance(each, AmendEntry | CorrectionEntry) for change in each.changes]
    if len(changes) > MOST_CHANGES:
        raise TooManyChanges(most=MOST_CHANGES)
    actions += [each.action for each in changes if not isinstance(each, DeleteAction)]
    if sum(isinstance(action, AddPenalty) for action in actions) > MOST_PENALTIES:
        raise TooManyPenalties(most=MOST_PENALTIES)
    if _folded_again(others) * len(entries) > MOST_REPLAYED:
        raise TooManyCorrections(entries=len(entries), most=MOST_REPLAYED // len(entries))


def most_entries(*, digital: bool) -> int:
    """How many entries a game may have, one that is played or one that is imported."""
    return (MOST_ENTRIES, MOST_DIGITAL_ENTRIES)[digital]


def _folded_again(entries: Sequence[Entry]) -> int:
    """How often the log is folded again: after each correction, and after each undo of one."""
    corrected = {entry.seq for entry in entries if isinstance(entry, AmendEntry | SetupEntry | CorrectionEntry)}
    corrected |= {entry.seq for entry in entries if isinstance(entry, ConfirmEntry) and entry.about is not None}
    return len(corrected) + sum(isinstance(entry, UndoEntry) and entry.undoes in corrected for entry in entries)


def _demand_cards(ledger: Ledger) -> None:
    """Refuse a digital game whose rounds cannot be checked; only one that was not finished may stay hidden."""
    hidden = {step.round_number for step in ledger.replay.applied if isinstance(step.action, Play)}
    hidden -= {step.round_number for step in ledger.replay.applied if step.full is not None}
    if any(number <= len(ledger.state.finished) for number in hidden):
        raise CardsMissing()


def _demand_storable(payloads: Sequence[str]) -> None:
    """Refuse what PostgreSQL cannot store; only what may be such a character is looked at closely.

    Errors: `WrongType`.
    """
    for payload in payloads:
        if "\\u0000" in payload or "\\ud" in payload:
            store.demand_storable("log", json.loads(payload))


def _is_too_long(setup: Document, entries: Sequence[Entry], times: Sequence[datetime], payloads: Sequence[str]) -> bool:
    """Whether the document would be too long, with an allowance for its other fields."""
    # No text is shorter as ASCII.
    if len(json.dumps(setup)) + sum(map(len, payloads)) + LONGEST_FRAME * len(entries) + 2_000 <= MOST_BYTES:
        return False
    rows = [
        _row(entry.seq, at, kind_of_entry(entry), 0, json.loads(payload))
        for entry, at, payload in zip(entries, times, payloads, strict=True)
    ]
    return len(json.dumps([setup, rows], ensure_ascii=False).encode()) + 2_000 > MOST_BYTES


def _entry(seq: int, row: object) -> tuple[Entry, datetime]:
    if not isinstance(row, dict):
        raise WrongType(field="log", expected="list_of_objects")
    kind, payload = row.get("kind"), row.get("payload")
    if not _is(row.get("seq"), seq):
        raise WrongType(field="seq", expected=f"{seq}")
    if not isinstance(kind, str) or not isinstance(payload, dict):
        raise WrongType(field="log", expected="list_of_objects")
    seat = row.get("seat")
    if seat is not None and (isinstance(seat, bool) or not isinstance(seat, int)):
        raise WrongType(field="seat", expected="seat")
    return _entry_of(seq, kind, payload, seat), _time_of("at", row.get("at"))


def _entry_of(seq: int, kind: str, payload: Document, seat: int | None) -> Entry:
    entry = entry_from_json(seq, kind, payload, seat)
    if isinstance(entry, SeatEntry) and entry.bot not in (None, *LEVELS):
        raise WrongType(field="bot", expected="level")
    return entry


# --- the log, folded entry by entry: each has to be possible in its place ---


def _folded(ledger: Ledger, entries: Sequence[Entry]) -> tuple[Ledger, dict[int, int | None]]:
    """The ledger with these entries, and who was due at each that was an action."""
    seats: dict[int, int | None] = {}
    # Actions are added in one go: each time, the whole ledger is copied.
    for is_action, group in groupby(entries, lambda entry: isinstance(entry, ActionEntry)):
        for added in [list(group)] if is_action else ([entry] for entry in group):
            _demand_possible(ledger, added[0])
            before, ledger = ledger, ledger.with_entries(added)
            if ledger.replay.error is not None:
                raise ledger.replay.error
            if before.confirmed_rounds_changed_by(ledger.state) and not _is_confirmed_correction(before, added[0]):
                raise EntryOutOfPlace(seq=added[0].seq)
            if is_action:
                seats |= {step.key.seq: step.seat for step in ledger.replay.applied[-len(added) :]}
            else:
                seats[added[0].seq] = store.seat_of_entry(added[0])
    if ledger.state.current is not None:
        raise NotFinished()
    return ledger, seats


def _demand_possible(ledger: Ledger, entry: Entry) -> None:
    """Refuse an entry that the app would not have written after this log.  The rules check the actions."""
    if ledger.locked and not isinstance(entry, SetupEntry | HolderEntry):
        raise EntryAfterLock(seq=entry.seq)
    match entry:
        case AmendEntry() if ledger.digital:
            raise DigitalCorrection(seq=entry.seq)
        case UndoEntry(seq, undoes) if undoes not in (ledger.last_undoable, *ledger.withdrawable):
            raise UndoOutOfOrder(seq=seq)
        case SetupEntry(seq, setup) if setup != _correctable(ledger, setup):
            raise SetupFixed(seq=seq)
        case LockEntry() if ledger.state.current is not None:
            raise NotFinished()
        case SeatEntry() | HolderEntry() | ProposalEntry() | AnswerEntry() if not _is_possible_between_players(
            ledger, entry
        ):
            raise EntryOutOfPlace(seq=entry.seq)
        case HintEntry(seq, seat) if not ledger.digital or seat not in ledger.state.acting_seats:
            raise EntryOutOfPlace(seq=seq)
        case HintEntry(seq, seat, action, _, second):
            # A bot advises legal actions only.
            for advised in (action, second):
                if advised is not None:
                    ledger.with_entries([ActionEntry(seq, advised, seat)])
        case OccasionEntry(_, occasion):
            _optional_time_of(occasion.began)
        case ConfirmEntry() | CorrectionEntry() if not _is_possible_at_table(ledger, entry):
            raise EntryOutOfPlace(seq=entry.seq)


def _is_possible_at_table(ledger: Ledger, entry: ConfirmEntry | CorrectionEntry) -> bool:
    """Whether a team of this table could have confirmed that, or a scorekeeper have asked both teams to confirm it."""
    if ledger.digital:
        return False
    match entry:
        case ConfirmEntry(_, seat, number, team, figures, about):
            done = next((each for each in ledger.confirmable(about) if each.number == number), None)
            if done is None or figures != done.score.points or team in ledger.teams_confirming(done, about):
                return False
            return seat in team and team in (done.teams.own, done.teams.other)
        case CorrectionEntry():
            return ledger.with_entries([entry]).pending is not None
    assert_never(entry)


def _is_confirmed_correction(ledger: Ledger, entry: Entry) -> bool:
    """Whether an entry is the correction that both teams have confirmed."""
    pending = ledger.pending
    if pending is None or not isinstance(entry, AmendEntry):
        return False
    return pending.is_confirmed and pending.entry.changes == entry.changes


def _is_possible_between_players(ledger: Ledger, entry: SeatEntry | HolderEntry | ProposalEntry | AnswerEntry) -> bool:
    """Whether a player of this digital game could have done or proposed that."""
    if not ledger.digital or not 0 <= entry.seat < ledger.state.players:
        return False
    match entry:
        case HolderEntry(seat=seat, also=also):
            return list(also) == [each for each in range(ledger.state.players) if each in also and each != seat]
        case ProposalEntry(proposal=Takeback(seqs)):
            return bool(seqs) and set(seqs) <= set(ledger.counting.undoable)
        case AnswerEntry(about=about):
            return any(proposal.seq == about for proposal in ledger.counting.proposals)
    return True


def _correctable(ledger: Ledger, setup: Setup) -> Setup:
    """The present set-up with what may be corrected in it.

    Only names in digital play, where a player may type theirs, and after the lock, where one may be erased.

    Errors: every `IllegalSetup`.
    """
    locked = ledger.locked or ledger.digital
    before = ledger.current_setup.earlier
    are_same = [(each.seat, each.until) for each in before] == [(each.seat, each.until) for each in setup.earlier]
    corrected = ledger.current_setup.corrected(
        names=setup.names,
        tokens=None if locked else [seat.token for seat in setup.seats],
        dealer=None if locked else setup.dealer,
        rounds=None if locked else setup.ruleset.options.rounds,
        paper=None if locked or ledger.current_setup.paper is None else setup.paper,
        open_hands=setup.open_hands,
    )
    return replace(corrected, earlier=setup.earlier if are_same or not locked else before)


def _time_of(name: str, value: object) -> datetime:
    time = _optional_time_of(value)
    if time is None:
        raise _no_time(name)
    return time


def _no_time(name: str) -> WrongType:
    return WrongType(field=name, expected="time_in_utc")


def _optional_time_of(value: object) -> datetime | None:
    if value is None:
        return None
    time = times.from_json("time", value)
    if not EARLIEST <= time < LATEST:
        raise ImpossibleTime(earliest=EARLIEST.year, latest=LATEST.year)
    return time


def _source(game_id: object, group: object, played_on: object = None) -> Document:
    named = {"id": _line("id", game_id), "group": _line("group", group), "played_on": _played_on(played_on)}
    return {name: each for name, each in named.items() if each}


def _played_on(value: object) -> Document | None:
    """The game that a digital game goes on from, None if that was deleted, and the step of its replay."""
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise WrongType(field="played_on", expected="object")
    step = value.get("step")
    if isinstance(step, bool) or not isinstance(step, int) or not 0 < step <= MOST_DIGITAL_ENTRIES:
        raise WrongType(field="step", expected="whole_number")
    return {"game": _line("game", value.get("game")), "step": step}


def _line(name: str, value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or len(value) > 200:
        raise WrongType(field=name, expected="short_text")
    store.demand_storable(name, value)
    return clean_line(value)
