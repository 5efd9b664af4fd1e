"""Locks on files, and the lock of the server on its data.

The operating system releases a lock with the last process that holds it, so a crash leaves nothing to clean up.
"""

import fcntl
import os
import time
from pathlib import Path

from django.conf import settings
from django.db import connection


class ServerIsRunning(Exception):
    """Another process holds the lock."""


def lock_file() -> Path:
    """The lock file of the server: beside the SQLite database, with PostgreSQL in the data directory."""
    if connection.vendor == "sqlite":
        database = Path(connection.settings_dict["NAME"])
        return database.with_name(f"{database.name}.lock")
    return settings.DATA_DIR / "server.lock"


def acquire(*, patience: float = 0) -> int:
    """Take the lock of the server.  The descriptor holds it as long as it is open here or in a child that inherited it.

    `patience`: seconds to wait for a server that was just killed.
    Errors: `ServerIsRunning`; `OSError` if the file cannot be created.
    """
    try:
        return lock(lock_file(), patience=patience)
    except BlockingIOError:
        raise ServerIsRunning from None


def lock(file: Path, *, patience: float) -> int:
    """Take the lock of any file.  The descriptor holds it as long as it is open.

    Errors: `BlockingIOError` if another process holds it all the time; `OSError` if the file cannot be created.
    """
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                os.close(descriptor)
                raise
            time.sleep(0.02)
        else:
            return descriptor
