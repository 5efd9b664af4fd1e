"""The styles of the bots, as players read them, and the level of the next one."""

from __future__ import annotations

from games.bots import LEVELS
from games.bots.style import style_of
from games.log.ledger import Ledger
from games.rules.ruleset import Ruleset
from games.texts import words


def level_to_fill(ledger: Ledger) -> str:
    """The level of the bot that one tap puts on a seat: as the others at the table."""
    return next(filter(None, ledger.bots), LEVELS[0])


def style_line(name: str, ruleset: Ruleset) -> str:
    """The style of a bot of this name, in a sentence; empty if it has none."""
    style = style_of(name, ruleset)
    return "" if style is None else words.bot_style(name, style, ruleset)


def style_lines(ledger: Ledger) -> list[str]:
    """The same for every bot of a table that has a style."""
    setup = ledger.current_setup
    played = [name for name, bot in zip(setup.names, ledger.bots, strict=True) if bot is not None]
    return [line for name in played if (line := style_line(name, setup.ruleset))]
