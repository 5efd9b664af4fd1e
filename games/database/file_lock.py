"""Locks on files and folders, and the file that a server locks.

The operating system releases a lock with the last process that holds it, so a crash leaves nothing to clean up.
"""

import fcntl
import os
import time
from pathlib import Path

from django.conf import settings
from django.db import connection

TRIED_EVERY = 0.02
"""Seconds between two attempts: no wait for a file lock has a timeout."""


def lock_file() -> Path:
    """The lock file of the server: beside the SQLite database, with PostgreSQL in the data directory."""
    if connection.vendor == "sqlite":
        database = Path(connection.settings_dict["NAME"])
        return database.with_name(f"{database.name}.lock")
    return settings.DATA_DIR / "server.lock"


def lock(place: Path, *, patience: float = 0, shared: bool = False) -> int:
    """Lock a file, which is created if it does not exist, or a folder.  `patience`: the most seconds to wait for it.

    The descriptor holds the lock as long as it is open here or in a child that inherited it.
    Errors: `BlockingIOError` if another process holds it all the time; another `OSError` if the file cannot be created
    or the folder not be locked.
    """
    descriptor = os.open(place, os.O_RDONLY if place.is_dir() else os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError as error:
            if not isinstance(error, BlockingIOError) or time.monotonic() >= deadline:
                os.close(descriptor)
                raise
            time.sleep(TRIED_EVERY)
        else:
            return descriptor
