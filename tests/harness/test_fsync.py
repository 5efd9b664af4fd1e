"""Every acknowledged write has reached the disk: between its request and its answer the system was asked to sync.

Asks the kernel (strace), because a program can only say what it meant to do.
"""

from __future__ import annotations

import itertools
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.conftest import Report
from tests.harness.lines import Line
from tests.harness.scorekeepers import Table, placements
from tests.harness.serving import Serving

pytestmark = pytest.mark.harness

WRITES = 50

# Other threads may speak in between; then the line that says how it ended is a second one.
SYNCED = re.compile(r"f(data)?sync(\(\d+\)| resumed>\)) += 0$", re.MULTILINE)


def syncs_of_writes(data: Path, *, fault: str = "") -> list[int]:
    """How often the disk was synced from the request to the answer of each write, one after another."""
    strace = shutil.which("strace")
    if strace is None:
        pytest.fail("strace is not installed, so nobody can see whether writes reach the disk: apt-get install strace.")
    trace = data.parent / "trace"
    under = (strace, "-f", "-qq", "-e", "trace=fsync,fdatasync", "-o", str(trace))
    with Serving(data, fault=fault, under=under) as serving, Line(serving.port) as line:
        counts = [len(SYNCED.findall(trace.read_text())) for _ in writes(line)]
    return [after - before for before, after in itertools.pairwise(counts)]


def writes(line: Line) -> Iterator[None]:
    """Yields once before the first write and after each."""
    table = Table.open(line)
    state = table.state(line)
    yield
    for _ in range(WRITES):
        possible = placements(state)
        answer = table.record(line, possible[0]) if possible else table.undo(line, to_seq=0)
        assert answer.status == 201, answer.text
        yield
        state = answer.document["state"]


def test_each_acknowledged_write_was_synced(data: Path, report: Report) -> None:
    syncs = syncs_of_writes(data)

    report(f"syncs for each of {len(syncs)} writes: {min(syncs)} to {max(syncs)}")
    assert len(syncs) == WRITES
    assert min(syncs) >= 1


def test_commits_without_a_sync_are_caught(data: Path) -> None:
    syncs = syncs_of_writes(data, fault="CommitsAreNotSynced")

    assert min(syncs) == 0
