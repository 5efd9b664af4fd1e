"""Where the cards of a hand stand: the slots stay for a round, so that no card moves out of its suit.

A long hand has two rows of whole suits, as even as possible, so that much of each card is seen.  When a card is
discarded or played those of its suit close up; the other suits keep their slots.  Only cards that are passed change
them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from games.rules import Card, Suit
from games.rules.cards import SUITS

ONE_ROW = 8
"""A hand of at most so many cards has one row."""


@dataclass(frozen=True)
class Slot:
    """A place for a card: its `row` (0 or 1) and `place` there, and its place if the hand is one row (`flat`)."""

    row: int
    place: int
    flat: int


@dataclass(frozen=True)
class Arrangement:
    """The slots of the cards of a hand, in the same order, and how many slots the longest row and the hand have."""

    slots: tuple[Slot, ...]
    rows: int
    longest: int
    count: int


def arrange(held: Sequence[Card], played: Sequence[Card]) -> Arrangement:
    """The slots of a sorted hand, from which these cards went, the first one first."""
    # A single row has the slots of the cards with which it began.
    kept = played if len(held) > ONE_ROW else played[max(0, len(played) + len(held) - ONE_ROW) :]
    sizes = Counter(card.suit for card in (*held, *kept))
    count = sizes.total()
    whole = Counter(card.suit for card in (*held, *played))
    order, upper = _rows(whole) if whole.total() > ONE_ROW else (SUITS, SUITS)
    if len(held) <= ONE_ROW:
        upper = order
    length = sum(sizes[suit] for suit in upper)
    # Where the next card of a suit stands.
    free, start = {}, 0
    for suit in order:
        free[suit] = start
        start += sizes[suit]
    slots = []
    for card in held:
        flat = free[card.suit]
        free[card.suit] += 1
        slots.append(Slot(0, flat, flat) if card.suit in upper else Slot(1, flat - length, flat))
    return Arrangement(
        slots=tuple(slots), rows=1 if length == count else 2, longest=max(length, count - length), count=count
    )


def _rows(sizes: Mapping[Suit, int]) -> tuple[tuple[Suit, ...], tuple[Suit, ...]]:
    """The order of the suits, and those of the upper row: of all ways the one whose longer row is shortest."""
    count = sum(sizes.values())

    def longer(some: tuple[Suit, ...]) -> int:
        length = sum(sizes[suit] for suit in some)
        return max(length, count - length)

    upper = min((some for number in range(1, len(SUITS) + 1) for some in combinations(SUITS, number)), key=longer)
    return (*upper, *(suit for suit in SUITS if suit not in upper)), upper
