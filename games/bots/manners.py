"""The ways of playing that go with the names that bots have by default.

Must not know: the level of a bot, hands but its own.

A way shows in what a bot covers: some spaces are worth more to it than they are to its hand.  It follows from the
public name of the seat, so nothing is stored.  Under any other name a bot plays plainly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum

from games.rules.editions import NJET, NO_ZERO, RowKey
from games.rules.redaction import PlayerView
from games.rules.ruleset import Ruleset


class Manner(StrEnum):
    """What a bot is fond of."""

    STAKES = "stakes"
    MINUS = "minus"
    TRUMP = "trump"
    START = "start"
    CAPTURES = "captures"


MANNERS: Mapping[str, Manner] = {
    "Bolt": Manner.STAKES,
    "Zip": Manner.MINUS,
    "Cog": Manner.TRUMP,
    "Dot": Manner.START,
    "Gizmo": Manner.CAPTURES,
}
"""The names of bots, in the order of the places at a new table, and the way of playing of each."""

FONDNESS: Mapping[Manner, float] = {
    Manner.STAKES: 2.0,
    Manner.MINUS: 4.0,
    Manner.TRUMP: 6.0,
    Manner.START: 2.0,
    Manner.CAPTURES: 3.0,
}
"""By so many points a space is worth more to a bot that is fond of it.

Measured with `easy+NAME easy --games 160 --pairs`: the ways bring from −0.25 ± 0.29 (stakes) to +0.34 ± 0.29
points a deal (captures).
"""


def manner_of(name: str, ruleset: Ruleset) -> Manner | None:
    """The way of playing of a bot of this name, None if it plays plainly, as where the board has no such space."""
    manner = MANNERS.get(name)
    if manner is Manner.MINUS and "-2" not in ruleset.spaces(RowKey.POINTS):
        return None
    return None if manner is Manner.START and RowKey.START not in ruleset.rows else manner


def liked(view: PlayerView) -> dict[tuple[RowKey, str], float]:
    """By how many points a space is worth more to the seat of a view than to its hand."""
    assert view.seat is not None, "a spectator decides nothing"
    public = view.public
    manner = manner_of(public.setup.names[view.seat], public.ruleset)
    return {} if manner is None else dict.fromkeys(_spaces(manner, view), FONDNESS[manner])


def _spaces(manner: Manner, view: PlayerView) -> Iterable[tuple[RowKey, str]]:
    """The spaces that a bot wants to stay open."""
    match manner:
        case Manner.STAKES:
            return [(RowKey.POINTS, "4")]
        case Manner.MINUS:
            return [(RowKey.POINTS, "-2")]
        case Manner.TRUMP:
            ((suit, _),) = Counter(card.suit for card in view.hand).most_common(1)
            return [(RowKey.TRUMP, suit.value)]
        case Manner.START:
            return [(RowKey.START, str(view.seat))]
        case Manner.CAPTURES:
            return [(RowKey.DISCARD, NO_ZERO), (RowKey.DISCARD, NJET), (RowKey.SUPERTRUMP, NJET)]
