"""The reasons of hints: each is true by a check that counts cards in the open, and each occurs in play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import cycle, islice, pairwise, product
from operator import ge
from random import Random
from statistics import fmean

import pytest

from games.bots import CLEAR, LITTLE, advise, card_trials, trick_reasons, why_holder
from games.bots import strong as search
from games.bots.card_trials import does_better
from games.bots.easy import strength
from games.bots.knowledge import knowledge_of
from games.bots.playout import play_out
from games.bots.policy import follow, lead
from games.bots.reasons import reason
from games.bots.review import review
from games.bots.sampling import guessed_hands
from games.bots.strong import Limit, choose
from games.bots.win_probability import Standing
from games.fast_tricks.tables import bits
from games.rules.actions import Action, Discard, NameTeam, Pass, Place, Play
from games.rules.board import Conditions, Row, suit_of_space
from games.rules.cards import Card, Suit
from games.rules.editions import NJET, RowKey
from games.rules.full import FullState
from games.rules.hints import COMPARED, RETIRED, SPARES, HintReason
from games.rules.redaction import PlayerView, view_for
from games.rules.rounds import Phase, Round, Trick
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
    def giver(self) -> int:
        """Who passes to this player."""
        to = 1 if self.current.conditions.discard == "pass_2_left" else -1
        return (self.view.seat - to) % self.view.public.players

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

    def supers(self, space: str) -> int:
        suit = suit_of_space(space)
        return sum(card.suit is suit and card.rank == self.rank for card in self.hand)

    def holds_super(self, space: str) -> bool:
        return self.supers(space) > 0

    def is_on(self, row: RowKey) -> bool:
        return isinstance(self.action, Place) and self.action.row is row

    def goes(self, space: str) -> int:
        """How many capturable cards, or high ones where tricks cost points, leave the hand under a space of the row."""
        never = 0 if not self.all_cost else 2
        return {"discard_1": 1, "discard_2": 2, "pass_2_right": 2, "pass_2_left": 2, NJET: 0}.get(space, never)

    def leaves_the_round(self, space: str) -> int:
        return 0 if space.startswith("pass") else self.goes(space)

    @property
    def fewer_for_others(self) -> bool:
        """Whether others are now less likely to discard such cards."""
        left = [self.leaves_the_round(space) for space in self.opened]
        return self.is_on(RowKey.DISCARD) and self.leaves_the_round(self.action.space) * len(left) > sum(left)

    def excess(self, is_such: Callable[[Card], bool]) -> float:
        """How many more such cards the hand has than its share of the deck."""
        deck = self.ruleset.deck()
        return sum(map(is_such, self.hand)) - sum(map(is_such, deck)) * len(self.hand) / len(deck)

    def is_high(self, card: Card) -> bool:
        return card.rank >= self.high

    def is_capturable(self, card: Card) -> bool:
        return card.rank == self.rank

    def may_trump(self, cards: list[Card]) -> bool:
        """Whether one of these is of the trump suit."""
        trump = self.current.conditions.trump
        return trump is not None and any(card.suit is trump for card in cards)

    @property
    def zeros(self) -> int:
        """How many capturable cards the hand has that are not known to be trumps."""
        settled = [self.current.board.row(key).settled_space for key in (RowKey.TRUMP, RowKey.SUPERTRUMP)]
        return sum(card.rank == self.rank and card.suit.value not in settled for card in self.hand)

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

    def partner_covered(self, row: RowKey, number: int = 1) -> bool:
        """Whether a partner covered at least this number of spaces of a row, and no opponent did."""
        most, others = (
            max((len(self.has_covered(seat, row)) for seat in seats), default=0)
            for seats in (self.action.partners, self.opponents)
        )
        return others < number <= most

    def partner_alone_covered(self, spaces: set[str]) -> bool:
        """Whether a partner covered one of these points, and no player outside the team did."""
        partners, opponents = (
            [space for seat in seats for space in self.has_covered(seat, RowKey.POINTS) if space in spaces]
            for seats in (self.action.partners, self.opponents)
        )
        return bool(partners) and not opponents

    @property
    def partner_points(self) -> list[int]:
        """The points that the only partner has covered."""
        (partner,) = self.action.partners
        return [*map(int, self.has_covered(partner, RowKey.POINTS))]

    def covered_more(self, other: Checked, row: RowKey) -> bool:
        """Whether the only partner has covered more of a row that is not settled as njet than the one of the other."""
        own, its = (len(each.has_covered(*each.action.partners, row)) for each in (self, other))
        return own > its and self.current.board.row(row).settled_space != NJET

    # --- cards ---

    def worth(self, card: Card) -> tuple[bool, bool, int]:
        is_super = self.rules.is_supertrump(card)
        return is_super, is_super or card.suit is self.rules.trump, card.rank

    def is_trump(self, card: Card) -> bool:
        return self.rules.is_trump_or_supertrump(card)

    @property
    def trumps(self) -> list[bool]:
        """Of each trump in the hand whether it is a super trump."""
        return [self.rules.is_supertrump(card) for card in self.hand if self.is_trump(card)]

    def is_losable(self, card: Card) -> bool:
        return card.rank == self.rank and not self.rules.is_supertrump(card)

    def is_plain_capturable(self, card: Card) -> bool:
        return card.rank == self.rank and not self.is_trump(card)

    @property
    def chosen(self) -> list[Card]:
        return list(self.action.cards)

    @property
    def ranks(self) -> list[int]:
        """Those of what is discarded or passed, the lowest first."""
        return sorted(card.rank for card in self.chosen)

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
    def is_lowest(self) -> bool:
        return all(self.worth(self.card) <= self.worth(card) for card in self.legal)

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
    def rivals_of_all(self) -> list[int]:
        """How many rivals each card has that may be led."""
        return [len(Checked(self.view, Play(card)).rivals) for card in self.legal]

    @property
    def may_be_void(self) -> bool:
        """Whether others have cards of the suit, and the hand at least two of other ones."""
        suit = self.card.suit
        return any(card.suit is suit for card in self.elsewhere) and sum(c.suit is not suit for c in self.hand) >= 2

    def draws(self, card: Card) -> bool:
        """Whether others may have to follow with trumps, and with nothing else, if this trump is led."""
        asked = [other for other in self.elsewhere if self.rules.obliges(other, card)]
        return self.is_trump(card) and bool(asked) and all(map(self.is_trump, asked))

    @property
    def prey(self) -> bool:
        sources = self.rules.sources(self.view.seat, self.current.teams)
        return any(card.rank == self.rank and self.seat_of(place) in sources for place, card in enumerate(self.table))

    def may_be_captured(self, card: Card) -> bool:
        """Whether the opponents may get a capturable card if it is played."""
        is_sure = self.is_sure([*self.table, card], friends=True) if self.wins(card) else False
        is_covered = self.table and self.ours_before and self.is_sure(self.table, friends=True)
        return self.is_losable(card) and not is_sure and not is_covered

    def gains(self, other: Checked) -> tuple[float, float]:
        """How much more the team gains over the guesses by playing the card: in the trick, and in those after it."""
        now = later = 0
        for hands in self.guesses():
            (first, rest), (its_first, its_rest) = (each.trial(hands[:]) for each in (self, other))
            now += first - its_first
            later += rest - its_rest
        return now, later

    def guesses(self) -> Iterator[list[int]]:
        return islice(guessed_hands(knowledge_of(self.view), Random(0)), card_trials.GUESSES)

    def trial(self, hands: list[int]) -> tuple[int, int]:
        """The team's score minus the other's if the card is played: of the trick, and of those after it."""
        known = knowledge_of(self.view)
        cards, left = self.followed(hands, self.current.leader, [*self.table, self.card])
        winner = self.seat_of(self.rules.winner(cards))
        captured = self.rules.captured(cards, leader=self.current.leader, teams=self.current.teams)
        own = 1 if known.sides.side[self.view.seat] else -1
        rest = play_out(known.tables, known.sides, left, winner, (), bytes(64), 0)
        return own * known.sides.worth[winner] * (1 + captured), own * rest

    def followed(self, hands: list[int], leader: int, begun: list[Card]) -> tuple[list[Card], list[int]]:
        """The cards of a trick in which these hands follow by the rules of thumb, and what they hold then."""
        known, everything = knowledge_of(self.view), sum(hands)
        tables, sides, cards, masks = known.tables, known.sides, list(begun), list[int]()
        for (seat, _, _), card in zip(sides.orders[leader], begun, strict=False):
            held = tables.copies[card] & hands[seat]
            masks.append(held & -held)
        for seat, _side, threatened in sides.orders[leader][len(begun) :]:
            held, ahead = hands[seat], self.rules.winner(cards)
            legal = sum(
                bit for bit in bits(held) if self.rules.allows(tables.hand_of(held), cards[0], tables.card_of(bit))
            )
            ours = sides.side[seat] == sides.side[(leader + ahead) % len(hands)]
            rest = everything & ~(sum(masks) | held)
            masks.append(follow(tables, legal, tables.beats[masks[ahead]], ours, threatened, rest, sides.greedy))
            cards.append(tables.card_of(masks[-1]))
        return cards, [hand & ~sum(masks) for hand in hands]

    def wins_now(self) -> int:
        """On how many of the guesses the team wins the trick, if the card is played."""
        tricks = (self.followed(hands, self.current.leader, [*self.table, self.card])[0] for hands in self.guesses())
        return sum(self.is_friend(self.seat_of(self.rules.winner(cards))) for cards in tricks)

    def wins_kept(self, kept: Checked) -> int:
        """On how many of the guesses another card wins its trick, if this one is played."""
        return self.fates(kept).count(self.view.seat)

    def fates(self, kept: Checked) -> list[int]:
        """Who wins the trick to which another card falls in each of the guesses, if this one is played."""
        known, found = knowledge_of(self.view), list[int]()
        tables, seat = known.tables, self.view.seat
        for guess in self.guesses():
            held = tables.copies[kept.card] & guess[seat]
            hands, leader, begun = guess, self.current.leader, [*self.table, self.card]
            # Of identical cards the lowest is played first.
            other = held & -held if kept.card != self.card else held & (held - 1)
            while hands[seat] & other:
                cards, hands = self.followed(hands, leader, begun)
                leader = (leader + self.rules.winner(cards)) % len(hands)
                if hands[seat] & other:
                    rest = sum(hands) & ~hands[leader]
                    begun = [tables.card_of(lead(tables, hands[leader], rest, known.sides.greedy))]
            found.append(leader)
        return found


def more_tricks(each: Checked) -> float:
    """How many more tricks than an average hand the own one wins, on average over the trumps that are possible."""
    board, deck = each.current.board, each.ruleset.deck()
    trumps, supers = ([*map(suit_of_space, board.row(key).open_spaces)] for key in (RowKey.TRUMP, RowKey.SUPERTRUMP))
    rules = [
        TrickRules.of(each.ruleset, Conditions(start=0, discard=NJET, trump=trump, supertrump=supertrump, points=1))
        for trump, supertrump in product(trumps, supers)
    ]
    return fmean(strength(one, each.hand) - strength(one, deck) * len(each.hand) / len(deck) for one in rules)


def strong(each: Checked) -> bool:
    return more_tricks(each) > 1


def weak(each: Checked) -> bool:
    return more_tricks(each) < -1


def behind(each: Checked) -> bool:
    totals, partners = each.view.public.totals, each.action.partners
    rest = [total for seat, total in enumerate(totals) if seat not in (each.view.seat, *partners)]
    return bool(partners) and all(totals[partner] < other for partner in partners for other in rest)


def gone(suit: Suit) -> Callable[[Checked], bool]:
    """Whether trumps are kept and no card of a suit, which is not trump."""
    return lambda each: (
        each.current.conditions.trump is not suit
        and any(card.suit is suit for card in each.chosen)
        and all(card.suit is not suit for card in each.kept)
        and each.may_trump(each.kept)
    )


CHECKS: dict[HintReason, Callable[[Checked], bool]] = {
    R.KEEPS_TOKEN: lambda each: (
        each.is_on(RowKey.START) and str(each.view.seat) in each.opened and len(each.opened) == 2
    ),
    R.SETTLES_TOKEN: lambda each: each.is_on(RowKey.START) and each.opened == [str(each.view.seat)],
    R.COVERS_LEADER: lambda each: (
        each.is_on(RowKey.START)
        and int(each.action.space) != each.view.seat
        and all(
            each.view.public.totals[int(space)] < each.view.public.totals[int(each.action.space)]
            for space in each.opened
        )
    ),
    R.KEEPS_LONG_TRUMP: lambda each: (
        each.is_on(RowKey.TRUMP)
        and len(each.opened) == 2
        and any(each.length(space) == each.longest >= 4 for space in each.opened)
        and each.length(each.action.space) < each.longest
    ),
    R.SETTLES_LONG_TRUMP: lambda each: (
        each.is_on(RowKey.TRUMP)
        and [each.length(space) for space in each.opened] == [each.longest]
        and each.length(each.action.space) < each.longest
    ),
    R.COVERS_VOID_TRUMP: lambda each: (
        each.is_on(RowKey.TRUMP)
        and suit_of_space(each.action.space) is not None
        and not each.length(each.action.space)
        and any(map(each.length, each.opened))
    ),
    R.COVERS_SHORT_TRUMP: lambda each: (
        each.is_on(RowKey.TRUMP)
        and suit_of_space(each.action.space) is not None
        and all(
            0 < each.length(each.action.space) < each.length(space) for space in each.opened if suit_of_space(space)
        )
    ),
    R.COVERS_LONG_TRUMP: lambda each: (
        each.is_on(RowKey.TRUMP)
        and each.all_cost
        and all(each.length(each.action.space) > each.length(space) for space in each.opened)
    ),
    R.KEEPS_SUPER: lambda each: (
        each.is_on(RowKey.SUPERTRUMP)
        and len(each.opened) == 2
        and any(each.supers(space) > each.supers(each.action.space) for space in each.opened)
    ),
    R.SETTLES_SUPER: lambda each: (
        each.is_on(RowKey.SUPERTRUMP)
        and each.supers(each.action.space) < max(map(each.supers, each.opened))
        and len(each.opened) == 1
    ),
    R.COVERS_OTHER_SUPER: lambda each: (
        each.is_on(RowKey.SUPERTRUMP)
        and each.action.space != NJET
        and not each.holds_super(each.action.space)
        and (any(map(each.holds_super, each.opened)) or set(each.opened) <= {NJET})
    ),
    R.OTHERS_SUPER: lambda each: (
        each.is_on(RowKey.SUPERTRUMP)
        and each.all_cost
        and each.action.space == NJET
        and not any(map(each.holds_super, each.opened))
    ),
    R.COVERS_OWN_SUPER: lambda each: (
        each.is_on(RowKey.SUPERTRUMP) and each.all_cost and each.holds_super(each.action.space)
    ),
    R.STAKES_MORE: lambda each: (
        each.is_on(RowKey.POINTS)
        and strong(each)
        and len(each.opened) > 1
        and all(int(each.action.space) < int(space) for space in each.opened)
    ),
    R.SETTLES_MORE: lambda each: (
        each.is_on(RowKey.POINTS)
        and strong(each)
        and len(each.opened) == 1
        and int(each.action.space) < int(each.opened[0])
    ),
    R.STAKES_LESS: lambda each: (
        each.is_on(RowKey.POINTS)
        and weak(each)
        and len(each.opened) > 1
        and all(int(each.action.space) > int(space) for space in each.opened)
    ),
    R.SETTLES_LESS: lambda each: (
        each.is_on(RowKey.POINTS)
        and weak(each)
        and len(each.opened) == 1
        and 0 < int(each.opened[0]) < int(each.action.space)
    ),
    R.SETTLES_COST: lambda each: each.is_on(RowKey.POINTS) and weak(each) and each.opened == ["-2"],
    R.MINUS_COSTS: lambda each: (
        each.is_on(RowKey.POINTS)
        and each.action.space == "-2"
        and set(each.opened) - {"-2"} != set()
        and each.excess(each.is_high) > 0.5
    ),
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
        and all(each.goes(space) >= each.goes(each.action.space) for space in each.opened)
        and not each.all_cost
    ),
    R.HIGH_MAY_LEAVE: lambda each: (
        each.is_on(RowKey.DISCARD)
        and any(each.goes(space) > each.goes(each.action.space) for space in each.opened)
        and all(each.goes(space) >= each.goes(each.action.space) for space in each.opened)
        and each.excess(each.is_high) > 0.5
        and each.all_cost
    ),
    R.OTHERS_SHED: lambda each: each.fewer_for_others and not each.all_cost and each.excess(each.is_capturable) < -0.5,
    R.OTHERS_SHED_HIGH: lambda each: each.fewer_for_others and each.all_cost and each.excess(each.is_high) < -0.5,
    R.COVERS_PASSING: lambda each: each.is_on(RowKey.DISCARD) and each.action.space.startswith("pass_2"),
    R.STRONG_ALONE: lambda each: not each.action.partners and strong(each),
    R.WEAK_ALONE: lambda each: not each.action.partners and each.points < 0 and weak(each),
    R.JOINS_BEHIND: behind,
    R.JOINS_TRUMP: lambda each: each.points > 0 and each.partner_covered(RowKey.TRUMP, 2),
    R.STRONG_FEW: lambda each: len(each.action.partners) + 1 < len(each.opponents) and each.points > 0 and strong(each),
    R.WEAK_MANY: lambda each: len(each.action.partners) + 1 > len(each.opponents) and each.points > 0 and weak(each),
    R.LEAVES_MONSTER: lambda each: each.points < 0 and each.action.monster in each.opponents,
    R.JOINS_ONE_TRUMP: lambda each: (
        each.points > 0 and each.current.conditions.trump is not None and each.partner_covered(RowKey.TRUMP)
    ),
    R.JOINS_SUPER: lambda each: (
        each.points > 0 and each.current.conditions.supertrump is not None and each.partner_covered(RowKey.SUPERTRUMP)
    ),
    R.JOINS_LOW_POINTS: lambda each: each.points > 0 and each.partner_alone_covered({"-2", "1"}),
    R.JOINS_MINUS: lambda each: each.points > 0 and each.partner_alone_covered({"-2"}),
    R.JOINS_HIGH_POINTS: lambda each: each.points < 0 and each.partner_alone_covered({"3", "4"}),
    R.ONLY_ALONE: lambda each: (
        not each.action.partners
        and each.points > 0
        and each.current.number == each.ruleset.options.rounds
        and all(total >= each.view.public.totals[each.view.seat] for total in each.view.public.totals)
    ),
    R.DOUBLES_OWN: lambda each: each.action.monster == each.view.seat and each.points > 0 and strong(each),
    R.DOUBLES_PARTNER: lambda each: each.action.monster in each.action.partners and each.points > 0 and weak(each),
    R.DOUBLES_FEWEST: lambda each: each.action.monster == each.view.seat and each.points < 0 and weak(each),
    R.SHEDS_CAPTURABLE: lambda each: (
        isinstance(each.action, Discard) and all(map(each.is_plain_capturable, each.chosen))
    ),
    R.SHEDS_HIGH: lambda each: (
        each.points < 0
        and all(
            each.worth(gone) >= each.worth(card) and gone.rank >= card.rank
            for gone in each.chosen
            for card in each.kept
        )
    ),
    R.SHEDS_WINNERS: lambda each: (
        each.points < 0 and all(each.is_trump(card) or card.rank >= each.high for card in each.chosen)
    ),
    R.SHEDS_SUIT: lambda each: (
        each.points < 0
        and any(
            card.suit is not each.current.conditions.trump and all(kept.suit is not card.suit for kept in each.kept)
            for card in each.chosen
        )
    ),
    R.EMPTIES_RED: gone(Suit.RED),
    R.EMPTIES_BLACK: gone(Suit.BLACK),
    R.EMPTIES_BLUE: gone(Suit.BLUE),
    R.EMPTIES_YELLOW: gone(Suit.YELLOW),
    R.EMPTIES_GREEN: gone(Suit.GREEN),
    R.SHEDS_LOW: lambda each: all(each.worth(gone) <= each.worth(card) for gone in each.chosen for card in each.kept),
    R.SHEDS_ONE_CAPTURABLE: lambda each: (
        isinstance(each.action, Discard) and any(map(each.is_plain_capturable, each.chosen))
    ),
    R.KEEPS_HIGH: lambda each: (
        each.points > 0
        and any(card.rank >= each.high for card in each.kept)
        and all(card.rank < each.high for card in each.chosen)
    ),
    R.SURE_TRICK: lambda each: each.wins(each.card) and not each.may_be_beaten([*each.table, each.card]),
    R.DRAWS_TRUMPS: lambda each: (
        not each.table
        and each.draws(each.card)
        and (each.card.rank != each.rank or each.rules.is_supertrump(each.card))
    ),
    R.TOP_OF_SUIT: lambda each: not each.table and not each.rivals,
    R.SOON_VOID: lambda each: (
        not each.table
        and not each.is_trump(each.card)
        and each.length(each.card.suit.value) <= 2
        and each.may_trump(each.hand)
        and each.may_be_void
    ),
    R.SHORT_SUIT: lambda each: (
        each.points < 0
        and not each.table
        and not each.is_trump(each.card)
        and all(
            each.length(each.card.suit.value) < each.length(suit.value)
            for suit in {card.suit for card in each.hand} - {each.card.suit}
        )
        and each.may_be_void
    ),
    R.KEEPS_LOWER: lambda each: (
        not each.table
        and each.points < 0
        and any(
            each.worth(card) < each.worth(each.card) and Checked(each.view, Play(card)).rivals
            for card in each.hand
            if card.suit is each.card.suit
        )
    ),
    R.LEADS_NEXT: lambda each: (
        each.ours_before
        and each.wins(each.card)
        and each.is_sure(each.table, friends=True)
        and (not each.later or not each.may_be_beaten([*each.table, each.card]))
    ),
    R.TOPS_PARTNER: lambda each: (
        each.ours_before
        and each.wins(each.card)
        and not each.is_sure(each.table, friends=True)
        and each.beaters(each.card) < sum(map(each.wins, each.elsewhere))
    ),
    R.ONLY_AHEAD: lambda each: (
        each.points > 0
        and not each.ours_before
        and each.wins(each.card)
        and all(card == each.card for card in each.legal if each.wins(card))
    ),
    R.LIKELY_WITH_PARTNER: lambda each: (
        each.points > 0
        and each.ours_before
        and each.may_be_captured(each.card)
        and sum(map(each.wins, each.elsewhere)) <= 3
    ),
    R.WINS_CAPTURE: lambda each: each.prey and CHECKS[R.WINS_CHEAPLY](each),
    R.WINS_CHEAPLY: lambda each: (
        each.wins(each.card) and each.is_cheapest and each.is_sure([*each.table, each.card], friends=True)
    ),
    R.AHEAD_CHEAPLY: lambda each: each.wins(each.card) and each.is_cheapest and not each.may_be_captured(each.card),
    R.WINS_HIGH: lambda each: (
        each.points < 0
        and all(each.worth(card) <= each.worth(each.card) for card in each.legal)
        and (each.ours_before or all(map(each.wins, each.legal)))
        and all(map(each.is_friend, each.later))
    ),
    R.SAFE_WITH_PARTNER: lambda each: (
        each.is_losable(each.card)
        and each.ours_before
        and each.is_sure(each.table, friends=True)
        and not each.wins(each.card)
    ),
    R.PARTNER_WINS: lambda each: (
        each.points > 0
        and each.ours_before
        and not each.wins(each.card)
        and each.is_lowest
        and not each.is_losable(each.card)
    ),
    R.CANNOT_WIN: lambda each: (
        each.points > 0
        and not each.ours_before
        and not any(map(each.wins, each.legal))
        and not any(map(each.is_losable, each.legal))
        and each.is_lowest
    ),
    R.SPENDS_LOWEST: lambda each: (
        each.points > 0
        and not each.ours_before
        and not any(map(each.wins, each.legal))
        and not each.is_losable(each.card)
        and any(map(each.is_losable, each.legal))
        and all(each.worth(each.card) <= each.worth(c) for c in each.legal if not each.is_losable(c))
    ),
    R.GIVES_CAPTURABLE: lambda each: (
        each.is_plain_capturable(each.card)
        and not each.wins(each.card)
        and not each.ours_before
        and each.is_sure(each.table, friends=False)
    ),
    R.HIGHEST_BELOW: lambda each: (
        CHECKS[R.DUCKS](each)
        and all(each.worth(card) <= each.worth(each.card) for card in each.legal if not each.wins(card))
    ),
    R.DUCKS: lambda each: (
        each.points < 0
        and not each.wins(each.card)
        and not (each.ours_before and each.is_sure(each.table, friends=True))
    ),
    R.KEEPS_CAPTURABLE: lambda each: (
        each.points > 0 and any(map(each.may_be_captured, each.legal)) and not each.is_losable(each.card)
    ),
    R.KEEPS_LAST_TRUMP: lambda each: (
        each.trumps == [False] and not each.is_trump(each.card) and not each.may_be_captured(each.card)
    ),
    R.SAVES_SUPER: lambda each: (
        each.trumps == [True]
        and not any(map(each.is_trump, [each.card] if isinstance(each.action, Play) else each.chosen))
        and not (isinstance(each.action, Play) and each.may_be_captured(each.card))
    ),
    R.SAVES_TRUMPS: lambda each: (
        each.trumps not in ([], [True])
        and not any(map(each.is_trump, [each.card] if isinstance(each.action, Play) else each.chosen))
        and not (isinstance(each.action, Play) and each.may_be_captured(each.card))
    ),
    R.ALL_EQUAL: lambda each: (
        len({(card.suit, each.is_trump(card)) for card in each.legal}) == 1
        and all(card.rank != each.rank for card in each.legal)
        and not any(
            other.suit is each.card.suit
            and min(card.rank for card in each.legal) <= other.rank <= max(card.rank for card in each.legal)
            for other in [*each.elsewhere, *each.table]
        )
    ),
    R.BEST_IN_TRIALS: lambda each: True,
    R.AS_GOOD: lambda each: True,
}
"""For each reason whether it is true: of the cards as they lie, without masks."""

COMPARISONS: dict[HintReason, Callable[[Checked, Checked], bool]] = {
    R.SHEDS_HIGHER: lambda each, other: (
        each.points < 0
        and all(map(ge, sorted(map(each.worth, each.chosen)), sorted(map(each.worth, other.chosen))))
        and all(map(ge, each.ranks, other.ranks))
        and each.ranks != other.ranks
        and all(each.is_trump(card) or card.rank <= max(each.ranks) for card in each.kept)
    ),
    R.JOINS_LOWER_POINTS: lambda each, other: (
        each.points > 0 and all(own < its for own, its in product(each.partner_points, other.partner_points))
    ),
    R.JOINS_HIGHER_POINTS: lambda each, other: (
        each.points < 0 and all(own > its for own, its in product(each.partner_points, other.partner_points))
    ),
    R.LEAVES_HIGH_POINTS: lambda each, other: (
        each.points > 0 and not each.partner_points and {3, 4} >= {*other.partner_points} != set()
    ),
    R.LEAVES_LOW_POINTS: lambda each, other: (
        each.points < 0 and not each.partner_points and {-2, 1} >= {*other.partner_points} != set()
    ),
    R.JOINS_MORE_TRUMPS: lambda each, other: each.points > 0 and each.covered_more(other, RowKey.TRUMP),
    R.JOINS_MORE_SUPERS: lambda each, other: each.points > 0 and each.covered_more(other, RowKey.SUPERTRUMP),
    R.FEWER_BEAT: lambda each, other: (
        each.points > 0
        and each.wins(each.card)
        and other.wins(other.card)
        and each.beaters(each.card) < each.beaters(other.card)
        and (bool(each.table) or len(each.rivals) < len(other.rivals))
        and (bool(each.table) or len(each.rivals) == min(each.rivals_of_all))
    ),
    R.MORE_BEAT: lambda each, other: (
        each.points < 0
        and each.wins(each.card)
        and other.wins(other.card)
        and each.beaters(each.card) > each.beaters(other.card)
        and (bool(each.table) or len(each.rivals) > len(other.rivals))
        and (bool(each.table) or len(each.rivals) == max(each.rivals_of_all))
        and (not each.table or each.beaters(each.card) == max(map(each.beaters, filter(each.wins, each.legal))))
    ),
    R.OTHER_IN_DOUBT: lambda each, other: (
        each.points > 0
        and not each.may_be_captured(each.card)
        and not each.wins(each.card)
        and other.wins(other.card)
        and not each.ours_before
        and not other.is_sure([*other.table, other.card], friends=True)
    ),
    R.WINS_NOW: lambda each, other: (
        each.points > 0 and not each.may_be_captured(each.card) and each.wins_now() > other.wins_now()
    ),
    R.LOSES_NOW: lambda each, other: each.points < 0 and each.wins_now() < other.wins_now(),
    R.WINS_LATER: lambda each, other: (
        each.points > 0 and not each.may_be_captured(each.card) and each.wins_kept(other) > other.wins_kept(each)
    ),
    R.LOSES_LATER: lambda each, other: each.points < 0 and each.wins_kept(other) < other.wins_kept(each),
    R.LOST_ANYWAY: lambda each, other: (
        each.points > 0
        and each.may_be_captured(each.card)
        and sum(map(each.is_friend, other.fates(each))) <= 0.5 * card_trials.GUESSES
    ),
}
"""The same of the reasons that compare an action with another one."""


def check_reason(view: PlayerView, given: HintReason, action: Action, other: Action | None) -> None:
    """A reason for an action is true of it, and not of the other one."""
    if given in COMPARED:
        assert COMPARISONS[given](Checked(view, action), Checked(view, other)), (given, action, other)
        assert not COMPARISONS[given](Checked(view, other), Checked(view, action)), (given, action, other)
        return
    assert CHECKS[given](Checked(view, action)), (given, action)
    if other is not None and given not in (R.BEST_IN_TRIALS, R.ALL_EQUAL):
        assert not CHECKS[given](Checked(view, other)), (given, action, other)


def test_every_reason_has_a_sentence_and_a_check() -> None:
    assert set(REASONS) == set(HintReason)
    assert set(CHECKS) | set(COMPARISONS) == set(HintReason) - RETIRED
    assert set(COMPARISONS) == COMPARED - RETIRED


def views(rng: Random) -> Iterator[PlayerView]:
    """Decisions of all phases, at one table after the other."""
    for preset, players in cycle(rng.sample(TABLES, len(TABLES))):
        for state in random_game(preset, players, rng):
            view = view_for(state, state.acting_seats[0])
            # Few of the many cards, and each choice of teams and cards to give.
            if len(view.legal) > 1 and rng.random() < (
                0.1 if state.public.phase in (Phase.PLACING, Phase.TRICKS) else 1
            ):
                yield view


@pytest.mark.slow
def test_each_reason_is_true_and_each_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card_trials, "GUESSES", 10)
    rng, met = Random(11), Counter[HintReason]()
    for preset, players in TABLES:
        for changed in CHANGES:
            for state in random_game(preset, players, rng, rounds=2, **changed):
                view = view_for(state, state.acting_seats[0])
                # Teams that differ in who holds the monster alone are few.
                number = 20 if view.public.phase is Phase.TEAMS else 4
                chosen = rng.sample(view.legal, min(number, len(view.legal)))
                for action, other in pairwise(chosen):
                    given = reason(view, action, other)
                    check_reason(view, given, action, other)
                    met[given] += 1
                    if isinstance(action, NameTeam):
                        holder = why_holder(view, action)
                        check_reason(view, holder, action, None)
                        met[holder] += 1

    assert set(met) == set(HintReason) - RETIRED - {R.ALL_EQUAL, R.AS_GOOD}


@pytest.mark.parametrize("number", [60, pytest.param(600, marks=pytest.mark.slow)])
def test_a_hint_has_a_reason_that_the_second_best_has_not_or_says_so(
    monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    rng, met = Random(5), Counter[HintReason]()
    for view in islice(views(rng), number):
        found = choose(view, 1, Limit(until=0.0, guesses=20))
        monkeypatch.setattr(search, "choose", lambda *args, found=found: found)
        action, given, named = advise(view, seed=1, budget=0)
        if named is None or given in COMPARED | SPARES:
            check_reason(view, given, action, found.second if action == found.best else found.best)
        met[given] += 1

    assert met[R.BEST_IN_TRIALS] + met[R.AS_GOOD] < number / 2, met


@pytest.mark.slow
def test_the_second_best_is_nearer_to_that_of_a_long_search_if_it_has_a_place_in_the_race() -> None:
    few = (view for view in views(Random(6)) if view.public.phase is not Phase.PLACING and 2 < len(view.legal) < 25)
    behind = Counter[int]()
    for view in islice(few, 120):
        found = {places: choose(view, 1, Limit(until=0.0, guesses=300), places) for places in (1, 2)}
        if found[1].best != found[2].best:
            continue
        actions = [action for action in view.legal if action != found[2].best]
        ends = search.ends_of(view, knowledge_of(view), actions, Random(77))
        totals, worth = Counter[Action](), Standing.of(view).worth
        for _ in range(300):
            for action, end in zip(actions, ends(range(len(actions))), strict=True):
                totals[action] += worth(*end)
        behind.update({places: max(totals.values()) - totals[each.second] for places, each in found.items()})

    assert behind[2] < 0.85 * behind[1]


@pytest.mark.slow
def test_a_longer_search_finds_nothing_clearly_better_than_a_hint() -> None:
    worse = 0
    for number, view in enumerate(islice(views(Random(8)), 100)):
        advised, _why, _second = advise(view, seed=number, budget=0.5)
        found = review(view, advised, seed=number + 1000, guesses=600)
        worse += found.difference > max(LITTLE, CLEAR * found.error) and found.lost > LITTLE

    assert worse <= 2


def leads(rng: Random) -> Iterator[PlayerView]:
    """Some of the views from which a card is led."""
    for preset, players in cycle(rng.sample(TABLES, len(TABLES))):
        for state in random_game(preset, players, rng):
            view = view_for(state, state.acting_seats[0])
            is_led = view.public.phase is Phase.TRICKS and not view.public.current.table
            if is_led and len(view.legal) > 1 and rng.random() < 0.3:
                yield view


@pytest.mark.parametrize("number", [40, pytest.param(200, marks=pytest.mark.slow)])
def test_three_of_five_cards_that_are_led_have_a_reason(number: int) -> None:
    rng, met = Random(7), Counter[HintReason]()
    for view in islice(leads(rng), number):
        found = choose(view, 1, Limit(until=0.0, guesses=60))
        given = reason(view, found.best, found.second)
        check_reason(view, given, found.best, found.second)
        met[given] += 1

    assert met[R.BEST_IN_TRIALS] <= number * 2 / 5, met
    assert {R.WINS_NOW, R.LOSES_NOW} <= met.keys()


# --- positions where one reason is the true one ---


def due_after(conditions: str, team: str, table: str, *hands: str) -> PlayerView:
    """The view of who is due when these cards lie on the table, led by the start player.

    The others hold as many cards, or one less once they have played.
    """
    state = in_tricks(english(len(hands)), conditions, team, *hands)
    for card in in_order(table):
        state = state.apply(Play(card), seat=state.acting_seats[0])
    view = view_for(state, state.acting_seats[0])
    begun = len(view.public.current.table)
    leader, own = view.public.current.leader, len(view.hand)
    sizes = tuple(own - ((seat - leader) % len(hands) < begun) for seat in range(len(hands)))
    current = replace(view.public.current, hand_sizes=sizes)
    return replace(view, public=replace(view.public, current=current))


@pytest.mark.parametrize(
    ("team", "table", "cards", "why"),
    [
        # The last to play has red 3 and super trump red 0, and the partner's red 9 is the best.
        ("team 3", "R9 R4 R5", "R3 R0", R.PARTNER_WINS),
        ("team 3", "R9 R4 R5", "R0 R3", R.LEADS_NEXT),
        ("team 2", "R9 R4 R5", "R3 R0", R.SAVES_TRUMPS),
        ("team 3", "R2 R1 R5", "R0 R3", R.ONLY_AHEAD),
    ],
)
def test_a_low_card_under_the_card_of_a_partner_who_wins_saves_no_trumps(
    team: str, table: str, cards: str, why: HintReason
) -> None:
    view = due_after("0 njet black red 2", team, table, "R9 R2 K5", "R4 R1 K6", "R5 Y6 K7", "R3 R0 K4")

    assert rather(view, cards) is why


def rather(view: PlayerView, cards: str) -> HintReason:
    """The reason to play the first of two cards rather than the second."""
    card, other = (Play(each) for each in in_order(cards))
    return reason(view, card, other)


@pytest.mark.parametrize(("trump", "why"), [("blue", R.SOON_VOID), ("njet", R.BEST_IN_TRIALS)])
def test_a_suit_is_trumped_soon_only_where_there_is_a_trump(trump: str, why: HintReason) -> None:
    view = due_after(f"0 njet {trump} red 2", "team 2", "", "R0 B0 Y5 K2 K3 K4", "R4 Y7", "Y8 K5", "K6 R5")

    assert rather(view, "Y5 K3") is why


def test_a_super_trump_that_asks_for_its_suit_draws_no_trumps() -> None:
    view = due_after("0 njet blue red 2", "team 2", "", "R0 R0 R3 Y4", "R4 Y7", "Y8 K5", "K6 R0")

    assert rather(view, "R0 Y4") is not R.DRAWS_TRUMPS


def test_why_a_card_is_risked_is_no_matter_of_its_suit() -> None:
    view = due_after("0 njet blue red 2", "team 2", "", "Y0 B0 Y5 K2 K3 K4", "R4 Y7", "Y8 K5", "K6 R5")

    assert rather(view, "Y5 K3") is R.SOON_VOID
    assert rather(view, "Y0 K3") is not R.SOON_VOID
    # The lowest trump, which can be captured.
    assert rather(
        due_after("0 njet blue red 2", "team 2", "", "B0 Y5 K3 K4", "B4 Y7", "Y8 K5", "K6 R5"), "B0 K3"
    ) not in (
        R.DRAWS_TRUMPS,
        R.SOON_VOID,
    )


@pytest.mark.parametrize("cards", ["B0 B3", "B2 B3"])
def test_the_lower_of_two_cards_of_a_suit_is_never_said_to_win_more_often(
    monkeypatch: pytest.MonkeyPatch, cards: str
) -> None:
    monkeypatch.setattr(trick_reasons, "does_better", lambda *args: (True, False))
    monkeypatch.setattr(trick_reasons, "wins_more_now", lambda *args: 1)
    view = due_after("0 njet blue red 2", "team 2", "", "B0 B2 B3 Y5", "R4 Y7", "Y8 K5", "K6 R5")

    assert rather(view, cards) is not R.WINS_NOW
    assert rather(view, " ".join(reversed(cards.split()))) is not R.BEST_IN_TRIALS


def test_a_card_above_that_of_the_partner_says_so() -> None:
    view = due_after("0 njet black njet 2", "team 2", "R4 R1", "R4 Y1", "R1 Y2", "R8 R2", "R9 Y4")

    assert rather(view, "R8 R2") is R.TOPS_PARTNER
    # Whose card can still be beaten: that they win is not certain.
    assert rather(view, "R2 R8") is R.PARTNER_WINS


def test_a_card_above_that_of_the_partner_that_as_many_can_beat_does_not_say_so() -> None:
    view = due_after("0 njet black njet 2", "team 2", "R8 R1", "R8 Y1", "R1 Y2", "R9 R2", "R4 Y4")

    # Only trumps beat either card.
    assert rather(view, "R9 R2") is R.BEST_IN_TRIALS


def test_that_a_card_is_the_lowest_is_no_reason_unless_the_trick_is_lost() -> None:
    conditions = "0 njet black njet 2"
    lost = due_after(conditions, "team 2", "R9 R4 R5", "R9", "R4", "R5", "R2 R3")
    won = due_after(conditions, "team 2", "R1 R4 R5", "R1", "R4", "R5", "R2 R8 R9")
    leads = due_after(conditions, "team 2", "", "R2 R3", "R9", "R8", "R7")

    assert rather(lost, "R2 R3") is R.CANNOT_WIN
    assert rather(won, "R2 R9") is not R.CANNOT_WIN
    assert rather(leads, "R2 R3") is R.BEST_IN_TRIALS


HIGH = "R9 R8 R7 R7 R7 K9 K8 K7 K7 K7 B9 B8 B7 Y9 Y8"
RED_AND_TWO_ZEROS = "R0 R1 R2 R3 R4 R5 K0 K1 K2 B1 B2 B3 B4 Y1 Y2"


def placing(covered: str, of: str, rather_than: str, hand: str = RED_AND_TWO_ZEROS) -> HintReason:
    """The reason to cover a space with this hand once others of its row are covered, rather than one of another row.

    `covered`: those of other rows with their rows, as “points:1”.
    """
    setup = digital(english(4))
    state = FullState.start(setup).apply(deal_of(setup.ruleset, hand))
    for each in covered.split():
        place, _, space = each.rpartition(":")
        state = state.apply(Place(RowKey(place or of.split()[0]), space))
    view = view_for(state, state.acting_seats[0])
    # Seat 0 would be due.
    view = replace(view, seat=0, hand=state.hands[0])
    row, space = rather_than.split()
    return reason(view, Place(RowKey(of.split()[0]), of.split()[1]), Place(RowKey(row), space))


@pytest.mark.parametrize(
    ("covered", "of", "why"),
    [
        # Another black, yellow or njet would do the same for red.
        ("", "trump black", R.BEST_IN_TRIALS),
        ("njet yellow", "trump black", R.KEEPS_LONG_TRUMP),
        ("njet black", "trump blue", R.KEEPS_LONG_TRUMP),
        ("", "trump yellow", R.COVERS_SHORT_TRUMP),
        ("", "supertrump njet", R.BEST_IN_TRIALS),
        ("", "supertrump blue", R.COVERS_OTHER_SUPER),
        ("yellow blue", "supertrump njet", R.KEEPS_SUPER),
        ("yellow blue", "supertrump red", R.BEST_IN_TRIALS),
        ("red black", "supertrump blue", R.BEST_IN_TRIALS),
        ("", "points 2", R.BEST_IN_TRIALS),
    ],
)
def test_what_is_as_true_of_other_spaces_of_the_row_is_no_reason(covered: str, of: str, why: HintReason) -> None:
    assert placing(covered, of, "start 1") is why


TWO_REDS = "R0 R0 K0 R1 R2 R3 R4 R5 K1 K2 K3 B1 B2 B3 B4"


@pytest.mark.parametrize(
    ("covered", "of", "hand", "likelier", "certain"),
    [
        ("3 2", "start 1", RED_AND_TWO_ZEROS, R.KEEPS_TOKEN, R.SETTLES_TOKEN),
        ("njet yellow black", "trump blue", RED_AND_TWO_ZEROS, R.KEEPS_LONG_TRUMP, R.SETTLES_LONG_TRUMP),
        ("yellow blue njet", "supertrump black", TWO_REDS, R.KEEPS_SUPER, R.SETTLES_SUPER),
        ("-2 2 3", "points 1", HIGH, R.STAKES_MORE, R.SETTLES_MORE),
        ("4 1 -2", "points 3", RED_AND_TWO_ZEROS, R.STAKES_LESS, R.SETTLES_LESS),
        ("3 2 1", "points 4", RED_AND_TWO_ZEROS, R.STAKES_LESS, R.SETTLES_COST),
    ],
)
def test_what_the_last_marker_of_a_row_settles_is_not_said_to_be_likelier(
    covered: str, of: str, hand: str, likelier: HintReason, certain: HintReason
) -> None:
    assert placing(covered, of, "discard njet", hand) is certain
    assert placing(covered.rpartition(" ")[0], of, "discard njet", hand) is likelier


ALL_COST = "points:1 points:2 points:3 points:4"


@pytest.mark.parametrize(
    ("covered", "of", "hand", "why"),
    [
        (ALL_COST, "discard njet", HIGH, R.HIGH_MAY_LEAVE),
        (ALL_COST, "discard discard_2", HIGH, R.BEST_IN_TRIALS),
        (ALL_COST, "discard discard_2", RED_AND_TWO_ZEROS, R.OTHERS_SHED_HIGH),
        (ALL_COST, "discard njet", RED_AND_TWO_ZEROS, R.BEST_IN_TRIALS),
        ("", "trump yellow", "R0 R1 R2 R3 R4 R5 K0 K1 K2 K3 K4 B1 B2 B3 B4", R.COVERS_VOID_TRUMP),
        ("", "trump yellow", "R0 R1 R2 R3 R4 R5 K0 K1 K2 B1 B2 B3 Y1 Y2 Y3", R.BEST_IN_TRIALS),
        ("", "discard discard_2", HIGH, R.OTHERS_SHED),
        ("", "discard discard_2_no_zero", HIGH, R.BEST_IN_TRIALS),
        ("", "points -2", "R7 R7 K7 K7 B7 B7 Y7 Y1 R0 K0 B0 Y0 R1 K1 B1", R.MINUS_COSTS),
        ("", "points -2", "R1 R2 R3 R4 R5 R6 K1 K2 K3 K4 K5 K6 B1 B2 B3", R.BEST_IN_TRIALS),
        (ALL_COST, "supertrump njet", HIGH, R.OTHERS_SUPER),
        (ALL_COST, "supertrump njet", RED_AND_TWO_ZEROS, R.BEST_IN_TRIALS),
        ("red black blue", "supertrump yellow", HIGH, R.COVERS_OTHER_SUPER),
    ],
)
def test_a_space_of_which_others_have_more_is_covered(covered: str, of: str, hand: str, why: HintReason) -> None:
    assert placing(covered, of, "start 1", hand) is why


def test_that_the_own_token_is_likelier_is_said_of_two_tokens_that_are_as_good(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = digital(english(4))
    state = FullState.start(setup).apply(deal_of(setup.ruleset))
    view = view_for(state, state.acting_seats[0])
    one, two = [Place(RowKey.START, str(seat)) for seat in range(4) if seat != view.seat][:2]
    monkeypatch.setattr(search, "choose", lambda *args: search.Choice(one, ((two, 0.1),)))

    assert advise(view, seed=1, budget=0) == (one, R.KEEPS_TOKEN, two)


def choosing(discard: str, team: str, chosen: str, other: str) -> HintReason:
    """The reason to discard or pass rather these cards than other ones, with trump black and super trump red."""
    setup = digital(english(4))
    view = view_for(settled(setup, f"0 {discard} black red 2", team, deal_of(setup.ruleset, FEW_BLUE)), 0)
    kind = Pass if discard.startswith("pass") else Discard
    return reason(view, kind(tuple(in_order(chosen))), kind(tuple(in_order(other))))


FEW_BLUE = "B5 R1 R2 R3 R4 R5 R6 R8 Y1 Y2 Y3 Y4 K9 K8 K7"


def test_a_suit_that_is_gone_is_named() -> None:
    assert choosing("discard_1", "team 1", "B5", "Y1") is R.EMPTIES_BLUE
    assert reason_sentence(R.EMPTIES_BLUE, english(4)) == "You keep no blue: you may soon trump it."


@pytest.mark.parametrize("team", ["team 1", "team 3"])
def test_that_what_is_passed_stays_in_the_team_is_no_reason_but_the_suit_that_goes_is_one(team: str) -> None:
    assert choosing("pass_2_right", team, "B5 Y1", "Y1 Y2") is R.EMPTIES_BLUE
    assert choosing("pass_2_right", team, "B5 Y1", "B5 Y2") is R.BEST_IN_TRIALS


LOW_CARDS = "R1 R2 R3 R4 R5 Y1 Y2 Y3 Y4 Y5 K4 B5 R6"


@pytest.mark.parametrize(
    ("two", "chosen", "other", "why"),
    [
        ("B0 B0", "B0 B0", "Y4 R5", R.SHEDS_WINNERS),
        ("B0 B0", "B0 Y1", "Y1 Y2", R.BEST_IN_TRIALS),
        ("K9 K8", "K9 K8", "Y4 R5", R.SHEDS_HIGH),
        ("K9 K8", "K9 Y1", "Y1 Y2", R.SHEDS_HIGHER),
    ],
)
def test_a_super_trump_is_no_high_card(two: str, chosen: str, other: str, why: HintReason) -> None:
    setup = digital(english(4))
    deal = deal_of(setup.ruleset, f"{two} {LOW_CARDS}")
    view = view_for(settled(setup, "0 pass_2_right black blue -2", "team 2", deal), 0)

    assert reason(view, *(Pass(tuple(in_order(cards))) for cards in (chosen, other))) is why


@pytest.mark.parametrize(
    ("supertrump", "hand", "why"),
    [
        ("red", "R0 Y5 Y6", R.SAVES_SUPER),
        ("red", "R0 R0 Y5 Y6 Y7", R.SAVES_TRUMPS),
        ("red", "B1 Y5 Y6", R.KEEPS_LAST_TRUMP),
    ],
)
def test_a_super_trump_that_is_kept_is_named(supertrump: str, hand: str, why: HintReason) -> None:
    view = due_after(f"0 njet blue {supertrump} 2", "team 2", "", hand, "R4 R9 K6", "Y9 R5 K5", "K4 K9 Y8")

    assert rather(view, f"Y5 {hand[:2]}") is why


def rather_with(row: RowKey, marks: str, points: int) -> HintReason:
    """The reason to play rather with seat 1 than with seat 2, for tricks of these points.

    `marks`: who covered the spaces of the row, “_” where it is open; seat 0, whose view it is, covered the others.
    """
    setup = digital(english(4))
    view = view_for(settled(setup, f"0 njet black red {points}", None, deal_of(setup.ruleset)), 0)
    current = view.public.current

    def marked(each: Row) -> Row:
        covered = [None if mark is None else 0 for mark in each.marks]
        return replace(
            each, marks=tuple(None if mark == "_" else int(mark) for mark in marks) if each.key is row else covered
        )

    board = replace(current.board, rows=tuple(map(marked, current.board.rows)))
    view = replace(view, public=replace(view.public, current=replace(current, board=board)))
    return reason(view, NameTeam((1,), None), NameTeam((2,), None))


@pytest.mark.parametrize(
    ("row", "marks", "points", "why"),
    [
        (RowKey.TRUMP, "1_002", 2, R.JOINS_ONE_TRUMP),
        (RowKey.TRUMP, "1_302", 2, R.JOINS_MORE_TRUMPS),
        (RowKey.TRUMP, "1_132", 2, R.JOINS_TRUMP),
        (RowKey.TRUMP, "1_002", -2, R.BEST_IN_TRIALS),
        (RowKey.SUPERTRUMP, "_1002", 2, R.JOINS_SUPER),
        (RowKey.SUPERTRUMP, "_1302", 2, R.JOINS_MORE_SUPERS),
        (RowKey.SUPERTRUMP, "_1312", 2, R.JOINS_MORE_SUPERS),
        (RowKey.SUPERTRUMP, "_1002", -2, R.BEST_IN_TRIALS),
        (RowKey.POINTS, "1_002", 2, R.BEST_IN_TRIALS),
        (RowKey.POINTS, "1_020", 2, R.JOINS_LOW_POINTS),
        (RowKey.POINTS, "0_021", 2, R.JOINS_MINUS),
        (RowKey.POINTS, "2_001", 2, R.JOINS_MINUS),
        (RowKey.POINTS, "1_003", 2, R.BEST_IN_TRIALS),
        (RowKey.POINTS, "1_203", 2, R.JOINS_LOWER_POINTS),
        (RowKey.POINTS, "2_103", 2, R.BEST_IN_TRIALS),
        (RowKey.POINTS, "0_203", 2, R.LEAVES_HIGH_POINTS),
        (RowKey.POINTS, "0021_", -2, R.JOINS_HIGHER_POINTS),
        (RowKey.POINTS, "2030_", -2, R.LEAVES_LOW_POINTS),
        (RowKey.POINTS, "0010_", -2, R.JOINS_HIGH_POINTS),
        (RowKey.POINTS, "0013_", -2, R.BEST_IN_TRIALS),
    ],
)
def test_what_a_player_outside_the_team_has_covered_too_is_a_reason_only_against_the_second_best(
    row: RowKey, marks: str, points: int, why: HintReason
) -> None:
    assert rather_with(row, marks, points) is why


@pytest.mark.parametrize(("preset", "players"), [table for table in TABLES if table[1] > 2])
def test_about_as_many_hands_are_weak_as_strong(preset: str, players: int) -> None:
    """Which they are not against a share of the tricks: of three players almost all would be weak."""
    rng, met = Random(3), Counter[HintReason]()
    while met.total() < 40:
        for state in random_game(preset, players, rng):
            conditions = state.public.phase is Phase.TEAMS and state.public.current.conditions
            if conditions and conditions.points > 0:
                for seat in range(players):
                    # Who doubles the tricks of the team: a strong hand its own, a weak one those of a partner.
                    view = replace(view_for(state, seat), seat=seat)
                    met.update(
                        why_holder(view, NameTeam(((seat + 1) % players,), holder))
                        for holder in (seat, (seat + 1) % players)
                    )
                break

    assert 0.25 < met[R.DOUBLES_OWN] / (met[R.DOUBLES_OWN] + met[R.DOUBLES_PARTNER]) < 0.75, met


def test_that_little_is_to_be_discarded_is_no_reason_against_passing() -> None:
    setup = digital(english(4))
    view = view_for(
        FullState.start(setup).apply(deal_of(setup.ruleset, "R0 R1 R2 R3 R4 R5 R6 R7 R7 K1 K2 K3 K4 K5 K6")), 0
    )
    red = Place(RowKey.TRUMP, "red")

    assert reason(view, Place(RowKey.DISCARD, "discard_2"), red) is R.OTHERS_SHED
    for space in ("pass_2_right", "discard_2_no_zero", NJET):
        assert reason(view, Place(RowKey.DISCARD, space), red) is not R.OTHERS_SHED


@pytest.mark.parametrize(
    ("hand", "gone", "why"),
    [("K4 K5 K7 K7 R1", "K7 K7 K8 K9", R.WINS_NOW), ("K4 K0 R1 R2", "K7 K7 K7 K7|K8 K9 K6 Y0", R.FEWER_BEAT)],
)
def test_that_few_cards_can_beat_a_card_is_no_reason_if_fewer_can_beat_another(
    hand: str, gone: str, why: HintReason
) -> None:
    view = due_after("0 njet blue njet 2", "team 2", "", hand, "R5", "R6", "Y5")
    current = replace(view.public.current, tricks=tuple(Trick(0, 0, 0, in_order(each)) for each in gone.split("|")))

    assert rather(replace(view, public=replace(view.public, current=current)), "K4 R1") is why


@pytest.mark.parametrize(
    ("cards", "why"), [("Y7 Y5", R.FEWER_BEAT), ("Y7 Y9", R.BEST_IN_TRIALS), ("Y5 Y7", R.AHEAD_CHEAPLY)]
)
def test_a_card_is_harder_to_beat_than_the_second_best(cards: str, why: HintReason) -> None:
    view = due_after("0 njet blue njet 2", "team 2", "Y4", "Y4", "Y5 Y7 Y9", "R4", "K4")

    assert rather(view, cards) is why


@pytest.mark.parametrize(("cards", "why"), [("Y5 Y9", R.MORE_BEAT), ("Y7 Y9", R.LOSES_NOW)])
def test_a_card_is_easier_to_beat_than_the_second_best_if_none_is_easier(cards: str, why: HintReason) -> None:
    view = due_after("0 njet blue njet -2", "team 2", "Y4", "Y4", "Y5 Y7 Y9", "R4", "K4")

    assert rather(view, cards) is why


@pytest.mark.parametrize(
    ("hand", "cards", "why"),
    [
        ("R1 R2 Y5", "R2 Y5", R.MORE_BEAT),
        ("R1 R4 Y8", "R4 Y8", R.KEEPS_LOWER),
        ("R2 R8 Y5 Y7 Y8", "R8 Y5", R.SHORT_SUIT),
        ("R2 R8 Y5", "R8 Y5", R.KEEPS_LOWER),
        ("R2 R8 Y5", "R8 R2", R.KEEPS_LOWER),
        ("R8 Y5 K7 K6", "R8 K6", R.LOSES_LATER),
        ("R9 R8 Y5", "R9 R8", R.BEST_IN_TRIALS),
    ],
)
def test_a_card_led_to_a_trick_that_costs_points_has_a_reason(hand: str, cards: str, why: HintReason) -> None:
    view = due_after("0 njet blue njet -2", "team 2", "", hand, "R3", "K4", "K5")

    assert rather(view, cards) is why


@pytest.mark.parametrize(
    ("points", "hand", "why"),
    [
        (2, "R5 B1", R.KEEPS_LAST_TRUMP),
        (2, "R5 R6 B1", R.KEEPS_LAST_TRUMP),
        (2, "R5 B1 K3", R.SOON_VOID),
        (-2, "R5 B1 B2", R.SHORT_SUIT),
        (-2, "R5 B1", R.BEST_IN_TRIALS),
    ],
)
def test_that_a_suit_is_gone_soon_is_no_reason_with_too_few_cards_of_others(
    points: int, hand: str, why: HintReason
) -> None:
    view = due_after(f"0 njet blue njet {points}", "team 2", "", hand, "R3", "K4", "K5")

    assert rather(view, "R5 B1") is why


def test_higher_cards_that_go_are_compared_with_the_second_best() -> None:
    setup = digital(english(4))
    view = view_for(settled(setup, "0 discard_2 black red -2", "team 1", deal_of(setup.ruleset, FEW_BLUE)), 0)

    def discarding(chosen: str, other: str) -> HintReason:
        return reason(view, *(Discard(tuple(in_order(cards))) for cards in (chosen, other)))

    assert discarding("R2 K9", "R1 K9") is R.SHEDS_HIGHER
    assert discarding("R1 K9", "R2 K9") is R.BEST_IN_TRIALS
    assert discarding("R1 R8", "R2 R6") is R.BEST_IN_TRIALS
    # The black 9 stays with both.
    assert discarding("Y2 Y3", "Y1 Y3") is R.BEST_IN_TRIALS


def test_cards_of_the_same_effect_are_said_to_have_it() -> None:
    view = due_after("0 njet blue njet 2", "team 2", "Y9 Y1", "Y9", "Y1", "Y5 Y6 K4", "R1")

    found = choose(view, 1, Limit(until=0.0, guesses=9))

    assert reason(view, found.best, found.second) is R.ALL_EQUAL
    assert CHECKS[R.ALL_EQUAL](Checked(view, found.best))


def test_a_reason_of_before_is_still_read() -> None:
    assert R.EMPTIES_SUIT in RETIRED
    assert reason_sentence(R.EMPTIES_SUIT, english(4)) == "A suit is gone: you can trump it."


@pytest.mark.parametrize(("lead", "why"), [(0.4, R.AS_GOOD), (0.6, R.BEST_IN_TRIALS)])
def test_without_a_reason_a_hint_names_the_second_best_and_whether_it_matters(
    monkeypatch: pytest.MonkeyPatch, lead: float, why: HintReason
) -> None:
    view = due_after("0 njet blue njet 2", "team 2", "", "R2 R3 R6", "R4", "Y5", "K4")
    two, three = (Play(card) for card in in_order("R2 R3"))
    monkeypatch.setattr(search, "choose", lambda *args: search.Choice(two, ((three, lead),)))

    assert advise(view, seed=1, budget=0) == (two, why, three)


@pytest.mark.parametrize(("lead", "why", "is_named"), [(0.4, R.AS_GOOD, True), (0.6, R.BEST_IN_TRIALS, False)])
def test_the_only_other_action_is_named_if_it_is_as_good_alone(
    monkeypatch: pytest.MonkeyPatch, lead: float, why: HintReason, *, is_named: bool
) -> None:
    view = due_after("0 njet blue njet 2", "team 2", "", "R2 R3", "R4", "Y5", "K4")
    two, three = (Play(card) for card in in_order("R2 R3"))
    monkeypatch.setattr(search, "choose", lambda *args: search.Choice(two, ((three, lead),)))

    assert advise(view, seed=1, budget=0) == (two, why, three if is_named else None)


def test_what_is_kept_is_said_against_a_second_best_that_spends_it_and_never_of_both(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    leads = due_after("0 njet blue njet 2", "team 2", "", "R2 R3 R5 K2 B1 B2", "R4", "Y5", "K4")
    setup = digital(english(4))
    gives = view_for(settled(setup, "0 discard_2 black red 2", "team 1", deal_of(setup.ruleset, FEW_BLUE)), 0)

    def advised(view: PlayerView, best: Action, second: Action) -> tuple[Action, HintReason, Action | None]:
        monkeypatch.setattr(search, "choose", lambda *args: search.Choice(best, ((second, 0.1),)))
        return advise(view, seed=1, budget=0)

    red, other, trump = (Play(card) for card in in_order("R2 R3 B1"))
    low, lower, high = (Discard(tuple(in_order(cards))) for cards in ("R2 Y3", "R3 Y2", "R8 R2"))
    assert advised(leads, red, trump) == (red, R.SAVES_TRUMPS, trump)
    assert advised(leads, red, other) == (red, R.AS_GOOD, other)
    assert advised(gives, low, lower) == (low, R.AS_GOOD, lower)
    assert advised(gives, low, high) == (low, R.KEEPS_HIGH, high)


@pytest.mark.parametrize(("lead", "why"), [(0.4, R.AS_GOOD), (0.6, R.LOSES_LATER)])
def test_what_only_trials_show_is_not_said_of_two_that_are_about_as_good(
    monkeypatch: pytest.MonkeyPatch, lead: float, why: HintReason
) -> None:
    view = due_after("0 njet blue njet -2", "team 2", "", "R8 Y5 K7 K6", "R3", "K4", "K5")
    eight, six = (Play(card) for card in in_order("R8 K6"))
    monkeypatch.setattr(search, "choose", lambda *args: search.Choice(eight, ((six, lead),)))

    assert advise(view, seed=1, budget=0) == (eight, why, six)


def test_a_second_best_that_may_be_worse_is_not_called_as_good_because_the_third_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    setup = digital(english(4))
    view = view_for(settled(setup, "0 discard_2 black red 2", "team 1", deal_of(setup.ruleset, FEW_BLUE)), 0)
    best, second, third = (Discard(tuple(in_order(cards))) for cards in ("R2 Y3", "R3 Y2", "R8 R2"))
    monkeypatch.setattr(search, "choose", lambda *args: search.Choice(best, ((second, 0.9), (third, 0.3))))

    assert advise(view, seed=1, budget=0) == (best, R.BEST_IN_TRIALS, second)


@pytest.mark.parametrize(
    ("points", "cards", "is_now"),
    [
        (2, "R8 K2", True),
        (-2, "K2 R8", True),
        (-2, "R8 K2", False),
    ],
)
def test_a_card_is_led_for_its_trick_or_for_those_after_it(points: int, cards: str, *, is_now: bool) -> None:
    view = due_after(f"0 njet blue njet {points}", "team 1", "", "R8 R7 K2 K3", "R3", "K4", "K5")
    known = knowledge_of(view)
    card, other = (known.tables.mask_of([each]) for each in in_order(cards))

    assert does_better(known, card, other) == (is_now, not is_now)


def test_a_hint_for_cards_to_give_searches_long_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    def reaches(view: PlayerView) -> list[bool]:
        limits: list[Limit] = []

        def chosen(view: PlayerView, seed: int, limit: Limit) -> search.Choice:
            limits.append(limit)
            return search.Choice(view.legal[0], ((view.legal[1], 1.0),))

        monkeypatch.setattr(search, "choose", chosen)
        advise(view, seed=1, budget=0)
        return [limits[0].reached(guesses) for guesses in (1, 999, 1000)]

    setup = digital(english(4))
    for kind in ("discard_2", "pass_2_right"):
        state = settled(setup, f"0 {kind} black red 2", "team 1", deal_of(setup.ruleset, FEW_BLUE))
        assert reaches(view_for(state, 0)) == [False, False, True]
    assert reaches(due_after("0 njet blue njet 2", "team 2", "", "R2 R3", "R4", "Y5", "K4")) == [True, True, True]


def test_a_hint_names_what_its_reason_compares_with(monkeypatch: pytest.MonkeyPatch) -> None:
    view = due_after("0 njet blue njet 2", "team 2", "Y4", "Y4", "Y5 Y7 Y9", "R4", "K4")
    five, seven = (Play(card) for card in in_order("Y5 Y7"))
    monkeypatch.setattr(search, "choose", lambda *args: search.Choice(seven, ((five, 2.0),)))

    assert advise(view, seed=1, budget=0) == (seven, R.FEWER_BEAT, five)


def test_what_is_about_as_good_for_the_same_reason_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    view = due_after("0 njet blue njet -2", "team 2", "Y4", "Y4 R5", "Y9 Y3 Y2 Y0", "R4", "K4")
    zero, two, three, nine = (Play(card) for card in in_order("Y0 Y2 Y3 Y9"))

    def advised(*others: tuple[Action, float]) -> tuple[Action, HintReason, Action | None]:
        monkeypatch.setattr(search, "choose", lambda *args: search.Choice(two, others))
        return advise(view, seed=1, budget=0)

    assert advised((nine, 2.0), (three, 2.1)) == (two, R.DUCKS, None)
    assert advised((nine, 0.1), (zero, 0.2)) == (two, R.DUCKS, zero)


def test_with_a_reason_a_hint_names_no_other_action(monkeypatch: pytest.MonkeyPatch) -> None:
    view = due_after("0 njet blue njet 2", "team 2", "", "R9 R3", "R4", "Y5", "K4")
    nine, three = (Play(card) for card in in_order("R9 R3"))
    monkeypatch.setattr(search, "choose", lambda *args: search.Choice(nine, ((three, 0.1),)))

    assert advise(view, seed=1, budget=0) == (nine, R.TOP_OF_SUIT, None)


def test_of_two_that_are_about_as_good_the_one_with_a_reason_is_advised_or_what_they_share_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    view = due_after("0 njet blue njet -2", "team 2", "Y4", "Y4 R5", "Y9 Y7 Y6 Y3 Y2 Y1", "R4", "K4")
    one, two, three, nine = (Play(card) for card in in_order("Y1 Y2 Y3 Y9"))

    def advised(best: Action, second: Action, lead: float) -> tuple[Action, HintReason, Action | None]:
        monkeypatch.setattr(search, "choose", lambda *args: search.Choice(best, ((second, lead),)))
        return advise(view, seed=1, budget=0)

    assert advised(one, two, 0.1) == (one, R.DUCKS, two)
    assert advised(one, nine, 0.1) == (one, R.DUCKS, None)
    assert advised(one, three, 0.1) == (three, R.HIGHEST_BELOW, None)
    # It matters which of them.
    assert advised(one, three, 1.0) == (one, R.BEST_IN_TRIALS, three)


def test_of_all_that_are_about_as_good_the_first_with_a_reason_is_advised(monkeypatch: pytest.MonkeyPatch) -> None:
    view = due_after("0 njet blue njet 2", "team 2", "Y9", "Y9 R5", "R0 K0 K2 K3", "R4", "K4")
    red, black, two, three = (Play(card) for card in in_order("R0 K0 K2 K3"))

    def advised(*others: tuple[Action, float]) -> tuple[Action, HintReason, Action | None]:
        monkeypatch.setattr(search, "choose", lambda *args: search.Choice(red, others))
        return advise(view, seed=1, budget=0)

    assert advised((black, 0.1), (three, 0.2), (two, 0.3)) == (three, R.KEEPS_CAPTURABLE, red)
    assert advised((black, 0.1), (two, 0.3), (three, 0.4)) == (two, R.SPENDS_LOWEST, None)
    assert advised((black, 0.1), (two, 0.6)) == (red, R.AS_GOOD, black)
    # It matters which of the two.
    assert advised((black, 0.6), (two, 0.7)) == (red, R.BEST_IN_TRIALS, black)


def test_that_a_card_stays_below_is_no_reason_where_the_team_gets_the_trick_anyway() -> None:
    def ducking(team: str) -> HintReason:
        view = due_after("0 njet blue njet -2", team, "K1 K5 K3", "K1 Y4", "K5 Y5", "K3 Y6", "K7 K2")
        return rather(view, "K2 K7")

    assert ducking("team 3") is R.HIGHEST_BELOW
    # The partner is ahead, and this card is the last.
    assert ducking("team 2") is R.BEST_IN_TRIALS


def test_that_trumps_are_drawn_is_no_reason_for_a_card_that_can_be_captured() -> None:
    def leading(hand: str) -> HintReason:
        view = due_after("0 njet black njet 2", "team 2", "", hand, "K5 R3", "K8 R6", "R4 Y5")
        return rather(view, "K0 R2")

    assert leading("K0 K7 K9 R2 R1") is not R.DRAWS_TRUMPS
    assert leading("K0 R2 R1") is not R.DRAWS_TRUMPS


def test_the_lowest_card_goes_unless_it_is_captured() -> None:
    def rather(cards: str, hand: str) -> HintReason:
        view = due_after("0 njet blue njet 2", "team 2", "Y9", "Y9 R5", hand, "R4", "K4")
        return reason(view, *(Play(card) for card in in_order(cards)))

    assert rather("Y3 Y5", "Y0 Y3 Y5") is R.SPENDS_LOWEST
    assert rather("Y0 Y5", "Y0 Y3 Y5") is R.LOST_ANYWAY
    assert rather("Y1 Y5", "Y1 Y3 Y5") is R.CANNOT_WIN


@pytest.mark.parametrize(
    ("team", "table", "hands", "cards", "why"),
    [
        # Black is trump: its 0 is captured like any other.
        ("team 2", "K3", ("K3 R5", "K0 K1", "R4 R6", "K4 R7"), "K1 K0", R.SPENDS_LOWEST),
        ("team 1", "Y9 K5", ("Y9 R5", "K5 R6", "R3 K0", "R4 R7"), "R3 K0", R.SPENDS_LOWEST),
        # The partner may still be beaten, or not.
        ("team 2", "Y7 Y2", ("Y7 R5", "Y2 R6", "Y0 Y4 Y5", "Y3 R7"), "Y4 Y0", R.KEEPS_CAPTURABLE),
        ("team 3", "Y7 Y2 Y3", ("Y7 R5", "Y2 R6", "Y3 R7", "Y0 Y4 Y5"), "Y0 Y4", R.SAFE_WITH_PARTNER),
        # A super trump is seldom captured.
        ("team 2", "", ("Y9 R0 R4", "Y2 R6", "Y0 Y4 Y5", "Y3 R7"), "R4 R0", R.SAVES_SUPER),
    ],
)
def test_a_card_that_can_be_captured_is_kept_from_the_opponents(
    team: str, table: str, hands: tuple[str, ...], cards: str, why: HintReason
) -> None:
    view = due_after("0 njet black red 2", team, table, *hands)

    assert rather(view, cards) is why


def test_the_second_best_team_has_other_players_and_who_holds_the_monster_a_reason_of_its_own() -> None:
    asked = (view for view in views(Random(2)) if view.public.phase is Phase.TEAMS and view.public.players == 5)
    met = set()
    for view in islice(asked, 25):
        found = choose(view, 1, Limit(until=0.0, guesses=9))
        assert {*found.best.partners} != {*found.second.partners}
        why = why_holder(view, found.best)
        assert CHECKS[why](Checked(view, found.best))
        met.add(why)

    assert met >= {R.DOUBLES_OWN, R.DOUBLES_PARTNER, R.BEST_IN_TRIALS}
