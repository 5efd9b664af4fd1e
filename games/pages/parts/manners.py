"""The ways of playing of the bots, as players read them."""

from __future__ import annotations

from games.bots.manners import manner_of
from games.log.ledger import Ledger
from games.rules.ruleset import Ruleset
from games.texts import words


def manner_line(name: str, ruleset: Ruleset) -> str:
    """What a bot of this name is fond of, in a sentence; empty if it plays plainly."""
    manner = manner_of(name, ruleset)
    return "" if manner is None else words.bot_manner(name, manner, ruleset)


def manner_lines(ledger: Ledger) -> list[str]:
    """The same for every bot of a table that does not play plainly."""
    setup = ledger.current_setup
    played = [name for name, bot in zip(setup.names, ledger.bots, strict=True) if bot is not None]
    return [line for name in played if (line := manner_line(name, setup.ruleset))]
