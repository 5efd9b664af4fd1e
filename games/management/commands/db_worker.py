"""`manage.py db_worker`: the process that runs the tasks of the bots.

The server starts one for each queue that is used (`games.bot_runner.process`).  With NJET_BOTS=off the operator starts
them, on any machine, on PostgreSQL as many as there is work for.
"""

import contextlib
import logging
import os
import signal
import sys
import threading
from argparse import ArgumentParser
from typing import Any

from django_tasks_db.management.commands import db_worker

from games.bot_runner import process, worker
from games.bot_runner.process import ANALYSES, QUEUES
from games.live.bus import for_database
from games.live.hub import hub

INTERVAL = 0.1
"""Seconds between two looks at the queue while no task is due."""

# The command of the library names its worker by this global.
db_worker.Worker = worker.Worker  # type: ignore[misc]  # (a class is no variable)


class Command(db_worker.Command):
    help = "Runs the tasks of the bots, until it is ended."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(queue_name=",".join(QUEUES), interval=INTERVAL, startup_delay=False, reload=False)
        parser.add_argument(
            "--until-input-ends", action="store_true", help="end with the standard input: with the process that gave it"
        )

    def configure_logging(self, verbosity: int) -> None:
        """Log no task and no end, only errors."""
        logging.getLogger("django_tasks_db").setLevel(logging.ERROR)

    def handle(self, *, until_input_ends: bool, **options: Any) -> None:  # type: ignore[override]  # an option more
        if until_input_ends:
            # Ctrl-C reaches every process of a terminal.
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
            threading.Thread(target=_end_with_input, daemon=True).start()
        if options["queue_name"] == ANALYSES:
            # Bots and pages need the machine first.
            os.nice(10)
        with process.working():
            # Without an event loop the hub of this process has no bus of its own.
            hub.bus = bus = for_database(hub)
            bus.start()
            try:
                super().handle(**options)
            finally:
                bus.stop()


def _end_with_input() -> None:
    with contextlib.suppress(OSError):
        while os.read(sys.stdin.fileno(), 1024):
            pass
    os.kill(os.getpid(), signal.SIGTERM)
    # The current search is not needed any more, and a write is complete or absent.
    threading.Event().wait(process.LAST_WORDS)
    os._exit(0)
