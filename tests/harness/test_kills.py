"""A server is killed again and again under load: everything that it acknowledged is there, once, in its place.

`NJET_KILLS` says how often (100).  Every tenth start is `manage.py serve` itself; the others leave its preparations
out, so that a hundred fit into a few minutes.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.harness.audit import Findings, audit
from tests.harness.conftest import Report
from tests.harness.lines import Line
from tests.harness.scorekeepers import Load, Scorekeeper, Table, at_work
from tests.harness.serving import Serving, Way
from tests.harness.timing import percentile, spread

pytestmark = pytest.mark.harness

KILLS = int(os.environ.get("NJET_KILLS", "100"))
TABLES = 4
LONGEST_RESTART = 2.0
"""Seconds.  On a machine that needs more than half of them without any load, twice what it needs then."""

Restarts = dict[Way, list[float]]


@contextmanager
def crew(port: int) -> Iterator[list[Scorekeeper]]:
    """At each table one who names the version they saw, and one who leaves it to the race."""
    with ExitStack() as lines:

        def line() -> Line:
            return lines.enter_context(Line(port))

        # The last one stays empty: it waits for the write lock, so that a planted fault has committed the others.
        *tables, _ = [Table.open(line()) for _ in range(TABLES + 1)]
        yield [
            Scorekeeper(f"{name} at {number}", table, line(), names_version=name == "careful")
            for number, table in enumerate(tables)
            for name in ("careful", "bold")
        ]


def kill_again_and_again(serving: Serving, load: Load, *, kills: int) -> Restarts:
    """Kill it in the middle of its work, every time at another time, and time the way back."""
    chance = random.Random(kills)
    restarts: Restarts = {way: [] for way in Way}
    for number in range(kills):
        load.wait_for(chance.randrange(3, 12))
        time.sleep(chance.uniform(0, 0.03))
        serving.kill()
        way = Way.SERVE if number % 10 == 0 else Way.GUNICORN
        restarts[way].append(serving.start(way))
    return restarts


def under_fire(data: Path, *, kills: int, fault: str = "") -> tuple[Findings, Restarts, list[Scorekeeper]]:
    """What is found after a number of kills."""
    with Serving(data, fault=fault) as serving, crew(serving.port) as scorekeepers:
        with at_work(scorekeepers) as load:
            restarts = kill_again_and_again(serving, load, kills=kills)
        # The last word is the disk's, not that of a process which remembers.
        serving.kill()
        serving.start()
        with Line(serving.port) as line:
            return audit(scorekeepers, line, data), restarts, scorekeepers


def restart_in_peace(data: Path) -> float:
    """How long this machine needs for a restart without load: the best of three, in seconds."""
    with Serving(data) as serving:
        seconds = []
        for _ in range(3):
            serving.kill()
            seconds.append(serving.start(Way.SERVE))
        return min(seconds)


def test_nothing_acknowledged_is_lost_by_kills(data: Path, report: Report) -> None:
    calm = restart_in_peace(data)
    findings, restarts, scorekeepers = under_fire(data, kills=KILLS)

    acknowledged, retries = (
        sum(each) for each in zip(*((len(s.claims), s.retries) for s in scorekeepers), strict=True)
    )
    report(f"{KILLS} kills, {acknowledged} acknowledged, {retries} retries: {findings or 'nothing lost'}")
    report(f"restart without load: {calm:.1f} s")
    for way, seconds in restarts.items():
        report(f"restart by {way.value}: {spread(seconds)}")
    assert not findings
    # The quarter that was disturbed least: what else the machine does is not the server's fault.
    assert percentile(restarts[Way.SERVE], 25) <= max(LONGEST_RESTART, 2 * calm)


def test_an_answer_before_the_commit_is_caught(data: Path, report: Report) -> None:
    findings, _, _ = under_fire(data, kills=4, fault="AnswerBeforeCommit")

    report(f"answer before commit: {len(findings.lost)} lost by 4 kills")
    assert findings.lost
