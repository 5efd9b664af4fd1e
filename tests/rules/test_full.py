"""Digital play: hands, choices that lie face down, following suit (RULES.md sections 3.1, 3.4, 3.5 and 4)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random
from typing import Any

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
    IllegalAction,
    NameTeam,
    Pass,
    Phase,
    Place,
    Play,
    PublicState,
    RecordTally,
    RecordTrick,
    RowKey,
    Setup,
    VoidRound,
    parse_hand,
)
from games.rules.cards import sort_hand
from games.rules.dealing import hands_of
from games.rules.errors import (
    AlreadyChosen,
    CapturableKept,
    CardNotHeld,
    CardsHidden,
    DigitalOnly,
    GameOver,
    MustFollowSuit,
    MustFollowTrump,
    MustTrump,
    NothingToFinish,
    NotYourTurn,
    SeatMissing,
    TableOnly,
    TooManyCaptured,
    UnknownSeat,
    WrongCardCount,
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
    in_order,
    in_tricks,
    italian,
    play,
    read,
    settled,
    wikipedia,
)
from tests.rules.following import Following, each_case_of_the_table


def cards(text: str) -> tuple[str, ...]:
    """Cards as a page writes them, for the parameters of refusals."""
    return tuple(str(card) for card in in_order(text))


def playing(state: FullState, *lines: str) -> FullState:
    """Cards, one after another, by the seats that are due: “R9 R4 K7”."""
    for card in in_order(" ".join(lines)):
        state = state.apply(Play(card))
    return state


def refusal_of(state: FullState, action: Any, *, seat: int | None = None) -> IllegalAction:
    """The refusal of an action, which has changed nothing."""
    before = repr(state)
    with pytest.raises(IllegalAction) as refused:
        state.apply(action, seat=seat)
    assert repr(state) == before
    return refused.value


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
    assert refusal_of(state, choice, seat=2).params == {"seat": 2}
    assert isinstance(refusal_of(state, choice, seat=-1), UnknownSeat)

    last = state.apply(choice, seat=0)
    assert last.apply(last.legal_actions(1)[0]) == last.apply(last.legal_actions(1)[0], seat=1)


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


def test_two_cards_go_to_the_right_neighbour() -> None:
    setup = digital(english(4))
    gifts = ("R1 R2", "K1 K2", "B1 B2", "Y1 Y2")
    state = settled(setup, "0 pass_2_right red blue 2", "team 1", deal_of(setup.ruleset, *gifts))
    before = state.hands
    assert state.public.phase is Phase.PASSING

    for seat, gift in enumerate(gifts):
        state = state.apply(Pass(in_order(gift)), seat=seat)

    for seat, gift in enumerate(gifts):
        right = (seat - 1) % 4  # the seat before in clockwise order
        assert state.passed[seat] == state.received[right] == in_order(gift)
        assert set(in_order(gift)) <= set(state.hands[right])
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
    ("space", "action", "needed"),
    [("discard_2", Pass, "discarding"), ("pass_2_right", Discard, "passing")],
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


# --- 4 following suit ---


def _on_the_lead(case: Following) -> FullState:
    """Seat 0 has led the card of the case, seat 1 holds its hand; the other cards do not matter."""
    setup = english(4, supertrump_suit=case.reading, must_trump_when_void=case.must_trump)
    hand, led = parse_hand(case.hand), Card.parse(case.led)
    rest = list(setup.ruleset.deck())
    for card in [led, *hand]:
        rest.remove(card)
    compact = [" ".join(card.compact for card in cards) for cards in (hand, *(rest[n : n + len(hand)] for n in (3, 9)))]
    leader = " ".join(card.compact for card in [led, *rest[15 : 14 + len(hand)]])
    conditions = f"0 njet {case.trump} {case.supertrump} 2"
    return playing(in_tricks(setup, conditions, "team 1", leader, *compact), case.led)


@each_case_of_the_table
def test_the_led_suit_must_be_followed_as_the_table_says(case: Following) -> None:
    state, allowed = _on_the_lead(case), parse_hand(case.legal)

    assert state.legal_actions(1) == tuple(map(Play, allowed))
    for card in set(parse_hand(case.hand)):
        if card in allowed:
            assert state.apply(Play(card), seat=1).public.current.table[-1] == card
        else:
            refused = refusal_of(state, Play(card), seat=1)
            assert isinstance(refused, MustFollowSuit | MustFollowTrump | MustTrump)
            assert refused.params["allowed"] == [str(each) for each in allowed]
            assert (refused.params["card"], refused.params["led"]) == (str(card), str(Card.parse(case.led)))


def readings(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("reading", names)


@readings("own_suit", "trump_or_own", "trump")
def test_the_leader_may_lead_any_card(reading: str) -> None:
    setup = english(2, supertrump_suit=reading, must_trump_when_void=True)

    state = in_tricks(setup, "1 njet black blue 2", None, "R1 R2 R3 R4", "B0 K0 R8 R9")

    assert state.acting_seats == (1,)
    assert state.legal_actions(1) == tuple(Play(card) for card in parse_hand("B0 K0 R8 R9"))
    assert state.legal_actions(0) == ()


def test_the_led_suit_must_be_followed_if_possible() -> None:
    state = playing(in_tricks(english(2), "0 njet black blue 2", None, "R5 R6", "R3 K4"), "R5")

    refused = refusal_of(state, Play(Card.parse("K4")))

    assert state.legal_actions(1) == (Play(Card.parse("R3")),)
    assert type(refused) is MustFollowSuit
    assert refused.params == {"suit": "red", "card": "black-4", "led": "red-5", "allowed": ["red-3"]}
    assert refused.message == "You hold red: follow suit."


def test_must_trump_when_void_asks_for_a_trump_or_super_trump() -> None:
    setup = english(2, must_trump_when_void=True)
    state = playing(in_tricks(setup, "0 njet black blue 2", None, "R5 R6 R4", "Y3 K4 B0"), "R5")

    refused = refusal_of(state, Play(Card.parse("Y3")))

    assert state.legal_actions(1) == tuple(Play(card) for card in parse_hand("K4 B0"))
    assert type(refused) is MustTrump
    assert refused.params == {"card": "yellow-3", "led": "red-5", "allowed": ["black-4", "blue-0"]}


@readings("trump_or_own", "trump")
def test_trumps_and_super_trumps_are_one_family(reading: str) -> None:
    setup = english(2, supertrump_suit=reading)
    trump_led = playing(in_tricks(setup, "0 njet black blue 2", None, "K3 B6", "B0 R4"), "K3")
    supertrump_led = playing(in_tricks(setup, "0 njet black blue 2", None, "B0 B6", "B5 K4"), "B0")

    for state, allowed, other in ((trump_led, "B0", "R4"), (supertrump_led, "K4", "B5")):
        assert state.legal_actions(1) == (Play(Card.parse(allowed)),)
        refused = refusal_of(state, Play(Card.parse(other)))
        assert type(refused) is MustFollowTrump
        assert refused.params == {
            "card": cards(other)[0],
            "led": str(state.public.current.table[0]),
            "allowed": list(cards(allowed)),
        }


def test_trump_a_super_trump_is_not_playable_as_a_card_of_its_printed_suit() -> None:
    setup = english(2, supertrump_suit="trump")
    state = playing(in_tricks(setup, "0 njet black blue 2", None, "B5 B6 B8", "B0 B7 K4"), "B5")

    refused = refusal_of(state, Play(Card.parse("B0")))

    assert state.legal_actions(1) == (Play(Card.parse("B7")),)
    assert type(refused) is MustFollowSuit
    assert refused.params["suit"] == "blue"


# --- 3.5 and 4 winning a trick ---


def winner_of(conditions: str, trick: str, *, setup: Setup | None = None) -> tuple[int, int]:
    """Who wins a trick led by seat 0, and what they capture; each has another card for later."""
    played = trick.split()
    seats = len(played)
    chosen = setup or english(seats)
    later = ("Y9", "Y8", "Y6", "Y5", "Y4")
    team = {2: None, 3: "team alone monster 0", 4: "team 1", 5: "team 1 monster 0"}[seats]
    hands = [f"{card} {other}" for card, other in zip(played, later, strict=False)]
    state = playing(in_tricks(chosen, conditions, team, *hands), trick)
    (done,) = state.public.current.tricks
    assert done.cards == in_order(trick)
    assert (done.leader, state.acting_seats, state.public.current.table) == (0, (done.winner,), ())
    return done.winner, done.captured


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("R5 R9 R8 R1", 1),  # the highest card of the led suit
        ("R5 B9 B8 K1", 3),  # the highest trump
        ("K5 K9 K8 K1", 1),
        ("R9 K0 R8 R1", 1),  # an ordinary 0 of the trump suit still beats every plain card
        ("R5 K9 K8 B0", 3),  # a super trump
        ("R5 B0 K9 B0", 3),  # the last played super trump
        ("R5 B0 B0 B0", 3),
        ("R7 R7 R7 R6", 2),  # among equal cards the last played is the highest
        ("K7 R7 K7 K6", 2),
        ("R0 R0 R0 B9", 2),
        ("R1 B9 B8 B5", 0),  # no other suit wins anything
    ],
)
def test_the_trick_is_won_by_super_trump_then_trump_then_led_suit_the_last_of_equals(trick: str, winner: int) -> None:
    assert winner_of("0 njet black blue 2", trick)[0] == winner


def test_there_is_no_duty_to_overtake() -> None:
    state = playing(in_tricks(english(2), "0 njet black blue 2", None, "R5 R6", "R3 R9"), "R5")

    assert state.legal_actions(1) == tuple(Play(card) for card in parse_hand("R3 R9"))


def test_captured_are_only_the_cards_of_opponents() -> None:
    assert winner_of("0 njet black blue 2", "R9 R0 R4 R0") == (0, 1)  # seats 0 and 1 play together
    assert winner_of("0 njet black blue 2", "R9 R4 R0 R0") == (0, 2)
    assert winner_of("0 njet black blue 2", "R9 R0 R1 R4") == (0, 0)


def test_with_everyone_the_cards_of_partners_and_ones_own_count_too() -> None:
    setup = english(4, captured_from="everyone")

    assert winner_of("0 njet black blue 2", "R9 R0 R4 R0", setup=setup) == (0, 2)
    assert winner_of("0 njet black blue 2", "R0 R0 R0 Y0", setup=setup) == (2, 4)


def test_the_start_player_leads_and_then_the_winner_of_a_trick() -> None:
    state = in_tricks(english(4), "2 njet black blue 2", "team 3", "R1 Y1", "R2 Y2", "R3 Y3", "R4 Y4")
    assert state.acting_seats == (2,)

    seats = []
    for card in in_order("R3 R4 R1 R2 Y4 Y1 Y2"):
        seats += state.acting_seats
        assert isinstance(refusal_of(state, Play(card), seat=(seats[-1] + 1) % 4), NotYourTurn)
        state = state.apply(Play(card), seat=seats[-1])

    assert seats == [2, 3, 0, 1, 3, 0, 1]


def test_when_the_last_card_is_played_the_round_is_on_the_sheet_and_the_next_is_dealt() -> None:
    state = in_tricks(english(4), "2 njet black blue 2", "team 3", "R1 Y1", "R2 Y2", "R3 Y3", "R4 Y4")

    state = playing(state, "R3 R4 R1 R2 Y4 Y1 Y2 Y3")

    (done,) = state.public.finished
    assert [(trick.leader, trick.winner) for trick in done.tricks] == [(2, 3), (3, 3)]
    assert state.public.totals == (0, 0, 4, 4)
    assert (state.public.phase, state.public.current.number, state.public.current.dealer) == (Phase.DEALING, 2, 1)
    assert (state.hands, state.chosen) == ((), ())


def test_a_card_that_is_not_held_cannot_be_played() -> None:
    state = in_tricks(english(2), "0 njet black blue 2", None, "R5 R6", "R3 K4")

    refused = refusal_of(state, Play(Card.parse("R3")))
    assert (type(refused), refused.params) == (CardNotHeld, {"card": "red-3"})

    last = playing(in_tricks(english(2), "0 njet black blue 2", None, "R5", "R3"), "R5")
    assert isinstance(refusal_of(last, Play(Card.parse("R5"))), CardNotHeld)


def test_a_card_is_played_only_in_the_tricks() -> None:
    setup = digital(english(4))
    state = FullState.start(setup).apply(deal_of(setup.ruleset))

    refused = refusal_of(state, Play(state.hands[0][0]), seat=0)

    assert isinstance(refused, WrongPhase)
    assert refused.params == {"action": "play", "phase": "placing", "needed": "tricks"}


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


@pytest.mark.parametrize(("captured", "refusal"), [(-1, TooManyCaptured), (13, TooManyCaptured)])
def test_a_claim_that_no_round_can_give_is_refused_by_what_everybody_sees(captured: int, refusal: type) -> None:
    state = in_tricks(english(4), "0 njet black blue 2", "team 1", *CLAIMED)

    for known in (state, state.public):
        with pytest.raises(refusal):
            known.apply(Claim(2, captured))


def test_a_claim_is_for_somebody_at_the_table_and_in_the_tricks() -> None:
    setup = digital(english(4))
    tricks = in_tricks(setup, "0 njet black blue 2", "team 1", *CLAIMED)
    early = settled(setup, "0 discard_1 red blue 2", "team 1", deal_of(setup.ruleset))

    assert refusal_of(tricks, Claim(4, 0)).params == {"seat": 4}
    assert isinstance(refusal_of(early, Claim(0, 0)), WrongPhase)


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
        assert isinstance(refused, TableOnly)
        assert set(refused.params) == {"action"}


def test_at_a_physical_table_no_cards_are_dealt_or_played() -> None:
    state = play(english(4), "open 0 njet red blue 2", "team 1")

    for action in (
        deal_of(state.ruleset),
        Discard(in_order("R1")),
        Pass(in_order("R1 R2")),
        Play(Card.parse("R1")),
        Claim(0, 0),
    ):
        with pytest.raises(DigitalOnly):
            state.apply(action)


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
