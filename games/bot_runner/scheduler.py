"""Decides which bot is due, waits for its pause, and lets it act once.

Must not know: how a bot decides, or the hands of other seats.  A bot gets the view of its seat and nothing else.

All state is in the log.  The log shows which bot is due, and a write names the version that it was made for: after a
crash the due bot acts once, and of two processes that act at the same time the slower is refused.
"""

from __future__ import annotations

import logging
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection
from django.db.models import QuerySet

from games import bots
from games.errors import StaleVersion
from games.keys.hashes import bot_seed
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
SLOT = 0.05
"""Seconds after its pause, and its budget of search, in which a bot's action is ready to be written."""
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
        acted += turn.write(turn.decide(budget))
    return acted


def ledger_of(game_id: str) -> Ledger | None:
    """The whole log of a digital game that is being played."""
    game = _running_games().filter(pk=game_id).first()
    return None if game is None else store.read(game)


@dataclass(frozen=True)
class Turn:
    """A bot that is due in a game, at one version of it.  `view`: what it may know."""

    ledger: Ledger
    seat: int
    level: str
    view: PlayerView

    @classmethod
    def in_(cls, ledger: Ledger | None) -> Turn | None:
        """The first bot that is due, None if no bot is."""
        if ledger is None or not (due := digital.bots_due(ledger)):
            return None
        seat, level = due[0]
        view = ledger.played_by(seat).view
        assert view is not None, "each seat of a digital game has a view"
        return cls(ledger, seat, level, view)

    @property
    def searches(self) -> bool:
        """Whether the bot takes its seconds of search."""
        return self.level != bots.LEVELS[0]

    @property
    def pauses(self) -> int:
        """The number of pauses for which the last entry stays on the screens, so that players can follow."""
        state, last = self.ledger.state, self.ledger.entries[-1]
        current = state.current
        if current is None:
            return 0
        if state.phase in (Phase.DISCARDING, Phase.PASSING) and current.chosen:
            # Choices that lie face down are not visible.
            return 0
        if isinstance(last, ActionEntry) and isinstance(last.action, Deal) and state.finished:
            return 2
        return 2 if state.phase is Phase.TRICKS and current.tricks and not current.table else 1

    @property
    def asked(self) -> int | None:
        """The seq of the first question to the players since the last move, None if none is open."""
        if all(isinstance(each.proposal, FinishEarly) for each in self.ledger.counting.proposals):
            return None
        # Not the latest: repeated proposals cannot stall the game.
        asked = None
        for entry in reversed(self.ledger.entries):
            if isinstance(entry, ActionEntry | UndoEntry):
                break
            if isinstance(entry, ProposalEntry) and not isinstance(entry.proposal, FinishEarly):
                asked = entry.seq
        return asked

    def decide(self, budget: float | None = None) -> Action:
        """What the bot does.  `budget`: its seconds of search."""
        seed = bot_seed(self.ledger.game_id, self.ledger.version, self.seat)
        try:
            return bots.decide(self.view, level=self.level, seed=seed, budget=budget)
        except Exception as error:
            # An error of the program must not stop the table.
            _report(f"The {self.level} bot in seat {self.seat} of game {self.ledger.game_id} could not decide", error)
            return self.view.legal[0]

    def write(self, action: Action) -> bool:
        """Record the action.  False if the game has moved on meanwhile."""
        ledger = self.ledger
        try:
            digital.act_for_bot(game_id=ledger.game_id, seat=self.seat, version=ledger.version, action=action)
        except StaleVersion:
            return False
        return True


def _drop_broken_connections() -> None:
    # Django does this between requests; there are none here.
    if not connection.in_atomic_block:
        close_old_connections()


def _report(what: str, error: BaseException) -> None:
    """Log an error with its place, without its message, which could name a card."""
    place = "".join(traceback.format_tb(error.__traceback__))
    logger.error("%s: %s\n%s", what, type(error).__name__, place)


# --- all games of a database ---


@dataclass
class Due:
    """A bot that will act at a time of the monotonic clock; `action`: its decision, when it is made."""

    turn: Turn
    at: float
    action: Action | None = None


Answer = Callable[[Action], None]


def in_a_thread(turn: Turn, budget: float, answer: Answer) -> None:
    """Let a bot decide beside the thread that writes."""
    # A daemon: the end of the process does not wait for a search that is not needed any more.
    threading.Thread(target=lambda: answer(turn.decide(budget)), name="thinking", daemon=True).start()


