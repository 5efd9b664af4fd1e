"""The coach: what it says follows from the player's own view, and is true."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest

from games.pages.digital.coach import tip
from games.rules import Deal, Phase
from games.rules.full import FullState
from games.rules.redaction import view_for
from tests.builders import dealt_by_chance, digital, dutch, english, italian

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
