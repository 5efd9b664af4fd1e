"""What years of sheets cost: the pages of a group with 100,000 finished games against those of one with 100.

`python -m tests.benchmarks.large_group [GAMES]`

Both groups lie in one database, and each page is asked of them in turn, A B A B …: only the ratio means anything.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.benchmarks.generated_games import Years

TURNS = 21
MANY = 100_000
FEW = 100


def main() -> None:
    many = int(sys.argv[1]) if len(sys.argv) > 1 else MANY
    directory = tempfile.mkdtemp(prefix="njet-years.")
    os.environ |= {"NJET_DATA": directory, "DJANGO_SETTINGS_MODULE": "njetassist.settings"}
    try:
        _measure(many)
    finally:
        shutil.rmtree(directory)


def _measure(many: int) -> None:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    # Models can be imported only now.
    from tests.benchmarks.generated_games import Years

    began = time.monotonic()
    few, lots = Years.of(FEW), Years.of(many)
    print(f"{few.games:,} and {lots.games:,} games, written in {time.monotonic() - began:.0f} s")
    print(f"{'page':28} {'ms':>8} {'ms':>8} {'ratio':>6}  queries")
    for name in few.pages:
        _compare(name, few, lots)


def _compare(name: str, few: Years, many: Years) -> None:
    """Asks both in turn, each pair one after the other, the first to be asked changing."""
    sides = (few, many)
    took: tuple[list[float], list[float]] = ([], [])
    for turn in range(TURNS):
        for place in (0, 1) if turn % 2 else (1, 0):
            took[place].append(sides[place].ask(name))
    ratio = statistics.median(b / a for a, b in zip(*took, strict=True))
    times = " ".join(f"{statistics.median(each) * 1000:8.1f}" for each in took)
    print(f"{name:28} {times} {ratio:6.2f}  {few.queries(name)} {many.queries(name)}")


if __name__ == "__main__":
    main()
