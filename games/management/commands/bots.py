"""`manage.py bots`: the process in which the bots of all tables play.

The server starts it when a table has bots (`games.bot_runner.process`).  With NJET_BOTS=off it is started by hand.
`games.bot_runner.scheduler` decides which bot acts when.
"""

import contextlib
import hashlib
import os
import signal
import sys
import threading
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from games.bot_runner import process
from games.bot_runner.scheduler import Crew

PATIENCE = 1.5
# Somebody else's bots play on this PostgreSQL: when they end these take their places.
STAND_BY = 2.0


class Command(BaseCommand):
    help = "Lets the bots play at all tables, until it is ended."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--until-input-ends", action="store_true", help="end with the standard input: with the process that gave it"
        )

    def handle(self, *, until_input_ends: bool, **options: Any) -> None:
        ended = threading.Event()
        with ending(ended, until_input_ends=until_input_ends) as when_ended:
            try:
                lock = take_lock()
            except process.BotsPlay as error:
                if until_input_ends:
                    return  # of two web processes that started one at once the other was faster
                raise CommandError(f"The bots play already: {process.lock_file()} is held.") from error
            try:
                with alone(ended) as may_act:
                    if may_act:
                        crew = Crew()
                        when_ended(crew.stop)
                        crew.run()
            finally:
                os.close(lock)


def take_lock() -> int:
    try:
        return process.acquire(patience=PATIENCE)
    except OSError as error:
        raise CommandError(f"{process.lock_file()} cannot be written: {error.strerror}.") from error


@contextmanager
def ending(ended: threading.Event, *, until_input_ends: bool) -> Iterator[Callable[[Callable[[], None]], None]]:
    """Signals and the end of the input end the block: after the present action, by what it then names."""
    stops: list[Callable[[], None]] = []

    def end(*_: object) -> None:
        ended.set()
        for stop in stops:
            stop()

    def when_ended(stop: Callable[[], None]) -> None:
        stops.append(stop)
        if ended.is_set():
            stop()

    signal.signal(signal.SIGTERM, end)
    # Ctrl-C in a terminal reaches every process in it; who was started by a server ends with that.
    signal.signal(signal.SIGINT, signal.SIG_IGN if until_input_ends else end)
    if until_input_ends:
        threading.Thread(target=_end_with_input, args=(end,), daemon=True).start()
    yield when_ended


def _end_with_input(end: Callable[[], None]) -> None:
    with contextlib.suppress(OSError):
        while os.read(sys.stdin.fileno(), 1024):
            pass
    end()
    # What it was just thinking of nobody waits for; a write is there whole or not at all.
    threading.Event().wait(process.LAST_WORDS)
    os._exit(0)


@contextmanager
def alone(ended: threading.Event) -> Iterator[bool]:
    """Whether this is the one process that acts on its database: of several machines with one PostgreSQL one does.

    The file lock says so for this machine.
    """
    if connection.vendor != "postgresql":
        yield True
        return
    # The lock lives as long as this connection; if that breaks nobody is worse off than with two who look at once.
    number = int.from_bytes(hashlib.sha256(b"njet bots").digest()[:8], signed=True)
    with contextlib.closing(connection.copy()) as database, database.cursor() as cursor:
        while not ended.is_set():
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [number])
            if cursor.fetchone()[0]:
                yield True
                return
            ended.wait(STAND_BY)
        yield False
