"""The shape of a chart: its size, the edges of its grid, and where a value stands in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Tick:
    """A mark on an axis."""

    at: float
    label: str


@dataclass(frozen=True)
class Shape:
    """The size of a chart, the edges of its grid, and the distance between the labels of its lines."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    gap: int = 15

    def x(self, place: float, last: int) -> float:
        """Where a place stands, if 0 is on the left edge and the last one on the right."""
        return round(self.left + (self.right - self.left) * place / last, 1)

    def y(self, value: float, low: float, high: float) -> float:
        """Where a value stands, if the axis goes from `low` on the bottom edge to `high` on the top."""
        return round(self.bottom - (self.bottom - self.top) * (value - low) / (high - low), 1)

    def ticks(self, low: int, high: int, step: int, label: Callable[[int], str]) -> list[Tick]:
        """The lines of the grid, from the lowest on."""
        return [Tick(self.y(value, low, high), label(value)) for value in range(low, high + 1, step)]
