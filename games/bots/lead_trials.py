"""Whether a card that is led does better than another one in its trick, or in those after it.

Must not know: how the card was found.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from itertools import islice
from random import Random

from games.bots.knowledge import Knowledge
from games.bots.margins import CLEAR, LITTLE, error_of
from games.bots.playout import play_out, play_trick
from games.bots.sampling import guessed_hands

GUESSES = 200
"""The guesses on which two cards are compared.  They are the same each time, so the same is said again."""

SURELY = bytes(64)
"""No decision of a playout is left to chance."""


def does_better(known: Knowledge, card: int, other: int) -> tuple[bool, bool]:
    """Whether the team clearly gains more by leading the first of two cards: in this trick, and in those after it."""
    assert known.sides is not None, "tricks follow the named teams"
    own = 1 if known.sides.side[known.seat] else -1
    now, later = [], []
    for hands in islice(guessed_hands(known, Random(0)), GUESSES):
        (first, rest), (its_first, its_rest) = (_gained(known, hands[:], led) for led in (card, other))
        now.append(own * (first - its_first))
        later.append(own * (rest - its_rest))
    return _is_clear(now), _is_clear(later)


def _gained(known: Knowledge, hands: list[int], led: int) -> tuple[int, int]:
    """The start player's team's score minus the other's, of the trick and of those after it."""
    assert known.sides is not None, "tricks follow the named teams"
    first, winner = play_trick(known.tables, known.sides, hands, known.seat, led)
    return first, play_out(known.tables, known.sides, hands, winner, (), SURELY, 0)


def _is_clear(gains: Sequence[float]) -> bool:
    """Whether the mean is beyond chance, and large enough to matter."""
    mean = statistics.fmean(gains)
    return mean >= LITTLE and mean > CLEAR * error_of(gains)
