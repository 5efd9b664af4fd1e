"""The reasons of hints: each is true by a check that counts cards in the open, and each occurs in play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from statistics import fmean

import pytest

from games.bots import decide, reason
from games.bots.easy import space_values, strength, surplus
from games.rules.actions import Action, Discard, Pass, Place, Play
from games.rules.board import suit_of_space
from games.rules.cards import Card, Suit
from games.rules.editions import NJET, RowKey
from games.rules.hints import RETIRED, HintReason
from games.rules.redaction import PlayerView, view_for
from games.rules.rounds import Round
from games.rules.tricks import TrickRules
from games.texts.hints import REASONS, reason_sentence
from tests.bots.positions import CHANGES, TABLES, random_game
from tests.builders import deal_of, digital, english, in_order, in_tricks, settled

R = HintReason


class Checked:
    """A view and one of its actions, with what a player at the table would count."""

    def __init__(self, view: PlayerView, action: Action) -> None:
        self.view, self.action = view, action
        current = view.public.current
        assert current is not None
        self.current: Round = current
        self.ruleset = view.public.ruleset
        self.rank = self.ruleset.edition.capturable_rank
        self.hand = list(view.hand)
        if current.conditions is not None:
            self.rules = TrickRules.of(self.ruleset, current.conditions)
            self.points = current.conditions.points

    @property
    def receiver(self) -> int:
        """Who gets what is passed."""
        to = 1 if self.current.conditions.discard == "pass_2_left" else -1
        return (self.view.seat + to) % self.view.public.players

    @property
    def high(self) -> int:
        return 9 if self.ruleset.preset == "nyet-iello" else 7

    # --- the board ---

    @property
    def opened(self) -> list[str]:
        return [space for space in self.current.board.row(self.action.row).open_spaces if space != self.action.space]

    def length(self, space: str) -> int:
        suit = suit_of_space(space)
        return sum(card.suit is suit for card in self.hand)

    @property
    def longest(self) -> int:
        return max(Counter(card.suit for card in self.hand).values())

    def holds_super(self, space: str) -> bool:
        suit = suit_of_space(space)
        return any(card.suit is suit and card.rank == self.rank for card in self.hand)

    def is_on(self, row: RowKey) -> bool:
        return isinstance(self.action, Place) and self.action.row is row

    def goes(self, space: str) -> int:
        """How many capturable cards leave the hand under a space of the row."""
        return {"discard_1": 1, "discard_2": 2, "pass_2_right": 2, "pass_2_left": 2}.get(space, 0)

    @property
    def zeros(self) -> int:
        return sum(card.rank == self.rank for card in self.hand)

    @property
    def all_cost(self) -> bool:
        return max(map(int, self.current.board.row(RowKey.POINTS).open_spaces)) < 0

    def has_covered(self, seat: int, row: RowKey) -> list[str]:
        """The spaces of a row that a seat has covered, without njet."""
        row = self.current.board.row(row)
        return [space for space, mark in zip(row.spaces, row.marks, strict=True) if mark == seat and space != NJET]

    # --- teams ---

    @property
    def opponents(self) -> list[int]:
        return [seat for seat in range(self.view.public.players) if seat not in (self.view.seat, *self.action.partners)]

    def partner_covered(self, row: RowKey) -> bool:
        return any(self.has_covered(partner, row) for partner in self.action.partners)

    # --- cards ---

    def worth(self, card: Card) -> tuple[bool, bool, int]:
        is_super = self.rules.is_supertrump(card)
        return is_super, is_super or card.suit is self.rules.trump, card.rank

    def is_trump(self, card: Card) -> bool:
        return self.rules.is_trump_or_supertrump(card)

    def is_plain_capturable(self, card: Card) -> bool:
        return card.rank == self.rank and not self.is_trump(card)

    @property
    def chosen(self) -> list[Card]:
        return list(self.action.cards)

    @property
    def kept(self) -> list[Card]:
        return list((Counter(self.hand) - Counter(self.chosen)).elements())

    @property
    def card(self) -> Card:
        return self.action.card

    @property
    def table(self) -> list[Card]:
        return list(self.current.table)

    @property
    def legal(self) -> list[Card]:
        return [action.card for action in self.view.legal if isinstance(action, Play)]

    @property
    def elsewhere(self) -> list[Card]:
        """What others may hold: the deck without the cards that this player has seen."""
        seen = Counter([*self.hand, *self.view.discarded, *self.table])
        for trick in self.current.tricks:
            seen.update(trick.cards or ())
        return list((Counter(self.ruleset.deck()) - seen).elements())

    def wins(self, card: Card) -> bool:
        """Whether a card overtakes those of the trick."""
        return self.rules.winner([*self.table, card]) == len(self.table)

    def seat_of(self, place: int) -> int:
        return (self.current.leader + place) % self.view.public.players

    def is_friend(self, seat: int) -> bool:
        return seat in self.current.teams.team_of(self.view.seat)

    @property
    def later(self) -> list[int]:
        return [self.seat_of(place) for place in range(len(self.table) + 1, self.view.public.players)]

    @property
    def ours_before(self) -> bool:
        return self.is_friend(self.seat_of(self.rules.winner(self.table)))

    def may_be_beaten(self, cards: list[Card]) -> bool:
        """Whether some card that others may hold overtakes the best of these."""
        return any(self.rules.winner([*cards, other]) == len(cards) for other in self.elsewhere)

    def is_sure(self, cards: list[Card], *, friends: bool) -> bool:
        """Whether the side that is winning cannot lose the trick to others that play later."""
        rivals = [seat for seat in self.later if self.is_friend(seat) != friends]
        return not rivals or not self.may_be_beaten(cards)

    @property
    def is_cheapest(self) -> bool:
        return all(self.worth(self.card) <= self.worth(card) for card in self.legal if self.wins(card))

    @property
    def beaters(self) -> Callable[[Card], int]:
        """How many of the cards elsewhere overtake a card that is played now."""
        return lambda card: sum(
            self.rules.winner([*self.table, card, other]) > len(self.table) for other in self.elsewhere
        )

    @property
    def rivals(self) -> list[Card]:
        """The cards elsewhere of the printed suit of the card, which overtake it when it is led."""
        return [each for each in self.elsewhere if each.suit is self.card.suit and self.rules.winner([self.card, each])]

    @property
    def prey(self) -> bool:
        sources = self.rules.sources(self.view.seat, self.current.teams)
        return any(card.rank == self.rank and self.seat_of(place) in sources for place, card in enumerate(self.table))


def strong(each: Checked) -> bool:
    shares = strength(each.rules, each.hand) * each.view.public.players / each.ruleset.dealt
    return shares > 1


def behind(each: Checked) -> bool:
    totals, partners = each.view.public.totals, each.action.partners
    rest = [total for seat, total in enumerate(totals) if seat not in (each.view.seat, *partners)]
    return each.points > 0 and all(totals[partner] < other for partner in partners for other in rest)


def gone(suit: Suit) -> Callable[[Checked], bool]:
    """Whether a discard leaves no card of a suit, and trumps."""
    return lambda each: (
        isinstance(each.action, Discard)
        and any(card.suit is suit for card in each.chosen)
        and all(card.suit is not suit for card in each.kept)
        and any(map(each.is_trump, each.kept))
    )


def is_worst(each: Checked) -> bool:
    spaces = each.current.board.row(each.action.row).open_spaces
    values = space_values(each.view, each.action.row, spaces)
    return values[spaces.index(each.action.space)] <= min(values)


CHECKS: dict[HintReason, Callable[[Checked], bool]] = {
    R.KEEPS_TOKEN: lambda each: each.is_on(RowKey.START) and str(each.view.seat) in each.opened,
    R.COVERS_OWN_TOKEN: lambda each: each.is_on(RowKey.START) and int(each.action.space) == each.view.seat,
    R.COVERS_LEADER: lambda each: (
        each.is_on(RowKey.START)
        and each.view.public.ranks[int(each.action.space)] == 1
        and len(set(each.view.public.totals)) > 1
    ),
    R.COVERS_TOKEN: lambda each: each.is_on(RowKey.START) and int(each.action.space) != each.view.seat,
    R.KEEPS_LONG_TRUMP: lambda each: (
        each.is_on(RowKey.TRUMP)
        and any(each.length(space) == each.longest >= 4 for space in each.opened)
        and each.length(each.action.space) < each.longest
    ),
    R.COVERS_SHORT_TRUMP: lambda each: (
        each.is_on(RowKey.TRUMP)
        and all(each.length(each.action.space) <= each.length(space) for space in each.opened if suit_of_space(space))
    ),
    R.COVERS_LONG_TRUMP: lambda each: (
        each.is_on(RowKey.TRUMP)
        and each.all_cost
        and all(each.length(each.action.space) > each.length(space) for space in each.opened)
    ),
    R.KEEPS_SUPER: lambda each: (
        each.is_on(RowKey.SUPERTRUMP)
        and not each.holds_super(each.action.space)
        and any(map(each.holds_super, each.opened))
    ),
    R.COVERS_OTHER_SUPER: lambda each: each.is_on(RowKey.SUPERTRUMP) and not each.holds_super(each.action.space),
    R.COVERS_OWN_SUPER: lambda each: (
        each.is_on(RowKey.SUPERTRUMP) and each.all_cost and each.holds_super(each.action.space)
    ),
    R.STAKES_MORE: lambda each: surplus(each.view) > 0 and int(each.action.space) < fmean(map(int, each.opened)),
    R.STAKES_LESS: lambda each: surplus(each.view) < 0 and int(each.action.space) > fmean(map(int, each.opened)),
    R.COVERS_MINUS: lambda each: each.is_on(RowKey.POINTS) and each.action.space == "-2",
    R.COVERS_NO_ZERO: lambda each: (
        each.is_on(RowKey.DISCARD)
        and each.action.space.startswith("discard_2_no")
        and each.zeros > 1
        and any(map(each.goes, each.opened))
        and not each.all_cost
    ),
    R.KEEPS_SHEDDING: lambda each: (
        each.is_on(RowKey.DISCARD)
        and any(min(each.goes(space), each.zeros) > each.goes(each.action.space) for space in each.opened)
        and not each.all_cost
    ),
    R.LITTLE_TO_SHED: lambda each: (
        each.is_on(RowKey.DISCARD) and NJET in each.opened and each.zeros <= 2 and not each.all_cost
    ),
    R.COVERS_PASSING: lambda each: each.is_on(RowKey.DISCARD) and each.action.space.startswith("pass_2"),
    R.COVERS_WORST: is_worst,
    R.STRONG_ALONE: lambda each: not each.action.partners and strong(each),
    R.ALONE_DOUBLE: lambda each: not each.action.partners and each.points > 0,
    R.WEAK_ALONE: lambda each: not each.action.partners and each.points < 0 and not strong(each),
    R.JOINS_BEHIND: behind,
    R.JOINS_TRUMP: lambda each: any(
        len(each.has_covered(partner, RowKey.TRUMP)) >= 2 for partner in each.action.partners
    ),
    R.STRONG_FEW: lambda each: len(each.action.partners) + 1 < len(each.opponents) and each.points > 0 and strong(each),
    R.WEAK_MANY: lambda each: (
        len(each.action.partners) + 1 > len(each.opponents) and each.points > 0 and not strong(each)
    ),
    R.LEAVES_MONSTER: lambda each: each.points < 0 and each.action.monster in each.opponents,
    R.LEAVES_LEADER: lambda each: (
        any(each.view.public.ranks[seat] == 1 for seat in each.opponents)
        and all(each.view.public.ranks[seat] > 1 for seat in (each.view.seat, *each.action.partners))
    ),
    R.JOINS_BELOW: lambda each: all(
        each.view.public.ranks[partner] > each.view.public.ranks[each.view.seat] for partner in each.action.partners
    ),
    R.JOINS_ONE_TRUMP: lambda each: each.current.conditions.trump is not None and each.partner_covered(RowKey.TRUMP),
    R.JOINS_SUPER: lambda each: (
        each.current.conditions.supertrump is not None and each.partner_covered(RowKey.SUPERTRUMP)
    ),
    R.JOINS_POINTS: lambda each: each.partner_covered(RowKey.POINTS),
    R.SHEDS_CAPTURABLE: lambda each: (
        isinstance(each.action, Discard) and all(map(each.is_plain_capturable, each.chosen))
    ),
    R.SHEDS_HIGH: lambda each: (
        each.points < 0 and all(each.worth(gone) >= each.worth(card) for gone in each.chosen for card in each.kept)
    ),
    R.SHEDS_WINNERS: lambda each: (
        each.points < 0 and all(each.is_trump(card) or card.rank >= each.high for card in each.chosen)
    ),
    R.EMPTIES_RED: gone(Suit.RED),
    R.EMPTIES_BLACK: gone(Suit.BLACK),
    R.EMPTIES_BLUE: gone(Suit.BLUE),
    R.EMPTIES_YELLOW: gone(Suit.YELLOW),
    R.EMPTIES_GREEN: gone(Suit.GREEN),
    R.SHEDS_LOW: lambda each: all(each.worth(gone) <= each.worth(card) for gone in each.chosen for card in each.kept),
    R.STAYS_IN_TEAM: lambda each: isinstance(each.action, Pass) and each.is_friend(each.receiver),
    R.SHORTENS_SUIT: lambda each: any(
        sum(other.suit is card.suit for other in each.kept) <= 2 for card in each.chosen if not each.is_trump(card)
    ),
    R.SURE_TRICK: lambda each: each.wins(each.card) and not each.may_be_beaten([*each.table, each.card]),
    R.DRAWS_TRUMPS: lambda each: (
        not each.table and each.is_trump(each.card) and any(map(each.is_trump, each.elsewhere))
    ),
    R.TOP_OF_SUIT: lambda each: not each.table and not each.rivals,
    R.SOON_VOID: lambda each: (
        not each.table
        and not each.is_trump(each.card)
        and each.length(each.card.suit.value) <= 2
        and any(map(each.is_trump, each.hand))
    ),
    R.SHORT_SUIT: lambda each: (
        not each.table
        and all(
            each.length(each.card.suit.value) <= each.length(suit.value) for suit in {card.suit for card in each.hand}
        )
    ),
    R.FEW_BEAT: lambda each: not each.table and len(each.rivals) <= 2,
    R.MAY_LOSE: lambda each: (
        not each.table
        and each.points < 0
        and any(other.suit is each.card.suit and other.rank > each.card.rank for other in each.elsewhere)
    ),
    R.LEADS_NEXT: lambda each: (
        each.ours_before
        and each.is_sure(each.table, friends=True)
        and (not each.later or not each.may_be_beaten([*each.table, each.card]))
    ),
    R.TOPS_PARTNER: lambda each: (
        each.ours_before and each.wins(each.card) and not each.is_sure(each.table, friends=True)
    ),
    R.WINS_CAPTURE: lambda each: each.prey and CHECKS[R.WINS_CHEAPLY](each),
    R.WINS_CHEAPLY: lambda each: (
        each.wins(each.card) and each.is_cheapest and each.is_sure([*each.table, each.card], friends=True)
    ),
    R.AHEAD_CHEAPLY: lambda each: each.wins(each.card) and each.is_cheapest,
    R.HARDER_TO_BEAT: lambda each: (
        each.wins(each.card)
        and each.beaters(each.card)
        < each.beaters(min((card for card in each.legal if each.wins(card)), key=each.worth))
    ),
    R.WINS_HIGH: lambda each: (
        each.points < 0
        and all(each.worth(card) <= each.worth(each.card) for card in each.legal)
        and (each.ours_before or all(map(each.wins, each.legal)))
        and all(map(each.is_friend, each.later))
    ),
    R.SAFE_WITH_PARTNER: lambda each: (
        each.is_plain_capturable(each.card) and each.ours_before and each.is_sure(each.table, friends=True)
    ),
    R.PARTNER_WINS: lambda each: (
        each.ours_before
        and not each.wins(each.card)
        and each.is_sure(each.table, friends=True)
        and CHECKS[R.LOWEST](each)
    ),
    R.GIVES_CAPTURABLE: lambda each: (
        each.is_plain_capturable(each.card)
        and not each.wins(each.card)
        and not each.ours_before
        and each.is_sure(each.table, friends=False)
    ),
    R.HIGHEST_BELOW: lambda each: (
        not each.wins(each.card)
        and all(each.worth(card) <= each.worth(each.card) for card in each.legal if not each.wins(card))
    ),
    R.DUCKS: lambda each: each.points < 0 and not each.wins(each.card),
    R.KEEPS_CAPTURABLE: lambda each: (
        any(map(each.is_plain_capturable, each.legal))
        and not each.is_plain_capturable(each.card)
        and not each.ours_before
    ),
    R.KEEPS_LAST_TRUMP: lambda each: sum(map(each.is_trump, each.hand)) == 1 and not each.is_trump(each.card),
    R.SAVES_TRUMPS: lambda each: (
        any(map(each.is_trump, each.hand))
        and not any(map(each.is_trump, [each.card] if isinstance(each.action, Play) else each.chosen))
    ),
    R.LOWEST: lambda each: all(each.worth(each.card) <= each.worth(card) for card in each.legal),
    R.KEEPS_HIGHER: lambda each: any(
        other.suit is each.card.suit and other.rank > each.card.rank for other in each.hand
    ),
    R.BEST_IN_TRIALS: lambda each: True,
}
"""For each reason whether it is true: of the cards as they lie, without masks."""


def test_every_reason_has_a_sentence_and_a_check() -> None:
    assert set(REASONS) == set(HintReason)
    assert set(CHECKS) == set(HintReason) - RETIRED


@pytest.mark.slow
def test_each_reason_is_true_and_each_is_given() -> None:
    rng, met = Random(11), Counter[HintReason]()
    for preset, players in TABLES:
        for changed in CHANGES:
            for state in random_game(preset, players, rng, rounds=2, **changed):
                view = view_for(state, state.acting_seats[0])
                for action in rng.sample(view.legal, min(3, len(view.legal))):
                    given = reason(view, action)
                    assert CHECKS[given](Checked(view, action)), (given, action)
                    met[given] += 1

    assert set(met) == set(HintReason) - RETIRED


# --- positions where one reason is the true one ---


def due_after(conditions: str, team: str, table: str, *hands: str) -> PlayerView:
    """The view of who is due when these cards lie on the table, led by the start player."""
    state = in_tricks(english(len(hands)), conditions, team, *hands)
    for card in in_order(table):
        state = state.apply(Play(card), seat=state.acting_seats[0])
    return view_for(state, state.acting_seats[0])


@pytest.mark.parametrize(
    ("team", "table", "card", "why"),
    [
        # The last to play has red 3 and super trump red 0, and the partner's red 9 is the best.
        ("team 3", "R9 R4 R5", "R3", R.PARTNER_WINS),
        ("team 3", "R9 R4 R5", "R0", R.LEADS_NEXT),
        ("team 2", "R9 R4 R5", "R3", R.SAVES_TRUMPS),
        ("team 3", "R2 R1 R5", "R0", R.WINS_CHEAPLY),
    ],
)
def test_a_low_card_under_the_card_of_a_partner_who_wins_saves_no_trumps(
    team: str, table: str, card: str, why: HintReason
) -> None:
    view = due_after("0 njet black red 2", team, table, "R9 R2 K5", "R4 R1 K6", "R5 Y6 K7", "R3 R0 K4")

    assert reason(view, Play(in_order(card)[0])) is why


def test_a_card_above_that_of_the_partner_says_so() -> None:
    view = due_after("0 njet black njet 2", "team 2", "R4 R1", "R4 Y1", "R1 Y2", "R8 R2", "R9 Y4")

    assert reason(view, Play(in_order("R8")[0])) is R.TOPS_PARTNER


def choosing(discard: str, team: str | None, chosen: Action, hand: str) -> HintReason:
    """The reason of what seat 0 discards or passes with trump black and super trump red."""
    setup = digital(english(4))
    view = view_for(settled(setup, f"0 {discard} black red 2", team, deal_of(setup.ruleset, hand)), 0)
    return reason(view, chosen)


FEW_BLUE = "B5 R1 R2 R3 R4 R5 R6 R8 Y1 Y2 Y3 Y4 K9 K8 K7"


def test_a_suit_that_is_gone_is_named() -> None:
    blue = in_order("B5")

    assert choosing("discard_1", "team 1", Discard(blue), FEW_BLUE) is R.EMPTIES_BLUE
    assert reason_sentence(R.EMPTIES_BLUE, english(4)) == "You hold no blue now: you can trump it."


def test_a_suit_that_is_passed_away_may_be_passed_on_and_is_not_said_to_be_gone() -> None:
    cards = in_order("B5 Y1")

    assert choosing("pass_2_right", "team 1", Pass(cards), FEW_BLUE) is not R.EMPTIES_BLUE
    assert choosing("pass_2_right", "team 3", Pass(cards), FEW_BLUE) is R.STAYS_IN_TEAM


def test_a_reason_of_before_is_still_read() -> None:
    assert {*RETIRED} == {R.EMPTIES_SUIT}
    assert reason_sentence(R.EMPTIES_SUIT, english(4)) == "A suit is gone: you can trump it."


@pytest.mark.slow
def test_few_hints_of_the_bot_have_no_better_reason_than_that_it_did_best() -> None:
    rng, met = Random(5), Counter[HintReason]()
    for preset, players in TABLES * 3:
        for state in random_game(preset, players, rng):
            view = view_for(state, state.acting_seats[0])
            if len(view.legal) > 1 and rng.random() < 0.2:
                met[reason(view, decide(view, level="medium", seed=1))] += 1

    assert met.total() > 200
    assert met[R.BEST_IN_TRIALS] < met.total() / 10, met
