"""Pages of a group with 100,000 finished games against the same pages of a group with 100.

`python -m tests.benchmarks.large_group [GAMES] [--repeats 21]`

Both groups are in one database, and each page is requested from them in turn, A B A B …: only the ratio counts.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import tempfile
import time
from typing import TYPE_CHECKING

from tests.benchmarks.figures import show_figure

if TYPE_CHECKING:
    from tests.benchmarks.generated_games import LargeGroup

MANY = 100_000
FEW = 100


def main() -> None:
    parser = argparse.ArgumentParser(description="Pages of a large group against those of a small one.")
    parser.add_argument("games", nargs="?", type=int, default=MANY)
    parser.add_argument("--repeats", type=int, default=21)
    options = parser.parse_args()
    directory = tempfile.mkdtemp(prefix="njet-years.")
    os.environ |= {"NJET_DATA": directory, "DJANGO_SETTINGS_MODULE": "njetassist.settings"}
    try:
        _measure(options.games, options.repeats)
    finally:
        shutil.rmtree(directory)


def _measure(many: int, repeats: int) -> None:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    # Models can be imported only now.
    from tests.benchmarks.generated_games import LargeGroup

    began = time.monotonic()
    few, lots = LargeGroup.of(FEW), LargeGroup.of(many)
    print(f"{few.games:,} and {lots.games:,} games, written in {time.monotonic() - began:.0f} s")
    print(f"{'page':28} {'ms':>8} {'ms':>8} {'ratio':>6}  queries")
    compared = [_compare(name, few, lots, repeats) for name in few.pages]
    show_figure("100,000 finished games / 100: slowest page", max(ratio for ratio, _, _ in compared))
    show_figure("100,000 finished games: most queries of a page", max(queries for _, _, queries in compared))
    grown = sum(queries > before for _, before, queries in compared)
    show_figure("100,000 finished games: pages with more queries than with 100", grown)


def _compare(name: str, few: LargeGroup, many: LargeGroup, repeats: int) -> tuple[float, int, int]:
    """Request the page from both in turn, which alternate in being first: the ratio of the times, the queries."""
    sides = (few, many)
    took: tuple[list[float], list[float]] = ([], [])
    for turn in range(repeats):
        for place in (0, 1) if turn % 2 else (1, 0):
            took[place].append(sides[place].ask(name))
    ratio = statistics.median(b / a for a, b in zip(*took, strict=True))
    times = " ".join(f"{statistics.median(each) * 1000:8.1f}" for each in took)
    queries = few.queries(name), many.queries(name)
    print(f"{name:28} {times} {ratio:6.2f}  {queries[0]} {queries[1]}")
    return ratio, *queries


if __name__ == "__main__":
    main()
