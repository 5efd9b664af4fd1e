"""`manage.py check_logs [GAME_ID ...]`: refolds every log and compares it with what is copied from it.

It only reads: it does not disturb a running server.
"""

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from games.groups.statistics.facts import GameFacts
from games.log import store
from games.log.ledger import Ledger
from games.log.store import StoredEntry
from games.models import Game, Seat, Status, Stint
from games.rules import RULES_VERSION, LockEntry, NjetError, SetupEntry
from games.rules.entries import entry_from_json
from games.services import write

PAGE = 200


class Command(BaseCommand):
    help = "Folds every game's log again and names where the database differs. Changes nothing."
    # This command is about games: it prints no warning about settings.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("games", nargs="*", metavar="GAME_ID", help="check only these games")

    def handle(self, *, games: list[str], **options: Any) -> None:
        try:
            found = self.report(asked_for(games) if games else all_games())
        except DatabaseError as error:
            raise CommandError(f"The database cannot be read: {error}.") from error
        if found:
            raise SystemExit(1)

    def report(self, games: Iterable[str]) -> int:
        """Writes a line for each difference and a summary; answers the number of differences."""
        checked = wrong = found = 0
        for game_id in games:
            differences = differences_of(game_id)
            for difference in differences:
                self.stdout.write(f"{game_id}: {difference}")
            checked += 1
            wrong += bool(differences)
            found += len(differences)
        summary = f"{found} differences in {wrong} of them" if found else "no differences"
        self.stdout.write(f"{checked} games checked, {summary}.")
        return found


def asked_for(games: Sequence[str]) -> Sequence[str]:
    known = set(Game.objects.filter(pk__in=games).values_list("pk", flat=True))
    if unknown := [game_id for game_id in games if game_id not in known]:
        raise CommandError(f"There is no game {', '.join(unknown)}.")
    return games


def all_games() -> Iterator[str]:
    """Every game's id, page by page: a cursor left open would keep SQLite's writers waiting."""
    last = ""
    while page := list(Game.objects.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:PAGE]):
        yield from page
        last = page[-1]


def differences_of(game_id: str) -> list[str]:
    """What a game says of itself that its log does not say; nothing of a game that was deleted since."""
    while game := Game.objects.filter(pk=game_id).first():
        found = list(_differences(game))
        # An action between the two queries makes them differ: read again.
        if not found or Game.objects.filter(pk=game_id, version=game.version).exists():
            return found
    return []


def _differences(game: Game) -> Iterator[str]:
    if not 1 <= game.rules_version <= RULES_VERSION:
        yield f"rules_version is {game.rules_version}, known are 1 to {RULES_VERSION}"
        return
    rows = store.rows(game.pk)
    yield from _wrong_numbers(game, rows)
    try:
        ledger = store.refold(game)
    except NjetError as error:
        yield f"{_unreadable(rows)} cannot be read: {error.message}"
        return
    except LookupError as error:
        # A seat that the game does not have is missed only where its entry is folded.
        yield f"the log cannot be read: {type(error).__name__}: {error}"
        return
    yield from _wrong_entries(ledger)
    yield from _wrong_columns(game, ledger)
    yield from _wrong_seats(game, ledger)


def _unreadable(rows: Sequence[StoredEntry]) -> str:
    """What of a log that cannot be read is damaged: an entry, or else the log as a whole with its set-up."""
    for row in rows:
        try:
            entry_from_json(row.seq, row.kind, row.payload, row.seat)
        except NjetError:
            return f"entry {row.seq}"
    return "the log"


def _wrong_numbers(game: Game, rows: Sequence[StoredEntry]) -> Iterator[str]:
    for expected, row in enumerate(rows, start=1):
        if row.seq != expected:
            yield f"entry {row.seq} stands where entry {expected} should be"
            break
    last = rows[-1].seq if rows else 0
    if game.version != last:
        yield f"version is {game.version}, the last entry is {last}"


def _wrong_entries(ledger: Ledger) -> Iterator[str]:
    if ledger.replay.refused is not None and ledger.replay.error is not None:
        yield f"entry {ledger.replay.refused.key.seq} is refused by the rules: {ledger.replay.error.message}"
    for undo in ledger.counting.misplaced:
        yield f"entry {undo.seq} takes back entry {undo.undoes}, which was not the latest to be taken back"
    for entry in ledger.entries:
        # A name may be erased after the lock.
        if isinstance(entry, LockEntry) and any(
            not isinstance(later, SetupEntry) for later in ledger.entries[entry.seq :]
        ):
            yield f"entries follow the lock in entry {entry.seq}"


def _wrong_columns(game: Game, ledger: Ledger) -> Iterator[str]:
    ruleset = ledger.setup.ruleset
    said = {"preset": ruleset.preset, "players": ruleset.players, **write.results_of(ledger)}
    for name, value in said.items():
        if getattr(game, name) != value:
            yield f"{name} is {getattr(game, name)}, the log says {value}"
    finished = said["status"] == Status.FINISHED
    if finished and ledger.occasion.minutes not in (None, game.minutes):
        yield f"minutes is {game.minutes}, the log says {ledger.occasion.minutes}"
    for name, expected in (("finished_at", finished), ("locked_at", ledger.locked)):
        if (getattr(game, name) is not None) != expected:
            yield f"{name} is {getattr(game, name)}, the log says {'there is one' if expected else None}"
    counted = (
        GameFacts.of(ledger.replay, minutes=game.minutes).to_json() if finished and game.group_id is not None else None
    )
    if game.facts != counted:
        yield "what its group counts of it is not what the log says: see manage.py recount"


def _wrong_seats(game: Game, ledger: Ledger) -> Iterator[str]:
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    said = write.seat_results(ledger)
    if [seat.number for seat in seats] != list(range(len(said))):
        yield f"the seats are {[seat.number for seat in seats]}, the log has {len(said)} of them"
        return
    stints = list(Stint.objects.filter(game=game).order_by("order").values_list("number", "name", "until"))
    if stints != [(each.seat, each.name, each.until) for each in ledger.current_setup.earlier]:
        yield f"who played before others took over is {stints}, the log says otherwise"
    for seat, results in zip(seats, said, strict=True):
        for name, value in results.items():
            if getattr(seat, name) != value:
                yield f"seat {seat.number}: {name} is {getattr(seat, name)}, the log says {value}"
