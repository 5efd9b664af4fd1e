"""A queue of the writers of a SQLite database: they begin their transactions one after the other.

SQLite's busy handler is unfair under load: a writer that finds the database locked sleeps and tries again, each time
longer, so the writer that has waited longest tries least often.  Here the threads of the server queue in the order of
their arrival.  The few writers of other processes, bots and commands, wait by the busy handler.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from django.db import OperationalError, transaction


@contextmanager
def in_turn() -> Iterator[None]:
    """A transaction that begins when it is first in the queue.  It leaves the queue with the commit.

    Inside another transaction: a savepoint of that one.
    Errors: the `OperationalError` of a database that stays locked.
    """
    connection = transaction.get_connection()
    with ExitStack() as turn:
        if connection.vendor == "sqlite" and not connection.in_atomic_block and not connection.is_in_memory_db():
            patience = connection.settings_dict["OPTIONS"].get("timeout", 5)
            turn.enter_context(_queue.turn(time.monotonic() + patience))
        with transaction.atomic():
            transaction.on_commit(turn.close)
            yield


class _Queue:
    """Threads in the order of their arrival."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._busy = False
        self._waiting: deque[threading.Lock] = deque()

    @contextmanager
    def turn(self, deadline: float) -> Iterator[None]:
        """Wait until this writer is first; the block runs alone.

        Errors: the `OperationalError` of SQLite for a lock that is not released before the deadline.
        """
        self._wait(deadline)
        try:
            yield
        finally:
            self._call_next()

    def _wait(self, deadline: float) -> None:
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
                raise OperationalError("database is locked")

    def _call_next(self) -> None:
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._busy = False


_queue = _Queue()
