"""Digital play: cards that are discarded or passed lie face down until all have chosen (RULES.md section 3.4)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from games.rules import Card, Discard, Hidden, Pass, Phase, Setup, parse_hand
from games.rules.cards import sort_hand
from games.rules.errors import (
    AlreadyChosen,
    CapturableKept,
    CardNotHeld,
    CardsHidden,
    SeatMissing,
    UnknownSeat,
    WrongCardCount,
    WrongPhase,
)
from games.rules.full import FullState
from tests.builders import deal_of, dealt_by_chance, digital, english, iello, in_order, settled, wikipedia
from tests.rules.full_states import refusal_of

# --- 3.4 discard or pass ---

DISCARDED = {"discard_1": 1, "discard_2": 2, "discard_2_no_zero": 2}


def chosen_by_all(state: FullState) -> FullState:
    """Everybody discards or passes the first of what is possible, the last seat first."""
    for seat in reversed(state.acting_seats):
        state = state.apply(state.legal_actions(seat)[0], seat=seat)
    return state


@pytest.mark.parametrize("space", DISCARDED)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_exactly_that_many_cards_are_discarded(space: str, players: int) -> None:
    setup = digital(english(players))
    team = {2: None, 3: "team 1 monster 2", 4: "team 1", 5: "team 1 monster 0"}[players]
    state = settled(setup, f"0 {space} red blue 2", team, dealt_by_chance(setup.ruleset, Random(5)))
    assert state.public.phase is Phase.DISCARDING
    assert state.acting_seats == tuple(range(players))

    for count in (0, 1, 2, 3):
        if count != DISCARDED[space]:
            refused = refusal_of(state, Discard(state.hands[0][:count]), seat=0)
            assert isinstance(refused, WrongCardCount)
            assert refused.params == {"count": count, "needed": DISCARDED[space]}
    state = chosen_by_all(state)

    tricks = setup.ruleset.tricks(space)
    assert [len(hand) for hand in state.hands] == [tricks] * players == list(state.public.current.hand_sizes)
    assert [len(cards) for cards in state.discarded] == [DISCARDED[space]] * players
    assert state.public.phase is Phase.TRICKS


def test_without_a_discard_the_tricks_follow_the_teams() -> None:
    setup = digital(english(4))

    state = settled(setup, "0 njet red blue 2", "team 1", deal_of(setup.ruleset))

    assert (state.public.phase, state.acting_seats) == (Phase.TRICKS, (0,))


def test_cards_are_discarded_simultaneously_and_lie_face_down_until_the_last_has_chosen() -> None:
    setup = digital(english(4))
    state = settled(setup, "0 discard_1 red blue 2", "team 1", deal_of(setup.ruleset, "Y9", "K8", "B7", "R6"))

    for seat, card in ((2, "B7"), (0, "Y9"), (3, "R6")):
        state = state.apply(Discard(in_order(card)), seat=seat)
        assert state.chosen[seat] == in_order(card)
        assert Card.parse(card) in state.hands[seat]
        assert state.discarded == ((),) * 4
        assert state.public.current.hand_sizes == (15,) * 4
        assert state.legal_actions(seat) == ()
    assert (state.acting_seats, state.public.current.chosen) == ((1,), (0, 2, 3))
    state = state.apply(Discard(in_order("K8")), seat=1)

    assert state.discarded == tuple(in_order(card) for card in ("Y9", "K8", "B7", "R6"))
    assert state.chosen == ((),) * 4
    assert state.public.current.hand_sizes == (14,) * 4
    assert Card.parse("K8") not in state.hands[1]


def test_a_choice_that_lies_face_down_is_final() -> None:
    setup = digital(english(4))
    state = settled(setup, "0 discard_1 red blue 2", "team 1", deal_of(setup.ruleset))
    state = state.apply(state.legal_actions(2)[0], seat=2)

    refused = refusal_of(state, state.legal_actions(1)[0], seat=2)

    assert (type(refused), refused.params) == (AlreadyChosen, {"seat": 2})


def test_where_several_are_due_it_has_to_be_said_who_chooses() -> None:
    setup = digital(english(2))
    state = settled(setup, "0 discard_1 red blue 2", None, deal_of(setup.ruleset))
    choice = state.legal_actions(0)[0]

    refused = refusal_of(state, choice)
    assert (type(refused), refused.params) == (SeatMissing, {})
    for seat in (-1, 2):
        refused = refusal_of(state, choice, seat=seat)
        assert (type(refused), refused.params) == (UnknownSeat, {"seat": seat})

    last = state.apply(choice, seat=0)
    assert last.apply(last.legal_actions(1)[0]) == last.apply(last.legal_actions(1)[0], seat=1)


def test_what_the_first_trick_may_bring_is_known_before_the_discards() -> None:
    setup = digital(english(4))
    state = settled(setup, "0 discard_1 red blue 2", "team 1", deal_of(setup.ruleset))

    captures = [state.public.captures_of_next_trick(seat) for seat in range(4)]

    assert (state.public.phase, captures) == (Phase.DISCARDING, [(0, 2)] * 4)


def test_a_card_that_is_not_held_cannot_be_discarded() -> None:
    setup = digital(english(4))
    state = settled(setup, "0 discard_2 red blue 2", "team 1", deal_of(setup.ruleset, "R1 R9", "R2"))

    refused = refusal_of(state, Discard(in_order("R1 R2")), seat=0)
    assert (type(refused), refused.params) == (CardNotHeld, {"card": "red-2"})
    refused = refusal_of(state, Discard(in_order("R1 R1")), seat=0)
    assert (type(refused), refused.params) == (CardNotHeld, {"card": "red-1"})
    state.apply(Discard(in_order("R9 R1")), seat=0)


def test_identical_cards_can_go_together() -> None:
    setup = digital(english(4))
    state = settled(setup, "0 discard_2 red blue 2", "team 1", deal_of(setup.ruleset, "K7 K7"))

    state = state.apply(Discard(in_order("K7 K7")), seat=0)

    assert state.chosen[0] == in_order("K7 K7")


def test_cards_that_lie_face_down_cannot_be_chosen() -> None:
    setup = digital(english(4))
    discarding = settled(setup, "0 discard_2 red blue 2", "team 1", deal_of(setup.ruleset))
    passing = settled(setup, "0 pass_2_right red blue 2", "team 1", deal_of(setup.ruleset))

    for state, action in ((discarding, Discard(Hidden(2))), (passing, Pass(Hidden(2)))):
        refused = refusal_of(state, action, seat=0)
        assert (type(refused), refused.params) == (CardsHidden, {})


def test_discard_2_no_zero_takes_two_cards_none_of_the_capturable_rank() -> None:
    setup = digital(english(4))
    hand = "R0 R0 K0 R1 R2 R3 K1 K2 K3 B1 B2 B3 Y1 Y2 Y3"
    state = settled(setup, "0 discard_2_no_zero red blue 2", "team 1", deal_of(setup.ruleset, hand))

    for zeros in ("R0 R1", "R0 R0", "R0 K0"):
        refused = refusal_of(state, Discard(in_order(zeros)), seat=0)
        assert (type(refused), refused.params) == (CapturableKept, {"rank": 0})
    legal = {action.cards for action in state.legal_actions(0)}

    assert legal == set(combinations(parse_hand("R1 R2 R3 K1 K2 K3 B1 B2 B3 Y1 Y2 Y3"), 2))


ZEROS = "R0 R0 R0 K0 K0 K0 B0 B0 B0 Y0 Y0 Y0"


def _few_others(others: str) -> FullState:
    """Five players with the conditions `discard_2_no_zero`, the first of them with zeros and these cards.

    With five players a hand has twelve cards, just as many as there are zeros.
    """
    setup = digital(english(5))
    hand = [*in_order(ZEROS)[len(in_order(others)) :], *in_order(others)]
    deal = deal_of(setup.ruleset, " ".join(card.compact for card in hand))
    return settled(setup, "0 discard_2_no_zero red blue 2", "team 1 monster 0", deal)


def test_with_one_other_card_it_is_discarded_and_filled_up_with_a_zero() -> None:
    state = _few_others("K9")

    assert {action.cards for action in state.legal_actions(0)} == {
        parse_hand(f"{zero} K9") for zero in ("R0", "K0", "B0", "Y0")
    }
    assert isinstance(refusal_of(state, Discard(in_order("R0 K0")), seat=0), CapturableKept)
    assert isinstance(refusal_of(state, Discard(in_order("R0 R0")), seat=0), CapturableKept)


def test_with_nothing_but_zeros_two_zeros_are_discarded() -> None:
    state = _few_others("")

    pairs = {action.cards for action in state.legal_actions(0)}

    assert pairs == set(combinations(parse_hand(ZEROS), 2))
    assert len(state.legal_actions(0)) == len(pairs) == 4 + 6


def test_other_discards_may_take_the_capturable_rank() -> None:
    setup = digital(english(4))
    state = settled(setup, "0 discard_2 red blue 2", "team 1", deal_of(setup.ruleset, "R0 R0 K9"))

    assert Discard(in_order("R0 R0")) in state.legal_actions(0)
    assert Discard(in_order("R0 K9")) in state.legal_actions(0)


def test_each_choice_is_listed_once_with_its_cards_sorted() -> None:
    setup = digital(english(4))
    state = settled(setup, "0 discard_2 red blue 2", "team 1", deal_of(setup.ruleset, "K7 K7 K7 R0 R0"))

    legal = [action.cards for action in state.legal_actions(0)]

    assert len(legal) == len(set(legal))
    assert all(chosen == sort_hand(chosen) for chosen in legal)
    assert set(legal) == set(combinations(state.hands[0], 2))


def test_discards_are_never_shown_and_never_counted() -> None:
    setup = digital(english(4))
    state = settled(setup, "0 discard_1 red blue 2", "team 1", deal_of(setup.ruleset, "K0", "K9", "K8", "K6"))
    for seat, card in enumerate(("K0", "K9", "K8", "K6")):
        state = state.apply(Discard(in_order(card)), seat=seat)

    held = sum(card.rank == 0 for hand in state.hands for card in hand)

    assert held == 11
    assert state.rest_captured(0) + state.rest_captured(2) == held  # seats 0 and 1 play against 2 and 3
    assert "discarded" not in repr(state.public)


def test_discard_2_no_one_takes_no_card_of_the_capturable_rank() -> None:
    setup = digital(iello(4))
    hand = "R1 R1 Y1 R10 R2 R3 Y10 Y2 Y3 B10 B2 B3 G13 G2 G3"
    state = settled(setup, "0 discard_2_no_one red blue 2", "team 1", deal_of(setup.ruleset, hand))

    assert refusal_of(state, Discard(in_order("R1 R10")), seat=0).params == {"rank": 1}
    assert Discard(in_order("R10 G13")) in state.legal_actions(0)


@pytest.mark.parametrize(
    ("setup", "space", "to", "gifts"),
    [
        (english(4), "pass_2_right", -1, ("R1 R2", "K1 K2", "B1 B2", "Y1 Y2")),
        (iello(4), "pass_2_left", 1, ("R1 R13", "Y1 Y2", "B10 B11", "G1 G2")),
    ],
)
def test_two_cards_go_to_the_neighbour_that_the_space_names(setup: Setup, space: str, to: int, gifts) -> None:
    setup = digital(setup)
    state = settled(setup, f"0 {space} red blue 2", "team 1", deal_of(setup.ruleset, *gifts))
    before = state.hands
    assert state.public.phase is Phase.PASSING

    for seat, gift in enumerate(gifts):
        state = state.apply(Pass(in_order(gift)), seat=seat)

    for seat, gift in enumerate(gifts):
        neighbour = (seat + to) % 4  # the right one is the seat before in clockwise order
        assert state.passed[seat] == state.received[neighbour] == in_order(gift)
        assert set(in_order(gift)) <= set(state.hands[neighbour])
    assert [len(hand) for hand in state.hands] == [15] * 4 == list(state.public.current.hand_sizes)
    assert Counter(card for hand in state.hands for card in hand) == Counter(card for hand in before for card in hand)
    assert all(hand == sort_hand(hand) for hand in state.hands)
    assert (state.public.phase, state.discarded, state.chosen) == (Phase.TRICKS, ((),) * 4, ((),) * 4)


def test_cards_to_pass_are_chosen_by_everybody_before_anybody_sees_what_arrives() -> None:
    setup = digital(english(4))
    state = settled(setup, "0 pass_2_right red blue 2", "team 1", deal_of(setup.ruleset, "R1 R2", "K1 K2"))
    dealt = state.hands

    state = state.apply(Pass(in_order("K1 K2")), seat=1).apply(Pass(in_order("R1 R2")), seat=0)

    assert state.hands == dealt
    assert state.received == state.passed == ((),) * 4
    assert state.chosen == (in_order("R1 R2"), in_order("K1 K2"), (), ())
    # What seat 1 gives will be in seat 0's hand: it cannot give it on.
    assert isinstance(refusal_of(state, Pass(in_order("K1 K2")), seat=0), AlreadyChosen)


def test_zeros_may_be_passed() -> None:
    setup = digital(english(4))
    state = settled(setup, "0 pass_2_right red blue 2", "team 1", deal_of(setup.ruleset, "R0 R0"))

    assert Pass(in_order("R0 R0")) in state.legal_actions(0)
    assert {action.cards for action in state.legal_actions(0)} == set(combinations(state.hands[0], 2))


def test_two_players_exchange() -> None:
    setup = digital(english(2))
    state = settled(setup, "0 pass_2_right red blue 2", None, deal_of(setup.ruleset, "R1 R2", "K1 K2"))

    state = state.apply(Pass(in_order("R1 R2")), seat=0).apply(Pass(in_order("K1 K2")), seat=1)

    assert state.received == (in_order("K1 K2"), in_order("R1 R2"))
    assert state.passed == (in_order("R1 R2"), in_order("K1 K2"))


def test_exactly_two_cards_are_passed() -> None:
    setup = digital(english(4))
    state = settled(setup, "0 pass_2_right red blue 2", "team 1", deal_of(setup.ruleset))

    for count in (0, 1, 3):
        refused = refusal_of(state, Pass(state.hands[0][:count]), seat=0)
        assert isinstance(refused, WrongCardCount)
        assert refused.params == {"count": count, "needed": 2}


@pytest.mark.parametrize(
    ("space", "action", "needed"), [("discard_2", Pass, "discarding"), ("pass_2_right", Discard, "passing")]
)
def test_to_discard_and_to_pass_are_different_things(space: str, action: type, needed: str) -> None:
    setup = digital(english(4))
    state = settled(setup, f"0 {space} red blue 2", "team 1", deal_of(setup.ruleset))

    refused = refusal_of(state, action(state.hands[0][:2]), seat=0)

    assert isinstance(refused, WrongPhase)
    assert refused.params["phase"] == needed


@pytest.mark.parametrize(
    ("setup", "phases"),
    [
        (english(4), [Phase.TEAMS, Phase.DISCARDING, Phase.TRICKS]),
        (english(4, discard_timing="before_teams"), [Phase.DISCARDING, Phase.TEAMS, Phase.TRICKS]),
        (wikipedia(4), [Phase.DISCARDING, Phase.TEAMS, Phase.TRICKS]),
        (wikipedia(4, discard_timing="after_teams"), [Phase.TEAMS, Phase.DISCARDING, Phase.TRICKS]),
        (wikipedia(2), [Phase.DISCARDING, Phase.TRICKS]),
    ],
)
def test_discard_timing_is_the_order_of_the_two_phases(setup: Setup, phases: list[Phase]) -> None:
    setup = digital(setup)
    state = settled(setup, "0 discard_1 red blue 2", None, deal_of(setup.ruleset))

    seen = []
    while not seen or seen[-1] is not Phase.TRICKS:
        seen.append(state.public.phase)
        for seat in state.acting_seats if state.public.phase is not Phase.TRICKS else ():
            state = state.apply(state.legal_actions(seat)[0], seat=seat)

    assert seen == phases
