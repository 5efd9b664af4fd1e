"""The only reader and writer of `LogEntry`.

What is stored of an entry is the JSON of `games/rules/entries.py`.

The log of a digital game holds every hand.  Only services read it whole (`read`); a request is answered from the log as
its reader may see it: `seen`, `seen_rows`, `Ledger.seen_by`.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet, Value
from django.utils import timezone

from games.database.prepared import Prepared
from games.log.ledger import Ledger, ledger_of
from games.log.rows import insert
from games.models import Game, Key, LogEntry
from games.rules import ActionEntry, Deal, Place, Play, SetupEntry, to_json
from games.rules.entries import entry_from_json, kind_of_entry, payload_of
from games.rules.errors import WrongType
from games.rules.replay import (
    Addition,
    CorrectionEntry,
    Entry,
    HolderEntry,
    OccasionEntry,
    SeatEntry,
)

# --- the cache of ledgers ---
#
# A log only grows, so game and version determine a ledger: a cached one is never wrong, only old.  A ledger is cached
# after its commit.

MOST_KEPT = 128
_kept: dict[str, Ledger] = {}
"""By game, the one that was used latest at the end."""
_turn = threading.Lock()


def _keep(ledger: Ledger) -> None:
    with _turn:
        cached = _kept.pop(ledger.game_id, ledger)
        _kept[ledger.game_id] = max(cached, ledger, key=lambda each: each.version)
        if len(_kept) > MOST_KEPT:
            del _kept[next(iter(_kept))]


def forget(game_id: str) -> None:
    """Remove the cached ledger of a game that is deleted."""
    with _turn:
        _kept.pop(game_id, None)


# --- reading ---


@dataclass(frozen=True)
class StoredEntry:
    """A copy of a stored entry, without the means to save it.  Its time is in whole seconds."""

    seq: int
    kind: str
    payload: Mapping[str, Any]
    seat: int | None
    actor: Key | None
    at: datetime


def read(game: Game) -> Ledger:
    """The log of a game at its `version`, folded."""
    ledger = _kept.get(game.pk)
    # Another process may have erased a name, the one change to written entries.
    if ledger is None or ledger.version > game.version or ledger.written != game.setup:
        ledger = ledger_of(game.pk, game.setup, _entries(game, after=0), _copied(game))
    elif ledger.version < game.version:
        ledger = ledger.with_entries(_entries(game, after=ledger.version))
    _keep_after_commit(ledger)
    return ledger


def refold(game: Game) -> Ledger:
    """The log of a game, read and folded from its first entry, without the cache."""
    return ledger_of(game.pk, game.setup, _entries(game, after=0), _copied(game))


def seen(game: Game, viewer: int | None, called: Callable[[str], str] | None = None) -> Ledger:
    """The log of a game at its `version`, folded, as a seat may read it, or with None everybody at the table.

    `called`: what the reader calls a player of this name.
    """
    ledger = read(game)
    return (ledger if called is None else ledger.with_names(called)).seen_by(viewer)


def rows(game_id: str, *, after: int = 0, last: int | None = None) -> list[StoredEntry]:
    """The stored entries after one and up to the last, raw, oldest first, with their actors."""
    stored = LogEntry.objects.filter(game_id=game_id, seq__gt=after).select_related("actor").order_by("seq")
    if last is not None:
        stored = stored.filter(seq__lte=last)
    return [
        StoredEntry(row.seq, row.kind, row.payload, row.seat, row.actor, row.at.replace(microsecond=0))
        for row in stored
    ]


def rows_of(game_ids: Sequence[str]) -> dict[str, list[StoredEntry]]:
    """The stored entries of several games, raw, by game and without their actors."""
    found: dict[str, list[StoredEntry]] = {each: [] for each in game_ids}
    stored = LogEntry.objects.filter(game__in=game_ids).order_by("game", "seq")
    fields = ("game_id", "seq", "kind", "payload", "seat", "at")
    for game_id, seq, kind, payload, seat, at in stored.values_list(*fields).iterator(chunk_size=2_000):
        found[game_id].append(StoredEntry(seq, kind, payload, seat, None, at.replace(microsecond=0)))
    return found


def seen_rows(ledger: Ledger, *, after: int = 0, last: int | None = None) -> list[StoredEntry]:
    """The stored entries after one and up to the last, as the reader of this ledger may see them."""
    stored = rows(ledger.game_id, after=after, last=ledger.version if last is None else last)
    if not ledger.digital:
        return stored
    return [replace(row, payload=payload_of(ledger.entry(row.seq))) for row in stored]


def times(game_id: str) -> dict[int, datetime]:
    """When each entry was written, by its seq."""
    return dict(LogEntry.objects.filter(game_id=game_id).order_by("seq").values_list("seq", "at"))


def changed_at(game_id: str) -> datetime | None:
    """When the last entry was written."""
    return LogEntry.objects.filter(game_id=game_id).order_by("-seq").values_list("at", flat=True).first()


def changes_of(game_ids: Sequence[str]) -> dict[str, datetime]:
    """The same of several games, by their ids."""
    rows = LogEntry.objects.filter(game__in=game_ids).order_by("game").values_list("game").annotate(at=Max("at"))
    return dict(rows)


def without_action(games: QuerySet[Game]) -> QuerySet[Game]:
    """Those of the games in which no player has acted: the logs have deals, seatings and actions of bots at most."""
    of_players = LogEntry.objects.filter(game=OuterRef("pk"), actor__isnull=False)
    return games.filter(~Exists(of_players.exclude(kind__in=(SeatEntry.kind, HolderEntry.kind))))


def actors(game_id: str, seqs: Sequence[int]) -> dict[int, Key | None]:
    """The keys that wrote these entries, by seq."""
    stored = LogEntry.objects.filter(game_id=game_id, seq__in=seqs).select_related("actor")
    return {row.seq: row.actor for row in stored}


def find_request(game_id: str, actor: Key, request_id: str) -> tuple[int, str] | None:
    """The seq of the last entry that a request wrote, and the request's hash; None if the request is new."""
    written = LogEntry.objects.filter(game_id=game_id, actor=actor, request_id=request_id)
    found = written.values_list("seq", "request_hash").first()
    return None if found is None else (found[0], found[1] or "")


