"""Discarding and passing: which cards may be chosen, and what becomes of the hands (RULES.md section 3.4).

Must not know: whose choice is due, who may see it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TypeVar

from games.rules.cards import Card, sort_hand
from games.rules.editions import Exchange
from games.rules.errors import CapturableKept, CardNotHeld

Hand = tuple[Card, ...]

T = TypeVar("T")


def choices(hand: Hand, exchange: Exchange) -> Iterator[Hand]:
    """Everything that a sorted hand may discard or pass, each distinct choice once, sorted."""
    most = _kept_allowed(hand, exchange)
    for cards in dict.fromkeys(combinations(hand, exchange.cards)):
        if _kept_in(cards, exchange) <= most:
            yield cards


def check_choice(hand: Hand, cards: Hand, exchange: Exchange) -> None:
    """Refuse cards that this hand may not discard or pass; their number has been checked.

    Errors: `CardNotHeld`, `CapturableKept`.
    """
    for card in cards:
        if cards.count(card) > hand.count(card):
            raise CardNotHeld(card=str(card))
    if _kept_in(cards, exchange) > _kept_allowed(hand, exchange):
        raise CapturableKept(rank=exchange.kept)


def given_away(hands: Sequence[Hand], chosen: Sequence[Hand]) -> tuple[Hand, ...]:
    """The hands without the chosen cards."""
    return tuple(without(hand, gone) for hand, gone in zip(hands, chosen, strict=True))


def passed_on(chosen: Sequence[T], to: int) -> tuple[T, ...]:
    """What each seat receives if each gives what it has chosen to the one that many seats on, clockwise."""
    return tuple(chosen[(seat - to) % len(chosen)] for seat in range(len(chosen)))


def without(hand: Sequence[Card], gone: Iterable[Card]) -> Hand:
    """A hand after some of its cards have left it."""
    kept = list(hand)
    for card in gone:
        kept.remove(card)
    return tuple(kept)


def together(hands: Sequence[Hand], received: Sequence[Hand]) -> tuple[Hand, ...]:
    """The hands with what they have received, sorted."""
    return tuple(sort_hand((*hand, *got)) for hand, got in zip(hands, received, strict=True))


def _kept_allowed(hand: Hand, exchange: Exchange) -> int:
    """How many cards of the rank that is kept may be among the chosen ones."""
    # A hand with too few other cards discards those and fills up.
    return max(0, exchange.cards - (len(hand) - _kept_in(hand, exchange)))


def _kept_in(cards: Hand, exchange: Exchange) -> int:
    return sum(card.rank == exchange.kept for card in cards)
