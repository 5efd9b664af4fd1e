"""Programs that record at tables and never give a request up.

Knows: the REST contract, what a client that was not answered does: the same request again, with the same id.  Must not
know: how requests get lost, nor what the database holds.
"""

from __future__ import annotations

import itertools
import random
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from tests.builders import CAST
from tests.harness.lines import Answer, Document, Line, NoAnswer

BETWEEN_RETRIES = 0.05
PATIENCE = 60
"""Seconds until a client that gets no answer calls it a failure of the harness."""

UNDOING = 0.3


@dataclass(frozen=True)
class Table:
    """A game, and the key that records in it."""

    id: str
    key: str

    @classmethod
    def open(cls, line: Line) -> Table:
        """Five friends sit down."""
        players = [{"name": name} for name in CAST]
        answer = line.post("/api/v1/games/", {"mode": "table", "preset": "njet-english", "players": players})
        assert answer.status == 201, answer.text
        return cls(answer.document["id"], answer.document["keys"]["scorekeeper"])

    def state(self, line: Line) -> Document:
        """The present state."""
        answer = line.get(f"/api/v1/games/{self.id}/", self.key)
        assert answer.status == 200, answer.text
        return dict(answer.document)

    def log(self, line: Line) -> list[Document]:
        """Every entry, as it is stored."""
        answer = line.get(f"/api/v1/games/{self.id}/log/", self.key)
        assert answer.status == 200, answer.text
        return list(answer.document)

    def record(self, line: Line, action: Document, **writing: object) -> Answer:
        """Record one action."""
        return line.post(f"/api/v1/games/{self.id}/actions/", {"action": action, **writing}, self.key)

    def undo(self, line: Line, **writing: object) -> Answer:
        """Take something back."""
        return line.post(f"/api/v1/games/{self.id}/undo/", writing, self.key)


def placements(state: Document) -> list[Document]:
    """The markers that may be placed now."""
    return [action for action in state["legal_actions"] if action["type"] == "place"]


@dataclass(frozen=True)
class Claim:
    """An acknowledged request: entry `version` of the log is this action, or an undo where it is None."""

    version: int
    action: Document | None

    def holds_in(self, entry: Document) -> bool:
        """Whether the entry is what was acknowledged."""
        if self.action is None:
            return entry["kind"] == "undo"
        return bool(entry["action"] == self.action)


class Scorekeeper:
    """Places markers and takes them back, as is possible, and remembers what was acknowledged."""

    def __init__(self, name: str, table: Table, line: Line, *, names_version: bool) -> None:
        """Without `names_version` nothing but the request ids keeps a repeated request from being done twice."""
        self.table = table
        self.claims: list[Claim] = []
        self.retries = 0
        self._name = name
        self._line = line
        self._names_version = names_version
        self._numbers = itertools.count(1)
        self._chance = random.Random(name)
        self._state = table.state(line)

    def act(self) -> None:
        """Have one more request answered, accepted or not."""
        action = self._choose()
        writing: Document = {"request_id": f"{self._name}-{next(self._numbers)}"}
        if self._names_version:
            writing["version"] = self._state["version"]
        answer = self._until_answered(action, writing)
        match answer.status, answer.code:
            case 200 | 201, _:
                self.claims.append(Claim(answer.document["version"], action))
                self._state = answer.document["state"]
            case 409, "stale_version":
                self._state = answer.document["error"]["params"]["state"]
            case (422, _) | (409, "undo_not_allowed"):
                # Somebody else was faster, and this one named no version.
                self._state = self._look()
            case _:
                raise AssertionError(f"{self._name} was answered {answer.status}: {answer.text[:500]}")

    def _choose(self) -> Document | None:
        possible = placements(self._state)
        if not possible or (self._state["version"] and self._chance.random() < UNDOING):
            return None
        return self._chance.choice(possible)

    def _until_answered(self, action: Document | None, writing: Document) -> Answer:
        for _ in self._tries():
            try:
                if action is None:
                    return self.table.undo(self._line, **writing)
                return self.table.record(self._line, action, **writing)
            except NoAnswer:
                self.retries += 1
        raise AssertionError(f"{self._name} was not answered for {PATIENCE} s")

    def _look(self) -> Document:
        for _ in self._tries():
            try:
                return self.table.state(self._line)
            except NoAnswer:
                continue
        raise AssertionError(f"{self._name} was not answered for {PATIENCE} s")

    @staticmethod
    def _tries() -> Iterator[int]:
        deadline = time.monotonic() + PATIENCE
        for number in itertools.count():
            if number:
                time.sleep(BETWEEN_RETRIES)
            if time.monotonic() > deadline:
                return
            yield number


class Load:
    """Scorekeepers at work, each in a thread."""

    def __init__(self, scorekeepers: Sequence[Scorekeeper]) -> None:
        self._scorekeepers = scorekeepers

    @property
    def acknowledged(self) -> int:
        """How many requests were answered with a success."""
        return sum(len(each.claims) for each in self._scorekeepers)

    def wait_for(self, more: int) -> None:
        """Wait until this number of further requests was acknowledged."""
        enough = self.acknowledged + more
        deadline = time.monotonic() + PATIENCE
        while self.acknowledged < enough:
            assert time.monotonic() < deadline, f"no {more} requests were acknowledged in {PATIENCE} s"
            time.sleep(0.002)


@contextmanager
def at_work(scorekeepers: Sequence[Scorekeeper]) -> Iterator[Load]:
    """Scorekeepers that record for the length of the block; at its end each has its last request answered."""
    ended = threading.Event()

    def work(scorekeeper: Scorekeeper) -> None:
        while not ended.is_set():
            scorekeeper.act()

    with ThreadPoolExecutor(len(scorekeepers)) as pool:
        working = [pool.submit(work, each) for each in scorekeepers]
        try:
            yield Load(scorekeepers)
        finally:
            ended.set()
    for each in working:
        each.result()
