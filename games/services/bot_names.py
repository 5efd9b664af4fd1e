"""Names of the bots that play for no one: where a friend without a name has not come, a bot has a name of its own."""

from __future__ import annotations

from itertools import count

from games.bots.style import STYLES
from games.keys import registry
from games.log.ledger import Ledger
from games.models import Game
from games.rules.replay import HolderEntry
from games.rules.setup import Setup
from games.texts.unnamed import called, is_unnamed, name_by_number

_NAMES = tuple(STYLES)


def own_bots(ledger: Ledger) -> tuple[str | None, ...]:
    """The level of each seat's bot, None for a player: those of the beginning, and those that came for no one."""
    seats = zip(ledger.first_bots, ledger.bots, ledger.setup.names, ledger.current_setup.names, strict=True)
    return tuple(first or (bot if is_unnamed(was) and name in _NAMES else None) for first, bot, was, name in seats)


def bots_again(ledger: Ledger) -> tuple[str | None, ...]:
    """The bots of the next game: the table's own ones, but where a player took the seat of one.

    A bot with a name of its own sat down there again after the player had left.
    """
    taken = {entry.seat for entry in ledger.holder_changes if isinstance(entry, HolderEntry)}
    return tuple(
        None if seat in taken and not (ledger.bots[seat] is not None and name in _NAMES) else bot
        for seat, (bot, name) in enumerate(zip(own_bots(ledger), ledger.current_setup.names, strict=True))
    )


def waits_for_name(game: Game, ledger: Ledger, seat: int) -> bool:
    """Whether who sits down in a seat types their name: it has none, or that of a bot that plays for no one."""
    name = ledger.current_setup.names[seat]
    return is_unnamed(name) or (ledger.bots[seat] is not None and name in _NAMES and not registry.is_taken(game, seat))


def renamed(game: Game, ledger: Ledger, seat: int, level: str | None) -> Setup:
    """The set-up with the name of a seat where a bot sits down, or stands up (`level` None), for no one."""
    names = list(ledger.current_setup.names)
    if registry.is_taken(game, seat) or not waits_for_name(game, ledger, seat):
        return ledger.current_setup
    if level is None:
        others = {called(name) for name in names}
        names[seat] = next(name for number in count(seat + 1) if (name := name_by_number(number)) not in others)
    elif is_unnamed(names[seat]):
        # A token shows the first letter.  No table has more seats than there are names, so one is left.
        initials = {name[:1].casefold() for name in names if not is_unnamed(name)}
        names[seat] = next(name for name in (*_NAMES[seat:], *_NAMES) if name[:1].casefold() not in initials)
    return ledger.current_setup.corrected(names=names)
