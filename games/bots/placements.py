"""What the covered spaces tell about the hands of the players who covered them.

Must not know: anything but a `PlayerView`; which guess is played out.

A player covers the spaces that are bad for the hand.  The figures are logarithms of odds, from 700 boards that strong
bots filled: how much rarer or more frequent a card was in the hand of a seat with such a marker.  With the sum over its
markers the true holder of a card is found e^0.06 times as often as by chance, also on boards that were not used to fit
the figures.
"""

from __future__ import annotations

import math
from functools import lru_cache

from games.rules.board import suit_of_space
from games.rules.cards import Card
from games.rules.editions import RowKey
from games.rules.redaction import PlayerView
from games.rules.ruleset import Ruleset

CAUTION = 0.8
"""The markers of a seat have reasons in common: their figures are multiplied by this."""

OWN_TRUMP = -0.6
OWN_SUPERTRUMP = -2.1
OTHER_SUPERTRUMP = 0.3
CAPTURABLE_AT_DISCARD = {"njet": 0.25, "discard_2": -0.2, "pass_2_right": -0.2, "pass_2_left": -0.2}
HIGH_AT_POINTS = {-2: 0.4, 1: 0.35, 2: 0.1, 3: -0.4, 4: -0.55}
CAPTURABLE_AT_POINTS = {-2: -0.3, 1: -0.1, 2: -0.05, 3: 0.1, 4: 0.15}


def odds_of(view: PlayerView) -> tuple[dict[Card, float], ...]:
    """By seat, how much likelier than by chance it was dealt each card."""
    public = view.public
    assert public.current is not None, "markers are placed in a round"
    covered: list[list[tuple[RowKey, str]]] = [[] for _ in range(public.players)]
    for row in public.current.board.rows:
        for space, mark in zip(row.spaces, row.marks, strict=True):
            if isinstance(mark, int):
                covered[mark].append((row.key, space))
    return tuple(_odds(public.ruleset, tuple(spaces)) for spaces in covered)


@lru_cache(maxsize=256)
def _odds(ruleset: Ruleset, covered: tuple[tuple[RowKey, str], ...]) -> dict[Card, float]:
    return {
        card: math.exp(CAUTION * sum(_leaning(ruleset, card, row, space) for row, space in covered))
        for card in set(ruleset.deck())
    }


def _leaning(ruleset: Ruleset, card: Card, row: RowKey, space: str) -> float:
    capturable = card.rank == ruleset.edition.capturable_rank
    match row:
        case RowKey.TRUMP:
            return OWN_TRUMP if suit_of_space(space) is card.suit else 0.0
        case RowKey.SUPERTRUMP if capturable:
            return OWN_SUPERTRUMP if suit_of_space(space) is card.suit else OTHER_SUPERTRUMP
        case RowKey.DISCARD if capturable:
            return CAPTURABLE_AT_DISCARD.get(space, 0.0)
        case RowKey.POINTS if capturable:
            return CAPTURABLE_AT_POINTS[int(space)]
        case RowKey.POINTS if card.rank > ruleset.edition.high_rank:
            return HIGH_AT_POINTS[int(space)]
        case _:
            return 0.0
