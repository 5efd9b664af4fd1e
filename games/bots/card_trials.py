"""Whether a card does better than another one, in its trick or in those after it, and what wins then.

Must not know: how the card was found.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from games.bots.knowledge import Knowledge
from games.bots.margins import CLEAR, LITTLE, error_of
from games.bots.playout import play_out, play_trick
from games.bots.policy import lead
from games.bots.sampling import guessed_hands

GUESSES = 200
"""The guesses on which two cards are compared.  They are the same each time, so the same is said again."""

OFTEN, MOSTLY = 0.1, 0.5
"""The share of the guesses by which something has to happen more often, or in which it has to, to be said."""

SURELY = bytes(64)
"""No decision of a playout is left to chance."""


def does_better(known: Knowledge, card: int, other: int) -> tuple[bool, bool]:
    """Whether the team clearly gains more by playing the first of two cards: in this trick, and in those after it."""
    now, later = [], []
    for hands in _guesses(known):
        (first, rest), (its_first, its_rest) = (_gained(known, hands[:], played) for played in (card, other))
        now.append(first - its_first)
        later.append(rest - its_rest)
    return _is_clear(now, LITTLE), _is_clear(later, LITTLE)


def wins_more_now(known: Knowledge, card: int, other: int) -> int:
    """1 if the team clearly wins the trick more often by playing the first of two cards, -1 if less often, else 0."""
    return _more_often(
        [
            _is_own(known, _begin(known, hands[:], card)[1]) - _is_own(known, _begin(known, hands[:], other)[1])
            for hands in _guesses(known)
        ]
    )


def wins_more_later(known: Knowledge, card: int, other: int) -> int:
    """As of this trick, of the second card in a later one if the first is played, rather than the other way round."""
    return _more_often(
        [
            (_fate(known, hands[:], card, other) == known.seat) - (_fate(known, hands[:], other, card) == known.seat)
            for hands in _guesses(known)
        ]
    )


def is_lost_anyway(known: Knowledge, card: int, other: int) -> bool:
    """Whether the opponents are likely to get the first of two cards in a later trick, if the second is played."""
    return statistics.fmean(not _is_own(known, _fate(known, hands, other, card)) for hands in _guesses(known)) >= MOSTLY


def _guesses(known: Knowledge) -> Iterator[list[int]]:
    return islice(guessed_hands(known, Random(0)), GUESSES)


def _is_own(known: Knowledge, seat: int) -> bool:
    assert known.sides is not None, "tricks follow the named teams"
    return known.sides.side[seat] == known.sides.side[known.seat]


def _begin(known: Knowledge, hands: list[int], card: int) -> tuple[int, int]:
    """The value of the open trick to the start player's team once this card is played, and who wins it."""
    assert known.sides is not None, "tricks follow the named teams"
    return play_trick(known.tables, known.sides, hands, known.leader, (*known.table, card))


def _fate(known: Knowledge, hands: list[int], played: int, kept: int) -> int:
    """Who wins the trick to which a card falls that is kept."""
    tables, sides = known.tables, known.sides
    assert sides is not None, "tricks follow the named teams"
    _, leader = _begin(known, hands, played)
    while hands[known.seat] & kept:
        led = lead(tables, hands[leader], sum(hands) - hands[leader], sides.greedy)
        _, leader = play_trick(tables, sides, hands, leader, (led,))
    return leader


def _gained(known: Knowledge, hands: list[int], card: int) -> tuple[int, int]:
    """The team's score minus the other's, of the trick and of those after it."""
    assert known.sides is not None, "tricks follow the named teams"
    own = 1 if known.sides.side[known.seat] else -1
    value, winner = _begin(known, hands, card)
    return own * value, own * play_out(known.tables, known.sides, hands, winner, (), SURELY, 0)


def _more_often(more: Sequence[int]) -> int:
    return next((sign for sign in (1, -1) if _is_clear([sign * each for each in more], OFTEN)), 0)


def _is_clear(gains: Sequence[float], least: float) -> bool:
    """Whether the mean is beyond chance, and large enough to matter."""
    mean = statistics.fmean(gains)
    return mean >= least and mean > CLEAR * error_of(gains)
