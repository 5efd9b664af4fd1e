"""Entries that one request is about to append, with the deals that follow from them."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from games.log import store
from games.log.ledger import Ledger
from games.models import Game
from games.rules import ActionEntry, Deal
from games.rules.dealing import commitment_of, hands_of
from games.rules.full import FullState
from games.rules.replay import Entry


class PendingEntries:
    """The entries that one request is about to append, and the ledger with them."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.entries: list[Entry] = []

    @property
    def full(self) -> FullState:
        """The state with every hand."""
        assert self.ledger.replay.full is not None, "a digital ledger that is not redacted shows every card"
        return self.ledger.replay.full

    def add(self, make: Callable[[int], Entry]) -> None:
        """Add an entry, made with its seq.  If it ends a round and not the game, the next round is dealt."""
        entry = make(self.ledger.version + 1)
        self.entries.append(entry)
        before, self.ledger = self.ledger, self.ledger.with_entries([entry])
        if len(self.ledger.state.finished) > len(before.state.finished) and not self.ledger.state.is_over:
            self.deal()

    def deal(self) -> None:
        """Deal the present round: at random, or as in the game whose deals are repeated."""
        current = self.ledger.state.current
        assert current is not None, "a finished game is not dealt"
        source = Game.objects.select_related("deals_of").get(pk=self.ledger.game_id).deals_of
        again = None if source is None else deal_of_round(store.read(source), current.number)
        seed = new_seed() if again is None or again.seed is None else again.seed
        commitment = commitment_of(seed, game_id=self.ledger.game_id, round_number=current.number)
        deal = Deal(hands_of(self.ledger.state.ruleset, seed), seed, commitment)
        self.add(lambda seq: ActionEntry(seq, deal))


def new_seed() -> str:
    """256 bits of the server's randomness, in hex (RULES.md section 7.3)."""
    return secrets.token_hex(32)


def deal_of_round(ledger: Ledger, number: int) -> Deal | None:
    """The deal of a finished round, None if there is none."""
    if number > len(ledger.state.finished):
        return None
    deals = (step for step in ledger.replay.applied if step.round_number == number)
    return next((step.action for step in deals if isinstance(step.action, Deal)), None)
