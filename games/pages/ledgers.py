"""The log of a game as a page shows it: a player without a name is called by the number in the reader's language."""

from __future__ import annotations

from games.log import store
from games.log.ledger import Ledger
from games.models import Game
from games.texts.unnamed import called


def seen(game: Game, viewer: int | None) -> Ledger:
    """What `games.log.store.seen` returns, in the language of the request."""
    return store.seen(game, viewer, called)
