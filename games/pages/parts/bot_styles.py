"""The styles of the bots, as players read them."""

from __future__ import annotations

from games.bots.style import style_of
from games.log.ledger import Ledger
from games.rules.ruleset import Ruleset
from games.texts import words


def style_line(name: str, ruleset: Ruleset) -> str:
    """The style of a bot of this name, in a sentence; empty if it has none."""
    style = style_of(name, ruleset)
    return "" if style is None else words.bot_style(name, style, ruleset)


def style_lines(ledger: Ledger) -> list[str]:
    """The same for every bot of a table that has a style."""
    setup = ledger.current_setup
    played = [name for name, bot in zip(setup.names, ledger.bots, strict=True) if bot is not None]
    return [line for name in played if (line := style_line(name, setup.ruleset))]
