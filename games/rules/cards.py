"""Suits, cards and hands (RULES.md section 1.1).

Must not know: what a card is worth in a round.

Cards are values: a deck holds identical ones (three 0s of a suit), so a hand is a multiset, written as a sorted tuple.
They are ordered by `Card.index` (suit × `RANKS` + rank).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from operator import attrgetter

from games.rules.errors import UnknownCard


class Suit(StrEnum):
    """A suit ("colour" on screen).  The order is that of the boards, and of sorted hands."""

    RED = "red"
    BLACK = "black"
    BLUE = "blue"
    YELLOW = "yellow"
    GREEN = "green"

    @property
    def letter(self) -> str:
        """The one letter that stands for the suit in compact notation; black is K, as in the tables of the rules."""
        return "K" if self is Suit.BLACK else self.name[0]


SUITS: tuple[Suit, ...] = tuple(Suit)

RANKS = 14
"""How many ranks there are, from 0 on, in all editions together."""


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One card; identical cards are equal.  Written “red-7”; in short “R7”."""

    index: int
    suit: Suit = field(init=False, compare=False)
    rank: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "suit", SUITS[self.index // RANKS])
        object.__setattr__(self, "rank", self.index % RANKS)

    @classmethod
    def of(cls, suit: Suit, rank: int) -> Card:
        """The card of this suit and rank."""
        return CARDS[SUITS.index(suit) * RANKS + rank]

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read “red-7” or “R7”.

        Errors: `UnknownCard`.
        """
        card = _BY_NAME.get(text)
        if card is None:
            raise UnknownCard(card=text)
        return card

    @property
    def compact(self) -> str:
        """The card in two or three characters, like “K0”."""
        return f"{self.suit.letter}{self.rank}"

    def __str__(self) -> str:
        return f"{self.suit}-{self.rank}"


CARDS: tuple[Card, ...] = tuple(Card(index) for index in range(RANKS * len(SUITS)))
"""Every card that some edition has, by index."""

_BY_NAME: dict[str, Card] = {str(card): card for card in CARDS} | {card.compact: card for card in CARDS}


def parse_hand(text: str) -> tuple[Card, ...]:
    """Read cards separated by blanks ("B0 R3 K4") as a sorted hand."""
    return sort_hand(Card.parse(word) for word in text.split())


def sort_hand(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards by suit and rank: an order that reveals nothing about the deal."""
    return tuple(sorted(cards, key=_INDEX))


# The order of cards, in less time than by comparing them.
_INDEX = attrgetter("index")
