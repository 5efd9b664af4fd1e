"""Sweeps the database once a day, in a thread of one web process."""

import logging
import os
import threading
import time
from collections.abc import Callable

from django.db import DatabaseError, connection

from games.database import file_lock
from games.services import sweep

logger = logging.getLogger(__name__)

FIRST_AFTER = 10 * 60
"""Seconds after the start: by then a machine without a clock of its own has asked the network for the time."""
EVERY = 24 * 60 * 60


def begin() -> None:
    """Start the thread."""
    threading.Thread(target=run, name="sweep", daemon=True).start()


def take_lock() -> int:
    """Take the lock of the process that sweeps.  Errors: `BlockingIOError`, `OSError`."""
    return file_lock.lock(file_lock.lock_file().with_suffix(".sweep"), patience=0)


def run(sleep: Callable[[float], None] = time.sleep) -> None:
    """Sweep once a day, until the process ends."""
    sleep(FIRST_AFTER)
    lock: int | None = None
    try:
        while True:
            try:
                # Held from now on: of several processes one sweeps.
                lock = lock or take_lock()
                if sweep.is_due():
                    sweep.sweep()
            except BlockingIOError:
                logger.debug("Another process sweeps.")
            except (DatabaseError, OSError) as error:
                logger.warning("The sweep failed; the next one is tomorrow: %s", error)
            finally:
                connection.close()
            sleep(EVERY)
    finally:
        if lock is not None:
            os.close(lock)
