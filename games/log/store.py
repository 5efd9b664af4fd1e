"""The only reader and writer of `LogEntry`.

Knows: how entries are stored and how a stored log becomes a `Ledger`.  Must not know: who may write, what a page shows.

What is stored of an entry is the JSON of `games/rules/entries.py`.

The log of a digital game holds every hand.  `read` answers it whole, to services alone; whoever answers a request asks
for it as its bearer may read it: `seen`, `seen_rows`, `Ledger.seen_by`.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from games.models import Game, Key, LogEntry
from games.rules import (
    ActionEntry,
    LockEntry,
    PublicState,
    Setup,
    SetupEntry,
    UndoEntry,
)
from games.rules import Key as ActionKey
from games.rules.entries import entry_from_json, kind_of_entry, payload_of, setup_from_json
from games.rules.errors import WrongType
from games.rules.redaction import PlayerView, redact_entry, secret_from, view_for
from games.rules.replay import (
    Addition,
    AnswerEntry,
    Effective,
    Entry,
    ProposalEntry,
    Replay,
    SeatEntry,
    Step,
    effective,
    fold,
    play_on,
)
from games.rules.replay import refold as replay_from


@dataclass(frozen=True)
class Ledger:
    """A game's log and what it comes to.

    `setup` is how the game began, `written` the document that says so; `counting.setup` is how it is now.  `view`: what
    the one who may read this sees of a digital game; the ledger itself then holds nothing that he may not see.
    """

    game_id: str
    version: int
    written: Mapping[str, Any] = field(hash=False)
    setup: Setup
    entries: tuple[Entry, ...]
    counting: Effective
    replay: Replay
    locked: bool
    view: PlayerView | None = None
    _seen: dict[int | None, Ledger] = field(default_factory=dict, compare=False, repr=False)

    @property
    def digital(self) -> bool:
        """Whether the app deals and sees the cards."""
        return self.setup.digital

    @property
    def bots(self) -> tuple[str | None, ...]:
        """The level of the bot that plays for each seat, None for a player."""
        return self.counting.bots

    @property
    def first_bots(self) -> tuple[str | None, ...]:
        """The same at the beginning: whoever sits in later plays for a player."""
        bots: list[str | None] = [None] * self.state.players
        for entry in self.entries:
            if not isinstance(entry, SeatEntry):
                break
            bots[entry.seat] = entry.bot
        return tuple(bots)

    @property
    def state(self) -> PublicState:
        """The present state."""
        return self.replay.state

    @property
    def current_setup(self) -> Setup:
        """The set-up with every correction."""
        return self.counting.setup

    @cached_property
    def rounds_at(self) -> dict[ActionKey, int]:
        """The round that each effective action belongs to."""
        return {step.key: step.round_number for step in self.replay.applied}

    @property
    def last_undoable(self) -> int | None:
        """The entry that undo would take back."""
        return self.counting.undoable[-1] if self.counting.undoable and not self.locked else None

    def entry(self, seq: int) -> Entry:
        """One entry.  Entries are numbered from 1 on, without gaps."""
        return self.entries[seq - 1]

    def step(self, key: ActionKey) -> Step | None:
        """The applied action of this name, None if it does not count (any more)."""
        return next((step for step in reversed(self.replay.applied) if step.key == key), None)

    def with_entries(self, added: Sequence[Entry]) -> Ledger:
        """The ledger with more entries at its end.  What they do not change is not played again."""
        entries = (*self.entries, *added)
        if self.replay.error is not None:
            return _ledger(self.game_id, self.written, entries)
        additions = [entry for entry in added if isinstance(entry, Addition)]
        if len(additions) == len(added):
            return self._with_additions(entries, additions)
        undo = added[0] if len(added) == 1 else None
        counting = self.counting.undone(undo) if isinstance(undo, UndoEntry) else None
        if counting is None:
            counting = effective(self.setup, entries)
        return replace(
            self,
            version=len(entries),
            entries=entries,
            counting=counting,
            replay=self._replayed(counting),
            locked=self.locked or any(isinstance(entry, LockEntry) for entry in added),
            _seen={},
        )

    def _replayed(self, counting: Effective) -> Replay:
        """The fold of what counts now: it begins where another action counts than before."""
        if counting.setup != self.current_setup:
            return fold(counting.setup, counting.actions)
        before, now = self.counting.actions, counting.actions
        if before[: len(now)] == now:
            return replay_from(self.replay, len(now), ())
        pairs = enumerate(zip(before, now, strict=False))
        kept = next((place for place, (old, new) in pairs if old != new), len(before))
        return replay_from(self.replay, kept, now[kept:])

    def _with_additions(self, entries: tuple[Entry, ...], added: Sequence[Addition]) -> Ledger:
        # The usual case, a new action at the end, is one step of the fold and no second fold of the whole log.
        counting = self.counting
        for entry in added:
            counting = counting.with_entry(entry)
        keyed = counting.actions[len(self.counting.actions) :]
        grown = replace(
            self,
            version=len(entries),
            entries=entries,
            counting=counting,
            replay=play_on(self.replay.full or self.replay.state, self.replay.applied, keyed),
            _seen={},
        )
        if grown.replay.error is not None:
            raise grown.replay.error
        if grown.state.current is not None:
            # Whoever has read the log so far will read on.
            for viewer, seen in list(self._seen.items()):
                told = seen.with_entries([redact_entry(entry, viewer) for entry in added])
                grown._seen[viewer] = replace(told, view=grown._view(viewer))
        return grown

    # --- who may read what ---

    def seen_by(self, viewer: int | None) -> Ledger:
        """The ledger as a seat may read it, or with None as everybody at the table may.

        It is made of the redacted entries alone: what they do not hold is in no field of it.
        """
        if not self.digital:
            return self
        if viewer not in self._seen:
            hidden_from = secret_from(self.entries, over=self.state.current is None)
            over = self.state.current is None
            entries = [
                entry if entry.seq < hidden_from else redact_entry(entry, viewer, over=over) for entry in self.entries
            ]
            self._seen[viewer] = replace(_ledger(self.game_id, self.written, entries), view=self._view(viewer))
        return self._seen[viewer]

    def _view(self, viewer: int | None) -> PlayerView:
        full = self.replay.full
        return PlayerView(viewer, self.state) if full is None else view_for(full, viewer)


def _ledger(game_id: str, written: Mapping[str, Any], entries: Sequence[Entry]) -> Ledger:
    setup = setup_from_json(written)
    counting = effective(setup, entries)
    return Ledger(
        game_id=game_id,
        version=len(entries),
        written=written,
        setup=setup,
        entries=tuple(entries),
        counting=counting,
        replay=fold(counting.setup, counting.actions),
        locked=any(isinstance(entry, LockEntry) for entry in entries),
    )


def blank(written: Mapping[str, Any]) -> Ledger:
    """The log of a game that is stored nowhere yet, before its first entry."""
    return _ledger("", written, ())


# --- the ledgers of the games that are being played, kept by version ---
#
# A log only grows, so game and version say what it holds: a kept ledger is never wrong, only old.  What is not yet
# committed is not kept.

_KEPT = 128
_kept: OrderedDict[str, Ledger] = OrderedDict()
_kept_lock = threading.Lock()


def _recall(game_id: str) -> Ledger | None:
    with _kept_lock:
        ledger = _kept.get(game_id)
        if ledger is not None:
            _kept.move_to_end(game_id)
        return ledger


def _keep(ledger: Ledger) -> None:
    with _kept_lock:
        known = _kept.get(ledger.game_id)
        if known is None or known.version < ledger.version:
            _kept[ledger.game_id] = ledger
        _kept.move_to_end(ledger.game_id)
        while len(_kept) > _KEPT:
            _kept.popitem(last=False)


def forget(game_id: str) -> None:
    """Drop what is kept of a game that is deleted."""
    with _kept_lock:
        _kept.pop(game_id, None)


# --- reading ---


@dataclass(frozen=True)
class StoredEntry:
    """An entry as it was written: what, by whom, when.  Only a copy, so that nobody can save it again."""

    seq: int
    kind: str
    payload: Mapping[str, Any]
    seat: int | None
    actor: Key | None
    at: datetime


def read(game: Game) -> Ledger:
    """The log of a game at its `version`, folded."""
    ledger = _recall(game.pk)
    # Another process may have erased a name: the only change to what was written before.
    if ledger is None or ledger.version > game.version or ledger.written != game.setup:
        ledger = _ledger(game.pk, game.setup, _entries(game, after=0))
    elif ledger.version < game.version:
        ledger = ledger.with_entries(_entries(game, after=ledger.version))
    _keep_after_commit(ledger)
    return ledger


def refold(game: Game) -> Ledger:
    """The log of a game, read and folded from its first entry, whatever is kept."""
    return _ledger(game.pk, game.setup, _entries(game, after=0))


def seen(game: Game, viewer: int | None) -> Ledger:
    """The log of a game at its `version`, folded, as a seat may read it, or with None everybody at the table."""
    return read(game).seen_by(viewer)


def rows(game_id: str, *, after: int = 0) -> list[StoredEntry]:
    """The stored entries, raw, oldest first, with their actors."""
    stored = LogEntry.objects.filter(game_id=game_id, seq__gt=after).select_related("actor").order_by("seq")
    return [StoredEntry(row.seq, row.kind, row.payload, row.seat, row.actor, row.at) for row in stored]


def seen_rows(ledger: Ledger, *, after: int = 0) -> list[StoredEntry]:
    """The stored entries as the reader of this ledger may read them."""
    stored = [row for row in rows(ledger.game_id, after=after) if row.seq <= ledger.version]
    if not ledger.digital:
        return stored
    return [replace(row, payload=payload_of(ledger.entry(row.seq))) for row in stored]


def changed_at(game_id: str) -> datetime | None:
    """When the last entry was written."""
    return LogEntry.objects.filter(game_id=game_id).order_by("-seq").values_list("at", flat=True).first()


def actors(game_id: str, seqs: Sequence[int]) -> dict[int, Key | None]:
    """Who wrote these entries."""
    stored = LogEntry.objects.filter(game_id=game_id, seq__in=seqs).select_related("actor")
    return {row.seq: row.actor for row in stored}


def find_request(game_id: str, actor: Key, request_id: str) -> tuple[int, str] | None:
    """The seq of the last entry that a request wrote, and the request's hash; None if the request is new."""
    written = LogEntry.objects.filter(game_id=game_id, actor=actor, request_id=request_id)
    return written.values_list("seq", "request_hash").first()


