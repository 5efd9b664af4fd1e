"""Forty phones tap at the same time: one is first, the others are shown what happened and see the fresh state.

`NJET_RACES` says how often (200).
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.harness.audit import differences
from tests.harness.conftest import Report
from tests.harness.lines import Answer, Document, Line
from tests.harness.scorekeepers import Table, placements
from tests.harness.serving import Serving
from tests.harness.timing import spread

pytestmark = pytest.mark.harness

CLIENTS = 40
RACES = int(os.environ.get("NJET_RACES", "200"))


@dataclass
class Race:
    """What came of one race for version `version` + 1."""

    version: int
    answers: list[Answer]
    seconds: list[float]
    """From the common start to each answer."""

    @property
    def is_fair(self) -> bool:
        """One winner; each loser is shown that they were too late and sees what the winner sees."""
        won = [answer.document for answer in self.answers if answer.status == 201]
        return len(won) == 1 and all(
            self._was_late(answer, won[0]["state"]) for answer in self.answers if answer.status != 201
        )

    def _was_late(self, answer: Answer, fresh: Document) -> bool:
        if (answer.status, answer.code) != (409, "stale_version"):
            return False
        return bool(answer.document["error"]["params"] == {"version": self.version + 1, "state": fresh})


class Runners:
    """Forty clients of one table, each with a line and a thread of its own."""

    def __init__(self, table: Table, lines: Sequence[Line], pool: ThreadPoolExecutor) -> None:
        self._table = table
        self._lines = lines
        self._pool = pool
        self._start = threading.Barrier(len(lines))

    def race(self, version: int, actions: Sequence[Document]) -> Race:
        """Let all of them send at once; the actions are handed out in turn."""
        running = [
            self._pool.submit(self._run, line, actions[number % len(actions)], version)
            for number, line in enumerate(self._lines)
        ]
        ended = [each.result() for each in running]
        return Race(version, [answer for answer, _ in ended], [seconds for _, seconds in ended])

    def _run(self, line: Line, action: Document, version: int) -> tuple[Answer, float]:
        self._start.wait()
        began = time.monotonic()
        answer = self._table.record(line, action, version=version)
        return answer, time.monotonic() - began


def races(data: Path, *, number: int, fault: str = "") -> list[Race]:
    """A number of races at one table, for a space and for any space in turn; the board is cleared when it is full."""
    ran: list[Race] = []
    with Serving(data, fault=fault) as serving, ExitStack() as opened, ThreadPoolExecutor(CLIENTS) as pool:
        lines = [opened.enter_context(Line(serving.port)) for _ in range(CLIENTS)]
        table = Table.open(lines[0])
        runners = Runners(table, lines, pool)
        while len(ran) < number:
            state = table.state(lines[0])
            possible = placements(state)
            if not possible:
                table.undo(lines[0], to_seq=0)
                continue
            for_one_space = len(ran) % 2 == 0
            ran.append(runners.race(state["version"], possible[:1] if for_one_space else possible))
        seqs = [entry["seq"] for entry in table.log(lines[0])]
        assert seqs == list(range(1, len(seqs) + 1))
    return ran


def test_each_race_has_one_winner_and_the_others_see_what_happened(data: Path, report: Report) -> None:
    ran = races(data, number=RACES)

    report(f"{RACES} races of {CLIENTS}, each answer: {spread([each for race in ran for each in race.seconds])}")
    report(f"{RACES} races of {CLIENTS}, the last answer: {spread([max(race.seconds) for race in ran])}")
    assert [race for race in ran if not race.is_fair] == []
    assert differences(data) == ""


def test_ignored_versions_are_caught(data: Path) -> None:
    ran = races(data, number=6, fault="VersionsAreIgnored")

    assert not any(race.is_fair for race in ran)
