"""All benchmarks in short runs, and one table of their figures with what they have to reach.

`python -m tests.benchmarks [NAMES] [--rivals DIRECTORY]`

NAMES: those benchmarks alone; `suite` (the README's test command and .ci/run, half an hour) runs only if it is named.
DIRECTORY: where `pip install --target DIRECTORY open_spiel rlcard chess` has put what some figures are ratios to.

Each benchmark is a process of its own. Of several values of a figure the table shows the median; the load average is
that of the minute before the benchmark ended, its own load included.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.figures import figures_in

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Target:
    """What a figure has to reach.  Without a limit it is only shown."""

    least: float | None = None
    most: float | None = None

    def __str__(self) -> str:
        return f"≥ {self.least:g}" if self.least is not None else f"≤ {self.most:g}" if self.most is not None else ""

    def verdict(self, value: float) -> str:
        """A word if the figure does not reach it."""
        low = self.least is not None and value < self.least
        high = self.most is not None and value > self.most
        return "MISSED" if low or high else ""


@dataclass(frozen=True)
class Benchmark:
    """A module of this package: the arguments of its runs, and its figures."""

    runs: Sequence[str]
    figures: Mapping[str, Target]
    module: str = ""


BENCHMARKS = {
    "analysis": Benchmark(
        ["--games 2 --rounds 2"],
        {
            "analysis: turning points that a ten times longer search confirms, %": Target(least=90),
            "analysis: ms a decision": Target(),
        },
    ),
    "fold": Benchmark(["7"], {"fold of a digital game / python-chess, an entry": Target(most=3)}),
    "playouts": Benchmark(
        ["7"],
        {
            "playout with dealing: speed / OpenSpiel's hearts": Target(least=1),
            "playout with dealing: speed / RLCard's bridge": Target(least=20),
        },
    ),
    "throughput": Benchmark(
        ["1 --repeats 5"],
        {
            "empty poll / bare view": Target(least=0.5),
            "fragment / bare view": Target(least=0.5),
            "table page / bare page": Target(least=0.8),
            "placement / bare insert": Target(least=0.5),
        },
    ),
    "phones": Benchmark(
        ["40 --seconds 10 --repeats 3", "500 --seconds 6", "streams --seconds 5"],
        {
            "40 phones, 8 tables, a tap a second each: p95 until shown, ms": Target(most=75),
            "40 phones, 8 tables, a tap a second each: lost": Target(most=0),
            "500 phones, 100 tables: taps a second with p95 until shown of 500 ms": Target(least=60),
            "500 phones, 100 tables: lost": Target(most=0),
            "2,000 streams: KB of each": Target(most=32),
            "2,000 streams: p95 of a tick in the process, ms": Target(most=25),
        },
    ),
    "large_group": Benchmark(
        ["100000 --repeats 5"],
        {
            "100,000 finished games / 100: slowest page": Target(most=1.5),
            "100,000 finished games: most queries of a page": Target(most=8),
            "100,000 finished games: pages with more queries than with 100": Target(most=0),
        },
    ),
    "whole_group": Benchmark(
        ["1000"],
        {
            "file of a group: seconds to write 10,000 games": Target(most=60),
            "file of a group: seconds to restore 10,000 games": Target(most=60),
            "file of a group: longest part, seconds": Target(most=2),
        },
    ),
    "weight": Benchmark(
        [""],
        {
            "first visit of the table page with headers, KB": Target(most=34),
            "first visit of the table page: requests": Target(most=7),
            "first visit of the table page: own scripts, KB": Target(most=6),
            "first visit of the table page: styles, KB": Target(most=9),
        },
    ),
    "motion": Benchmark(
        ["6"],
        {
            "frames while cards move, not slowed: share of at most 32 ms, %": Target(least=98),
            "frames while cards move, 6 times slower: share of at most 32 ms, %": Target(least=98),
        },
    ),
    "ladder": Benchmark(
        ["easy random --games 4 --rounds 2", "medium easy --games 1 --rounds 4", "strong easy --deals 1"],
        {
            "easy: p95 of a decision, ms": Target(most=5),
            "medium: p95 of a decision, ms": Target(most=80),
            "strong: p95 of a decision, ms": Target(most=400),
        },
    ),
    "positions": Benchmark(
        ["easy strong --seeds 1"],
        {"easy: accepted answers, %": Target(), "strong: accepted answers, %": Target(least=75)},
    ),
    "bots": Benchmark(
        ["10"],
        {
            "easy bots at 50 tables, no unfinished game: p95 of lateness, ms": Target(most=150),
            "easy bots at 50 tables, 100,000 unfinished games: p95 of lateness, ms": Target(most=150),
            "worker without a task, no unfinished game: % of a core": Target(),
            "worker without a task, 100,000 unfinished games: % of a core": Target(),
        },
    ),
    "write_queue": Benchmark(
        ["2 --repeats 3"],
        {
            "16 writers: p99 without the queue / with it": Target(),
            "16 writers: throughput with the queue / without it": Target(),
        },
    ),
    "start": Benchmark(
        ["--repeats 3"],
        {"first start in an empty directory, s": Target(most=4), "restart after a kill, s": Target(most=1.5)},
    ),
    "suite": Benchmark(
        ["--suite"], {"the README's test command, s": Target(most=100), ".ci/run, s": Target(most=720)}, module="start"
    ),
}
ONLY_NAMED = {"suite"}


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    what: str
    target: str
    measured: str
    verdict: str = ""
    load: str = ""


def rows_of(benchmark: Benchmark, output: str, load: float) -> Iterator[Row]:
    """The lines of a benchmark, from what it has printed."""
    found = figures_in(output)
    for name, target in benchmark.figures.items():
        if name in found:
            value = statistics.median(found[name])
            yield Row(name, str(target), f"{value:.4g}", target.verdict(value), f"{load:.1f}")
        else:
            yield Row(name, str(target), "not measured")


def table(rows: Sequence[Row]) -> str:
    """The rows as a table of Markdown."""
    cells = [["what", "to reach", "measured", "", "load average"], *([*vars(row).values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [f"| {' | '.join(map(str.ljust, line, widths))} |" for line in cells]
    return "\n".join([lines[0], f"|{'|'.join('-' * (width + 2) for width in widths)}|", *lines[1:]])


def run(name: str, rivals: Path | None) -> str:
    """What a benchmark prints, shown while it runs."""
    benchmark, output = BENCHMARKS[name], ""
    places = [str(rivals)] if rivals else []
    path = os.pathsep.join([*places, *filter(None, [os.environ.get("PYTHONPATH")])])
    for arguments in benchmark.runs:
        module = f"tests.benchmarks.{benchmark.module or name}"
        print(f"--- python -m {module} {arguments}", flush=True)
        with subprocess.Popen(
            [sys.executable, "-m", module, *arguments.split()],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                print(line, end="", flush=True)
                output += line
    return output


def main() -> None:
    parser = argparse.ArgumentParser(description="All benchmarks in short runs, and one table of their figures.")
    parser.add_argument("names", nargs="*", metavar="NAMES", help=", ".join(BENCHMARKS))
    parser.add_argument("--rivals", type=Path, metavar="DIRECTORY")
    options = parser.parse_args()
    if unknown := set(options.names) - BENCHMARKS.keys():
        parser.error(f"no benchmark is called {', '.join(sorted(unknown))}")
    rows: list[Row] = []
    for name in options.names or [each for each in BENCHMARKS if each not in ONLY_NAMED]:
        output = run(name, options.rivals and options.rivals.resolve())
        rows += rows_of(BENCHMARKS[name], output, os.getloadavg()[0])
    print(f"\n{table(rows)}")


if __name__ == "__main__":
    main()
