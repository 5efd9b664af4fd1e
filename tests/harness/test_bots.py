"""Server and bots are killed in the middle of tricks: anyone who is due acts once, and the game goes on to its end."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.harness.audit import differences
from tests.harness.conftest import Report
from tests.harness.lines import Document, Line, NoAnswer
from tests.harness.serving import Serving, Way

pytestmark = pytest.mark.harness

KILLS = 3
PATIENCE = 60
PAUSE = 30
"""Milliseconds before each action of a bot: enough to be killed in."""

Reached = Callable[[Document], bool]


@dataclass(frozen=True)
class Ana:
    """A program that plays against three bots, by the first of its legal actions."""

    game: str
    key: str

    @classmethod
    def opens(cls, line: Line) -> Ana:
        levels = (None, "easy", "strong", "easy")
        players = [{"name": name, "bot": bot} for name, bot in zip(("Ana", "Ben", "Cleo", "Dan"), levels, strict=True)]
        asked = {"mode": "digital", "preset": "goldsieber-italian", "players": players, "options": {"rounds": 1}}
        answer = line.post("/api/v1/games/", asked)
        assert answer.status == 201, answer.text
        return cls(answer.document["id"], answer.document["keys"]["seats"]["0"])

    def looks(self, line: Line, path: str = "") -> Document:
        """The state as Ana sees it."""
        answer = line.get(f"/api/v1/games/{self.game}/{path}", self.key)
        assert answer.status == 200, answer.text
        return answer.document

    def plays_until(self, line: Line, reached: Reached) -> Document:
        """The state that was waited for; whenever Ana is due they act."""
        deadline = time.monotonic() + PATIENCE
        while True:
            state = self.looks(line)
            if reached(state):
                return state
            assert time.monotonic() < deadline, f"nobody acts: {state['round']}"
            if state["legal_actions"]:
                asked = {"action": state["legal_actions"][0], "version": state["version"]}
                answer = line.post(f"/api/v1/games/{self.game}/actions/", asked, self.key)
                assert answer.status == 201, answer.text
            else:
                time.sleep(0.005)


def is_over(state: Document) -> bool:
    return state["status"] == "finished"


def bot_is_due_in_trick(number: int) -> Reached:
    """Until a bot is to play the next card of an open trick, after a number of finished ones."""

    def reached(state: Document) -> bool:
        current = state["round"]
        if current is None or current["phase"] != "tricks" or len(current["tricks"]) < number:
            return False
        return current["current_trick"] is not None and current["acting"] != [0]

    return reached


def check_log(ana: Ana, line: Line, data: Path) -> int:
    """Whether the log is what the rules make of it, every card played once: how many entries it has."""
    entries = ana.looks(line, "log/")
    assert [entry["seq"] for entry in entries] == list(range(1, len(entries) + 1))
    state = ana.looks(line)
    assert state["version"] == len(entries)
    tricks = state["last_round"]["tricks"]
    played = [card for trick in tricks for card in trick["cards"]]
    assert [entry["action"]["card"] for entry in entries if entry["kind"] == "play"] == played
    assert len(tricks) == state["last_round"]["tricks_total"]
    assert differences(data) == ""
    return len(entries)


def bots_of(group: int) -> list[int]:
    """The workers of the bots in a group of processes."""
    listed = subprocess.run(["ps", "-wweo", "pgid=,pid=,args="], capture_output=True, text=True, check=True).stdout
    lines = (line.split(maxsplit=2) for line in listed.splitlines())
    workers = [(command, int(pid)) for pgid, pid, command in lines if int(pgid) == group and "db_worker" in command]
    return [pid for _, pid in sorted(workers)]


def test_killed_in_the_middle_of_tricks_the_bots_go_on(data: Path, report: Report) -> None:
    chance, waits = random.Random(KILLS), []
    with Serving(data, NJET_BOT_PAUSE=str(PAUSE), NJET_BOT_BUDGET="0.05") as serving:
        with Line(serving.port) as line:
            ana = Ana.opens(line)
        for number in range(KILLS):
            with Line(serving.port) as line:
                ana.plays_until(line, bot_is_due_in_trick(2 * number))
            time.sleep(chance.uniform(0, PAUSE / 500))
            serving.kill()
            serving.start(Way.GUNICORN)
            began = time.monotonic()
            with Line(serving.port) as line:
                before = ana.looks(line)["version"]
                ana.plays_until(line, lambda now, before=before: now["version"] > before)
            waits.append(time.monotonic() - began)
        with Line(serving.port) as line:
            ana.plays_until(line, is_over)
            entries = check_log(ana, line, data)

    waited = ", ".join(f"{seconds:.1f} s" for seconds in waits)
    report(
        f"{KILLS} kills in the middle of tricks: {entries} entries as the rules want them; bots again after {waited}"
    )


def test_bots_that_are_killed_alone_are_replaced_and_end_with_their_server(data: Path, report: Report) -> None:
    with Serving(data, NJET_BOT_PAUSE=str(PAUSE), NJET_BOT_BUDGET="0.05") as serving, Line(serving.port) as line:
        ana = Ana.opens(line)
        ana.plays_until(line, bot_is_due_in_trick(1))
        first = bots_of(serving.group)
        for process in first:
            os.kill(process, signal.SIGKILL)
        began = time.monotonic()

        state = ana.looks(line)
        ana.plays_until(line, lambda now: now["version"] > state["version"] + 1)
        report(f"bots that were killed alone are replaced within {time.monotonic() - began:.1f} s")
        ana.plays_until(line, is_over)
        check_log(ana, line, data)
        second = bots_of(serving.group)
        serving.end()

        assert len(first) == len(second) == 1
        assert not set(first) & set(second)
        assert all(gone(process) for process in second)
        assert "Traceback" not in serving.errors.read_text()


def test_a_strong_bot_that_is_due_goes_on_when_the_worker_is_killed(data: Path, report: Report) -> None:
    # The worker has enqueued it for the bot before it: no server process knows that there is something to search.
    with Serving(data, NJET_BOT_PAUSE="1500", NJET_BOT_BUDGET="0.05") as serving, Line(serving.port) as line:
        ana = Ana.opens(line)
        before = ana.plays_until(line, lambda state: state["round"]["acting"] == [2])["version"]
        for process in bots_of(serving.group):
            os.kill(process, signal.SIGKILL)
        began = time.monotonic()

        ana.plays_until(line, lambda now: now["version"] > before)
        report(f"a strong bot without a worker goes on within {time.monotonic() - began:.1f} s")


def test_bots_do_not_outlive_a_killed_worker(data: Path) -> None:
    with Serving(data, NJET_BOT_PAUSE=str(PAUSE)) as serving:
        serving.kill()
        serving.start(Way.GUNICORN)
        with Line(serving.port) as line:
            ana = Ana.opens(line)
            ana.plays_until(line, bot_is_due_in_trick(0))
        bots = bots_of(serving.group)
        (worker,) = map(int, Path(f"/proc/{serving.group}/task/{serving.group}/children").read_text().split())

        os.kill(worker, signal.SIGKILL)

        assert bots
        assert all(gone(process) for process in bots)
        with Line(serving.port) as line:
            ana.plays_until(answering(line, ana), is_over)
            check_log(ana, line, data)


def answering(line: Line, ana: Ana) -> Line:
    """The line as soon as somebody answers on it again."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            ana.looks(line)
        except NoAnswer:
            time.sleep(0.02)
        else:
            return line
    raise AssertionError("the server does not answer")


def gone(process: int) -> bool:
    """Whether a process ends shortly."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False
