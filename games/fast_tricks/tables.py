"""The trick rules of one round, compiled to bit masks (RULES.md section 4).

Must not know a rule of its own: every mask is an answer of `TrickRules`.

A card is one bit, a hand the sum of its cards' bits.  The bits are ordered by worth: plain cards by rank, then trumps,
then super trumps.  So `hand & -hand` is the lowest card of a hand and its highest bit the best.  Identical cards have a
bit each: which of them lies where makes no difference, because the last played wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from games.rules.board import Conditions
from games.rules.cards import Card, Suit
from games.rules.options import CapturedFrom
from games.rules.ruleset import Ruleset
from games.rules.tricks import TrickRules


@dataclass(frozen=True, slots=True)
class Tables:
    """The masks of a round.  The keys of `dict[int, int]` are the bits of single cards."""

    # The cards, by the number of their bit.
    cards: tuple[Card, ...]
    # All bits of a card; the same by one of its bits; those of cards that the deck has several times.
    copies: dict[Card, int]
    copies_of: dict[int, int]
    repeated: tuple[int, ...]
    # The whole deck.
    everything: int
    # By the led card: the cards that oblige a hand to follow, and those with which it may.
    obliges: dict[int, int]
    satisfies: dict[int, int]
    # What a void hand has to play if it can.
    forced: int
    # By the card that is winning: the cards that would overtake it; the same without trumping.
    beats: dict[int, int]
    beats_in_suit: dict[int, int]
    # By card: the cards of its suit; those of them that are also trumps or not, and capturable or not, as it is.
    same_suit: dict[int, int]
    same_suit_and_kind: dict[int, int]
    # The capturable cards; trumps and super trumps; all other cards, and of these the capturable and the other ones.
    capturable: int
    family: int
    plain: int
    plain_capturable: int
    plain_other: int
    # Whether a team captures its own cards too.
    everyone: bool

    def card_of(self, bit: int) -> Card:
        """The card that a bit stands for."""
        return self.cards[bit.bit_length() - 1]

    def mask_of(self, cards: Iterable[Card], *, taken: int = 0) -> int:
        """The bits of a multiset of cards, of identical ones the lowest that are not `taken`."""
        mask = 0
        for card in cards:
            free = self.copies[card] & ~(taken | mask)
            mask |= free & -free
        return mask

    def hand_of(self, mask: int) -> tuple[Card, ...]:
        """The cards of a mask, sorted."""
        return tuple(sorted(self.card_of(bit) for bit in bits(mask)))

    def legal(self, hand: int, led: int) -> int:
        """The cards of a hand that may be played on a led card (0: the hand leads)."""
        if not led:
            return hand
        if hand & self.obliges[led]:
            return hand & self.satisfies[led]
        return hand & self.forced or hand

    def different(self, mask: int) -> int:
        """The mask with one of each set of identical cards."""
        for copies in self.repeated:
            same = mask & copies
            mask ^= same ^ same & -same
        return mask


def bits(mask: int) -> list[int]:
    """The single bits of a mask, lowest first."""
    single = []
    while mask:
        single.append(mask & -mask)
        mask &= mask - 1
    return single


def worth(rules: TrickRules, card: Card) -> tuple[int, int]:
    """Orders cards from the lowest to the highest: plain cards, trumps, super trumps, each by rank."""
    return rules.is_supertrump(card) + rules.is_trump_or_supertrump(card), card.rank


@lru_cache(maxsize=512)
def tables_of(ruleset: Ruleset, trump: Suit | None, supertrump: Suit | None) -> Tables:
    """The tables of a round with this trump and super trump."""
    # Only trump and super trump decide between two cards: the other conditions can have any value.
    rules = TrickRules.of(ruleset, Conditions(start=0, discard="njet", trump=trump, supertrump=supertrump, points=1))

    deck = tuple(sorted(ruleset.deck(), key=lambda card: (worth(rules, card), card.suit)))
    copies: dict[Card, int] = {}
    for index, card in enumerate(deck):
        copies[card] = copies.get(card, 0) | 1 << index

    def mask(belongs: Callable[[Card], bool]) -> int:
        return sum(same for card, same in copies.items() if belongs(card))

    def by_bit(mask_of: Callable[[Card], int]) -> dict[int, int]:
        """What a card's mask is, for the bit of each copy."""
        masks = {card: mask_of(card) for card in copies}
        return {1 << index: masks[card] for index, card in enumerate(deck)}

    def overtaking(winning: Card) -> int:
        """The cards that win over this one, as if it had been led: on a lead of another suit trumps compare alike."""
        least = rules.strength(winning, winning)
        return mask(lambda card: rules.strength(card, winning) >= least)

    everything, family = (1 << len(deck)) - 1, mask(rules.is_trump_or_supertrump)
    plain, capturable = everything & ~family, mask(lambda card: card.rank == rules.capturable_rank)
    beats, same_suit = by_bit(overtaking), by_bit(lambda card: mask(lambda other: other.suit is card.suit))
    same_kind = {bit: plain if bit & plain else family for bit in beats}
    same_capturable = {bit: capturable if bit & capturable else everything & ~capturable for bit in beats}
    return Tables(
        cards=deck,
        copies=copies,
        copies_of={1 << index: copies[card] for index, card in enumerate(deck)},
        repeated=tuple(same for same in copies.values() if same & same - 1),
        everything=everything,
        obliges=by_bit(lambda led: mask(lambda card: rules.obliges(card, led))),
        satisfies=by_bit(lambda led: mask(lambda card: rules.satisfies(card, led))),
        forced=family if rules.must_trump_when_void else 0,
        beats=beats,
        beats_in_suit={bit: beats[bit] & same_suit[bit] & ~bit for bit in beats},
        same_suit=same_suit,
        same_suit_and_kind={bit: same_suit[bit] & same_kind[bit] & same_capturable[bit] for bit in beats},
        capturable=capturable,
        family=family,
        plain=plain,
        plain_capturable=plain & capturable,
        plain_other=plain & ~capturable,
        everyone=rules.captured_from is CapturedFrom.EVERYONE,
    )
