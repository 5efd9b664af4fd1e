"""The whole of a digital game: what everybody sees, and the hands (`rules.md` sections 3 and 4).

Knows: who holds which card, which cards may be discarded, passed or played.  Must not know: who asks.  What everybody
can see is asked of the `PublicState` inside, whose `apply` comes first: no rule is written twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace

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
    WrongPhase,
)
from games.rules.exchange import Hand, check_choice, choices, given_away, passed_on, together
from games.rules.public import PublicState
from games.rules.rounds import Phase, Round, before_table
from games.rules.setup import Setup
from games.rules.stepping import NOBODY, PLAYS, SEAT_BITS, Lead, Turn, come_from_one_deck, tables_of, turns_of
from games.rules.tricks import TrickRules


@dataclass(frozen=True, slots=True, eq=False)
class FullState:
    """A digital game with everything that is hidden from somebody.  Made by `start`, `in_tricks` and `apply`.

    All by seat and sorted; empty before the deal.  `chosen`: what lies face down and has not left the hand yet;
    `discarded`, `passed`, `received`: what has in this round.  `aside`: what nobody was dealt.
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

    @classmethod
    def in_tricks(cls, public: PublicState, hands: Sequence[Sequence[Card]]) -> FullState:
        """The beginning of the tricks of a settled round with these hands, fewer cards than were dealt if need be.

        How the hands came about is left open: nothing lies aside, nothing was discarded, passed or received.
        Errors: `WrongPhase`, `WrongDeal`.
        """
        current = public.current
        if not public.setup.digital or public.phase is not Phase.TRICKS:
            raise WrongPhase(action="play", phase=public.phase.value, needed=Phase.TRICKS.value)
        assert current is not None, "a finished game is in no phase of a round"
        if current.tricks or current.table:
            raise WrongPhase(action="deal", phase=public.phase.value, needed=Phase.DEALING.value)
        held, sizes = tuple(map(tuple, hands)), tuple(map(len, hands))
        alike = len(held) == public.players and len(set(sizes)) == 1 and sizes[0] > 0
        if not alike or not come_from_one_deck(held, public.ruleset):
            raise WrongDeal()
        begun = public if sizes == current.hand_sizes else replace(public, current=replace(current, hand_sizes=sizes))
        nothing: tuple[Hand, ...] = ((),) * public.players
        return TrickState.of(cls(begun, held, chosen=nothing, discarded=nothing, passed=nothing, received=nothing))

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

    def __eq__(self, other: object) -> bool:
        return self._told() == other._told() if isinstance(other, FullState) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._told())

    def _told(self) -> tuple[object, ...]:
        """Everything that a state tells: two that tell the same are equal, however they keep it."""
        return tuple(getattr(self, part.name) for part in fields(FullState))

    def apply(self, action: Action, *, seat: int | None = None) -> FullState:
        """The state after an action.

        `seat`: who acts; it has to be known where several are due at once.
        Errors: those of `PublicState.apply`, `CardsHidden`, `CardNotHeld`, `CapturableKept`, `MustFollowSuit`,
        `MustFollowTrump`, `MustTrump`, `WrongDeal`, `WrongClaim`.
        """
        before = self.public
        public = before.apply(action, seat=seat)
        if public.current is None or before.current is None or public.current.number != before.current.number:
            # The round is over, or the game: whatever is still in a hand has served.
            self._check_end(action)
            return FullState(public)
        match action:
            case Deal():
                return self._dealt(public, action)
            case Discard(cards) | Pass(cards):
                chooser = before.acting_seats[0] if seat is None else seat
                following = self._choose(public, chooser, cards)
            case Play(card):
                self._check_card(before.acting_seats[0], card)
                return TrickState.of(self).apply(action)
            case _:
                following = replace(self, public=public)
        return TrickState.of(following) if public.phase is Phase.TRICKS else following

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
        for place, card in enumerate(current.table):
            held[(current.leader + place) % len(held)].append(card)
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
        check_choice(self.hands[seat], named, self._conditions.discard, capturable_rank=self._capturable_rank)
        chosen = (*self.chosen[:seat], named, *self.chosen[seat + 1 :])
        current = public.current
        assert current is not None, "a choice ends no round"
        if not current.exchanged:
            return replace(self, public=public, chosen=chosen)
        kept = given_away(self.hands, chosen)
        done = replace(self, public=public, hands=kept, chosen=((),) * public.players)
        if self.public.phase is Phase.DISCARDING:
            return replace(done, discarded=chosen)
        received = passed_on(chosen)
        return replace(done, hands=together(kept, received), passed=chosen, received=received)

    def _choices(self, seat: int) -> Iterator[Hand]:
        return choices(self.hands[seat], self._conditions.discard, capturable_rank=self._capturable_rank)

    @property
    def _conditions(self) -> Conditions:
        conditions = self._round().conditions
        assert conditions is not None, "cards are chosen and played after the settled board"
        return conditions

    @property
    def _capturable_rank(self) -> int:
        return self.public.ruleset.edition.capturable_rank

    # --- tricks ---

    def _check_card(self, seat: int, card: Card) -> None:
        hand = self.hands[seat]
        if card not in hand:
            raise CardNotHeld(card=str(card))
        allowed = self.playable(seat)
        if card in allowed:
            return
        rules, led = self.trick_rules, self._round().table[0]
        params: dict[str, object] = {"card": str(card), "led": str(led), "allowed": [str(each) for each in allowed]}
        if not any(rules.obliges(each, led) for each in hand):
            raise MustTrump(**params)
        if rules.asks_for_trumps(led):
            raise MustFollowTrump(**params)
        raise MustFollowSuit(suit=led.suit.value, **params)

    def _check_end(self, action: Action) -> None:
        """The checks of an action that ends a round."""
        match action:
            case Play(card):
                self._check_card(self.public.acting_seats[0], card)
            case Claim(seat, captured):
                if captured != self.rest_captured(seat):
                    raise WrongClaim(captured=captured, needed=self.rest_captured(seat))

    def _round(self) -> Round:
        assert self.public.current is not None, "only a game that is not finished has a round"
        return self.public.current


