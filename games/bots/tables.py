"""The trick rules of one round as tables of integers: what the paths count with that run a million times.

Knows: which bit stands for which card, and whatever `TrickRules` says about two cards, asked once for each pair.  Must
not know: a rule of its own (every mask is an answer of `TrickRules`), hands, players.

A card is one bit, a hand the sum of its cards' bits.  The bits are ordered by worth: plain cards by rank, then trumps,
then super trumps.  So `hand & -hand` is the least card of a hand and its highest bit the best.  Identical cards have a
bit each: which of them lies where makes no difference, as the last played wins.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from games.rules.board import Conditions
from games.rules.cards import Card, Suit
from games.rules.ruleset import CapturedFrom, Ruleset
from games.rules.tricks import TrickRules


@dataclass(frozen=True, slots=True)
class Tables:
    """The masks of a round.  Dictionaries are keyed by a card's bit.

    `obliges`, `satisfies`: by the led card, the cards that do.  `forced`: what a void hand has to play if it can.
    `beats`: by the card that is winning, those that would overtake it; `beats_in_suit`: the same without trumping.
    `capturable`: the capturable cards; `family`: the trumps and super trumps; `plain`: all cards but the family.
    """

    cards: tuple[Card, ...]
    copies: dict[Card, int]
    everything: int
    obliges: dict[int, int]
    satisfies: dict[int, int]
    forced: int
    beats: dict[int, int]
    beats_in_suit: dict[int, int]
    same_suit: dict[int, int]
    capturable: int
    plain: int
    family: int
    supertrumps: int
    everyone: bool

    def card_of(self, bit: int) -> Card:
        """The card that a bit stands for."""
        return self.cards[bit.bit_length() - 1]

    def mask_of(self, cards: Iterable[Card]) -> int:
        """The bits of a multiset of cards, for identical ones the lowest first."""
        mask = 0
        for card in cards:
            free = self.copies[card] & ~mask
            mask |= free & -free
        return mask

    def hand_of(self, mask: int) -> tuple[Card, ...]:
        """The cards of a mask, sorted."""
        return tuple(sorted(self.card_of(bit) for bit in bits(mask)))

    def legal(self, hand: int, led: int) -> int:
        """What of a hand may be played on a led card (0: the hand leads)."""
        if not led:
            return hand
        if hand & self.obliges[led]:
            return hand & self.satisfies[led]
        return hand & self.forced or hand

    def different(self, mask: int) -> int:
        """The mask with one of each identical cards."""
        found = 0
        for bit in bits(mask):
            if not self.copies[self.card_of(bit)] & found:
                found |= bit
        return found


def bits(mask: int) -> list[int]:
    """The single bits of a mask, lowest first."""
    found = []
    while mask:
        found.append(mask & -mask)
        mask &= mask - 1
    return found


@lru_cache(maxsize=512)
def tables_of(ruleset: Ruleset, trump: Suit | None, supertrump: Suit | None) -> Tables:
    """The tables of a round with this trump and super trump."""
    # Nothing but trump and super trump bears on two cards: the rest of the conditions is made up.
    rules = TrickRules.of(ruleset, Conditions(start=0, discard="njet", trump=trump, supertrump=supertrump, points=1))

    def worth(card: Card) -> tuple[int, int, Suit]:
        return rules.is_supertrump(card) + rules.is_trump_or_supertrump(card), card.rank, card.suit

    deck = sorted(ruleset.deck(), key=worth)
    masks: dict[Card, int] = {}
    for place, card in enumerate(deck):
        masks[card] = masks.get(card, 0) | 1 << place
    return _masks(rules, tuple(deck), masks)


def _masks(rules: TrickRules, deck: tuple[Card, ...], masks: dict[Card, int]) -> Tables:
    def those(asked: Iterable[Card]) -> int:
        return sum(masks[card] for card in asked)

    # All leads of a suit ask for the same, but for the super trumps: one question for each kind is enough.
    kinds: dict[tuple[Suit, bool], tuple[int, int]] = {}
    strengths: dict[Suit, dict[Card, int]] = {}
    for card in masks:
        kind = card.suit, rules.is_supertrump(card)
        if kind not in kinds:
            kinds[kind] = (
                those(other for other in masks if rules.obliges(other, card)),
                those(other for other in masks if rules.satisfies(other, card)),
            )
        if card.suit not in strengths:
            strengths[card.suit] = {other: rules.strength(other, card) for other in masks}
    beats = {
        card: those(other for other, strength in strengths[card.suit].items() if strength >= strengths[card.suit][card])
        for card in masks
    }
    capturable = those(card for card in masks if card.rank == rules.capturable_rank)
    family = those(card for card in masks if rules.is_trump_or_supertrump(card))
    suits = {suit: those(card for card in masks if card.suit is suit) for suit in strengths}
    by_bit = {1 << place: card for place, card in enumerate(deck)}
    return Tables(
        cards=deck,
        copies=masks,
        everything=(1 << len(deck)) - 1,
        obliges={bit: kinds[card.suit, rules.is_supertrump(card)][0] for bit, card in by_bit.items()},
        satisfies={bit: kinds[card.suit, rules.is_supertrump(card)][1] for bit, card in by_bit.items()},
        forced=family if rules.must_trump_when_void else 0,
        beats={bit: beats[card] for bit, card in by_bit.items()},
        beats_in_suit={bit: beats[card] & suits[card.suit] & ~bit for bit, card in by_bit.items()},
        same_suit={bit: suits[card.suit] for bit, card in by_bit.items()},
        capturable=capturable,
        plain=(1 << len(deck)) - 1 & ~family,
        family=family,
        supertrumps=those(card for card in masks if rules.is_supertrump(card)),
        everyone=rules.captured_from is CapturedFrom.EVERYONE,
    )
