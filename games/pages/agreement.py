"""What those who sit down agree on: that all see the hands of each finished round."""

from __future__ import annotations

from games.models import Game
from games.pages import ledgers
from games.services import seating


def to_agree(game: Game) -> bool:
    """Whether who sits down is to read that all hands are shown after each round.

    Not where nothing is shown, no seat waits for a player, or a round was shown already.
    """
    if not game.setup.get("open_hands"):
        return False
    ledger = ledgers.seen(game, None)
    return not ledger.state.finished and bool(seating.free_seats(game, ledger))