def _copied(game: Game) -> int:
    """The last entry that was copied from the game that this one plays on: the bots sit down, and the steps follow."""
    return 0 if game.from_step is None else game.players - 1 + game.from_step


def rounds_played_on(games: Iterable[Game]) -> dict[str, int]:
    """The round in which each of these games goes on that was played on from a step of another one, by their ids."""
    copied = {game.pk: _copied(game) for game in games if game.from_step is not None}
    if not copied:
        return {}
    dealt = LogEntry.objects.filter(game__in=copied, kind=Deal.kind).order_by().values_list("game_id", "seq")
    # After the last step of a round the next one is dealt at once.
    return dict(Counter(game_id for game_id, seq in dealt if seq <= copied[game_id] + 1))


_WRITTEN: Prepared[LogEntry] = Prepared(
    lambda game_id, after, last: (
        LogEntry.objects.filter(game_id=game_id, seq__gt=Value(after), seq__lte=Value(last))
        .order_by("seq")
        .only("seq", "kind", "payload", "seat")
    )
)


def _entries(game: Game, *, after: int) -> list[Entry]:
    stored = _WRITTEN.all(game.pk, after, game.version)
    return [entry_from_json(row.seq, row.kind, row.payload, row.seat) for row in stored]


# --- writing ---


def now() -> datetime:
    """The time of a write, in whole seconds: it shows to no one how long a player or a bot thought."""
    return timezone.now().replace(microsecond=0)


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
    """Write entries at the end of a game's log and return the ledger with them.

    The request id is stored with the last entry, whose seq is the version after the request.
    Errors: the database's `IntegrityError` if another writer was faster; that of an entry's action; `Malformed` for an
    entry that could not be read again.
    """
    documents = [(entry.seq, kind_of_entry(entry), payload_of(entry), seat_of_entry(entry)) for entry in added]
    # The ledger grows by the stored documents, so that it equals the one that will be read.
    grown = ledger.with_entries([entry_from_json(*document) for document in documents])
    if grown.replay.error is not None:
        raise grown.replay.error
    demand_storable("text", [payload for _, _, payload, _ in documents])
    seats = {step.key.seq: step.seat for step in grown.replay.applied[-len(added) :] if not step.key.part}
    _store(
        [
            LogEntry(
                game_id=game.pk,
                seq=seq,
                kind=kind,
                payload=payload,
                seat=seats.get(seq, seat),
                actor_id=None if actor is None else actor.pk,
                at=at,
                request_id=request_id if seq == grown.version else None,
                request_hash=request_hash if seq == grown.version else None,
            )
            for seq, kind, payload, seat in documents
        ]
    )
    _keep_after_commit(grown)
    return grown


