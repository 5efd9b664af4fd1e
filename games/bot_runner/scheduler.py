"""Decides which bot is due, waits for its pause, and lets it act once.

Must not know: how a bot decides, or the hands of other seats.  A bot gets the view of its seat and nothing else.

All state is in the log.  The log shows which bot is due, and a write names the version that it was made for: after a
crash the due bot acts once, and of two processes that act at the same time the slower is refused.
"""

from __future__ import annotations

import hashlib
import logging
import queue
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection
from django.db.models import QuerySet
from django.utils import timezone

from games import bots
from games.errors import StaleVersion
from games.live.bus import for_database
from games.live.hub import hub
from games.log import store
from games.log.ledger import Ledger
from games.models import Game, Mode, Status
from games.rules import ActionEntry, Deal, Phase, UndoEntry
from games.rules.actions import Action
from games.rules.proposals import FinishEarly
from games.rules.redaction import PlayerView
from games.rules.replay import ProposalEntry
from games.services import digital

logger = logging.getLogger(__name__)

LOOK_EVERY = 1.0
"""Seconds between two queries for games of which no message arrived."""
PATIENCE = 20.0
"""Seconds for which bots wait for answers to a proposal, which lapses when the game moves on."""
SHORTEST_SEARCH = 0.05
"""Seconds of search that every strong bot gets, however many are due."""
AFTER_A_FAILURE = 30.0
"""Seconds until the bots of a game are tried again after an error."""


def running() -> dict[str, int]:
    """The digital games that are being played, with their versions."""
    return dict(_running_games().values_list("pk", "version"))


def any_running() -> bool:
    """Whether a digital game is being played."""
    return _running_games().exists()


def _running_games() -> QuerySet[Game]:
    return Game.objects.filter(mode=Mode.DIGITAL, status=Status.PLAYING)


def act_due(game_id: str, *, budget: float | None = None) -> int:
    """Act for every due bot of a game, one after the other, without pauses, until a person is due: how many acted."""
    acted = 0
    while (turn := Turn.in_(ledger_of(game_id))) is not None:
        acted += turn.act(budget=budget)
    return acted


def ledger_of(game_id: str) -> Ledger | None:
    """The whole log of a digital game that is being played."""
    game = _running_games().filter(pk=game_id).first()
    return None if game is None else store.read(game)


@dataclass(frozen=True)
class Turn:
    """A bot that is due in a game, at one version of it."""

    ledger: Ledger
    seat: int
    level: str

    @classmethod
    def in_(cls, ledger: Ledger | None) -> Turn | None:
        """The first bot that is due, None if no bot is."""
        due = [] if ledger is None else digital.bots_due(ledger)
        return cls(ledger, *due[0]) if ledger is not None and due else None

    @property
    def game_id(self) -> str:
        """The game."""
        return self.ledger.game_id

    def act(self, *, budget: float | None = None) -> bool:
        """Let the bot decide and record the action.  False if the game has moved on meanwhile."""
        view = self.ledger.played_by(self.seat).view
        assert view is not None, "each seat of a digital game has a view"
        action = self._decide(view, budget)
        try:
            digital.act_for_bot(game_id=self.game_id, seat=self.seat, version=self.ledger.version, action=action)
        except StaleVersion:
            return False
        return True

    def _decide(self, view: PlayerView, budget: float | None) -> Action:
        named = f"{self.game_id} {self.ledger.version} {self.seat}"
        chance = int.from_bytes(hashlib.sha256(named.encode()).digest()[:8])
        try:
            return bots.decide(view, level=self.level, seed=chance, budget=budget)
        except Exception as error:
            # An error of the program must not stop the table.
            _report(f"The {self.level} bot in seat {self.seat} of game {self.game_id} could not decide", error)
            return view.legal[0]

    def wait(self, pause: float) -> float:
        """Seconds from now until the bot acts, so that players can follow.  `pause`: seconds between two actions."""
        return max(_rest(pause * _pauses(self.ledger), store.changed_at(self.game_id)), self._wait_for_answers())

    def _wait_for_answers(self) -> float:
        if all(isinstance(each.proposal, FinishEarly) for each in self.ledger.counting.proposals):
            return 0.0
        # Measured from the first open proposal since the last move, so that repeated proposals cannot stall the game.
        asked: list[int] = []
        for entry in reversed(self.ledger.entries):
            if isinstance(entry, ActionEntry | UndoEntry):
                break
            if isinstance(entry, ProposalEntry) and not isinstance(entry.proposal, FinishEarly):
                asked.append(entry.seq)
        rows = store.rows(self.game_id, after=min(asked) - 1) if asked else []
        return _rest(PATIENCE, rows[0].at if rows else None)


def _pauses(ledger: Ledger) -> int:
    """The number of pauses for which the last entry stays on the screens."""
    state, last = ledger.state, ledger.entries[-1]
    current = state.current
    if current is None:
        return 0
    if state.phase in (Phase.DISCARDING, Phase.PASSING) and current.chosen:
        # Choices that lie face down are not visible.
        return 0
    if isinstance(last, ActionEntry) and isinstance(last.action, Deal) and state.finished:
        return 2
    return 2 if state.phase is Phase.TRICKS and current.tricks and not current.table else 1


def _rest(seconds: float, since: datetime | None) -> float:
    """The rest of a period that began at `since`.  A clock that was changed never makes it longer."""
    if since is None:
        return 0.0
    passed = (timezone.now() - since).total_seconds()
    return min(seconds, max(0.0, seconds - max(0.0, passed)))