def _entries(game: Game, *, after: int) -> list[Entry]:
    stored = LogEntry.objects.filter(game_id=game.pk, seq__gt=after, seq__lte=game.version).order_by("seq")
    return [entry_from_json(*row) for row in stored.values_list("seq", "kind", "payload", "seat")]


# --- writing ---


def append(
    game: Game,
    ledger: Ledger,
    added: Sequence[Entry],
    *,
    actor: Key | None,
    at: datetime,
    request_id: str | None = None,
    request_hash: str | None = None,
) -> Ledger:
    """Write entries at the end of a game's log and answer the ledger with them.

    The request belongs to the last entry: its seq is the version that the request is answered with.
    Errors: the database's `IntegrityError` if another writer was faster; that of an entry's action; `Malformed` for an
    entry that could not be read again.
    """
    documents = [(entry.seq, kind_of_entry(entry), payload_of(entry), seat_of_entry(entry)) for entry in added]
    demand_storable("text", [payload for _, _, payload, _ in documents])
    # What is answered is what will be read: the ledger grows by the documents, not by what they were made of.
    grown = ledger.with_entries([entry_from_json(*document) for document in documents])
    if grown.replay.error is not None:
        raise grown.replay.error
    seats = {step.key.seq: step.seat for step in grown.replay.applied[-len(added) :] if not step.key.part}
    _store(
        LogEntry(
            game=game,
            seq=seq,
            kind=kind,
            payload=payload,
            seat=seats.get(seq, seat),
            actor=actor,
            at=at,
            request_id=request_id if seq == grown.version else None,
            request_hash=request_hash if seq == grown.version else None,
        )
        for seq, kind, payload, seat in documents
    )
    _keep_after_commit(grown)
    return grown


