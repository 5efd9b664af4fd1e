"""Hints: a player against bots asks the strongest one what to do.  A decision gets one hint."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.conf import settings

from games.log.ledger import Ledger
from games.rules import ActionEntry, UndoEntry
from games.rules.actions import Action, Discard, Pass
from games.rules.hints import HintReason
from games.rules.replay import Entry, HintEntry, HolderEntry
from games.services.write import WriteRequest, write


@dataclass(frozen=True)
class Hints:
    """What a ledger says about hints.  `ledger`: the whole one, or as somebody reads it."""

    ledger: Ledger

    @property
    def are_given(self) -> bool:
        """Whether the reader plays against bots only, and bots are on."""
        return settings.NJET_BOTS != "off" and self._is_alone

    @property
    def may_ask(self) -> bool:
        """Whether the reader may ask for one: they have a choice now, and no hint for it."""
        view = self.ledger.view
        return self.are_given and self.has_choice and view is not None and self.of(view.seat) is None

    @property
    def has_choice(self) -> bool:
        """Whether the reader, among bots, may do one of several things."""
        return self._is_alone and self.ledger.view is not None and len(self.ledger.view.legal) > 1

    @property
    def _is_alone(self) -> bool:
        # Who has sat at the table may come back: a bot in their seat does not make the reader a player against bots.
        people = self.ledger.people | {entry.seat for entry in self.ledger.entries if isinstance(entry, HolderEntry)}
        return self.ledger.view is not None and people == {self.ledger.view.seat}

    def of(self, seat: int | None) -> HintEntry | None:
        """The hint for the present decision of a seat."""
        later = self.ledger.entries[self.decision_of(seat) :]
        return next((entry for entry in later if isinstance(entry, HintEntry) and entry.seat == seat), None)

    def decision_of(self, seat: int | None) -> int:
        """The entry that opened the present decision of a seat.

        What others choose face down changes nothing for it.
        """
        for entry in reversed(self.ledger.entries):
            match entry:
                case ActionEntry(_, Discard() | Pass(), other) if other != seat:
                    continue
                case ActionEntry(seq) | UndoEntry(seq):
                    return seq
        return 0

    @property
    def counts(self) -> Counter[int]:
        """How many each seat has had."""
        return Counter(entry.seat for entry in self.ledger.entries if isinstance(entry, HintEntry))


def is_wanted(ledger: Ledger, seat: int, version: int) -> bool:
    """Whether the decision that a seat had at this version is still open and has no hint yet."""
    hints = Hints(ledger)
    if hints.decision_of(seat) > version or hints.of(seat) is not None:
        return False
    return Hints(ledger.played_by(seat)).has_choice


def record(
    *, game_id: str, seat: int, version: int, action: Action, reason: HintReason, second: Action | None = None
) -> None:
    """Record the hint for the decision at this version, if it is still open.  `second`: as in the entry.

    Errors: `NotFound`, `GameLocked`.
    """

    def decide(ledger: Ledger) -> list[Entry]:
        wanted = is_wanted(ledger, seat, version)
        return [HintEntry(ledger.version + 1, seat, action, reason, second)] if wanted else []

    write("hint", game_id=game_id, actor=None, request=WriteRequest(), decide=decide)
