"""Digital play: the deal, the board, the teams, claims, what is refused, logs (RULES.md sections 3.1 to 3.3)."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from games.rules import (
    AddPenalty,
    Card,
    Claim,
    Deal,
    Discard,
    EnterConditions,
    Finish,
    Hidden,
    NameTeam,
    Pass,
    Phase,
    Place,
    PublicState,
    RecordTally,
    RecordTrick,
    RowKey,
    Setup,
    VoidRound,
)
from games.rules.dealing import hands_of
from games.rules.errors import (
    CardsHidden,
    GameOver,
    NothingToFinish,
    NotYourTurn,
    TableOnly,
    TooManyCaptured,
    UnknownSeat,
    WrongClaim,
    WrongDeal,
    WrongPhase,
)
from games.rules.full import FullState, advance, public_of
from tests.builders import (
    deal_of,
    dealt_by_chance,
    digital,
    dutch,
    english,
    french,
    in_tricks,
    italian,
    play,
    read,
    settled,
)
from tests.rules.full_states import playing, refusal_of

# --- 3.1 the deal ---


@pytest.mark.parametrize(
    ("setup", "each", "aside"),
    [
        (english(2), 15, 30),
        (english(3), 16, 0),
        (english(4), 15, 0),
        (english(5), 12, 0),
        (french(3), 12, 0),
        (dutch(3), 12, 0),
        (italian(), 10, 0),
    ],
)
def test_everybody_is_dealt_as_many_cards_as_the_edition_says(setup: Setup, each: int, aside: int) -> None:
    state = FullState.start(digital(setup))

    state = state.apply(dealt_by_chance(setup.ruleset, Random(1)))

    assert [len(hand) for hand in state.hands] == [each] * setup.ruleset.players
    assert len(state.aside) == aside
    assert state.public.phase is Phase.PLACING


def test_before_the_deal_no_seat_is_due_and_none_holds_a_card() -> None:
    state = FullState.start(digital(english(4)))

    assert (state.public.phase, state.acting_seats, state.hands) == (Phase.DEALING, (), ())
    assert [state.legal_actions(seat) for seat in range(4)] == [()] * 4


def test_with_two_players_thirty_cards_stay_aside_and_are_reshuffled_in_the_next_round() -> None:
    setup = digital(english(2))
    state = settled(setup, "0 njet red blue 2", None, deal_of(setup.ruleset))
    assert Counter([*state.aside, *state.hands[0], *state.hands[1]]) == Counter(setup.ruleset.deck())

    state = state.apply(Claim(0, state.rest_captured(0)))
    assert (state.public.phase, state.hands, state.aside) == (Phase.DEALING, (), ())

    other = dealt_by_chance(setup.ruleset, Random(7))
    state = state.apply(other)
    assert state.hands == other.hands
    assert Counter([*state.aside, *state.hands[0], *state.hands[1]]) == Counter(setup.ruleset.deck())


def test_hands_are_sorted_however_they_were_dealt() -> None:
    setup = digital(italian())
    deal = dealt_by_chance(setup.ruleset, Random(3))

    state = FullState.start(setup).apply(Deal(tuple(hand[::-1] for hand in deal.hands)))

    assert state.hands == deal.hands


@pytest.mark.parametrize(
    "change",
    [
        lambda hands: hands[:-1],
        lambda hands: (*hands, ()),
        lambda hands: (hands[0][1:], *hands[1:]),
        lambda hands: ((*hands[0], hands[1][0]), hands[1][1:], *hands[2:]),
        lambda hands: ((*hands[0][:-1], hands[1][0]), *hands[1:]),  # one card more than the deck has
        lambda hands: ((Card.parse("Y1"), *hands[0][1:]), *hands[1:]),  # a suit that this edition has not
        lambda hands: (),
    ],
)
def test_a_deal_that_no_deck_gives_is_refused(change) -> None:
    setup = digital(italian())
    state = FullState.start(setup)
    hands = dealt_by_chance(setup.ruleset, Random(4)).hands

    refused = refusal_of(state, Deal(change(hands)))

    assert (type(refused), refused.params) == (WrongDeal, {})


def test_a_deal_with_its_seed_is_the_deal_of_this_seed() -> None:
    setup = digital(english(4))
    state = FullState.start(setup)
    hands = hands_of(setup.ruleset, "5eed")

    refused = refusal_of(state, Deal(hands, seed="another"))

    assert isinstance(refused, WrongDeal)
    assert state.apply(Deal(hands, seed="5eed")).hands == hands


def test_a_deal_that_lies_face_down_makes_no_full_state() -> None:
    setup = digital(italian())
    state, hidden = FullState.start(setup), Deal((Hidden(10),) * 4)

    refused = refusal_of(state, hidden)

    assert (type(refused), refused.params) == (CardsHidden, {})
    assert advance(state, hidden) == PublicState.start(setup).apply(hidden)


def test_a_round_is_dealt_once() -> None:
    setup = digital(italian())
    deal = dealt_by_chance(setup.ruleset, Random(4))

    refused = refusal_of(FullState.start(setup).apply(deal), deal)

    assert isinstance(refused, WrongPhase)
    assert refused.params == {"action": "deal", "phase": "placing", "needed": "dealing"}


# --- 3.2 and 3.3 the board and the teams ---


def test_the_board_is_placed_marker_by_marker_by_those_who_are_due() -> None:
    setup = digital(english(4))
    state = FullState.start(setup).apply(deal_of(setup.ruleset))

    for _ in range(19):
        (seat,) = state.acting_seats
        assert [state.legal_actions(other) for other in range(4) if other != seat] == [()] * 3
        assert state.legal_actions(seat) == state.public.legal_actions()
        state = state.apply(state.legal_actions(seat)[0], seat=seat)

    assert state.public.phase is not Phase.PLACING


def test_the_start_player_names_the_teams() -> None:
    setup = digital(english(4))
    state = settled(setup, "2 njet red blue 2", None, deal_of(setup.ruleset))

    assert state.acting_seats == (2,)
    assert state.legal_actions(2) == tuple(NameTeam((partner,), None) for partner in (0, 1, 3))
    assert [state.legal_actions(other) for other in (0, 1, 3)] == [()] * 3
    assert isinstance(refusal_of(state, NameTeam((0,), None), seat=1), NotYourTurn)


# --- claims ---

CLAIMED = ("R0 Y0 K9", "R9 Y9 K8", "R4 R0 Y8", "R8 Y0 K0")
"""Seats 0 and 1 against 2 and 3."""


def test_who_is_granted_the_rest_captures_what_the_opponents_still_hold() -> None:
    state = in_tricks(english(4), "0 njet black blue 2", "team 1", *CLAIMED)
    assert [state.rest_captured(seat) for seat in range(4)] == [3, 3, 2, 2]

    claimed = state.apply(Claim(2, 2))

    (done,) = claimed.public.finished
    assert (done.claimed, done.won[2].tricks, done.won[2].captured) == (2, 3, 2)
    assert claimed.public.totals == (0, 0, 10, 10)
    assert claimed.public.phase is Phase.DEALING


def test_the_cards_of_the_open_trick_belong_to_the_rest() -> None:
    state = playing(in_tricks(english(4), "0 njet black blue 2", "team 1", *CLAIMED), "R0 R9")

    assert [state.rest_captured(seat) for seat in range(4)] == [3, 3, 2, 2]
    assert playing(state, "R0 R8").rest_captured(1) == 2


def test_with_everyone_the_rest_is_all_that_is_left() -> None:
    state = in_tricks(english(4, captured_from="everyone"), "0 njet black blue 2", "team 1", *CLAIMED)

    assert [state.rest_captured(seat) for seat in range(4)] == [5] * 4


@pytest.mark.parametrize("captured", [0, 1, 3])
def test_a_claim_with_other_captures_than_the_cards_give_is_refused(captured: int) -> None:
    state = in_tricks(english(4), "0 njet black blue 2", "team 1", *CLAIMED)

    refused = refusal_of(state, Claim(2, captured))

    assert (type(refused), refused.params) == (WrongClaim, {"captured": captured, "needed": 2})


@pytest.mark.parametrize("captured", [-1, 7, 13])
def test_a_claim_that_no_round_can_give_is_refused_by_what_everybody_sees(captured: int) -> None:
    state = in_tricks(english(4), "0 njet black blue 2", "team 1", *CLAIMED)

    for known in (state, state.public):
        with pytest.raises(TooManyCaptured) as refused:
            known.apply(Claim(2, captured))
        assert refused.value.params == {"seat": 2, "captured": captured, "most": 6}


def test_a_claim_captures_no_more_than_the_tricks_before_it_have_left() -> None:
    setup = digital(english(4))
    begun = settled(setup, "0 njet red blue 2", "team 1", deal_of(setup.ruleset))

    refusals = [refusal_of(begun, Claim(0, 13)), refusal_of(playing(begun, "R9 K0 B1 Y0"), Claim(0, 12))]

    assert [(type(each), each.params["most"]) for each in refusals] == [(TooManyCaptured, 12), (TooManyCaptured, 11)]


def test_a_claim_is_for_somebody_at_the_table_and_in_the_tricks() -> None:
    setup = digital(english(4))
    tricks = in_tricks(setup, "0 njet black blue 2", "team 1", *CLAIMED)
    early = settled(setup, "0 discard_1 red blue 2", "team 1", deal_of(setup.ruleset))

    for seat in (-1, 4):
        refused = refusal_of(tricks, Claim(seat, 0))
        assert (type(refused), refused.params) == (UnknownSeat, {"seat": seat})
    refused = refusal_of(early, Claim(0, 0))
    assert type(refused) is WrongPhase
    assert refused.params == {"action": "claim", "phase": "discarding", "needed": "tricks"}


# --- two ways of playing ---

ACTIONS_OF_TABLES = (
    EnterConditions("0", "njet", "red", "blue", "2"),
    RecordTrick(0, 0),
    RecordTally((15, 0, 0, 0), (0, 0, 0, 0)),
    VoidRound("misdeal"),
    AddPenalty(0, -5, "revoke"),
)


@pytest.mark.parametrize("action", ACTIONS_OF_TABLES, ids=lambda each: type(each).__name__)
def test_where_the_app_sees_the_cards_nothing_is_counted_voided_or_punished(action) -> None:
    setup = digital(english(4))

    for state in (
        FullState.start(setup),
        FullState.start(setup).apply(deal_of(setup.ruleset)),
        in_tricks(setup, "0 njet black blue 2", "team 1", *CLAIMED),
    ):
        refused = refusal_of(state, action)
        assert (type(refused), refused.params) == (TableOnly, {"action": action.kind})


def test_a_digital_game_can_be_finished_after_a_complete_round() -> None:
    setup = digital(english(4))
    state = settled(setup, "0 njet red blue 2", "team 1", deal_of(setup.ruleset))
    assert isinstance(refusal_of(state, Finish()), NothingToFinish)

    state = state.apply(Claim(0, state.rest_captured(0))).apply(Finish())

    assert (state.public.phase, state.acting_seats, state.hands) == (Phase.FINISHED, (), ())
    assert isinstance(refusal_of(state, Finish()), GameOver)


def test_a_game_broken_off_within_a_round_forgets_the_hands() -> None:
    setup = digital(english(4))
    state = settled(setup, "0 njet red blue 2", "team 1", deal_of(setup.ruleset))
    state = state.apply(Claim(0, state.rest_captured(0))).apply(dealt_by_chance(setup.ruleset, Random(2)))

    state = state.apply(Finish())

    assert (state.hands, state.aside) == ((), ())


def test_a_state_in_the_tricks_cannot_be_changed_from_outside() -> None:
    state = in_tricks(english(4), "0 njet black blue 2", "team 1", "R1", "R2", "R3", "R4")

    for part in ("public", "hands", "aside", "chosen", "discarded", "passed", "received", "acting_seats", "setup"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(state, part, ())


# --- logs that may be redacted ---


def test_a_log_is_full_as_long_as_its_deals_are_known() -> None:
    setup = digital(english(2))
    deal = deal_of(setup.ruleset)
    full = FullState.start(setup)

    known = advance(full, deal)
    hidden = advance(full, Deal((Hidden(15), deal.hands[1])))
    after = advance(hidden, read("trump red"))

    assert isinstance(known, FullState)
    assert public_of(known) == hidden == public_of(hidden)
    assert public_of(advance(known, read("trump red"))) == after
    assert advance(PublicState.start(setup), deal) == known


@pytest.mark.parametrize(("space", "hidden"), [("discard_1", Discard(Hidden(1))), ("pass_2_right", Pass(Hidden(2)))])
def test_a_hidden_choice_makes_the_rest_public(space: str, hidden: Discard | Pass) -> None:
    setup = digital(english(2))
    state = settled(setup, f"0 {space} red blue 2", None, deal_of(setup.ruleset))

    public = advance(state, hidden, seat=0)

    assert public == advance(state, state.legal_actions(0)[0], seat=0).public


def test_places_are_covered_in_digital_play_as_at_a_table() -> None:
    setup = digital(english(4))
    state = FullState.start(setup).apply(deal_of(setup.ruleset))

    covered = state.apply(Place(RowKey.TRUMP, "red"), seat=0)

    assert covered.public.current.board == play(english(4), "trump red").current.board
    assert isinstance(refusal_of(state, Place(RowKey.TRUMP, "red"), seat=1), NotYourTurn)
