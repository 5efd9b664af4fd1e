"""Where the cards of a hand stand: the slots stay for a round, so that no card moves out of its suit.

A long hand has two rows, with the break between two suits.  When a card is discarded or played those of its suit close
up; the other suits keep their slots.  Only cards that are passed change them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from games.rules import Card
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
    suits = Counter(card.suit for card in (*held, *kept))
    sizes = [suits[suit] for suit in SUITS]
    count = sum(sizes)
    upper = _break(sizes) if len(held) > ONE_ROW else len(sizes)
    length = sum(sizes[:upper])
    before: Counter[int] = Counter()
    slots = []
    for card in held:
        suit = SUITS.index(card.suit)
        flat = sum(sizes[:suit]) + before[suit]
        before[suit] += 1
        slots.append(Slot(0, flat, flat) if suit < upper else Slot(1, flat - length, flat))
    return Arrangement(
        slots=tuple(slots), rows=1 if length == count else 2, longest=max(length, count - length), count=count
    )


def _break(sizes: Sequence[int]) -> int:
    """The number of suits in the upper row that makes the longer row as short as possible."""
    return min(range(1, len(sizes) + 1), key=lambda upper: max(sum(sizes[:upper]), sum(sizes[upper:])))
