"""A thread-safe LRU cache."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Latest(Generic[K, V]):
    """An LRU cache of at most `most` values."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[K]:
        return iter(list(self._values))

    def get(self, name: K) -> V | None:
        """The value of this name, None if it is not cached."""
        with self._lock:
            value = self._values.get(name)
            if value is not None:
                self._values.move_to_end(name)
            return value

    def put(self, name: K, value: V, *, unless: Callable[[V], bool] = lambda cached: False) -> None:
        """Cache a value, unless `unless` says that the cached one is kept."""
        with self._lock:
            cached = self._values.get(name)
            if cached is None or not unless(cached):
                self._values[name] = value
            self._values.move_to_end(name)
            while len(self._values) > self.most:
                self._values.popitem(last=False)

    def drop(self, name: K) -> None:
        """Remove the value of this name, if there is one."""
        with self._lock:
            self._values.pop(name, None)

    def clear(self) -> None:
        """Remove every value."""
        with self._lock:
            self._values.clear()
