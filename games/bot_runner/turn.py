"""The bot that is due at a version of a game: how long it waits, what it decides, that it acts once.

Must not know: how a bot decides, or the hands of other seats.  A bot gets the view of its seat and nothing else.
"""

from __future__ import annotations

import logging
import traceback
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from games import bots
from games.errors import StaleVersion
from games.keys.hashes import bot_seed
from games.log import store
from games.log.ledger import Ledger
from games.models import Game, Mode, Status
from games.rules import ActionEntry, Deal, Phase, UndoEntry
from games.rules.actions import Action
from games.rules.proposals import FinishEarly
from games.rules.redaction import PlayerView
from games.rules.replay import ProposalEntry
from games.services import bot_speed, digital

logger = logging.getLogger(__name__)

PATIENCE = timedelta(seconds=20)
"""How long bots wait for answers to a proposal, which lapses when the game moves on, and for readers of a result."""


@dataclass(frozen=True)
class Turn:
    """A bot that is due in a game, at one version of it.  `ledger`: the whole log."""

    ledger: Ledger
    seat: int
    level: str

    @classmethod
    def of(cls, ledger: Ledger) -> Turn | None:
        """The first bot that is due, None if no bot is."""
        due = digital.bots_due(ledger) if any(ledger.bots) else []
        return cls(ledger, *due[0]) if due else None

    @classmethod
    def at(cls, game_id: str, version: int) -> Turn | None:
        """The same for a stored game, None if it has moved on from this version."""
        games = Game.objects.filter(mode=Mode.DIGITAL, status=Status.PLAYING, deleted_at=None)
        game = games.filter(pk=game_id, version=version).first()
        return None if game is None else cls.of(store.read(game))

    @property
    def view(self) -> PlayerView:
        """What the bot may know."""
        view = self.ledger.played_by(self.seat).view
        assert view is not None, "each seat of a digital game has a view"
        return view

    @property
    def searches(self) -> bool:
        """Whether the bot takes its seconds of search."""
        return bots.SECONDS[self.level] > 0

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
        if state.phase is Phase.TEAMS:
            # The board is settled: what it decided is read before it goes.
            return 2
        # A finished trick, or who plays with whom.
        return 2 if state.phase is Phase.TRICKS and not current.table else 1

    def begins(self, now: datetime) -> datetime:
        """When the bot begins to decide, if the last entry is written now."""
        begins = now + self.pauses * bot_speed.pause_of(self._game)
        waits_for = self._asked
        if waits_for is None and self.opens_round and self._present - self._ready:
            waits_for = self.ledger.dealt_at
        if waits_for is not None:
            at = store.rows(self.ledger.game_id, after=waits_for - 1)[0].at
            # With a clock that was wrong then, as if it were written now.
            begins = max(begins, min(at, now) + PATIENCE)
        return begins

    @property
    def opens_round(self) -> bool:
        """Whether no bot has acted in a later round yet: players may still read the result of the last one."""
        ledger = self.ledger
        return bool(ledger.state.finished) and all(ledger.bots[seat] is None for seat in self._acted)

    @property
    def is_hurried(self) -> bool:
        """Whether enough of the players who are present need no more time: all for a result, two thirds for a trick."""
        ready = self._ready
        if not ready or self._asked is not None:
            return False
        present = self._present | ready
        return present == ready if self.opens_round else 3 * len(ready) >= 2 * len(present)

    @property
    def _acted(self) -> set[int]:
        dealt_at = self.ledger.dealt_at
        return {step.seat for step in self.ledger.replay.applied if step.key.seq > dealt_at and step.seat is not None}

    @cached_property
    def _game(self) -> Game:
        return Game.objects.get(pk=self.ledger.game_id)

    @property
    def _present(self) -> set[int]:
        return {seat for seat in bot_speed.present_seats(self._game) if self.ledger.bots[seat] is None}

    @property
    def _ready(self) -> set[int]:
        since = self.ledger.dealt_at if self.opens_round else self.ledger.version
        ready = bot_speed.ready_seats(self._game, since=since) | (self._acted if self.opens_round else set())
        return {seat for seat in ready if self.ledger.bots[seat] is None}

    @property
    def _asked(self) -> int | None:
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

    @property
    def seed(self) -> int:
        """The seed of its random numbers."""
        return bot_seed(self.ledger.game_id, self.ledger.version, self.seat)

    def decide(self, budget: float | None = None) -> Action:
        """What the bot does.  `budget`: its seconds of search."""
        view = self.view
        try:
            return bots.decide(view, level=self.level, seed=self.seed, budget=budget)
        except Exception as error:
            # An error of the program must not stop the table.
            report(f"The {self.level} bot in seat {self.seat} of game {self.ledger.game_id} could not decide", error)
            return view.legal[0]

    def write(self, action: Action) -> bool:
        """Record the action.  False if the game has another version by now."""
        ledger = self.ledger
        try:
            digital.act_for_bot(game_id=ledger.game_id, seat=self.seat, version=ledger.version, action=action)
        except StaleVersion:
            return False
        return True


def report(what: str, error: BaseException) -> None:
    """Log an error with its place, without its message, which could name a card."""
    place = "".join(traceback.format_tb(error.__traceback__))
    logger.error("%s: %s\n%s", what, type(error).__name__, place)
