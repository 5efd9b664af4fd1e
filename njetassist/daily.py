"""Sweeps the database once a day, in a thread of each web process: the first one of them does it."""

import logging
import threading
import time
from collections.abc import Callable

from django.db import DatabaseError, connection

from games.services import sweep

logger = logging.getLogger(__name__)

FIRST_AFTER = 10 * 60
"""Seconds after the start: by then a machine without a clock of its own has asked the network for the time."""
EVERY = 24 * 60 * 60


def begin() -> None:
    """Start the thread."""
    threading.Thread(target=run, name="sweep", daemon=True).start()


def run(sleep: Callable[[float], None] = time.sleep) -> None:
    """Sweep once a day, until the process ends."""
    sleep(FIRST_AFTER)
    while True:
        try:
            sweep.sweep_daily()
        except DatabaseError as error:
            logger.warning("The sweep failed; the next one is tomorrow: %s", error)
        finally:
            connection.close()
        sleep(EVERY)
