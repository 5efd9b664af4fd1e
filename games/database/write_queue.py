"""SQLite's writers take turns before they begin their transactions.

Knows: the queue of this process, the lock file beside the database that other processes share.  Must not know: what is
written.

Left to themselves, writers who find the database locked sleep and try again, each time longer: whoever has waited
longest looks least often, and between two looks nobody writes.  Here they wait in a line and are called.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache

from django.db import OperationalError, transaction

BETWEEN_LOOKS = 0.0005
"""Seconds between two looks at another process's turn: there is no waiting for a file lock that ends in time."""


@contextmanager
def in_turn() -> Iterator[None]:
    """A transaction that begins when it is its turn.  The turn ends with the commit, before anything that follows it.

    Inside of another transaction: a part of that one, which has its turn already.
    Errors: the `OperationalError` of a database that stays locked.
    """
    connection = transaction.get_connection()
    with ExitStack() as turn:
        if connection.vendor == "sqlite" and not connection.in_atomic_block and not connection.is_in_memory_db():
            file = f"{connection.settings_dict['NAME']}.turn"
            patience = connection.settings_dict["OPTIONS"].get("timeout", 5)
            turn.enter_context(_line_for(file).turn(time.monotonic() + patience))
        with transaction.atomic():
            transaction.on_commit(turn.close)
            yield


class _Line:
    """Who waits for one database: threads in the order in which they came, and other processes by a lock on a file."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._guard = threading.Lock()
        self._busy = False
        self._waiting: deque[threading.Lock] = deque()
        self._descriptor: int | None = None

    @contextmanager
    def turn(self, deadline: float) -> Iterator[None]:
        """Wait, and go on alone."""
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
        with self._guard, suppress(ValueError):
            self._waiting.remove(called)
            raise _locked()
        # Called in the very moment in which it gave up: the turn is its own after all.

    def _call_next(self) -> None:
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._busy = False

    def _wait_for_processes(self, deadline: float) -> int:
        if self._descriptor is None:
            self._descriptor = _open(self._file)
        while True:
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise _locked() from None
                time.sleep(BETWEEN_LOOKS)
            else:
                return self._descriptor


@cache
def _line_for(file: str) -> _Line:
    return _Line(file)


# Who shares the descriptor of a file shares its lock: a child gets lines of its own.
os.register_at_fork(after_in_child=_line_for.cache_clear)


def _open(file: str) -> int:
    try:
        return os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        # SQLite could not make its journal in such a directory either.
        raise OperationalError(f"unable to open {file}: {error.strerror}") from error


def _locked() -> OperationalError:
    """What SQLite says of a lock that is not given back in time."""
    return OperationalError("database is locked")
