"""Whether a server is running on this data. Knows one lock file; knows nothing of servers or databases.

The system drops the lock with the last process that holds it, so a crash leaves nothing to clean up.
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
    """Beside the database, because that is what is protected; with PostgreSQL in the data directory."""
    if connection.vendor == "sqlite":
        database = Path(connection.settings_dict["NAME"])
        return database.with_name(f"{database.name}.lock")
    return settings.DATA_DIR / "server.lock"


def acquire(*, patience: float = 0) -> int:
    """The descriptor that holds the lock, for as long as it is open here or in a child that inherited it.

    `patience`: seconds to wait for a server that was killed a moment ago.
    """
    try:
        return lock(lock_file(), patience=patience)
    except BlockingIOError:
        raise ServerIsRunning from None


def lock(file: Path, *, patience: float) -> int:
    """The descriptor that holds the lock of any file.

    Errors: `BlockingIOError` if another process holds it all that time; `OSError` if there can be no such file.
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
