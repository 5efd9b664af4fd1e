"""Whether a card that is led does better than another one, in its trick or in those after it, and what that wins then.

Must not know: how the card was found.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from random import Random

from games.bots.knowledge import Knowledge
from games.bots.margins import CLEAR, LITTLE, error_of
from games.bots.playout import play_out, play_trick
from games.bots.policy import lead
from games.bots.sampling import guessed_hands

GUESSES = 200
"""The guesses on which two cards are compared.  They are the same each time, so the same is said again."""

OFTEN = 0.1
"""By which share of the guesses a card has to win more often before a player would say so."""

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


def wins_more_now(known: Knowledge, card: int, other: int) -> int:
    """1 if the team clearly wins the trick more often by leading the first of two cards, -1 if less often, else 0."""
    return _more_often(known, partial(_wins_now, known), (card, other), (other, card))


def wins_more_later(known: Knowledge, card: int, other: int) -> int:
    """As of this trick, of the second card in a later one if the first is led, rather than the other way round."""
    return _more_often(known, partial(_wins_later, known), (card, other), (other, card))


def _more_often(
    known: Knowledge, wins: Callable[[list[int], int, int], bool], one: tuple[int, int], other: tuple[int, int]
) -> int:
    more = [wins(hands[:], *one) - wins(hands[:], *other) for hands in islice(guessed_hands(known, Random(0)), GUESSES)]
    mean = statistics.fmean(more)
    is_clear = abs(mean) >= OFTEN and abs(mean) > CLEAR * error_of(more)
    return int(math.copysign(1, mean)) if is_clear else 0


def _wins_now(known: Knowledge, hands: list[int], led: int, _kept: int) -> bool:
    """Whether the team wins the trick."""
    assert known.sides is not None, "tricks follow the named teams"
    _, winner = play_trick(known.tables, known.sides, hands, known.seat, led)
    return known.sides.side[winner] == known.sides.side[known.seat]


def _wins_later(known: Knowledge, hands: list[int], led: int, kept: int) -> bool:
    """Whether a card that is kept wins a later trick."""
    tables, sides, leader = known.tables, known.sides, known.seat
    assert sides is not None, "tricks follow the named teams"
    while hands[known.seat] & kept:
        _, leader = play_trick(tables, sides, hands, leader, led)
        if hands[leader]:
            led = lead(tables, hands[leader], sum(hands) - hands[leader], sides.greedy)
    return leader == known.seat


def _gained(known: Knowledge, hands: list[int], led: int) -> tuple[int, int]:
    """The start player's team's score minus the other's, of the trick and of those after it."""
    assert known.sides is not None, "tricks follow the named teams"
    first, winner = play_trick(known.tables, known.sides, hands, known.seat, led)
    return first, play_out(known.tables, known.sides, hands, winner, (), SURELY, 0)


def _is_clear(gains: Sequence[float]) -> bool:
    """Whether the mean is beyond chance, and large enough to matter."""
    mean = statistics.fmean(gains)
    return mean >= LITTLE and mean > CLEAR * error_of(gains)
