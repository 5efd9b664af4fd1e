"""Bots on a simulated clock: time passes only while a crew waits, and thinking takes as long as a test says."""

from __future__ import annotations

import heapq
import itertools
import queue
from collections.abc import Callable

from games.bot_runner.scheduler import Answer, Crew, Turn
from games.rules import Phase
from tests.services.phones import committed

SEARCH = 0.25
"""Seconds."""

Cost = Callable[[Turn, float], float]
"""How many seconds a bot thinks that may search for so many."""


def is_forced(turn: Turn) -> bool:
    """Whether the bot has one legal action only."""
    return len(turn.view.legal) == 1


def by_choice(turn: Turn, budget: float) -> float:
    """A search as it is: a forced action needs none."""
    return 0.0 if is_forced(turn) else budget


class Simulation(queue.SimpleQueue[str]):
    """A clock, the messages that wake a crew, and its thinking; everything that bots wrote, as its players saw it."""

    def __init__(self, cost: Cost = by_choice, *, kind: type[Crew] = Crew, pause: float = 0.0) -> None:
        self.now = 100.0
        self.cost = cost
        self.crew = kind(pause=pause, budget=SEARCH, clock=lambda: self.now, think=self._think, news=self)
        self._later: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = itertools.count()

    def _think(self, turn: Turn, budget: float, answer: Answer) -> None:
        self.at(self.now + self.cost(turn, budget), lambda: answer(turn.view.legal[0]))

    def at(self, when: float, do: Callable[[], None]) -> None:
        """Do something at a time of the clock."""
        heapq.heappush(self._later, (when, next(self._numbers), do))

    def get(self, block: bool = True, timeout: float | None = None) -> str:
        """The next message; without one the clock goes on."""
        until = self.now + (timeout or 0.0)
        while self.empty():
            if not self._later or self._later[0][0] > until:
                self.now = until
                raise queue.Empty
            self.now, _, do = heapq.heappop(self._later)
            do()
        return super().get_nowait()

    def serve(self, seconds: float = 0.0, *, until: Callable[[], bool] = lambda: False) -> None:
        """Serve for some seconds of the clock."""
        end = self.now + seconds
        self.at(end, lambda: self.put(""))
        while self.now < end and not until():
            with committed(execute=True):
                self.crew.serve()


class Watched(Crew):
    """A crew with the times of its actions: of each game the version, when it was written, and the turn."""

    def __init__(self, **values: object) -> None:
        super().__init__(**values)
        self.written: dict[str, list[tuple[float, Turn]]] = {}

    def _act(self, game_id: str) -> None:
        turn = self.due[game_id].turn
        super()._act(game_id)
        self.written.setdefault(game_id, []).append((self.clock(), turn))

    def delays(self) -> list[tuple[float, bool]]:
        """What an attacker has: the seconds before each card that follows to a trick, and whether it was forced."""
        return [
            (now - before, is_forced(turn))
            for written in self.written.values()
            for (before, _), (now, turn) in itertools.pairwise(written)
            if turn.ledger.state.phase is Phase.TRICKS and turn.ledger.state.current.table
        ]


class Hasty(Watched):
    """A crew that writes what was decided at once."""

    def _next(self) -> str | None:
        self._searches_until = self.clock()
        for each in self.due.values():
            each.at = min(each.at, self.clock())
        return super()._next()
