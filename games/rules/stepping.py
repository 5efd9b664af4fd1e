"""The tricks on integers: hands as numbers, tables instead of questions (`rules.md` section 4).

Knows: how a multiset of cards is one number; for a round's trick rules, what a lead asks for and how strong each card
is on it.  Must not know: states, rounds, teams, who asks.

The rules themselves stand in `tricks.py` alone: a table is made by asking `TrickRules` about every pair of cards, once.

A hand is one number with a field of bits for each different card of the edition, wide enough to count its copies, in
the order of sorted hands.  To take a card is to subtract its unit; to ask for some cards is to mask with their fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from games.rules.actions import Play
from games.rules.cards import CARDS, SUITS, Card
from games.rules.editions import EDITIONS, Edition, Removal
from games.rules.ruleset import PRESETS, Ruleset
from games.rules.tricks import TrickRules

PLAYS: tuple[Play, ...] = tuple(map(Play, CARDS))
"""The one action for each card, by `Card.index`."""

SEAT_BITS = 7
"""The lowest bits of a strength, in which the seat is kept that has played so strongly."""


class Turn:
    """A seat's turn: `due`, the acting seats; `below`, what marks a strength as this seat's; whose turn follows."""

    __slots__ = ("below", "due", "following", "seat")

    def __init__(self, seat: int, due: tuple[int, ...]) -> None:
        self.seat, self.due = seat, due
        self.below = SEAT_BITS - seat
        self.following = self


NOBODY = Turn(-1, ())
"""Nobody's turn: the last card of the round has been played."""


@lru_cache(maxsize=8)
def turns_of(players: int) -> tuple[Turn, ...]:
    """The turns around a table, by seat."""
    turns = tuple(Turn(seat, (seat,)) for seat in range(players))
    for seat, turn in enumerate(turns):
        turn.following = turns[(seat + 1) % players]
    return turns


class Plays(dict[int, tuple[Play, ...]]):
    """The actions that play some cards of one suit, sorted, by the number of these cards.

    It is filled as they turn up: one suit can be held in a few thousand ways, whole hands are too many to keep.
    """

    def __init__(self, fields: Sequence[int]) -> None:
        super().__init__()
        self._fields = fields

    def __missing__(self, cards: int) -> tuple[Play, ...]:
        found = tuple(play for play, field in zip(PLAYS, self._fields, strict=True) if cards & field)
        self[cards] = found
        return found


class Coding:
    """How the cards of an edition are counted in one number.

    By `Card.index`: `fields`, the bits that count a card, and `units`, one such card; 0 if the edition has not got it.
    `suits`: the bits of each suit, in the order of sorted hands.
    """

    def __init__(self, edition: Edition) -> None:
        fields, units, suits = [0] * len(CARDS), [0] * len(CARDS), []
        shift = 0
        for suit in sorted(edition.suits, key=SUITS.index):
            start = shift
            for rank, copies in enumerate(edition.copies):
                card, width = Card.of(suit, rank), copies.bit_length()
                fields[card.index] = ((1 << width) - 1) << shift
                units[card.index] = bool(copies) << shift
                shift += width
            suits.append((1 << shift) - (1 << start))
        self.fields, self.units, self.suits = tuple(fields), tuple(units), tuple(suits)
        self.plays = Plays(self.fields)

    def number(self, cards: Iterable[Card]) -> int:
        """Some cards as a number: not more copies than the edition has."""
        units = self.units
        return sum([units[card.index] for card in cards])

    def cards(self, number: int) -> tuple[Card, ...]:
        """The cards of a number, sorted."""
        held = zip(CARDS, self.fields, self.units, strict=True)
        return tuple(card for card, field, unit in held if number & field for _ in range((number & field) // unit))

    def mask(self, cards: Iterable[Card]) -> int:
        """The fields of some different cards."""
        return sum(self.fields[card.index] for card in cards)


Lead = tuple[int, int, tuple[int, ...]]
"""What a led card asks for: obliged, satisfied, strengths.

A hand that holds any of the cards `obliged` has to play one of `satisfied`, both as masks.  `strengths`, by
`Card.index`: the strongest card wins, of equal ones the last, whatever seat stands in their lowest bits.
"""


@dataclass(frozen=True, slots=True)
class Tables:
    """What `TrickRules` answers about the cards of an edition.

    `cards`: by `Card.index`, the card's field, its unit, and what it asks for if it is led.  `forced`: what somebody
    has to play who cannot follow, as a mask; 0: there is no such duty.
    """

    coding: Coding
    cards: tuple[tuple[int, int, Lead], ...]
    forced: int


@lru_cache(maxsize=len(EDITIONS))
def coding_of(edition: str) -> Coding:
    """The numbers of an edition's cards."""
    return Coding(EDITIONS[edition])


@lru_cache(maxsize=128)
def tables_of(rules: TrickRules, edition: str) -> Tables:
    """The tables of a round's trick rules, made by asking them."""
    coding = coding_of(edition)
    deck = [card for card in CARDS if coding.units[card.index]]

    def lead(led: Card) -> Lead:
        return (
            coding.mask(card for card in deck if rules.obliges(card, led)),
            coding.mask(card for card in deck if rules.satisfies(card, led)),
            tuple(rules.strength(card, led) * (SEAT_BITS + 1) + SEAT_BITS for card in CARDS),
        )

    forced = coding.mask(filter(rules.is_trump_or_supertrump, deck)) if rules.must_trump_when_void else 0
    return Tables(coding, tuple(zip(coding.fields, coding.units, map(lead, CARDS), strict=True)), forced)


def come_from_one_deck(hands: Sequence[Sequence[Card]], ruleset: Ruleset) -> bool:
    """Whether the deck of this game has all these cards at once."""
    copies, number = _deck(ruleset.preset, ruleset.players, ruleset.options.three_player_removal)
    coding = coding_of(ruleset.edition.key)
    if sum(map(len, hands)) == sum(copies) and sum(map(coding.number, hands)) == number:
        # Any other cards with this sum are more: a field that overflows into the next one gives several cards for one.
        return True
    left = list(copies)
    for hand in hands:
        for card in hand:
            left[card.index] -= 1
    return min(left) >= 0


@lru_cache(maxsize=32)
def _deck(preset: str, players: int, removal: Removal | None) -> tuple[tuple[int, ...], int]:
    """How many copies of each card a deck has, by `Card.index`, and its number."""
    edition = PRESETS[preset].edition
    deck = edition.deck(players=players, removal=removal)
    return tuple(deck.count(card) for card in CARDS), coding_of(edition.key).number(deck)