class NewEntry(NamedTuple):
    """An entry of an imported game as it is stored, with its original time and the seat that was due.

    `payload`: the text of a JSON object (`payload_text`).
    """

    seq: int
    kind: str
    payload: str
    seat: int | None
    at: datetime


def payload_text(entry: Entry) -> str:
    """What is stored of an entry, as text."""
    if isinstance(entry, ActionEntry) and isinstance(entry.action, Place | Play):
        return _text_of(entry.action)
    return json.dumps(payload_of(entry))


@lru_cache(maxsize=256)
def _text_of(action: Place | Play) -> str:
    """The same of a marker or card: of nearly all entries, and there are few different ones."""
    return json.dumps(to_json(action))


def restore(logs: Iterable[tuple[str, Sequence[NewEntry]]]) -> None:
    """Write the whole logs of imported games, which were checked before, with their ids."""
    at_of, zoned = connection.ops.adapt_datetimefield_value, connection.features.supports_timezones
    insert(
        LogEntry,
        ("game_id", "seq", "kind", "payload", "seat", "at"),
        (
            # A database without zones has all times in UTC, as these are: there is nothing to compute.
            (game_id, seq, kind, payload, seat, at_of(at if zoned else at.replace(tzinfo=None)))
            for game_id, entries in logs
            for seq, kind, payload, seat, at in entries
        ),
    )


def _store(entries: Sequence[LogEntry]) -> None:
    LogEntry.objects.bulk_create(entries, batch_size=500)


def corrected_setups(group_id: str) -> QuerySet[Any]:
    """The ids of the group's games whose set-up was corrected, also of those in the bin."""
    of_group = Q(game__group=group_id) | Q(game__deleted_from=group_id)
    return LogEntry.objects.filter(of_group, kind=SetupEntry.kind).values("game")


def erase_names(game: Game, names: Set[str], name: str, *, seat: int | None, others: Set[str]) -> bool:
    """Replace every name of a person in this game's set-ups: the one change to written entries.

    `names`: the person's names, case-folded; `seat`: their last seat, whose name may have been mistyped before;
    `others`: the names of the other players, case-folded, which stay.  Returns whether anything was changed.

    A person may ask to be forgotten, which an append-only log cannot do.  Names do not affect the game.  The caller has
    locked the game and appends an entry.
    """

    def without(setup: Mapping[str, Any]) -> dict[str, Any]:
        written_names = [str(each["name"]).casefold() for each in setup["seats"]]
        erased = [number for number, each in enumerate(written_names) if each in names - others]
        if not erased and seat is not None and written_names[seat] not in others:
            erased = [seat]
        # Two seats of one table keep different names.
        new = {number: f"{name} ({index})" if index > 1 else name for index, number in enumerate(erased, start=1)}
        seats = [{**each, "name": new.get(number, each["name"])} for number, each in enumerate(setup["seats"])]
        erased_before = {"earlier": [_erased(stint, names - others, name) for stint in setup.get("earlier", ())]}
        return {**setup, "seats": seats, **(erased_before if "earlier" in setup else {})}

    # The manager of entries refuses every change; this is the one place that bypasses it.
    written: QuerySet[LogEntry] = QuerySet(LogEntry)
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


def _erased(stint: Mapping[str, Any], names: Set[str], name: str) -> dict[str, Any]:
    """A stint of a set-up without these names."""
    return {**stint, "name": name} if str(stint["name"]).casefold() in names else dict(stint)


def _keep_after_commit(ledger: Ledger) -> None:
    transaction.on_commit(lambda: _keep(ledger))


def seat_of_entry(entry: Entry) -> int | None:
    """The seat that an entry itself names."""
    if isinstance(entry, Addition) and not isinstance(entry, CorrectionEntry | OccasionEntry):
        return entry.seat
    return None


def demand_storable(name: str, value: object) -> None:
    """Refuse characters that PostgreSQL cannot store, on every database.

    Errors: `WrongType`.
    """
    match value:
        case str():
            if "\0" in value or any("\ud800" <= character <= "\udfff" for character in value):
                raise WrongType(field=name, expected="storable_text")
        case Mapping():
            for field, inner in value.items():
                demand_storable(field, inner)
        case list():
            for inner in value:
                demand_storable(name, inner)
