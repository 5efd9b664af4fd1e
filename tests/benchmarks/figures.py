"""What a benchmark prints for `python -m tests.benchmarks`: lines with a name and a number, `= name: number`."""

from __future__ import annotations

import re

LINE = re.compile(r"^= (.+): (-?[\d.]+(?:e[+-]?\d+)?)$", re.MULTILINE)


def show_figure(name: str, value: float) -> None:
    """Print a figure."""
    print(f"= {name}: {value:.4g}", flush=True)


def figures_in(output: str) -> dict[str, list[float]]:
    """The figures of what a benchmark has printed, by their names."""
    found: dict[str, list[float]] = {}
    for name, value in LINE.findall(output):
        found.setdefault(name, []).append(float(value))
    return found
