"""The coach: what it says follows from the player's own view, is true, and advises nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from games.bots.reasons import reason
from games.bots.review import is_equivalent, review
from games.bots.strong import Limit, choose
from games.pages.digital.coach import tip
from games.rules import Deal, Phase, Place, RowKey
from games.rules.full import FullState
from games.rules.redaction import PlayerView, view_for
from games.rules.rounds import Trick
from games.texts import words
from tests.bots.positions import TABLES
from tests.bots.test_reasons import Checked, check_reason, views
from tests.builders import deal_of, dealt_by_chance, digital, dutch, english, in_order, italian, placing, settled

SETUPS = [english(2, rounds=2), english(5), dutch(3), italian()]


def rounds(number: int) -> list[FullState]:
    """Every state of a round in which somebody is due, decided by chance."""
    chance = Random(number)
    setup = digital(SETUPS[number % len(SETUPS)])
    state, found = FullState.start(setup), []
    state = state.apply(dealt_by_chance(setup.ruleset, chance))
    while not state.public.finished:
        found.append(state)
        seat = state.acting_seats[0]
        state = state.apply(chance.choice(state.legal_actions(seat)), seat=seat)
    return found


def said(state: FullState) -> str:
    """What the first seat that is due reads."""
    return tip(view_for(state, state.acting_seats[0]))


@pytest.mark.parametrize("number", range(8))
def test_it_speaks_in_each_phase_to_who_is_due_only(number: int) -> None:
    spoken: Counter[Phase] = Counter()
    for state in rounds(number):
        spoken[state.public.phase] += bool(said(state))
        for seat in set(range(state.public.players)) - set(state.acting_seats):
            assert tip(view_for(state, seat)) == ""
        if state.public.current.table:
            assert said(state) == ""

    assert spoken[Phase.PLACING]
    assert spoken[Phase.TRICKS]
    assert all(spoken[phase] for phase in {state.public.phase for state in rounds(number)})


@pytest.mark.parametrize("number", range(8))
def test_cards_that_the_player_cannot_see_change_nothing(number: int) -> None:
    state = rounds(number)[0]
    seat, hands = state.acting_seats[0], list(state.hands)
    others = [each for each in range(len(hands)) if each != seat]
    hands[others[0]], hands[others[-1]] = hands[others[-1]], hands[others[0]]
    setup = digital(SETUPS[number % len(SETUPS)])

    swapped = FullState.start(setup).apply(Deal(tuple(hands)))

    assert tip(view_for(swapped, seat)) == said(state)


# --- one voice ---


class Seen(Checked):
    """A view and what a line of the coach says of it."""

    def __init__(self, view: PlayerView) -> None:
        super().__init__(view, view.legal[0])

    def is_open(self, row: RowKey, space: str) -> bool:
        """Whether a space of a row that is not settled is open."""
        spaces = next((each.open_spaces for each in self.current.board.rows if each.key is row), ())
        return space in spaces and len(spaces) > 1

    @property
    def trumps(self) -> int:
        return sum(map(self.is_trump, self.hand))

    @property
    def supers(self) -> int:
        return sum(map(self.rules.is_supertrump, self.hand))

    @property
    def has_trump(self) -> bool:
        return self.current.conditions is not None and self.current.conditions.trump is not None

    @property
    def has_supers(self) -> bool:
        return any(map(self.rules.is_supertrump, self.ruleset.deck()))

    @property
    def may_cost(self) -> bool:
        return min(map(int, self.current.board.row(RowKey.POINTS).open_spaces)) < 0


FACTS: dict[str, Callable[[Seen, tuple[str, ...]], bool]] = {
    r"Trump may be (\w+): you hold (\d+)\.": lambda seen, said: (
        seen.is_open(RowKey.TRUMP, said[0]) and seen.length(said[0]) == int(said[1]) > 3
    ),
    r"Super trumps may be (\w+) (\d)s: you hold (\d+)\.": lambda seen, said: (
        seen.is_open(RowKey.SUPERTRUMP, said[0])
        and sum(card.suit.value == said[0] and card.rank == int(said[1]) for card in seen.hand) == int(said[2]) > 0
        and int(said[1]) == seen.rank
    ),
    r"Tricks may still cost points\.": lambda seen, said: seen.may_cost and not seen.all_cost,
    r"A captured (\d) counts as much as a trick\.": lambda seen, said: int(said[0]) == seen.rank and seen.zeros > 0,
    r"If your token stays open, you pick the teams\.": lambda seen, said: seen.is_open(
        RowKey.START, str(seen.view.seat)
    ),
    r"Each trick costs points\.": lambda seen, said: seen.all_cost,
    r"There is no trump: the highest of a suit wins\.": lambda seen, said: (
        not any(map(seen.is_trump, seen.ruleset.deck()))
    ),
    r"Trumps beat every other card: you hold (none|\d+)\.": lambda seen, said: (
        seen.has_trump and not seen.has_supers and seen.trumps == int(said[0].replace("none", "0"))
    ),
    r"Trumps beat all but super trumps: you hold (none|\d+)\.": lambda seen, said: (
        seen.has_trump and seen.has_supers and not seen.supers and seen.trumps == int(said[0].replace("none", "0"))
    ),
    r"Super trumps beat trumps: you hold (\d+) and (\d+)\.": lambda seen, said: (
        seen.has_trump and "0" not in said and [seen.supers, seen.trumps - seen.supers] == [int(each) for each in said]
    ),
    r"Super trumps beat every other card: you hold (none|\d+)\.": lambda seen, said: (
        (not seen.has_trump or seen.supers)
        and any(map(seen.is_trump, seen.ruleset.deck()))
        and seen.trumps - seen.supers == 0
        and seen.supers == int(said[0].replace("none", "0"))
    ),
    r"Partners score the same\.": lambda seen, said: seen.view.public.phase is Phase.TEAMS,
    r"(.+) passes to you\.": lambda seen, said: said[0] == words.apart(seen.view.public.setup.names[seen.giver]),
}
"""All that the coach says, each with whether it is true.  None of it says what to do."""


@pytest.mark.parametrize("number", [40, pytest.param(300, marks=pytest.mark.slow)])
def test_what_is_said_of_a_decision_never_contradicts_itself(number: int) -> None:
    phases: set[Phase] = set()
    tables: set[tuple[str, int]] = set()
    for view in islice(views(Random(3)), number):
        for sentence in re.findall(r"[^.]+\.", tip(view)):
            (found,) = [
                (check, match.groups())
                for fact, check in FACTS.items()
                if (match := re.fullmatch(fact, sentence.strip()))
            ]
            assert found[0](Seen(view), found[1]), sentence

        # A hint gives actions up later: with as few guesses it would find others.
        found = choose(view, 1, Limit(until=0.0, guesses=12), places=1)
        check_reason(view, reason(view, found.best, found.second), found.best, found.second)
        verdict = review(view, found.best, seed=1, guesses=12)

        assert is_equivalent(view, verdict.best, found.best)
        assert verdict.difference == 0
        phases.add(view.public.phase)
        tables.add((view.public.ruleset.preset, view.public.players))

    assert phases >= {Phase.PLACING, Phase.TEAMS, Phase.DISCARDING, Phase.TRICKS}
    assert number < 300 or (Phase.PASSING in phases and tables == {*TABLES})


# --- what it says where the board and the hand are known ---


def covering(row: str, spaces: str, hand: str, points: str = "2") -> PlayerView:
    """The view of who is due, with this hand, while only these spaces of one row of the board are open."""
    setup = digital(english(4))
    closed = placing(setup, f"0 njet red blue {points}")
    actions = [each for each in closed if each.row.value != row]
    actions += [
        Place(RowKey(row), space) for space in setup.ruleset.edition.spaces[RowKey(row)] if space not in spaces.split()
    ]

    def after(*known: str) -> FullState:
        state = FullState.start(setup).apply(deal_of(setup.ruleset, *known))
        for action in actions:
            state = state.apply(action, seat=state.acting_seats[0])
        return state

    seat = after().acting_seats[0]
    return view_for(after(*[""] * seat, hand), seat)


HAND = "R0 R0 K0 Y0 R5 R6 R8 Y5 Y6 Y1 Y2 B1 B2 B3 K5"


@pytest.mark.parametrize(
    ("row", "spaces", "points", "text"),
    [
        ("trump", "red blue njet", "2", "Trump may be red: you hold 5."),
        ("trump", "blue njet", "2", ""),
        ("supertrump", "red blue", "2", "Super trumps may be red 0s: you hold 2."),
        ("supertrump", "blue njet", "2", ""),
        ("points", "1 -2", "", "Tricks may still cost points."),
        ("points", "1 2", "", ""),
        ("discard", "discard_1 njet", "2", "A captured 0 counts as much as a trick."),
        ("trump", "red njet", "-2", "Each trick costs points."),
    ],
)
def test_on_the_board_it_says_what_may_become_of_the_hand(row: str, spaces: str, points: str, text: str) -> None:
    assert tip(covering(row, spaces, HAND, points or "2")) == text


@pytest.mark.parametrize(("players", "text"), [(4, "If your token stays open, you pick the teams."), (2, "")])
def test_whose_token_is_left_reads_what_it_gives_if_there_are_teams_to_pick(players: int, text: str) -> None:
    setup = digital(english(players))
    state = FullState.start(setup).apply(deal_of(setup.ruleset, "K1 K2 K3 B1 B2 B3 B4 Y1 Y2 Y3 Y4 R1 R2 R3 K4"))
    closed = placing(setup, "0 njet red blue 2")
    for action in [each for each in closed if each.row is not RowKey.START]:
        state = state.apply(action, seat=state.acting_seats[0])

    assert tip(view_for(state, state.acting_seats[0])) == text


def in_phase(conditions: str, hand: str, team: str | None = None, **options: object) -> PlayerView:
    """The view of the first seat with this hand on a settled board."""
    setup = digital(english(4, **options))
    return view_for(settled(setup, conditions, team, deal_of(setup.ruleset, hand)), 0)


TRUMPS = "R9 R8 K9 K8 Y5 Y4 Y3 K1 K2 K3 K4 Y1 Y2 Y6 K6"
NO_TRUMPS = "B9 B8 K9 K8 Y5 Y4 Y3 K1 K2 K3 K4 Y1 Y2 Y6 K6"


@pytest.mark.parametrize(
    ("conditions", "hand", "team", "text"),
    [
        ("0 discard_2 red njet 2", TRUMPS, None, "Partners score the same. Trumps beat every other card: you hold 2."),
        ("0 discard_2 red njet 2", TRUMPS, "team 1", "Trumps beat every other card: you hold 2."),
        ("0 discard_2 red njet 2", NO_TRUMPS, "team 1", "Trumps beat every other card: you hold none."),
        ("0 discard_2 red njet -2", TRUMPS, "team 1", "Each trick costs points."),
        (
            "0 pass_2_right njet njet 2",
            TRUMPS,
            "team 1",
            f"{words.apart('Ben')} passes to you. There is no trump: the highest of a suit wins.",
        ),
        ("0 njet njet red 2", NO_TRUMPS, "team 1", "Super trumps beat every other card: you hold none."),
        ("0 njet red njet 2", NO_TRUMPS, "team 1", "Trumps beat every other card: you hold none."),
        ("0 njet red njet -2", TRUMPS, "team 1", "Each trick costs points."),
        ("0 njet red yellow 2", TRUMPS, "team 1", "Trumps beat all but super trumps: you hold 2."),
        ("0 njet red yellow 2", NO_TRUMPS, "team 1", "Trumps beat all but super trumps: you hold none."),
        ("0 njet red yellow 2", f"Y0 {TRUMPS[3:]}", "team 1", "Super trumps beat trumps: you hold 1 and 1."),
        ("0 njet red yellow 2", f"Y0 {NO_TRUMPS[3:]}", "team 1", "Super trumps beat every other card: you hold 1."),
    ],
)
def test_then_it_says_what_beats_what_and_how_much_of_it_the_hand_holds(
    conditions: str, hand: str, team: str | None, text: str
) -> None:
    assert tip(in_phase(conditions, hand, team)) == text


def test_to_who_leads_again_it_says_nothing_new() -> None:
    view = in_phase("0 njet red njet 2", TRUMPS, "team 1")
    current = replace(view.public.current, tricks=(Trick(0, 0, 0, in_order("K9 K8 K7 K6")),))

    assert tip(view)
    assert not tip(replace(view, public=replace(view.public, current=current)))
