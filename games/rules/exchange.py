"""Discarding and passing: which cards may be chosen, and what becomes of the hands (RULES.md section 3.4).

Must not know: whose choice is due, who may see it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from games.rules.cards import Card, sort_hand
from games.rules.editions import CARDS_CHOSEN, NO_ZERO
from games.rules.errors import CapturableKept, CardNotHeld

Hand = tuple[Card, ...]


def choices(hand: Hand, space: str, *, capturable_rank: int) -> Iterator[Hand]:
    """Everything that a sorted hand may discard or pass, each distinct choice once, sorted."""
    most = _capturable_allowed(hand, space, capturable_rank)
    for cards in dict.fromkeys(combinations(hand, CARDS_CHOSEN[space])):
        if _capturable_in(cards, capturable_rank) <= most:
            yield cards


def check_choice(hand: Hand, cards: Hand, space: str, *, capturable_rank: int) -> None:
    """Refuse cards that this hand may not discard or pass; their number has been checked.

    Errors: `CardNotHeld`, `CapturableKept`.
    """
    for card in cards:
        if cards.count(card) > hand.count(card):
            raise CardNotHeld(card=str(card))
    if _capturable_in(cards, capturable_rank) > _capturable_allowed(hand, space, capturable_rank):
        raise CapturableKept(rank=capturable_rank)


def given_away(hands: Sequence[Hand], chosen: Sequence[Hand]) -> tuple[Hand, ...]:
    """The hands without the chosen cards."""
    return tuple(without(hand, gone) for hand, gone in zip(hands, chosen, strict=True))


def passed_on(chosen: Sequence[Hand]) -> tuple[Hand, ...]:
    """What each seat receives: the right neighbour is the seat before, so what seat s gives, seat s − 1 gets."""
    return (*chosen[1:], chosen[0])


def without(hand: Sequence[Card], gone: Iterable[Card]) -> Hand:
    """A hand after some of its cards have left it."""
    kept = list(hand)
    for card in gone:
        kept.remove(card)
    return tuple(kept)


def together(hands: Sequence[Hand], received: Sequence[Hand]) -> tuple[Hand, ...]:
    """The hands with what they have received, sorted."""
    return tuple(sort_hand((*hand, *got)) for hand, got in zip(hands, received, strict=True))


def _capturable_allowed(hand: Hand, space: str, rank: int) -> int:
    """How many cards of the capturable rank may be among the chosen ones."""
    count = CARDS_CHOSEN[space]
    if space != NO_ZERO:
        return count
    # A hand with too few other cards discards those and fills up.
    return max(0, count - (len(hand) - _capturable_in(hand, rank)))


def _capturable_in(cards: Hand, rank: int) -> int:
    return sum(card.rank == rank for card in cards)
