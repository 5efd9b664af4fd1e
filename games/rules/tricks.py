"""Following suit, winning and capturing (RULES.md section 4).

Must not know: whose turn it is, points.

Only this module asks `supertrump_suit` and `must_trump_when_void`.  Only `obliges` and `satisfies` know what a super
trump counts as: under `trump_or_own` it may follow its own suit without being forced to, so one suit for each card
would not be enough.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from games.rules.board import Conditions
from games.rules.cards import RANKS, Card, Suit, sort_hand
from games.rules.editions import Edition
from games.rules.options import CapturedFrom, SupertrumpSuit
from games.rules.ruleset import Ruleset
from games.rules.teams import Teams


class Reason(StrEnum):
    """Why a card wins its trick."""

    HIGHEST_OF_LED = "highest_of_led"
    TRUMP = "trump"
    HIGHEST_TRUMP = "highest_trump"
    SUPER_TRUMP = "super_trump"
    LAST_SUPER_TRUMP = "last_super_trump"
    LAST_EQUAL = "last_equal"


@dataclass(frozen=True, slots=True)
class TrickRules:
    """The rules of the tricks of one round: the options and conditions that decide them."""

    trump: Suit | None
    supertrump: Suit | None
    edition: Edition
    supertrump_suit: SupertrumpSuit
    must_trump_when_void: bool
    captured_from: CapturedFrom

    @classmethod
    def of(cls, ruleset: Ruleset, conditions: Conditions) -> TrickRules:
        """The trick rules of a round of this game."""
        return cls(
            trump=conditions.trump,
            supertrump=conditions.supertrump,
            edition=ruleset.edition,
            supertrump_suit=ruleset.options.supertrump_suit,
            must_trump_when_void=ruleset.options.must_trump_when_void,
            captured_from=ruleset.options.captured_from,
        )

    @property
    def capturable_rank(self) -> int:
        """The rank of the cards that can be captured."""
        return self.edition.capturable_rank

    def is_supertrump(self, card: Card) -> bool:
        """Whether the card is one of the super trumps."""
        return card.rank == self.capturable_rank and card.suit is self.supertrump

    def is_trump_or_supertrump(self, card: Card) -> bool:
        """Whether the card belongs to the family of trumps and super trumps."""
        return card.suit is self.trump or self.is_supertrump(card)

    def obliges(self, card: Card, led: Card) -> bool:
        """Whether a hand that holds `card` has to follow the card that was led."""
        if self.asks_for_trumps(led):
            return self.is_trump_or_supertrump(card)
        if card.suit is not led.suit:
            return False
        return self.supertrump_suit is SupertrumpSuit.OWN_SUIT or not self.is_supertrump(card)

    def satisfies(self, card: Card, led: Card) -> bool:
        """Whether playing `card` follows the card that was led."""
        if self.asks_for_trumps(led):
            return self.is_trump_or_supertrump(card)
        if card.suit is not led.suit:
            return False
        return self.supertrump_suit is not SupertrumpSuit.TRUMP or not self.is_supertrump(card)

    def legal_cards(self, hand: Iterable[Card], led: Card | None) -> tuple[Card, ...]:
        """The different cards of a hand that may be played on a lead (None: the hand leads), sorted."""
        held = sort_hand(set(hand))
        return held if led is None else tuple(card for card in held if self.allows(held, led, card))

    def allows(self, hand: Collection[Card], led: Card, card: Card) -> bool:
        """Whether a hand may play this card of it on a lead."""
        # Every card that follows suit may be played, also a super trump that need not follow.
        if self.satisfies(card, led):
            return True
        if any(self.obliges(each, led) for each in hand):
            return False
        if self.must_trump_when_void and any(self.is_trump_or_supertrump(each) for each in hand):
            return self.is_trump_or_supertrump(card)
        return True

    def strength(self, card: Card, led: Card) -> int:
        """What decides the trick: the strongest wins, of equal ones the last played; below 0 cannot win."""
        if self.is_supertrump(card):
            return 2 * RANKS
        if card.suit is self.trump:
            return RANKS + card.rank
        return card.rank if card.suit is led.suit else -1

    def winner(self, cards: Sequence[Card]) -> int:
        """The place in playing order (0: the leader) of the card that wins a trick.

        There is no duty to overtake, and among equal cards the last played is the highest, everywhere.
        """
        led = cards[0]
        best, best_strength = 0, self.strength(led, led)
        for index, card in enumerate(cards):
            strength = self.strength(card, led)
            if strength >= best_strength:
                best, best_strength = index, strength
        return best

    def reason(self, cards: Sequence[Card]) -> Reason:
        """Why the winning card of a trick wins.  `cards` in playing order; of a trick not full: why it leads so far."""
        best = cards[self.winner(cards)]
        equals = sum(self.strength(card, cards[0]) == self.strength(best, cards[0]) for card in cards)
        if self.is_supertrump(best):
            return Reason.SUPER_TRUMP if equals == 1 else Reason.LAST_SUPER_TRUMP
        if equals > 1:
            return Reason.LAST_EQUAL
        if best.suit is not self.trump:
            return Reason.HIGHEST_OF_LED
        return Reason.TRUMP if sum(card.suit is self.trump for card in cards) == 1 else Reason.HIGHEST_TRUMP

    def captured(self, cards: Sequence[Card], *, leader: int, teams: Teams) -> int:
        """How many cards of a full trick the winner captures.  `cards` in playing order, from the seat `leader` on."""
        return self.taken(cards, leader=leader, teams=teams)[1]

    def taken(self, cards: Sequence[Card], *, leader: int, teams: Teams) -> tuple[int, int]:
        """The seat that wins a full trick, and how many of its cards it captures."""
        count = len(cards)
        winner = (leader + self.winner(cards)) % count
        captured = [place for place, card in enumerate(cards) if card.rank == self.capturable_rank]
        if not captured:
            return winner, 0
        counted = self.sources(winner, teams)
        return winner, sum((leader + place) % count in counted for place in captured)

    def sources(self, winner: int, teams: Teams) -> tuple[int, ...]:
        """The seats whose capturable cards count for the winner of a trick."""
        if self.captured_from is CapturedFrom.EVERYONE:
            return tuple(range(teams.players))
        return teams.opponents_of(winner)

    def asks_for_trumps(self, led: Card) -> bool:
        """Whether a led card asks for the family of trumps and super trumps rather than for its printed suit."""
        # Printed suits follow themselves under `own_suit`, a led super trump included: only then does the trump suit
        # have nothing to ask for beyond itself.
        return self.supertrump_suit is not SupertrumpSuit.OWN_SUIT and self.is_trump_or_supertrump(led)