def _drop_broken_connections() -> None:
    # Django does this between requests; there are none here.
    if not connection.in_atomic_block:
        close_old_connections()


def _report(what: str, error: BaseException) -> None:
    """Log an error with its place, without its message, which could name a card."""
    place = "".join(traceback.format_tb(error.__traceback__))
    logger.error("%s: %s\n%s", what, type(error).__name__, place)


# --- all games of a database ---


@dataclass(frozen=True)
class Due:
    """A bot that will act at a time of the monotonic clock."""

    version: int
    level: str
    at: float


@dataclass
class Crew:
    """The bots of all games, one after the other: fast levels before slow ones."""

    pause: float = field(default_factory=lambda: settings.NJET_BOT_PAUSE / 1000)
    budget: float = field(default_factory=lambda: settings.NJET_BOT_BUDGET)
    clock: Callable[[], float] = time.monotonic
    due: dict[str, Due] = field(default_factory=dict)
    _known: dict[str, int] = field(default_factory=dict)
    _with_bots: dict[str, int] = field(default_factory=dict)
    _left_alone: dict[str, float] = field(default_factory=dict)
    _news: queue.SimpleQueue[str] = field(default_factory=queue.SimpleQueue)
    _stopped: threading.Event = field(default_factory=threading.Event)
    _looked: float = float("-inf")

    def run(self) -> None:
        """Serve until `stop`.  The bus brings the versions of other processes and announces those of this one."""
        bus = for_database(self)
        bus.start()
        # Without an event loop the hub of this process has no bus of its own.
        hub.bus = bus
        try:
            while not self._stopped.is_set():
                self.serve()
        finally:
            hub.bus = None
            bus.stop()

    def stop(self) -> None:
        """End after the current action.  May be called from any thread."""
        self._stopped.set()
        self._news.put("")

    def serve(self) -> None:
        """Let the next due bot act, or wait for one."""
        try:
            self._look()
            found = self._next()
            if found is None:
                self._wait()
            else:
                self._act(found)
        except DatabaseError as error:
            # The database is offline or stays locked; a broken connection is opened again.
            _report("The bots cannot reach the database", error)
            _drop_broken_connections()
            self._stopped.wait(LOOK_EVERY)

    # --- called by the bus, from its thread ---

    def watched(self) -> dict[str, int]:
        """The games with bots, with the version that was last read."""
        return dict(self._with_bots)

    def receive(self, message: Mapping[str, object]) -> None:
        """Handle a message of another process: only versions matter here."""
        match message:
            case {"version": [str(game_id), *_]}:
                self._news.put(game_id)

    def note_versions(self, versions: Mapping[str, int]) -> None:
        """Note that watched games have new versions."""
        for game_id in versions:
            self._news.put(game_id)

    # --- in the one thread that acts ---

    def _look(self) -> None:
        now = self.clock()
        if now - self._looked < LOOK_EVERY:
            return
        self._looked = now
        _drop_broken_connections()
        versions = running()
        for gone in self._known.keys() - versions.keys():
            self._drop(gone)
        for game_id, version in versions.items():
            if game_id in self._left_alone:
                is_news = self._left_alone[game_id] < now
            else:
                is_news = self._known.get(game_id) != version
            if is_news:
                self._consider(game_id)

    def _consider(self, game_id: str) -> None:
        """Read which bot of a game is due, and when."""
        self._drop(game_id)
        try:
            ledger = ledger_of(game_id)
            if ledger is None:
                return
            self._known[game_id] = ledger.version
            if any(ledger.bots):
                self._with_bots[game_id] = ledger.version
            turn = Turn.in_(ledger)
            if turn is not None:
                self.due[game_id] = Due(ledger.version, turn.level, self.clock() + turn.wait(self.pause))
        except DatabaseError:
            raise
        except Exception as error:
            # A log that cannot be read must not stop the bots of the other tables.
            self._leave_alone(game_id, error)

    def _drop(self, game_id: str) -> None:
        for each in (self.due, self._known, self._with_bots, self._left_alone):
            each.pop(game_id, None)

    def _leave_alone(self, game_id: str, error: Exception) -> None:
        _report(f"No bot can act in game {game_id}", error)
        self.due.pop(game_id, None)
        self._left_alone[game_id] = self.clock() + AFTER_A_FAILURE

    def _next(self) -> str | None:
        now = self.clock()
        ready = [
            (each.level != bots.LEVELS[0], each.at, game_id) for game_id, each in self.due.items() if each.at <= now
        ]
        return min(ready)[2] if ready else None

    def _wait(self) -> None:
        now = self.clock()
        times = [self._looked + LOOK_EVERY, *(each.at for each in self.due.values())]
        try:
            news = {self._news.get(timeout=max(0.0, min(times) - now))}
            while not self._news.empty():
                news.add(self._news.get_nowait())
        except queue.Empty:
            return
        for game_id in news - {""}:
            self._consider(game_id)

    def _act(self, game_id: str) -> None:
        due = self.due[game_id]
        try:
            turn = Turn.in_(ledger_of(game_id))
            if turn is not None and turn.ledger.version == due.version:
                turn.act(budget=self._share())
        except DatabaseError:
            raise
        except Exception as error:
            # The bots of the other tables continue.
            self._leave_alone(game_id, error)
            return
        self._consider(game_id)

    def _share(self) -> float:
        """The seconds of search for one strong bot: the budget is shared by those that are due."""
        now = self.clock()
        thinking = sum(each.at <= now and each.level != bots.LEVELS[0] for each in self.due.values())
        return max(SHORTEST_SEARCH, self.budget / max(1, thinking))
