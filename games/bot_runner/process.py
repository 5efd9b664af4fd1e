"""Starts the workers (`manage.py db_worker`) of the queues that are used, which end with their parent.

The first web process of a machine with tasks for a queue holds a lock from then on and keeps a child running.  The
child ends when its standard input closes, which happens however the parent ends.  (Linux's signal for the death of a
parent depends on the thread that started the child, and threads end earlier.)  Through it the parent says which phones
are present.
"""

from __future__ import annotations

import atexit
import logging
import math
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import Error, connection
from django_tasks_db.models import DBTaskResult

from games.database import file_lock

logger = logging.getLogger(__name__)

BOTS, ANALYSES = QUEUES = ("bots", "analyses")
"""The bots, and what is computed after a game: with a worker for each no bot waits for an analysis."""
LOOK_EVERY = 1.0
"""Seconds between two looks at the child, or at the lock."""
START_AGAIN_AFTER = 5.0
"""Seconds between two starts, if the first has failed."""
FIND_EVERY = 5.0
"""Seconds between two looks for tasks that another process or host has left."""
LAST_WORDS = 1.0
"""Seconds that the child has to end with its parent."""


present: Callable[[], bytes] = bytes
"""The phones that are present, as a line for the workers.  The server sets it where no bus carries them."""


def begin() -> None:
    """Start the workers of tasks that an earlier server, another host or a killed worker leaves.  Returns at once."""
    if settings.NJET_BOTS != "off":
        threading.Thread(target=_find_tasks, name="tasks", daemon=True).start()


def _find_tasks() -> None:
    while not _keepers.keys() >= set(QUEUES):
        try:
            for queue in DBTaskResult.objects.order_by().values_list("queue_name", flat=True).distinct():
                ensure_running(queue)
        except Error as error:
            logger.debug("The look for tasks failed: %s", error)
        finally:
            # No other code uses the connection of this thread.
            connection.close()
        time.sleep(FIND_EVERY)


def ensure_running(queue: str) -> None:
    """Keep a worker for a queue running from now on.  Cheap; returns at once."""
    if settings.NJET_BOTS != "off" and queue not in _keepers:
        with _guard:
            if queue not in _keepers:
                _keepers[queue] = _Keeper(queue)


class _Keeper:
    """Starts and ends the worker of a queue, in a thread of its own."""

    def __init__(self, queue: str) -> None:
        self.queue = queue
        self.child: subprocess.Popen[bytes] | None = None
        self.lock: int | None = None
        self._started = float("-inf")
        threading.Thread(target=self._run, name=queue, daemon=True).start()

    def _run(self) -> None:
        while True:
            try:
                self._look()
            except BlockingIOError:
                logger.debug("Another process keeps the worker of the queue %s.", self.queue)
            except OSError as error:
                logger.error("The worker of the queue %s cannot be started: %s", self.queue, error.strerror)
            time.sleep(LOOK_EVERY)

    def _look(self) -> None:
        if self.lock is None:
            self.lock = file_lock.lock(file_lock.lock_file().with_suffix(f".{self.queue}"))
        if self.child is not None and self.child.poll() is None:
            assert self.child.stdin is not None, "it was opened with the child"
            self.child.stdin.write(present())
            return
        if time.monotonic() - self._started >= START_AGAIN_AFTER:
            self._started = time.monotonic()
            self.end()
            self.child = start(self.queue)

    def end(self) -> None:
        """End the child, after its current task."""
        child, self.child = self.child, None
        if child is None or child.stdin is None:
            return
        child.stdin.close()
        try:
            child.wait(LAST_WORDS)
        except subprocess.TimeoutExpired:
            # It has just started, or hangs; a write is complete or absent.
            child.kill()
            child.wait()


def start(queue: str) -> subprocess.Popen[bytes]:
    """Start a worker.  It ends when its standard input closes: with this process, however that ends."""
    search = [str(settings.BASE_DIR), *filter(None, [os.environ.get("PYTHONPATH")])]
    command = [str(settings.BASE_DIR / "manage.py"), "db_worker", "--queue-name", queue, "--until-input-ends"]
    return subprocess.Popen(
        [sys.executable, *command],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(search)},
    )


def workers_file() -> Path:
    """The file that every worker on this SQLite database locks, together with the others."""
    return file_lock.lock_file().with_suffix(".workers")


@contextmanager
def working() -> Iterator[None]:
    """Keep `manage.py restore` from replacing the database while the block runs, in any number of workers."""
    if connection.vendor != "sqlite":
        yield
        return
    descriptor = file_lock.lock(workers_file(), patience=math.inf, shared=True)
    try:
        yield
    finally:
        os.close(descriptor)


_guard = threading.Lock()
_keepers: dict[str, _Keeper] = {}


def _forget_after_fork() -> None:
    # A fork has none of the threads of its parent, and must hold neither the locks nor the other ends of the pipes.
    for keeper in _keepers.values():
        if keeper.child is not None and keeper.child.stdin is not None:
            keeper.child.stdin.close()
        if keeper.lock is not None:
            os.close(keeper.lock)
    _keepers.clear()


@atexit.register
def _end_children() -> None:
    for keeper in _keepers.values():
        keeper.end()


os.register_at_fork(after_in_child=_forget_after_fork)
