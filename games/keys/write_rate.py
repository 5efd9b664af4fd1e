"""How often a key may write within a second, on pages and over REST alike.

Counted in the memory of each process, so that it costs a tap no statement.  A key whose requests reach several
processes may therefore write that often in each of them.  Bots write without a key.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from django.conf import settings

from games.errors import TooManyWrites
from games.models import GroupKey, Key

WINDOW = 1.0
"""Seconds."""
FEW = 1_000
"""Up to this number of keys none is forgotten."""


class WriteRate:
    """The latest writes of each key.  `clock` in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._latest: dict[tuple[str, int], deque[float]] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """How many keys are remembered."""
        return len(self._latest)

    def count(self, key: Key | GroupKey) -> None:
        """Count a write of a key that is about to be made; one that is refused does not count.

        Errors: `TooManyWrites`.
        """
        most = settings.NJET_WRITES
        if not most:
            return
        now, name = self.clock(), _name(key)
        with self._lock:
            if name not in self._latest:
                self._forget_silent(now)
            times = self._latest.setdefault(name, deque())
            while times and now - times[0] >= WINDOW:
                times.popleft()
            if len(times) >= most:
                raise TooManyWrites(most)
            times.append(now)

    def _forget_silent(self, now: float) -> None:
        if len(self._latest) >= FEW:
            self._latest = {name: times for name, times in self._latest.items() if times and now - times[-1] < WINDOW}


def _name(key: Key | GroupKey) -> tuple[str, int]:
    """What a key is counted as: one that is not stored as the key of the group that it comes from."""
    stored = (key.through or key) if isinstance(key, Key) and not key.pk else key
    return type(stored).__name__, stored.pk


write_rate = WriteRate()
"""That of this process."""
