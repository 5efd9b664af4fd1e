"""Latency and throughput of writes with and without the queue of writers.

`python -m tests.benchmarks.write_queue [SECONDS] [--repeats 5]`

Sixteen connections write all the time, each at a table of its own, to two servers in turn, A B A B …
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

from tests.benchmarks.figures import show_figure
from tests.harness.lines import Line
from tests.harness.scorekeepers import Table, placements
from tests.harness.serving import Serving
from tests.harness.timing import percentile, spread

CONNECTIONS = 16


class Writer:
    """Covers one space after another, and clears the board when it is full."""

    def __init__(self, port: int) -> None:
        self._line = Line(port)
        self._table = Table.open(self._line)
        self._state = self._table.state(self._line)

    def write(self, until: float, took: list[float]) -> None:
        """Write and time each answer, at least one however slow the machine is."""
        while (began := time.monotonic()) < until or not took:
            possible = placements(self._state)
            if possible:
                answer = self._table.record(self._line, possible[0])
                took.append(time.monotonic() - began)
            else:
                answer = self._table.undo(self._line, to_seq=0)
            self._state = answer.document["state"]


def seconds_of(writers: list[Writer], seconds: float) -> list[float]:
    """How long each write took while all of them wrote."""
    took: list[list[float]] = [[] for _ in writers]
    until = time.monotonic() + seconds
    threads = [threading.Thread(target=each.write, args=(until, own)) for each, own in zip(writers, took, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [each for own in took for each in own]


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes with and without the queue of writers.")
    parser.add_argument("seconds", nargs="?", type=float, default=4.0)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    compare(options.seconds, options.repeats)


def compare(seconds: float, repeats: int) -> None:
    """Print what each server reached, and the medians of the ratios."""
    with ExitStack() as opened:
        work = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        with Serving(work / "first") as first:
            first.end()
        crews = {}
        for name, fault in (("queue", ""), ("no queue", "WritersDoNotWaitInLine")):
            data = shutil.copytree(work / "first", work / name)
            server = opened.enter_context(Serving(data, fault=fault))
            crews[name] = [Writer(server.port) for _ in range(CONNECTIONS)]
        ratios = []
        for _ in range(repeats):
            took = {name: seconds_of(crew, seconds) for name, crew in crews.items()}
            for name, each in took.items():
                print(f"{name:>8}: {len(each) / seconds:5.0f}/s, {spread(each)}")
            ours, theirs = took.values()
            ratios.append((percentile(theirs, 99) / percentile(ours, 99), len(ours) / len(theirs)))
        p99, throughput = (statistics.median(each) for each in zip(*ratios, strict=True))
        print(f"queue: p99 {p99:.1f} times shorter, throughput × {throughput:.2f} (medians of {repeats})")
        show_figure("16 writers: p99 without the queue / with it", p99)
        show_figure("16 writers: throughput with the queue / without it", throughput)


if __name__ == "__main__":
    main()
