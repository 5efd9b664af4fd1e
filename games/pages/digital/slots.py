"""Where the cards of a hand stand: the slots stay for a round, so that no card moves out of its suit.

A long hand has two rows of whole suits, as even as possible, so that much of each card is seen.  When a card is
discarded or played those of its suit close up; the other suits keep their slots.  Twice in a round a hand that has
become short gets new slots: when its cards fit side by side into two rows, and into one.  Then, and after a pass, the
suits keep their order and their rows, unless one row becomes too long by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from games.rules import Card, Suit
from games.rules.cards import SUITS

ONE_ROW = 5
"""The most cards of a hand that are shown in one row: as many stand side by side on a phone."""

TWO_ROWS = 2 * ONE_ROW
"""The same for two rows, if the suits share them evenly."""

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
    def rows(self) -> int:
        """How many rows the hand has."""
        return 1 if self.upper == self.count else 2

    @property
    def longest(self) -> int:
        """How many slots the longer row has."""
        return max(self.upper, self.count - self.upper)


def arrange(
    held: Sequence[Card], played: Sequence[Card], dealt: Sequence[Card] = (), *, discards: int = 0
) -> Arrangement:
    """The slots of a sorted hand, from which these cards went, the first one first.

    `dealt`: the hand before the pass, where cards were passed; `discards`: how many of `played` were discarded, which
    alone gives no new slots.
    """
    total = len(held) + len(played)
    # A short hand has the slots of the cards with which it began.
    is_short = len(held) <= TWO_ROWS < total and len(played) > discards
    shown = ONE_ROW if len(held) <= ONE_ROW else TWO_ROWS if is_short else total
    sizes = _first(held, played, shown)
    count = sizes.total()
    whole = _first(held, played, total)
    upper = _rows(whole, _upper(Counter(card.suit for card in dealt)) if dealt else (), TOO_LONG)
    if is_short:
        upper = _rows(_first(held, played, TWO_ROWS), upper, 1)
    order = (*upper, *(suit for suit in SUITS if suit not in upper)) if total > ONE_ROW else SUITS
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
    return Arrangement(slots=tuple(slots), upper=length, count=count)


def _first(held: Sequence[Card], played: Sequence[Card], count: int) -> Counter[Suit]:
    """How many cards of each suit there were when the hand had `count` cards, or at first if it had fewer."""
    kept = played[max(0, len(played) + len(held) - count) :]
    return Counter(card.suit for card in (*held, *kept))


def _rows(sizes: Mapping[Suit, int], before: tuple[Suit, ...], too_long: int) -> tuple[Suit, ...]:
    """The suits of the upper row: those of before, unless one row becomes too long."""
    upper = _upper(sizes)
    return before if before and _longer(before, sizes) < _longer(upper, sizes) + too_long else upper


def _upper(sizes: Mapping[Suit, int]) -> tuple[Suit, ...]:
    """Of all ways the suits of the upper row with which the longer row is shortest."""
    ways = (some for number in range(1, len(SUITS) + 1) for some in combinations(SUITS, number))
    return min(ways, key=lambda some: _longer(some, sizes))


def _longer(upper: Sequence[Suit], sizes: Mapping[Suit, int]) -> int:
    """How many cards the longer row has."""
    length = sum(sizes.get(suit, 0) for suit in upper)
    return max(length, sum(sizes.values()) - length)
