"""Percentiles of durations, and how they are printed."""

from __future__ import annotations

from collections.abc import Sequence


def percentile(seconds: Sequence[float], percent: float) -> float:
    """The value that this percentage of them does not exceed."""
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def spread(seconds: Sequence[float]) -> str:
    """Median, 99th percentile and the slowest, in milliseconds."""
    if not seconds:
        return "never"
    p50, p99, slowest = (percentile(seconds, percent) * 1000 for percent in (50, 99, 100))
    return f"p50 {p50:.0f} ms, p99 {p99:.0f} ms, max {slowest:.0f} ms ({len(seconds)})"
