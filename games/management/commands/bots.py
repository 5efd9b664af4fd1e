"""`manage.py bots`: the process that plays for the bots of all tables.

The server starts it when a table has bots (`games.bot_runner.process`).  With NJET_BOTS=off the operator starts it.
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
# Seconds between two attempts to take over from another bot process on the same PostgreSQL database.
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
    """Call the functions that the block registers when a signal arrives or the input ends."""
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
    # Ctrl-C reaches every process of a terminal; a process that a server has started ends with its input instead.
    signal.signal(signal.SIGINT, signal.SIG_IGN if until_input_ends else end)
    if until_input_ends:
        threading.Thread(target=_end_with_input, args=(end,), daemon=True).start()
    yield when_ended


def _end_with_input(end: Callable[[], None]) -> None:
    with contextlib.suppress(OSError):
        while os.read(sys.stdin.fileno(), 1024):
            pass
    end()
    # The current search is not needed any more, and a write is complete or absent.
    threading.Event().wait(process.LAST_WORDS)
    os._exit(0)


@contextmanager
def alone(ended: threading.Event) -> Iterator[bool]:
    """Whether this is the only bot process on its database.

    The file lock ensures that on one machine; several machines with one PostgreSQL database need a lock in it.
    """
    if connection.vendor != "postgresql":
        yield True
        return
    # The lock ends with this connection.  If that breaks, two processes may act; every write still checks the version.
    number = int.from_bytes(hashlib.sha256(b"njet bots").digest()[:8], signed=True)
    with contextlib.closing(connection.copy()) as database, database.cursor() as cursor:
        while not ended.is_set():
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [number])
            if cursor.fetchone()[0]:
                yield True
                return
            ended.wait(STAND_BY)
        yield False
