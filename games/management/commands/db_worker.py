"""`manage.py db_worker`: the process that runs the tasks of the bots.

The server starts one for each queue that is used (`games.bot_runner.process`).  With NJET_BOTS=off the operator starts
them, on any machine, on PostgreSQL as many as there is work for.
"""

import contextlib
import json
import os
import signal
import sys
import threading
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games.bot_runner import process
from games.bot_runner.process import ANALYSES, QUEUES
from games.bot_runner.worker import Worker
from games.live.bus import for_database
from games.live.hub import hub

INTERVAL = 0.1
"""Seconds between two looks at the queue while no task is due."""


class Command(BaseCommand):
    help = "Runs the tasks of the bots, until it is ended."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--queue-name", default=",".join(QUEUES), help="the queues, separated by commas")
        parser.add_argument("--max-tasks", type=int, help="end after this number of tasks")
        parser.add_argument(
            "--until-input-ends", action="store_true", help="end with the standard input: with the process that gave it"
        )

    def handle(self, *, queue_name: str, max_tasks: int | None, until_input_ends: bool, **options: Any) -> None:
        worker = Worker(queue_name.split(","), interval=INTERVAL, most=max_tasks)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: worker.stop())
        if until_input_ends:
            # Ctrl-C reaches every process of a terminal.
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
            threading.Thread(target=_listen_until_input_ends, daemon=True).start()
        if queue_name == ANALYSES:
            # Bots and pages need the machine first.
            os.nice(10)
        with process.working():
            for_database(hub).start()
            worker.run()


def _listen_until_input_ends() -> None:
    with contextlib.suppress(OSError):
        for line in sys.stdin.buffer:
            hub.receive(json.loads(line))
    os.kill(os.getpid(), signal.SIGTERM)
    # The current search is not needed any more, and a write is complete or absent.
    threading.Event().wait(process.LAST_WORDS)
    os._exit(0)