@dataclass(frozen=True)
class NewEntry:
    """An entry of a game that comes from elsewhere, with the time it was written at there, and who was due."""

    entry: Entry
    at: datetime
    seat: int | None


def restore(game: Game, entries: Sequence[NewEntry]) -> None:
    """Write the whole log of a game that was read from a document, checked before."""
    _store(
        LogEntry(
            game=game,
            seq=new.entry.seq,
            kind=kind_of_entry(new.entry),
            payload=payload_of(new.entry),
            seat=new.seat,
            at=new.at,
        )
        for new in entries
    )


def _store(entries: Iterable[LogEntry]) -> None:
    LogEntry.objects.bulk_create(entries, batch_size=500)


def corrected_setups(group_id: str) -> QuerySet[Any]:
    """The games of a group whose set-up was corrected, by id: elsewhere everybody sits where he always sat."""
    return LogEntry.objects.filter(game__group=group_id, kind=SetupEntry.kind).values("game")


def erase_names(game: Game, names: Set[str], name: str, *, seat: int | None, others: Set[str]) -> bool:
    """Write another name over whatever somebody was ever called in this game: the one change to what is written.

    `names`: what he is called, in small letters, wherever he sat; `seat`: where he sits at last, which may have been
    mistyped before; `others`: the names of those who sit here besides, in small letters, which stay.  Answers whether
    anything was changed.

    A person may ask to be forgotten, and a log that only grows would remember.  Nothing that counts is touched: names
    decide nothing.  The game is locked by the caller, who lets its version rise.
    """

    def without(setup: Mapping[str, Any]) -> dict[str, Any]:
        told = [str(each["name"]).casefold() for each in setup["seats"]]
        gone = [number for number, each in enumerate(told) if each in names - others]
        if not gone and seat is not None and told[seat] not in others:
            gone = [seat]
        # Two names of one table stay two.
        new = {number: f"{name} ({place})" if place > 1 else name for place, number in enumerate(gone, start=1)}
        seats = [{**each, "name": new.get(number, each["name"])} for number, each in enumerate(setup["seats"])]
        return {**setup, "seats": seats}

    # The manager of entries refuses every change; this goes round it, here and nowhere else.
    written = QuerySet(LogEntry)
    entries = [
        entry for entry in written.filter(game=game, kind=SetupEntry.kind) if without(entry.payload) != entry.payload
    ]
    if not entries and without(game.setup) == game.setup:
        return False
    for entry in entries:
        written.filter(pk=entry.pk).update(payload=without(entry.payload))
    game.setup = without(game.setup)
    game.save(update_fields=["setup"])
    forget(game.pk)
    transaction.on_commit(lambda: forget(game.pk))
    return True


def _keep_after_commit(ledger: Ledger) -> None:
    transaction.on_commit(lambda: _keep(ledger))


def seat_of_entry(entry: Entry) -> int | None:
    """The seat that an entry itself names."""
    match entry:
        case ActionEntry() | SeatEntry() | ProposalEntry() | AnswerEntry():
            return entry.seat
        case _:
            return None


def demand_storable(name: str, value: object) -> None:
    """Refuse signs that PostgreSQL cannot hold, whichever database this is.

    Errors: `WrongType`.
    """
    match value:
        case str():
            if "\0" in value or any("\ud800" <= sign <= "\udfff" for sign in value):
                raise WrongType(field=name, expected="storable_text")
        case Mapping():
            for field, inner in value.items():
                demand_storable(field, inner)
        case list():
            for inner in value:
                demand_storable(name, inner)
