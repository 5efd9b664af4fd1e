"""Cards as templates show them.  The caller decides who may see them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from games.rules import Card
from games.rules.editions import Edition
from games.texts import words


@dataclass(frozen=True)
class CardView:
    """A card.  `code` is its name in forms and addresses, `name` is for screen readers: “red 7”."""

    code: str
    suit: str
    rank: int
    name: str


@dataclass(frozen=True)
class LineCard:
    """A card in the line of its suit: played before, played in the trick that is shown, or still held.

    `is_chosen`: it lies face down, to be discarded or passed when all have chosen; `is_better`: it should have been
    played or given away.
    """

    card: CardView
    is_played: bool = False
    is_now: bool = False
    is_chosen: bool = False
    is_better: bool = False


SuitLine = tuple[str, list[LineCard]]
"""A suit, and its cards from the lowest on."""


def suit_lines(cards: Iterable[LineCard], edition: Edition) -> list[SuitLine]:
    """The line of each suit of an edition."""
    ranked = sorted(cards, key=lambda each: each.card.rank)
    return [(suit.value, [each for each in ranked if each.card.suit == suit]) for suit in edition.suits]


def card_view(card: Card) -> CardView:
    """The view of a card."""
    return CardView(str(card), card.suit.value, card.rank, words.card_name(card))


def card_views(cards: Iterable[Card]) -> list[CardView]:
    """The views of cards, in the same order."""
    return [card_view(card) for card in cards]
