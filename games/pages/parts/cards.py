"""Cards and tricks as templates show them.  The caller decides who may see them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.pages.parts.players import Player
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


@dataclass(frozen=True)
class PlayedView:
    """A card of a trick and who played it."""

    player: Player
    card: CardView
    wins: bool


@dataclass(frozen=True)
class TrickView:
    """A trick, the leader's card first.  `winner` is None while it is open."""

    number: int
    cards: list[PlayedView]
    winner: Player | None


def trick_view(
    number: int, cards: Sequence[Card], *, leader: int, winner: int | None, players: Sequence[Player]
) -> TrickView:
    """A trick of these cards in playing order."""
    seats = [(leader + place) % len(players) for place in range(len(cards))]
    return TrickView(
        number=number,
        cards=[
            PlayedView(players[seat], card_view(card), wins=seat == winner)
            for seat, card in zip(seats, cards, strict=True)
        ],
        winner=None if winner is None else players[winner],
    )
