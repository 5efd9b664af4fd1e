"""A whole game as a document, written and read again: `json` with its log, `njet` as people read it.

Knows: the two documents; that what is read has to be a game that the rules allow, entry for entry.  Must not know: who
may have it, where it is stored.  Who wrote an entry is not part of a document: it would tell whose phones were there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone

from games import log
from games.errors import NotFinished
from games.log import Ledger, NewEntry
from games.models import Game, Mode
from games.rules import RULES_VERSION, ActionEntry, LockEntry, SetupEntry, UndoEntry, kind_of, notation, to_json
from games.rules.errors import Malformed, WrongType
from games.rules.notation import Record
from games.rules.replay import Entry
from games.rules.text import clean_line

FORMAT = "njet-game"
SCHEMA = 1

MOST_ENTRIES = 5_000
"""A game of 99 rounds, marker by marker and trick by trick, has about 4,500."""
MOST_CORRECTIONS = 500
"""Each makes the reader fold everything before it once more."""

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


def document(game: Game) -> Document:
    """The whole game for programs: nothing that is stored of it is missing but who wrote it down."""
    state = log.read(game).state
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
        "log": [
            {"seq": row.seq, "at": _moment(row.at), "kind": row.kind, "seat": row.seat, "payload": row.payload}
            for row in log.rows(game.pk)
        ],
        "result": {
            "totals": list(state.totals),
            "ranks": list(state.ranks),
            "winners": list(state.winners),
        },
    }


def text(game: Game) -> str:
    """The whole game for people, as it counts: without what was taken back, with what was corrected."""
    ledger = log.read(game)
    source = _source_of(game)
    return notation.write(
        Record(
            setup=ledger.current_setup,
            actions=tuple(keyed.action for keyed in ledger.counting.actions),
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
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


# --- reading ---


def read_text(text: str) -> Imported:
    """The finished game of an `njet` text.

    Errors: `NotationError` and its kin, `NotFinished`.
    """
    record = notation.parse(text)
    now = timezone.now()
    began = _optional_moment_of(record.began) or _optional_moment_of(record.ended) or now
    ended = _optional_moment_of(record.ended) or max(began, now)
    entries = [ActionEntry(seq, action) for seq, action in enumerate(record.actions, start=1)]
    rows = [(entry.seq, kind_of(entry.action), to_json(entry.action), began) for entry in entries]
    ledger, read = _folded(log.setup_to_json(record.setup), rows)
    source = {"id": record.source, "group": record.group}
    return Imported(ledger, read, began, ended, None, {key: value for key, value in source.items() if value})


def read_document(value: object) -> Imported:
    """The finished game of a `json` document.

    Errors: `Malformed` and its kin; the refusal of the first entry that the rules forbid; `NotFinished`.
    """
    if not isinstance(value, Mapping) or value.get("format") != FORMAT:
        raise WrongType(field="format", expected=f"“{FORMAT}”")
    if value.get("schema") != SCHEMA:
        raise WrongType(field="schema", expected=str(SCHEMA))
    if value.get("mode") != Mode.TABLE:
        raise WrongType(field="mode", expected=f"“{Mode.TABLE}”")
    if value.get("rules_version") != RULES_VERSION:
        raise WrongType(field="rules_version", expected=str(RULES_VERSION))
    rows = value.get("log")
    if not isinstance(rows, list) or len(rows) > MOST_ENTRIES:
        raise WrongType(field="log", expected=f"a list of up to {MOST_ENTRIES} entries")
    log.demand_storable("setup", value.get("setup"))
    log.demand_storable("log", rows)
    ledger, read = _folded(_setup(value.get("setup")), [_row(row) for row in rows])
    locked_at = _optional_moment_of(value.get("locked_at"))
    if ledger.locked and locked_at is None:
        locked_at = next(row.at for row in read if isinstance(row.entry, LockEntry))
    result = value.get("result")
    if result is not None and (not isinstance(result, Mapping) or result.get("totals") != list(ledger.state.totals)):
        raise WrongType(field="result", expected=f"the totals {list(ledger.state.totals)}, by the rules")
    began = _moment_of("created_at", value.get("created_at"))
    ended = _moment_of("finished_at", value.get("finished_at"))
    source = {name: _line(name, value.get(name)) for name in ("id", "group")}
    return Imported(
        ledger,
        read,
        began,
        ended,
        locked_at if ledger.locked else None,
        {name: each for name, each in source.items() if each},
    )


def _setup(value: object) -> Document:
    try:
        # Read and written again: only what is known, in the one way in which it is stored.
        return log.setup_to_json(log.setup_from_json(value))  # type: ignore[arg-type]  (what is none fails here)
    except (LookupError, TypeError, AttributeError) as error:
        raise WrongType(field="setup", expected="a set-up") from error


Row = tuple[int, str, Document, datetime]


def _row(value: object) -> Row:
    if not isinstance(value, Mapping):
        raise WrongType(field="log", expected="a list of objects")
    seq, kind, payload = value.get("seq"), value.get("kind"), value.get("payload")
    if isinstance(seq, bool) or not isinstance(seq, int) or not isinstance(kind, str) or not isinstance(payload, dict):
        raise WrongType(field="log", expected="entries with seq, at, kind and payload")
    return seq, kind, payload, _moment_of("at", value.get("at"))


def _folded(setup: Document, rows: Sequence[Row]) -> tuple[Ledger, list[NewEntry]]:
    """The log, grown entry by entry as it was written: each has to be allowed where it stands."""
    ledger = log.blank(setup)
    read: list[NewEntry] = []
    corrections = 0
    for seq, kind, payload, at in rows:
        if seq != ledger.version + 1:
            raise WrongType(field="seq", expected=f"{ledger.version + 1}")
        entry = _entry(seq, kind, payload)
        corrections += not isinstance(entry, ActionEntry)
        if corrections > MOST_CORRECTIONS:
            raise WrongType(field="log", expected=f"at most {MOST_CORRECTIONS} corrections")
        _demand_allowed(ledger, entry)
        ledger = ledger.with_entries([entry])
        if ledger.replay.error is not None:
            raise ledger.replay.error
        read.append(NewEntry(entry, at, ledger.seat_of(seq)))
    if ledger.state.current is not None:
        raise NotFinished()
    return ledger, read


def _entry(seq: int, kind: str, payload: Document) -> Entry:
    try:
        entry = log.entry_from_row(seq, kind, payload)
    except (LookupError, TypeError, AttributeError) as error:
        raise WrongType(field="payload", expected=f"that of an entry “{kind}”") from error
    if isinstance(entry, ActionEntry) and kind_of(entry.action) != kind:
        raise WrongType(field="kind", expected=f"“{kind_of(entry.action)}”")
    return entry


def _demand_allowed(ledger: Ledger, entry: Entry) -> None:
    if isinstance(entry, UndoEntry) and entry.undoes != (ledger.counting.undoable or (None,))[-1]:
        raise Malformed(problem=f"entry {entry.seq} takes back what is not the latest entry")
    if isinstance(entry, LockEntry) and ledger.state.current is not None:
        raise NotFinished()
    # A name may be erased later; nothing else follows the end.
    if ledger.locked and not isinstance(entry, SetupEntry):
        raise Malformed(problem=f"entry {entry.seq} follows the confirmation of the result")


def _moment_of(name: str, value: object) -> datetime:
    moment = _optional_moment_of(value)
    if moment is None:
        raise WrongType(field=name, expected="a time in ISO 8601 with its zone")
    return moment


def _optional_moment_of(value: object) -> datetime | None:
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value)  # type: ignore[arg-type]  (what is no text fails here)
        if moment.tzinfo is None:
            raise ValueError(value)
        return moment.astimezone(UTC)
    except (TypeError, ValueError, OverflowError) as error:
        raise WrongType(field="time", expected="a time in ISO 8601 with its zone") from error


def _line(name: str, value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or len(value) > 200:
        raise WrongType(field=name, expected="a short text")
    return clean_line(value)
