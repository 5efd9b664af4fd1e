"""The whole of a digital game: what everyone sees, and the hands (RULES.md sections 3 and 4).

The `PublicState` inside decides what everyone can see, and its `apply` is called first: no rule is written twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NoReturn

from games.rules.actions import Action, Cards, Claim, Deal, Discard, Hidden, NameTeam, Pass, Place, Play
from games.rules.board import Conditions
from games.rules.cards import Card, sort_hand
from games.rules.dealing import hands_of
from games.rules.errors import (
    CardNotHeld,
    CardsHidden,
    MustFollowSuit,
    MustFollowTrump,
    MustTrump,
    WrongClaim,
    WrongDeal,
)
from games.rules.exchange import Hand, check_choice, choices, given_away, passed_on, together
from games.rules.public import PublicState
from games.rules.rounds import Phase, Round
from games.rules.setup import Setup
from games.rules.tricks import TrickRules


@dataclass(frozen=True, slots=True)
class FullState:
    """A digital game with everything that is hidden from some player.  Made by `start` and `apply`.

    All by seat and sorted; empty before the deal.  `chosen`: what lies face down and has not left the hand yet;
    `discarded`, `passed`, `received`: what has in this round.  `aside`: the cards that were not dealt.
    """

    public: PublicState
    hands: tuple[Hand, ...] = ()
    aside: Hand = ()
    chosen: tuple[Hand, ...] = ()
    discarded: tuple[Hand, ...] = ()
    passed: tuple[Hand, ...] = ()
    received: tuple[Hand, ...] = ()

    @classmethod
    def start(cls, setup: Setup) -> FullState:
        """The state before the first deal."""
        return cls(PublicState.start(setup))

    @property
    def setup(self) -> Setup:
        """The set-up of this game."""
        return self.public.setup

    @property
    def acting_seats(self) -> tuple[int, ...]:
        """The seats that are due."""
        return self.public.acting_seats

    @property
    def trick_rules(self) -> TrickRules:
        """The rules of this round's tricks, once the board is settled."""
        return TrickRules.of(self.public.ruleset, self._conditions)

    def apply(self, action: Action, *, seat: int | None = None) -> FullState:
        """The state after an action.

        `seat`: who acts; it has to be known where several are due at once.
        Errors: those of `PublicState.apply`, `CardsHidden`, `CardNotHeld`, `CapturableKept`, `MustFollowSuit`,
        `MustFollowTrump`, `MustTrump`, `WrongDeal`, `WrongClaim`.
        """
        before = self.public
        public = before.apply(action, seat=seat)
        if public.current is None or before.current is None or public.current.number != before.current.number:
            # The round or the game is over: its hands are no longer needed.
            self._check_end(action)
            return FullState(public)
        match action:
            case Deal():
                return self._dealt(public, action)
            case Discard(cards) | Pass(cards):
                return self._choose(public, before.acting_seats[0] if seat is None else seat, cards)
            case Play(card):
                return self._play(public, before.acting_seats[0] if seat is None else seat, card)
            case _:
                return self._with(public, self.hands)

    def legal_actions(self, seat: int) -> tuple[Action, ...]:
        """Everything that a seat may do now: each distinct choice of cards once, cards sorted.  Nothing if not due."""
        public = self.public
        if seat not in public.acting_seats:
            return ()
        match public.phase:
            case Phase.DISCARDING:
                return tuple(Discard(cards) for cards in self._choices(seat))
            case Phase.PASSING:
                return tuple(Pass(cards) for cards in self._choices(seat))
            case Phase.TRICKS:
                return tuple(Play(card) for card in self.playable(seat))
            case _:
                return tuple(action for action in public.legal_actions() if isinstance(action, Place | NameTeam))

    def playable(self, seat: int) -> Hand:
        """The different cards that a seat may play on what lies on the table, sorted."""
        table = self._round().table
        return self.trick_rules.legal_cards(self.hands[seat], table[0] if table else None)

    def rest_captured(self, seat: int) -> int:
        """How many cards a seat captures that is granted all remaining tricks."""
        current, rules = self._round(), self.trick_rules
        assert current.teams is not None, "tricks follow the named teams"
        assert current.leader is not None, "tricks follow the settled board"
        held = [list(hand) for hand in self.hands]
        for index, card in enumerate(current.table):
            held[(current.leader + index) % len(held)].append(card)
        return sum(
            card.rank == rules.capturable_rank for each in rules.sources(seat, current.teams) for card in held[each]
        )

    # --- dealing ---

    def _dealt(self, public: PublicState, action: Deal) -> FullState:
        hands = tuple(sort_hand(_named(hand)) for hand in action.hands)
        ruleset = public.ruleset
        aside = Counter(ruleset.deck())
        aside.subtract(card for hand in hands for card in hand)
        if min(aside.values()) < 0 or (action.seed is not None and hands != hands_of(ruleset, action.seed)):
            raise WrongDeal()
        nothing: tuple[Hand, ...] = ((),) * public.players
        return FullState(
            public,
            hands=hands,
            aside=sort_hand(aside.elements()),
            chosen=nothing,
            discarded=nothing,
            passed=nothing,
            received=nothing,
        )

    # --- discarding and passing ---

    def _choose(self, public: PublicState, seat: int, cards: Cards) -> FullState:
        named = sort_hand(_named(cards))
        check_choice(self.hands[seat], named, self._conditions.exchange)
        chosen = (*self.chosen[:seat], named, *self.chosen[seat + 1 :])
        current = public.current
        assert current is not None, "a choice ends no round"
        if not current.exchanged:
            return replace(self, public=public, chosen=chosen)
        kept = given_away(self.hands, chosen)
        done = replace(self, public=public, hands=kept, chosen=((),) * public.players)
        if self.public.phase is Phase.DISCARDING:
            return replace(done, discarded=chosen)
        received = passed_on(chosen, self._conditions.exchange.to)
        return replace(done, hands=together(kept, received), passed=chosen, received=received)

    def _choices(self, seat: int) -> Iterator[Hand]:
        return choices(self.hands[seat], self._conditions.exchange)

    @property
    def _conditions(self) -> Conditions:
        conditions = self._round().conditions
        assert conditions is not None, "cards are chosen and played after the settled board"
        return conditions

    # --- tricks ---

    def _play(self, public: PublicState, seat: int, card: Card) -> FullState:
        hands = (*self.hands[:seat], self._hand_after(seat, card), *self.hands[seat + 1 :])
        return self._with(public, hands)

    def _hand_after(self, seat: int, card: Card) -> Hand:
        """A hand without a card that it may play."""
        hand = self.hands[seat]
        try:
            place = hand.index(card)
        except ValueError:
            raise CardNotHeld(card=str(card)) from None
        rules, table = self.trick_rules, self._round().table
        if table and not rules.allows(hand, table[0], card):
            self._refuse(hand, table[0], card)
        return hand[:place] + hand[place + 1 :]

    def _refuse(self, hand: Hand, led: Card, card: Card) -> NoReturn:
        rules = self.trick_rules
        allowed = [str(each) for each in rules.legal_cards(hand, led)]
        params: dict[str, object] = {"card": str(card), "led": str(led), "allowed": allowed}
        if not any(rules.obliges(each, led) for each in hand):
            raise MustTrump(**params)
        if rules.asks_for_trumps(led):
            raise MustFollowTrump(**params)
        raise MustFollowSuit(suit=led.suit.value, **params)

    def _check_end(self, action: Action) -> None:
        """The checks of an action that ends a round."""
        match action:
            case Play(card):
                self._hand_after(self.public.acting_seats[0], card)
            case Claim(seat, captured):
                if captured != self.rest_captured(seat):
                    raise WrongClaim(captured=captured, needed=self.rest_captured(seat))

    def _with(self, public: PublicState, hands: tuple[Hand, ...]) -> FullState:
        """The same cards elsewhere: what nearly every action does, in less time than by `replace`."""
        return FullState(public, hands, self.aside, self.chosen, self.discarded, self.passed, self.received)

    def _round(self) -> Round:
        assert self.public.current is not None, "only a game that is not finished has a round"
        return self.public.current


State = PublicState | FullState
"""A game as far as it is known: a table's, or a digital one of which some cards stay hidden, is public only."""


def public_of(state: State) -> PublicState:
    """What everyone can see of a state."""
    return state.public if isinstance(state, FullState) else state


def advance(state: State, action: Action, *, seat: int | None = None) -> State:
    """The state after an action that may have been redacted: with its cards known it is full, else public.

    Errors: those of `FullState.apply`.
    """
    match action:
        case Deal(hands):
            known = not any(isinstance(hand, Hidden) for hand in hands)
            public = public_of(state)
            return FullState(public).apply(action) if known else public.apply(action)
        case Discard(Hidden()) | Pass(Hidden()):
            return public_of(state).apply(action, seat=seat)
        case _:
            return state.apply(action, seat=seat)


def _named(cards: Cards) -> Hand:
    if isinstance(cards, Hidden):
        raise CardsHidden()
    return cards
