"""How late the bots act, and what their workers cost while none is due.

`python -m tests.benchmarks.bots [SECONDS] [--tables 50] [--searching 0] [--unfinished 100000]`

At each table four bots play without people, with the pauses of the settings; at some of them one bot searches.
Printed are the percentiles of the milliseconds between the end of the pause (of a searching bot: and of its budget) and
the arrival of the committed version at another process, and the processor time of the workers for each action; then the
processor time of a worker without a task, and the same percentiles, beside a number of games that wait for a player.
With DATABASE_URL on that database, which should be a new one.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import django

from tests.benchmarks.figures import show_figure

TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description="The lateness of the bots and the cost of their workers.")
    parser.add_argument("seconds", nargs="?", type=float, default=20.0)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--searching", type=int, default=0)
    parser.add_argument("--unfinished", type=int, default=100_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        os.environ |= {"NJET_DATA": data, "NJET_SECRET_KEY": "k" * 50, "DJANGO_SETTINGS_MODULE": "njetassist.settings"}
        os.environ["NJET_BOTS"] = "off"
        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        for unfinished in (0, options.unfinished):
            fill(unfinished)
            load = os.getloadavg()[0]
            print(f"beside {unfinished} unfinished games (load average {load:.1f})")
            kind = f"{unfinished:,} unfinished games" if unfinished else "no unfinished game"
            show_figure(f"worker without a task, {kind}: % of a core", idle(max(1.0, options.seconds / 4)))
            for level, p95 in late(options.seconds, options.tables, options.searching).items():
                show_figure(f"{level} bots at {options.tables} tables, {kind}: p95 of lateness, ms", p95)


def idle(seconds: float) -> float:
    """The processor time of a worker without a task, in percent."""
    with working("bots") as worker:
        before = float("-inf")
        # It starts.
        while processor_time(worker) - before > 0.1:
            before = processor_time(worker)
            time.sleep(2)
        before = processor_time(worker)
        time.sleep(seconds)
        return 100 * (processor_time(worker) - before) / seconds


@contextmanager
def working(*queues: str) -> Iterator[subprocess.Popen[bytes]]:
    """Workers for queues; the first of them."""
    from games.bot_runner import process

    workers = [process.start(queue) for queue in queues]
    try:
        yield workers[0]
    finally:
        for worker in workers:
            worker.communicate()


def processor_time(worker: subprocess.Popen[bytes]) -> float:
    """The seconds of processor time of a process."""
    fields = Path(f"/proc/{worker.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


class Arrivals:
    """The hub of this process: when which version of which game arrived."""

    def __init__(self) -> None:
        self.times: dict[tuple[str, int], float] = {}
        self.versions: dict[str, int] = {}

    def watched_versions(self) -> dict[str, int]:
        return dict(self.versions)

    def receive(self, message: Mapping[str, object]) -> None:
        match message:
            case {"version": [str(game_id), int(version), *_]}:
                for each in range(self.versions[game_id] + 1, version + 1):
                    self.times.setdefault((game_id, each), time.monotonic())
                self.versions[game_id] = version

    def missed_messages(self) -> None:
        pass


def late(seconds: float, tables: int, searching: int) -> dict[str, float]:
    """Let the bots of new tables play for some seconds: how late they were, p95 in milliseconds by level."""
    from games.live.bus import for_database
    from games.models import Game
    from games.services import creation
    from tests.builders import english

    setup = replace(english(4, rounds=20), digital=True)
    arrivals = Arrivals()
    bus = for_database(arrivals)
    bus.start()
    games = []
    for number in range(tables):
        bots = ["easy", "easy", "easy", "strong" if number < searching else "easy"]
        games.append(creation.create_game(setup=setup, bots=bots, own_seats=()).game.pk)
        arrivals.versions[games[-1]] = 0
    with working("bots") as worker:
        # The first actions are late: the workers start.
        deadline = time.monotonic() + 60
        while len(arrivals.times) < 6 * tables and time.monotonic() < deadline:
            time.sleep(0.1)
        began, before = time.monotonic(), processor_time(worker)
        time.sleep(seconds)
        spent = processor_time(worker) - before
    bus.stop()
    found: dict[str, float] = {}
    measured = lateness(games, {name: at for name, at in arrivals.times.items() if at >= began})
    for level, values in sorted(measured.items()):
        values.sort()
        p50, p95, most = (1000 * values[int(share * (len(values) - 1))] for share in (0.5, 0.95, 1.0))
        rate = len(values) / seconds
        found[level] = p95
        print(f"{level}: {rate:.1f} actions/s, late by {p50:.0f} ms (p50), {p95:.0f} ms (p95), {most:.0f} ms (most)")
    actions = max(1, len(measured.get("easy", ())))
    print(f"processor time of the worker of the fast bots: {1000 * spent / actions:.1f} ms an action")
    Game.objects.filter(pk__in=games).delete()
    return found


def lateness(games: list[str], arrived: Mapping[tuple[str, int], float]) -> dict[str, list[float]]:
    """Seconds by level of the bots."""
    from django.conf import settings
    from django.utils import timezone

    from games.bot_runner.turn import Turn
    from games.log import store
    from games.log.ledger import ledger_of
    from games.models import Game

    found: dict[str, list[float]] = {}
    now = timezone.now()
    for game in Game.objects.filter(pk__in=games):
        entries = store.read(game).entries
        ledger = ledger_of(game.pk, game.setup, entries[:1])
        for entry in entries[1:]:
            turn = Turn.of(ledger)
            ledger = ledger.with_entries([entry])
            times = [arrived.get((game.pk, version)) for version in (entry.seq - 1, entry.seq)]
            if turn is None or None in times:
                continue
            pause = (turn.begins(now) - now).total_seconds()
            budget = settings.NJET_BOT_BUDGET if turn.searches else 0.0
            found.setdefault(turn.level, []).append(times[1] - times[0] - pause - budget)
    return found


def fill(count: int) -> None:
    """Write a number of games in which a player is due: copies of one."""
    from django_tasks_db.models import DBTaskResult

    from games.models import Game, LogEntry, Seat
    from games.services import creation
    from tests.builders import english

    setup = replace(english(4, rounds=20), digital=True)
    game = creation.create_game(setup=setup, bots=[None, None, "easy", "easy"], own_seats=()).game
    seats, entries = list(Seat.objects.filter(game=game)), list(LogEntry.objects.filter(game=game))
    DBTaskResult.objects.all().delete()
    for first in range(0, count, 1000):
        copies = [
            Game(**{**columns(game), "id": f"copy{number:08}"}) for number in range(first, min(count, first + 1000))
        ]
        Game.objects.bulk_create(copies)
        for rows in (seats, entries):
            type(rows[0])._default_manager.bulk_create(
                [type(row)(**{**columns(row), "id": None, "game_id": copy.pk}) for copy in copies for row in rows],
                batch_size=500,
            )


def columns(row: django.db.models.Model) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


if __name__ == "__main__":
    main()
