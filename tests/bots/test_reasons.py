"""The reasons of hints: each is true by a check that counts cards in the open, and each occurs in play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from statistics import fmean

import pytest

from games.bots import reason
from games.bots.easy import strength, surplus, worths
from games.rules.actions import Action, Discard, Place, Play
from games.rules.board import suit_of_space
from games.rules.cards import Card
from games.rules.editions import RowKey
from games.rules.hints import HintReason
from games.rules.redaction import PlayerView, view_for
from games.rules.rounds import Round
from games.rules.tricks import TrickRules
from games.texts.hints import REASONS
from tests.bots.positions import CHANGES, TABLES, random_game

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

    # --- cards ---

    def worth(self, card: Card) -> tuple[bool, bool, int]:
        is_super = self.rules.is_supertrump(card)
        return is_super, is_super or card.suit is self.rules.trump, card.rank

    def is_trump(self, card: Card) -> bool:
        return self.rules.is_trump_or_supertrump(card)

    def is_loose(self, card: Card) -> bool:
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
    def prey(self) -> bool:
        sources = self.rules.sources(self.view.seat, self.current.teams)
        return any(card.rank == self.rank and self.seat_of(place) in sources for place, card in enumerate(self.table))


def strong(each: Checked) -> bool:
    shares = strength(each.rules, each.hand) * each.view.public.players / each.ruleset.dealt
    return shares > 1


def behind(each: Checked) -> bool:
    totals, partners = each.view.public.totals, each.action.partners
    rest = [total for seat, total in enumerate(totals) if seat not in (each.view.seat, *partners)]
    return all(totals[partner] < other for partner in partners for other in rest)


def is_worst(each: Checked) -> bool:
    spaces = each.current.board.row(each.action.row).open_spaces
    values = worths(each.view, each.action.row, spaces)
    return values[spaces.index(each.action.space)] <= min(values)


CHECKS: dict[HintReason, Callable[[Checked], bool]] = {
    R.KEEPS_TOKEN: lambda each: each.is_on(RowKey.START) and str(each.view.seat) in each.opened,
    R.KEEPS_LONG_TRUMP: lambda each: (
        each.is_on(RowKey.TRUMP)
        and any(each.length(space) == each.longest >= 4 for space in each.opened)
        and each.length(each.action.space) < each.longest
    ),
    R.COVERS_SHORT_TRUMP: lambda each: (
        each.is_on(RowKey.TRUMP)
        and all(each.length(each.action.space) <= each.length(space) for space in each.opened if suit_of_space(space))
    ),
    R.KEEPS_SUPER: lambda each: (
        each.is_on(RowKey.SUPERTRUMP)
        and not each.holds_super(each.action.space)
        and any(map(each.holds_super, each.opened))
    ),
    R.COVERS_OTHER_SUPER: lambda each: each.is_on(RowKey.SUPERTRUMP) and not each.holds_super(each.action.space),
    R.STAKES_MORE: lambda each: surplus(each.view) > 0 and int(each.action.space) < fmean(map(int, each.opened)),
    R.STAKES_LESS: lambda each: surplus(each.view) < 0 and int(each.action.space) > fmean(map(int, each.opened)),
    R.COVERS_WORST: is_worst,
    R.STRONG_ALONE: lambda each: not each.action.partners and strong(each),
    R.JOINS_BEHIND: behind,
    R.JOINS_TRUMP: lambda each: any(
        list(each.current.board.row(RowKey.TRUMP).marks).count(partner) >= 2 for partner in each.action.partners
    ),
    R.SHEDS_CAPTURABLE: lambda each: isinstance(each.action, Discard) and all(map(each.is_loose, each.chosen)),
    R.SHEDS_HIGH: lambda each: (
        each.points < 0 and all(each.worth(gone) >= each.worth(card) for gone in each.chosen for card in each.kept)
    ),
    R.EMPTIES_SUIT: lambda each: (
        any(map(each.is_trump, each.kept))
        and any(card.suit not in {other.suit for other in each.kept} for card in each.chosen)
    ),
    R.SHEDS_LOW: lambda each: all(each.worth(gone) <= each.worth(card) for gone in each.chosen for card in each.kept),
    R.SURE_TRICK: lambda each: each.wins(each.card) and not each.may_be_beaten([*each.table, each.card]),
    R.DRAWS_TRUMPS: lambda each: (
        not each.table and each.is_trump(each.card) and any(map(each.is_trump, each.elsewhere))
    ),
    R.SHORT_SUIT: lambda each: (
        not each.table
        and all(
            each.length(each.card.suit.value) <= each.length(suit.value) for suit in {card.suit for card in each.hand}
        )
    ),
    R.WINS_CAPTURE: lambda each: each.prey and CHECKS[R.WINS_CHEAPLY](each),
    R.WINS_CHEAPLY: lambda each: (
        each.wins(each.card) and each.is_cheapest and each.is_sure([*each.table, each.card], friends=True)
    ),
    R.AHEAD_CHEAPLY: lambda each: each.wins(each.card) and each.is_cheapest,
    R.SAFE_WITH_PARTNER: lambda each: (
        each.is_loose(each.card) and each.ours_before and each.is_sure(each.table, friends=True)
    ),
    R.GIVES_CAPTURABLE: lambda each: (
        each.is_loose(each.card)
        and not each.wins(each.card)
        and not each.ours_before
        and each.is_sure(each.table, friends=False)
    ),
    R.HIGHEST_BELOW: lambda each: (
        not each.wins(each.card)
        and all(each.worth(card) <= each.worth(each.card) for card in each.legal if not each.wins(card))
    ),
    R.KEEPS_CAPTURABLE: lambda each: (
        any(map(each.is_loose, each.legal)) and not each.is_loose(each.card) and not each.ours_before
    ),
    R.KEEPS_LAST_TRUMP: lambda each: sum(map(each.is_trump, each.hand)) == 1 and not each.is_trump(each.card),
    R.SAVES_TRUMPS: lambda each: (
        any(map(each.is_trump, each.hand))
        and not any(map(each.is_trump, [each.card] if isinstance(each.action, Play) else each.chosen))
    ),
    R.LOWEST: lambda each: all(each.worth(each.card) <= each.worth(card) for card in each.legal),
    R.BEST_IN_TRIALS: lambda each: True,
}
"""For each reason whether it is true: of the cards as they lie, without masks."""


def test_every_reason_has_a_sentence_and_a_check() -> None:
    assert set(CHECKS) == set(HintReason) == set(REASONS)


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

    assert set(met) == set(HintReason)
