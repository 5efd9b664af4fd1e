"""Starts the bot process (`manage.py bots`) when it is needed: once, and not longer than its parent lives.

Each web process that needs bots checks every second whether a process holds the lock, and starts a child if not.
The child ends when its standard input closes, which happens however the parent ends.  (Linux's signal for the death of
a parent depends on the thread that started the child, and threads end earlier.)
"""

from __future__ import annotations

import atexit
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection

from games.database import file_lock

logger = logging.getLogger(__name__)

LOOK_EVERY = 1.0
"""Seconds between two checks of the lock."""
START_AGAIN_AFTER = 5.0
"""Seconds between two starts by one process, if the first has failed."""
LAST_WORDS = 1.0
"""Seconds that the child has to end with its parent."""


class BotsPlay(Exception):
    """Another process holds the lock."""


def lock_file() -> Path:
    """The lock file of the bot process: beside the SQLite database, with PostgreSQL in the data directory."""
    if connection.vendor == "sqlite":
        database = Path(connection.settings_dict["NAME"])
        return database.with_name(f"{database.name}.bots")
    return Path(settings.DATA_DIR) / "bots.lock"


def acquire(*, patience: float = 0) -> int:
    """Take the lock of the bot process.  The descriptor holds it as long as it is open.

    `patience`: seconds to wait for a process that is ending or only checks the lock.
    Errors: `BotsPlay`; `OSError` if the file cannot be created.
    """
    try:
        return file_lock.lock(lock_file(), patience=patience)
    except BlockingIOError:
        raise BotsPlay from None


def is_running() -> bool:
    """Whether a process holds the lock."""
    try:
        os.close(acquire())
    except BotsPlay:
        return True
    return False


def ensure_running() -> None:
    """Keep the bot process running from now on.  Cheap; returns at once."""
    if settings.NJET_BOTS == "off":
        return
    _keeper.wanted.set()
    _keeper.begin()


def keep(*, if_wanted: Callable[[], bool]) -> None:
    """Keep the bot process running as soon as `if_wanted` is true; it is called every second until then."""
    if settings.NJET_BOTS == "off":
        return
    _keeper.begin(if_wanted)


class _Keeper:
    """Starts and ends the child, in a thread of its own."""

    def __init__(self) -> None:
        self.wanted = threading.Event()
        self._guard = threading.Lock()
        self._thread: threading.Thread | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._started = float("-inf")

    def begin(self, if_wanted: Callable[[], bool] | None = None) -> None:
        """Start the thread, unless it runs."""
        if self._thread is not None:
            return
        with self._guard:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, args=(if_wanted,), name="bots", daemon=True)
                self._thread.start()

    def _run(self, if_wanted: Callable[[], bool] | None) -> None:
        while not self.wanted.wait(LOOK_EVERY):
            if if_wanted is not None and _is_so(if_wanted):
                break
        # No other code uses the connection of this thread.
        connection.close()
        while True:
            try:
                self._look()
            except OSError as error:
                logger.error("The bots cannot be started: %s", error.strerror)
            time.sleep(LOOK_EVERY)

    def _look(self) -> None:
        if self._child is not None:
            if self._child.poll() is None:
                return
            self.end()
        if time.monotonic() - self._started < START_AGAIN_AFTER or is_running():
            return
        self._started = time.monotonic()
        self._child = start()

    def end(self) -> None:
        """End the child, after its current action."""
        child, self._child = self._child, None
        if child is None or child.stdin is None:
            return
        child.stdin.close()
        try:
            child.wait(LAST_WORDS)
        except subprocess.TimeoutExpired:
            # It has just started, or hangs; a write is complete or absent.
            child.kill()
            child.wait()


def _is_so(if_wanted: Callable[[], bool]) -> bool:
    try:
        return if_wanted()
    except DatabaseError as error:
        # The next check tries again.
        logger.debug("The check for games with bots failed: %s", error)
        connection.close()
        return False


def start() -> subprocess.Popen[bytes]:
    """Start the child.  It ends when its standard input closes: with this process, however that ends."""
    search = [str(settings.BASE_DIR), *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.Popen(
        [sys.executable, str(settings.BASE_DIR / "manage.py"), "bots", "--until-input-ends"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(search)},
    )


_keeper = _Keeper()


def _restart_after_fork() -> None:
    # A fork has none of the threads of its parent, and must not hold the other end of the pipe.
    global _keeper
    child = _keeper._child
    if child is not None and child.stdin is not None:
        child.stdin.close()
    _keeper = _Keeper()


os.register_at_fork(after_in_child=_restart_after_fork)
atexit.register(lambda: _keeper.end())
