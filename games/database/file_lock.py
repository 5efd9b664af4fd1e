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
    descriptor = open_file(file)
    try:
        wait_for(descriptor, deadline=time.monotonic() + patience, every=0.02)
    except BlockingIOError:
        os.close(descriptor)
        raise
    return descriptor


def lock_folder(folder: Path, *, patience: float) -> int:
    """Take the lock of a folder, which needs no file in it.  The descriptor holds it as long as it is open.

    Errors: `BlockingIOError` if another process holds it all the time; `OSError` where folders cannot be locked.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        wait_for(descriptor, deadline=time.monotonic() + patience, every=0.02)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def open_file(file: Path) -> int:
    """The descriptor of a file to lock, which is created if it does not exist."""
    return os.open(file, os.O_RDWR | os.O_CREAT, 0o600)


def wait_for(descriptor: int, *, deadline: float, every: float) -> None:
    """Lock an open file.  There is no blocking wait for a file lock with a timeout, so try again after `every` seconds.

    Errors: `BlockingIOError` if another process holds the lock until the deadline (of the monotonic clock).
    """
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise
            time.sleep(every)
        else:
            return
