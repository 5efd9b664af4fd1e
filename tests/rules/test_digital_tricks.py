"""Digital play: following suit, winning a trick (RULES.md sections 3.5 and 4)."""

from __future__ import annotations

import pytest

from games.rules import Card, Phase, Play, Setup, parse_hand
from games.rules.errors import CardNotHeld, MustFollowSuit, MustFollowTrump, MustTrump, NotYourTurn, WrongPhase
from games.rules.full import FullState
from tests.builders import deal_of, digital, english, in_order, in_tricks
from tests.rules.following import Following, each_case_of_the_table
from tests.rules.full_states import playing, refusal_of


def cards(text: str) -> tuple[str, ...]:
    """Cards as a page writes them, for the parameters of refusals."""
    return tuple(str(card) for card in in_order(text))


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
        for other in {0, 1, 2, 3} - {seats[-1]}:
            refused = refusal_of(state, Play(card), seat=other)
            assert (type(refused), refused.params) == (NotYourTurn, {"seat": other, "acting": [seats[-1]]})
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
