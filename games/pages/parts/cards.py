"""Cards as templates show them.  The caller decides who may see them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from games.rules import Card
from games.texts import words


@dataclass(frozen=True)
class CardView:
    """A card.  `code` is its name in forms and addresses, `name` is for screen readers: “red 7”."""

    code: str
    suit: str
    rank: int
    name: str


def card_view(card: Card) -> CardView:
    """The view of a card."""
    return CardView(str(card), card.suit.value, card.rank, words.card_name(card))


def card_views(cards: Iterable[Card]) -> list[CardView]:
    """The views of cards, in the same order."""
    return [card_view(card) for card in cards]
