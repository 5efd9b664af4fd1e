"""What those who sit down agree on: that all see the hands of each finished round."""

from __future__ import annotations

from games.groups import lists
from games.models import Game
from games.pages import ledgers


def to_agree(game: Game) -> bool:
    """Whether who sits down is to read that all hands are shown after each round.

    Not where nothing is shown, everybody has sat down, or a round was shown already.
    """
    if not game.setup.get("open_hands"):
        return False
    ledger, taken = ledgers.seen(game, None), lists.seat_keys(game)
    return not ledger.state.finished and not ledger.people <= taken.keys()
