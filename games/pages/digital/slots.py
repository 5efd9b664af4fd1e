"""Where the cards of a hand stand: row and order of the suits stay for a round, so that no card moves out of its suit.

A long hand has two rows of whole suits, as even as possible, so that much of each card is seen.  When a card is
discarded or played those of its suit close up; the other suits keep their slots.  Empty slots are closed after an own
card, the first one after a discard, once the cards of both rows fit side by side, and once those of one row do: then
the lower one, nearer to the thumb, has them all.  After a pass the suits keep their rows, unless one row becomes too
long by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from games.rules import Card, Suit
from games.rules.cards import SUITS

ONE_ROW = 6
"""The most cards of a row that stand side by side on a phone; a lesson's hand that begins with no more has one row."""

TOO_LONG = 2
"""From this number of additional cards on, a row is not made longer only to keep its suits where they were dealt."""


@dataclass(frozen=True)
class Slot:
    """A place for a card: its `row` (0 or 1) and `place` there, and its place if the hand is one row (`flat`)."""

    row: int
    place: int
    flat: int


@dataclass(frozen=True)
class Arrangement:
    """The slots of the cards of a hand, in the same order, and how many slots the upper row and the hand have."""

    slots: tuple[Slot, ...]
    upper: int
    count: int

    @property
    def longest(self) -> int:
        """How many slots the longer row has."""
        return max(self.upper, self.count - self.upper)


def arrange(
    held: Sequence[Card], played: Sequence[Card], dealt: Sequence[Card] = (), *, discards: int = 0
) -> Arrangement:
    """The slots of a sorted hand, from which these cards went, the first one first.

    `dealt`: the hand before the pass, where cards were passed; `discards`: how many of `played` were discarded, which
    alone closes no slots.
    """
    whole = _sizes(held, played)
    before = _upper(_sizes(dealt)) if dealt else ()
    upper = SUITS if whole.total() <= ONE_ROW else _rows(whole, before)
    order = (*upper, *(suit for suit in SUITS if suit not in upper))
    # How many cards had gone when the slots were closed.
    closings = (n for n in range(len(played) + 1) if _longer(upper, _sizes(held, played[n:])) <= ONE_ROW)
    gone = max(discards, next(closings, 0))
    if len(played) <= discards:
        gone = 0
    elif len(held) <= ONE_ROW < whole.total():
        upper, gone = (), len(held) + len(played) - ONE_ROW
    sizes = _sizes(held, played[gone:])
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
    return Arrangement(tuple(slots), upper=length, count=sizes.total())


def _sizes(*cards: Sequence[Card]) -> Counter[Suit]:
    """How many cards of each suit there are."""
    return Counter(card.suit for some in cards for card in some)


def _rows(sizes: Mapping[Suit, int], before: tuple[Suit, ...]) -> tuple[Suit, ...]:
    """The suits of the upper row: those of before, unless one row becomes too long."""
    upper = _upper(sizes)
    return before if before and _longer(before, sizes) < _longer(upper, sizes) + TOO_LONG else upper


def _upper(sizes: Mapping[Suit, int]) -> tuple[Suit, ...]:
    """Of all ways the suits of the upper row with which the longer row is shortest."""
    ways = (some for number in range(1, len(SUITS) + 1) for some in combinations(SUITS, number))
    return min(ways, key=lambda some: _longer(some, sizes))


def _longer(upper: Sequence[Suit], sizes: Mapping[Suit, int]) -> int:
    """How many cards the longer row has."""
    length = sum(sizes.get(suit, 0) for suit in upper)
    return max(length, sum(sizes.values()) - length)