@dataclass
class Crew:
    """The bots of all games.  One searches at a time, while the others wait to search or to act.

    An action is written after the pause and the whole slot, whatever the decision took, also a forced one: its time
    depends on nothing but what everybody at the table knows, and does not tell whether the bot had a choice.
    """

    pause: float = field(default_factory=lambda: settings.NJET_BOT_PAUSE / 1000)
    budget: float = field(default_factory=lambda: settings.NJET_BOT_BUDGET)
    clock: Callable[[], float] = time.monotonic
    think: Callable[[Turn, float, Answer], None] = in_a_thread
    news: queue.SimpleQueue[str] = field(default_factory=queue.SimpleQueue)
    due: dict[str, Due] = field(default_factory=dict)
    _searching: Due | None = None
    _searches_until: float = float("-inf")
    _known: dict[str, int] = field(default_factory=dict)
    _with_bots: dict[str, int] = field(default_factory=dict)
    _asked: dict[str, tuple[int, float]] = field(default_factory=dict)
    _left_alone: dict[str, float] = field(default_factory=dict)
    _stopped: threading.Event = field(default_factory=threading.Event)
    _looked: float = float("-inf")

    def run(self) -> None:
        """Serve until `stop`.  The bus brings the versions of other processes and announces those of this one."""
        # A search must not keep the writing thread waiting: usually it would for 5 ms at each of its reads.
        sys.setswitchinterval(0.0005)
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
        self.news.put("")

    def serve(self) -> None:
        """Let the next bot search, and the next due one act, or wait for one."""
        try:
            self._look()
            self._let_search()
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
                self.news.put(game_id)

    def note_versions(self, versions: Mapping[str, int]) -> None:
        """Note that watched games have new versions."""
        for game_id in versions:
            self.news.put(game_id)

    def missed_messages(self) -> None:
        """Nothing: it looks for due bots every second."""

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
        self._left_alone.pop(game_id, None)
        try:
            ledger = ledger_of(game_id)
            if ledger is None:
                self._drop(game_id)
                return
            if game_id in self.due and self._known.get(game_id) == ledger.version:
                # Its pause has begun.
                return
            self._known[game_id] = ledger.version
            if any(ledger.bots):
                self._with_bots[game_id] = ledger.version
            else:
                self._with_bots.pop(game_id, None)
            self.due.pop(game_id, None)
            turn = Turn.in_(ledger)
            if turn is not None:
                due = self.due[game_id] = Due(turn, self._time_of(turn))
                if not turn.searches:
                    self._ask(due, 0.0)
        except DatabaseError:
            raise
        except Exception as error:
            # A log that cannot be read must not stop the bots of the other tables.
            self._leave_alone(game_id, error)

    def _time_of(self, turn: Turn) -> float:
        """When a bot that is noticed now acts: after the pause and the slot of its level."""
        now, asked = self.clock(), turn.asked
        begins = now + self.pause * turn.pauses
        if asked is not None:
            known = self._asked.get(turn.ledger.game_id)
            first = known if known is not None and known[0] == asked else (asked, now)
            self._asked[turn.ledger.game_id] = first
            begins = max(begins, first[1] + PATIENCE)
        return begins + SLOT + (self.budget if turn.searches else 0.0)

    def _drop(self, game_id: str) -> None:
        for each in (self.due, self._known, self._with_bots, self._asked, self._left_alone):
            each.pop(game_id, None)

    def _leave_alone(self, game_id: str, error: Exception) -> None:
        _report(f"No bot can act in game {game_id}", error)
        self.due.pop(game_id, None)
        self._left_alone[game_id] = self.clock() + AFTER_A_FAILURE

    def _let_search(self) -> None:
        """Let the next strong bot search, if none does.  A forced decision takes its share of time like a free one."""
        now = self.clock()
        if self._searching is not None and (self._searching.action is None or now < self._searches_until):
            return
        waiting = [each for each in self.due.values() if each.action is None and each.turn.searches]
        self._searching = due = min(waiting, key=lambda each: each.at, default=None)
        if due is not None:
            share = max(SHORTEST_SEARCH, self.budget / len(waiting))
            self._searches_until = now + share
            due.at = max(due.at, self._searches_until + SLOT)
            self._ask(due, share)

    def _ask(self, due: Due, budget: float) -> None:
        def answer(action: Action) -> None:
            due.action = action
            self.news.put("")

        self.think(due.turn, budget, answer)

    def _next(self) -> str | None:
        now = self.clock()
        ready = [(each.at, game_id) for game_id, each in self.due.items() if each.action is not None and each.at <= now]
        return min(ready)[1] if ready else None

    def _wait(self) -> None:
        now = self.clock()
        times = [self._looked + LOOK_EVERY, *(each.at for each in self.due.values() if each.action is not None)]
        if now < self._searches_until:
            times.append(self._searches_until)
        try:
            news = {self.news.get(timeout=max(0.0, min(times) - now))}
            while not self.news.empty():
                news.add(self.news.get_nowait())
        except queue.Empty:
            return
        for game_id in news - {""}:
            self._consider(game_id)

    def _act(self, game_id: str) -> None:
        due = self.due[game_id]
        assert due.action is not None, "a bot acts when it has decided"
        try:
            due.turn.write(due.action)
        except DatabaseError:
            raise
        except Exception as error:
            # The bots of the other tables continue.
            self._leave_alone(game_id, error)
            return
        del self.due[game_id]
        self._consider(game_id)
