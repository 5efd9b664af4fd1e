"""A third of the answers never arrives, and the clients send again: every action is applied once, in its order."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.harness.audit import Findings, audit
from tests.harness.conftest import Report
from tests.harness.lines import Line, LossyLine
from tests.harness.scorekeepers import Scorekeeper, Table
from tests.harness.serving import Serving

pytestmark = pytest.mark.harness

ACTIONS = 1000
SCOREKEEPERS = 4
LOST = 0.3


def record(scorekeeper: Scorekeeper, actions: int) -> None:
    """Work until this number of actions was acknowledged."""
    while len(scorekeeper.claims) < actions:
        scorekeeper.act()


def over_bad_lines(data: Path, *, actions: int, fault: str = "") -> tuple[Findings, list[Scorekeeper]]:
    """What is found after a number of actions by scorekeepers who have a table and a bad connection each."""
    with Serving(data, fault=fault) as serving, ExitStack() as opened:
        good = opened.enter_context(Line(serving.port))
        scorekeepers = [
            Scorekeeper(
                f"scorekeeper {number}",
                Table.open(good),
                opened.enter_context(LossyLine(serving.port, lost=LOST, chance=random.Random(number))),
                names_version=number % 2 == 0,
            )
            for number in range(SCOREKEEPERS)
        ]
        with ThreadPoolExecutor(SCOREKEEPERS) as pool:
            list(pool.map(record, scorekeepers, [actions // SCOREKEEPERS] * SCOREKEEPERS))
        return audit(scorekeepers, good, data), scorekeepers


def test_actions_whose_answers_were_dropped_are_applied_once_and_in_order(data: Path, report: Report) -> None:
    findings, scorekeepers = over_bad_lines(data, actions=ACTIONS)

    retries = sum(each.retries for each in scorekeepers)
    report(f"{ACTIONS} actions with {retries} dropped answers: {findings or 'each applied once'}")
    # Of n tries a share of LOST is lost: n × LOST / (1 − LOST) retries for each action, ± what chance does.
    assert retries == pytest.approx(ACTIONS * LOST / (1 - LOST), rel=0.2)
    assert not findings


def test_ignored_request_ids_are_caught(data: Path, report: Report) -> None:
    findings, _ = over_bad_lines(data, actions=100, fault="RequestIdsAreIgnored")

    report(f"ignored request ids: {len(findings.twice)} of 100 actions applied twice")
    assert findings.twice
