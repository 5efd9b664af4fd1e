"""A queue of the writers of a SQLite database: they begin their transactions one after the other.

SQLite's busy handler is unfair under load: a writer that finds the database locked sleeps and tries again, each time
longer, so the writer that has waited longest tries least often.  Here threads queue in the order of their arrival, and
processes share a lock file beside the database.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

from django.db import OperationalError, transaction

from games.database import file_lock

BETWEEN_LOOKS = 0.0005
"""Seconds between two attempts to lock the file: waiting for a file lock has no timeout."""


@contextmanager
def in_turn() -> Iterator[None]:
    """A transaction that begins when it is first in the queue.  It leaves the queue with the commit.

    Inside another transaction: a savepoint of that one.
    Errors: the `OperationalError` of a database that stays locked.
    """
    connection = transaction.get_connection()
    with ExitStack() as turn:
        if connection.vendor == "sqlite" and not connection.in_atomic_block and not connection.is_in_memory_db():
            file = f"{connection.settings_dict['NAME']}.turn"
            patience = connection.settings_dict["OPTIONS"].get("timeout", 5)
            turn.enter_context(_queue_for(file).turn(time.monotonic() + patience))
        with transaction.atomic():
            transaction.on_commit(turn.close)
            yield


class _Queue:
    """The queue of one database: threads in the order of their arrival, other processes by a lock on a file."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._guard = threading.Lock()
        self._busy = False
        self._waiting: deque[threading.Lock] = deque()
        self._descriptor: int | None = None

    @contextmanager
    def turn(self, deadline: float) -> Iterator[None]:
        """Wait until this writer is first; the block runs alone."""
        self._wait_for_threads(deadline)
        try:
            descriptor = self._wait_for_processes(deadline)
            try:
                yield
            finally:
                fcntl.flock(descriptor, fcntl.LOCK_UN)
        finally:
            self._call_next()

    def _wait_for_threads(self, deadline: float) -> None:
        with self._guard:
            if not self._busy:
                self._busy = True
                return
            called = threading.Lock()
            called.acquire()
            self._waiting.append(called)
        if called.acquire(timeout=max(0, deadline - time.monotonic())):
            return
        with self._guard:
            # If it is no longer in the queue, it was called just when it gave up: it is first after all.
            if called in self._waiting:
                self._waiting.remove(called)
                raise _locked()

    def _call_next(self) -> None:
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._busy = False

    def _wait_for_processes(self, deadline: float) -> int:
        if self._descriptor is None:
            try:
                self._descriptor = file_lock.open_file(Path(self._file))
            except OSError as error:
                # SQLite could not create its journal in such a directory either.
                raise OperationalError(f"unable to open {self._file}: {error.strerror}") from error
        try:
            file_lock.wait_for(self._descriptor, deadline=deadline, every=BETWEEN_LOOKS)
        except BlockingIOError:
            raise _locked() from None
        return self._descriptor


@cache
def _queue_for(file: str) -> _Queue:
    return _Queue(file)


# A child that inherits the descriptor of the file would share its lock: it gets queues of its own.
os.register_at_fork(after_in_child=_queue_for.cache_clear)


def _locked() -> OperationalError:
    """The error of SQLite for a lock that is not released in time."""
    return OperationalError("database is locked")
