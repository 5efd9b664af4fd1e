"""Bots on a simulated clock: time passes only while a worker waits, and deciding takes as long as a test says."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.conf import settings
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from games.bot_runner import tasks, turn
from games.bot_runner.process import QUEUES
from games.bot_runner.turn import Turn
from games.bot_runner.worker import Worker
from games.log import store
from games.log.ledger import Ledger
from games.models import Game
from games.rules import Action, Phase
from games.rules.redaction import PlayerView
from games.services.write import extended
from tests.cast.digital import committed

SEARCH = 0.25
"""Seconds."""

Cost = Callable[[PlayerView, float], float]
"""The seconds that a bot searches, for each number of seconds that it may."""


def turn_of(game_id: str) -> Turn | None:
    """The bot that is due in a game."""
    return Turn.at(game_id, Game.objects.get(pk=game_id).version)


def act_due(game_id: str, *, budget: float | None = None) -> int:
    """Act for every due bot of a game, one after the other, without pauses, until a person is due: how many acted."""
    acted = 0
    while (due := turn_of(game_id)) is not None:
        acted += due.write(due.decide(budget))
    return acted


def is_forced(view: PlayerView) -> bool:
    """Whether the bot has one legal action only."""
    return len(view.legal) == 1


def by_choice(view: PlayerView, budget: float) -> float:
    """A decision as it is: a forced action needs none, any other one its search, or some milliseconds."""
    return 0.0 if is_forced(view) else budget or 0.004


def worker(*queues: str) -> Worker:
    """A worker for these queues, or for those of all bots."""
    return Worker(queues or QUEUES, interval=0.1)


class Simulation:
    """A clock, a worker, and every write to these games, as its players saw it.

    `hasty`: the bots act when they have decided.
    """

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, *, pause: float = 0.0, cost: Cost = by_choice, hasty: bool = False
    ) -> None:
        self.now = 1_700_000_000.0
        self.cost = cost
        self.hasty = hasty
        self.worker = worker()
        self.written: dict[str, list[tuple[float, Ledger]]] = {}
        monkeypatch.setattr(settings, "NJET_BOT_PAUSE", round(1000 * pause))
        monkeypatch.setattr(settings, "NJET_BOT_BUDGET", SEARCH)
        monkeypatch.setattr(timezone, "now", lambda: datetime.fromtimestamp(self.now, UTC))
        monkeypatch.setattr(tasks, "time", self)
        monkeypatch.setattr(turn.bots, "decide", self._decide)
        extended.connect(self._listen)

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        """Wait for the end of a slot."""
        if not self.hasty:
            self.now += seconds

    def _decide(self, view: PlayerView, *, level: str, seed: int, budget: float) -> Action:
        self.now += self.cost(view, budget)
        return view.legal[0]

    def _listen(self, ledger: Ledger, **_: object) -> None:
        self.written.setdefault(ledger.game_id, []).append((self.now, ledger))

    def notice(self, game_id: str) -> None:
        """What bots have to do in a game is enqueued now, as if its last entry had just been written."""
        DBTaskResult.objects.filter(args_kwargs__args__0=game_id).delete()
        ledger = store.read(Game.objects.get(pk=game_id))
        tasks.enqueue(ledger)
        self.written[game_id] = [(self.now, ledger)]

    def serve(self, seconds: float = 0.0, *, until: Callable[[], bool] = lambda: False) -> None:
        """Serve for some seconds of the clock."""
        end = self.now + seconds
        while self.now < end and not until():
            with committed(execute=True):
                wait = self.worker.serve()
            self.now = min(end, self.now + wait)

    def delays(self) -> list[tuple[float, bool]]:
        """What an attacker has: the seconds before each card that follows to a trick, and whether it was forced."""
        return [
            (now - before, is_forced(Turn.of(ledger).view))
            for written in self.written.values()
            for (before, ledger), (now, _) in itertools.pairwise(written)
            if ledger.state.phase is Phase.TRICKS and ledger.state.current.table
        ]
