"""Whether a card that is led does better than another one, in its trick or in those after it, and what that wins then.

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


def wins_more_later(known: Knowledge, card: int, other: int, *, often: bool) -> bool:
    """Whether the second of two cards, if the first is led, clearly wins its trick more often than the other way round.

    `often`: False for less often.
    """
    assert known.sides is not None, "tricks follow the named teams"
    more = [
        _wins(known, hands[:], card, other) - _wins(known, hands[:], other, card)
        for hands in islice(guessed_hands(known, Random(0)), GUESSES)
    ]
    mean = statistics.fmean(more) * (1 if often else -1)
    return mean >= OFTEN and mean > CLEAR * error_of(more)


def _wins(known: Knowledge, hands: list[int], led: int, kept: int) -> bool:
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
