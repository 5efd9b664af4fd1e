"""The coach: what it says follows from the player's own view, and is true."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from games.pages.digital.coach import tip
from games.rules import Deal, Phase, Place, RowKey
from games.rules.full import FullState
from games.rules.redaction import PlayerView, view_for
from games.rules.rounds import PenaltyLine, Trick
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


@pytest.mark.parametrize("number", range(8))
def test_the_numbers_are_those_of_the_hand_and_what_is_to_be_kept_is_open(number: int) -> None:
    checked = 0
    for state in rounds(number):
        text, hand = said(state), view_for(state, state.acting_seats[0]).hand
        if found := re.fullmatch(r"You hold (\d+) (\w+) cards: keep (\w+) trump open\.", text):
            count, suit, again = found.groups()
            assert suit == again
            assert int(count) == sum(card.suit.value == suit for card in hand) >= 4
            row = next(row for row in state.public.current.board.rows if row.key.value == "trump")
            assert suit in row.open_spaces
            assert len(row.open_spaces) > 1
            checked += 1
        if found := re.fullmatch(r"Keep (\w+) super trumps open for your (\d)\.", text):
            assert any(card.suit.value == found[1] and card.rank == int(found[2]) for card in hand)
            checked += 1

    assert checked


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


ZEROS = "R0 R0 K0 Y0 R5 K5 Y5 Y6"


@pytest.mark.parametrize(
    ("spaces", "text"),
    [
        ("discard_1 discard_2 njet", "You hold many 0s: cover njet to discard some."),
        ("discard_2 njet", "You hold many 0s: cover njet to discard some."),
        ("pass_2_right njet", "You hold many 0s: cover njet to get rid of some."),
        ("discard_1 discard_2_no_zero njet", "You hold many 0s: keep “discard 1” open."),
        ("pass_2_right discard_2_no_zero", "You hold many 0s: keep “pass 2 right” open."),
        ("discard_2_no_zero njet", ""),
        ("discard_1 discard_2", ""),
    ],
)
def test_njet_is_to_be_covered_if_every_other_space_lets_a_capturable_card_go(spaces: str, text: str) -> None:
    view = covering("discard", spaces, ZEROS)

    assert tip(view) == text


def test_where_tricks_cost_points_no_capturable_card_has_to_go_and_no_trump_to_stay() -> None:
    assert tip(covering("discard", "discard_2 njet", ZEROS, points="-2")) == ""
    assert tip(covering("trump", "red njet", "R1 R2 R3 R4 R5 R6", points="-2")) == ""
    assert "keep red trump open" in tip(covering("trump", "red njet", "R1 R2 R3 R4 R5 R6"))


def in_phase(conditions: str, hand: str, team: str | None = None, seat: int = 0, **options: object) -> PlayerView:
    """The view of a seat with this hand on a settled board."""
    setup = digital(english(4, **options))
    return view_for(settled(setup, conditions, team, deal_of(setup.ruleset, *[""] * seat, hand)), seat)


TRUMPS = "R9 R8 K9 K8 Y5 Y4 Y3 K1 K2 K3 K4 Y1 Y2 Y6 K6"
NO_TRUMPS = "B9 B8 K9 K8 Y5 Y4 Y3 K1 K2 K3 K4 Y1 Y2 Y6 K6"


@pytest.mark.parametrize(
    ("conditions", "hand", "team", "text"),
    [
        ("0 discard_2 red njet 2", TRUMPS, "team 1", "Keep trumps, discard low cards."),
        ("0 discard_2 red njet 2", NO_TRUMPS, "team 1", "You hold no trump: keep high cards, discard low ones."),
        ("0 discard_2 red njet -2", TRUMPS, "team 1", "Each trick costs points: away with high cards."),
        ("0 pass_2_right red njet 2", TRUMPS, "team 1", "Keep trumps, give your opponent low cards."),
        ("0 pass_2_right red njet 2", NO_TRUMPS, "team 1", "Keep high cards, give your opponent low ones."),
        ("0 pass_2_right red njet 2", TRUMPS, "team 3", "Your partner gets them: pass low cards, but no 0s."),
        ("0 pass_2_right red njet -2", TRUMPS, "team 3", "Your partner’s tricks cost you points too: pass low cards."),
        ("0 pass_2_right red njet -2", TRUMPS, "team 1", "Each trick costs points: away with high cards."),
    ],
)
def test_what_to_choose_depends_on_trumps_and_on_who_gets_the_cards(
    conditions: str, hand: str, team: str, text: str
) -> None:
    assert tip(in_phase(conditions, hand, team)) == text


def test_partners_are_taken_by_the_standing_once_there_is_one() -> None:
    setup = digital(english(4))
    first = settled(setup, "0 njet njet red 2", None, deal_of(setup.ruleset))
    penalty = PenaltyLine(seat=3, points=-5, reason="", after_round=0)
    behind = replace(first, public=replace(first.public, penalties=(penalty,)))

    assert tip(view_for(first, 0)) == "Take who gains by this board, too."
    assert tip(view_for(behind, 0)) == "Partners score the same: take who is behind."


@pytest.mark.parametrize(("hand", "text"), [(TRUMPS, "Keep trumps, pass"), (NO_TRUMPS, "You hold no trump: keep high")])
def test_before_the_teams_no_player_is_called_a_partner_or_an_opponent(hand: str, text: str) -> None:
    said = tip(in_phase("0 pass_2_right red njet 2", hand, discard_timing="before_teams"))

    assert said.startswith(text)
    assert "opponent" not in said


@pytest.mark.parametrize(
    ("conditions", "hand", "text"),
    [
        ("0 njet red njet 2", NO_TRUMPS, "You hold no trump: win early with high cards."),
        ("0 njet red njet 2", TRUMPS, "You hold 2 trumps: lead other high cards first."),
        (
            "0 njet red njet 2",
            "R9 R1 R2 R3 R4 K1 K2 K3 K4 Y1 Y2 Y3 Y4 B1 B2",
            "Lead from a short suit: then you can trump it.",
        ),
        ("0 njet njet njet 2", TRUMPS, "There is no trump: the highest of a suit wins."),
        ("0 njet njet njet 2", "R1 R2 R3 R4 K1 K2 K3 K4 Y1 Y2 Y3 Y4 B1 B2 B3", ""),
        ("0 njet red njet 2", "K1 K2 K3 K4 K5 Y1 Y2 Y3 Y4 Y5 B1 B2 B3 B4 B5", ""),
        ("0 njet njet njet -2", TRUMPS, "Each trick costs points: lead low."),
    ],
)
def test_what_to_lead_depends_on_the_trumps_of_round_and_hand(conditions: str, hand: str, text: str) -> None:
    assert tip(in_phase(conditions, hand, "team 1")) == text


def test_late_in_a_round_there_is_nothing_to_win_early() -> None:
    view = in_phase("0 njet red njet 2", NO_TRUMPS, "team 1")
    current = view.public.current
    trick = Trick(0, 0, 0, in_order("K9 K8 K7 K6"))
    late = replace(
        view, hand=in_order("K9 K8 Y5 Y4"), public=replace(view.public, current=replace(current, tricks=(trick,) * 9))
    )

    assert tip(view) == "You hold no trump: win early with high cards."
    assert tip(late) == ""