class _Course:
    """What all states of a round's tricks share: where they began, the tables, and the last public state asked for.

    `shown`: some played cards and the public state behind them.  Who asks for it after each card, as a replay does, has
    not every card played again.
    """

    __slots__ = ("begun", "cards", "coding", "forced", "plays", "shown", "suits", "turns")

    def __init__(self, begun: FullState) -> None:
        ruleset = begun.public.ruleset
        tables = tables_of(begun.trick_rules, ruleset.edition.key)
        self.begun, self.turns = begun, turns_of(ruleset.players)
        self.cards, self.forced, self.coding = tables.cards, tables.forced, tables.coding
        self.plays, self.suits = tables.coding.plays, tables.coding.suits
        self.shown: tuple[_Played, PublicState] = (None, begun.public)


_Played = tuple["_Played", Card] | None
"""The cards since the tricks began, the last one outside: a step adds one and copies none."""


class TrickState(FullState):
    """A full state in the tricks, or just behind their last card, on integers (`stepping.py`).

    A step takes the hands, the turn and what the trick stands at; everything that a state tells is put together when
    somebody asks, `public` by `PublicState.played`.  What is refused, and whatever is not a card, is left to the plain
    state that tells the same.
    """

    __slots__ = ("_best", "_course", "_hands", "_lead", "_leader", "_legal", "_plain", "_played", "_turn")

    _course: _Course
    _hands: list[int]  # by seat; no list is changed after its step
    _turn: Turn
    _legal: int  # the cards that may be played next, as a mask
    _played: _Played
    _lead: Lead | None  # what the open trick asks for, None before its first card
    _leader: Turn
    _best: int  # the strength of its strongest card so far, and in its lowest bits who played that
    _plain: FullState

    # A step writes its nine fields once.  The guard of the frozen class would cost more than all the rest.
    __setattr__ = object.__setattr__
    __delattr__ = object.__delattr__

    @classmethod
    def of(cls, state: FullState) -> FullState:
        """A plain state in the tricks, on integers."""
        current = state._round()
        table, leader = current.table, current.leader
        assert leader is not None, "tricks follow the settled board"
        begun = state
        if table:
            begun = replace(state, public=replace(state.public, current=before_table(current)))
        new = cls.__new__(cls)
        new._course = course = _Course(begun)
        new._hands = hands = [course.coding.number(hand) for hand in state.hands]
        for place, card in enumerate(table):
            hands[(leader + place) % len(hands)] += course.coding.number((card,))
        new._turn = course.turns[leader]
        new._legal = hands[leader]
        new._lead = new._played = None
        found: FullState = new
        for card in table:
            found = found.apply(PLAYS[card.index])
        return found

    def apply(self, action: Action, *, seat: int | None = None) -> FullState:
        """The state after an action: as `FullState.apply` says."""
        turn = self._turn
        if type(action) is not Play or (seat is not None and seat != turn.seat):
            return self._as_plain().apply(action, seat=seat)
        course, card = self._course, action.card
        index = card.index
        field, unit, lead = course.cards[index]
        if not self._legal & field:
            return self._as_plain().apply(action, seat=seat)
        new = _new(TrickState)
        new._course = course
        new._played = (self._played, card)
        new._hands = hands = self._hands[:]
        hands[turn.seat] -= unit
        following = turn.following
        led = self._lead
        if led is None:
            led = lead
            new._leader = turn
            new._best = lead[2][index] - turn.below
        else:
            best, strength, leader = self._best, led[2][index], self._leader
            if strength >= best:
                best = strength - turn.below
            if following is leader:
                winner = best & SEAT_BITS
                new._lead = None
                new._legal = legal = hands[winner]
                new._turn = course.turns[winner] if legal else NOBODY
                return new
            new._leader = leader
            new._best = best
        new._lead = led
        new._turn = following
        hand = hands[following.seat]
        new._legal = hand & led[1] if hand & led[0] else hand & course.forced or hand
        return new

    def legal_actions(self, seat: int) -> tuple[Action, ...]:
        """Everything that a seat may do now: as `FullState.legal_actions` says."""
        if seat != self._turn.seat:
            return ()
        course, legal = self._course, self._legal
        plays = course.plays
        found = plays.get(legal)
        if found is None:
            one, two, three, four = course.suits
            return plays[legal & one] + plays[legal & two] + plays[legal & three] + plays[legal & four]
        return found

    @property
    def acting_seats(self) -> tuple[int, ...]:
        """The seat that is due, nobody behind the last card."""
        return self._turn.due

    def _as_plain(self) -> FullState:
        """The plain state that tells the same."""
        try:
            return self._plain
        except AttributeError:
            self._plain = plain = self._put_together()
            return plain

    def _put_together(self) -> FullState:
        course = self._course
        begun, public = course.begun, self._public()
        if self._turn is NOBODY:
            return FullState(public)
        return replace(begun, public=public, hands=tuple(map(course.coding.cards, self._hands)))

    def _public(self) -> PublicState:
        course, played = self._course, self._played
        shown, public = course.shown
        cards: list[Card] = []
        while played is not shown:
            if played is None:  # another line of play than the one that was asked for last
                public = course.begun.public
                break
            played, card = played
            cards.append(card)
        if cards:
            public = public.played(cards[::-1])
            course.shown = (self._played, public)
        return public

    def __reduce__(self) -> tuple[object, ...]:
        return FullState, self._told()

    public = property(lambda self: self._as_plain().public)
    hands = property(lambda self: self._as_plain().hands)
    aside = property(lambda self: self._as_plain().aside)
    chosen = property(lambda self: self._as_plain().chosen)
    discarded = property(lambda self: self._as_plain().discarded)
    passed = property(lambda self: self._as_plain().passed)
    received = property(lambda self: self._as_plain().received)


_new = object.__new__


State = PublicState | FullState
"""A game as far as it is known: a table's, or a digital one of which some cards stay hidden, is public only."""


def public_of(state: State) -> PublicState:
    """What everybody can see of a state."""
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
