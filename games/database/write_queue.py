"""The writers of a SQLite database begin their transactions one after the other.

By SQLite's busy handler, with which bots and commands wait, the writer that has waited longest tries least often.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from django.db import OperationalError, transaction

_turn = threading.Lock()


@contextmanager
def in_turn() -> Iterator[None]:
    """A transaction that begins when no other thread writes.  The turn ends with the commit.

    Inside another transaction: a savepoint of that one.
    Errors: the `OperationalError` of a database that stays locked.
    """
    connection = transaction.get_connection()
    with ExitStack() as turn:
        if connection.vendor == "sqlite" and not connection.in_atomic_block and not connection.is_in_memory_db():
            if not _turn.acquire(timeout=connection.settings_dict["OPTIONS"].get("timeout", 5)):
                raise OperationalError("database is locked")
            turn.callback(_turn.release)
        with transaction.atomic():
            transaction.on_commit(turn.close)
            yield
