"""What taking turns is worth: sixteen connections that write all the time.

`python -m tests.benchmarks.write_queue [SECONDS]`

Two servers that differ in nothing else, asked in turn, A B A B …; each connection records at a table of its own.
`GUNICORN_CMD_ARGS="--workers 2"` shows it with several processes.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

from tests.harness.lines import Line
from tests.harness.scorekeepers import Table, placements
from tests.harness.serving import Serving
from tests.harness.timing import percentile, spread

CONNECTIONS = 16
TURNS = 5


class Writer:
    """Covers one space after another, and clears the board when it is full."""

    def __init__(self, port: int) -> None:
        self._line = Line(port)
        self._table = Table.open(self._line)
        self._state = self._table.state(self._line)

    def write(self, until: float, took: list[float]) -> None:
        """Write and time each answer."""
        while (began := time.monotonic()) < until:
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


def main(seconds: float) -> None:
    with ExitStack() as opened:
        work = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        variables = {name: os.environ[name] for name in ("GUNICORN_CMD_ARGS",) if name in os.environ}
        with Serving(work / "first") as first:
            first.end()
        crews = {}
        for name, fault in (("in line", ""), ("each for himself", "WritersDoNotWaitInLine")):
            data = shutil.copytree(work / "first", work / name)
            server = opened.enter_context(Serving(data, fault=fault, **variables))
            crews[name] = [Writer(server.port) for _ in range(CONNECTIONS)]
        ratios = []
        for _ in range(TURNS):
            took = {name: seconds_of(crew, seconds) for name, crew in crews.items()}
            for name, each in took.items():
                print(f"{name:>17}: {len(each) / seconds:5.0f}/s, {spread(each)}")
            ours, theirs = took.values()
            ratios.append((percentile(theirs, 99) / percentile(ours, 99), len(ours) / len(theirs)))
        p99, throughput = (statistics.median(each) for each in zip(*ratios, strict=True))
        print(f"in line: p99 {p99:.1f} times shorter, throughput × {throughput:.2f} (medians of {TURNS})")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 4.0)
