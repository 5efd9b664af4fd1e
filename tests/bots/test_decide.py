"""The bots at the table: always a legal action, and a sensible one where it is plain."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from games.bots import GUESSES, LEVELS, decide
from games.bots.strong import Limit, decide_strongly
from games.rules.actions import Action, Deal, Discard, NameTeam, Place, Play
from games.rules.cards import Card, parse_hand, sort_hand
from games.rules.editions import RowKey
from games.rules.full import FullState
from games.rules.redaction import PlayerView, view_for
from tests.bots.chance import decide_flatly, decide_randomly
from tests.bots.positions import CHANGES, TABLES, dealt, digital, random_game


def due(state: FullState) -> PlayerView:
    return view_for(state, state.acting_seats[0])


def decided(view: PlayerView, level: str) -> Action:
    """The action of a bot that searches the same on every machine, however busy that is."""
    if level == "easy":
        return decide(view, level=level, seed=1)
    return decide_strongly(view, 1, Limit(until=0.0, guesses=GUESSES.get(level, 60)))


# --- every phase ---


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_easy_answers_every_view_legally_and_with_the_same_seed_alike(preset: str, players: int) -> None:
    rng = Random(f"{preset} {players}")
    for changed in CHANGES:
        for state in list(random_game(preset, players, rng, **changed))[::3]:
            view = due(state)

            action = decide(view, level="easy", seed=1)

            assert action in view.legal
            assert action == decide(view, level="easy", seed=1)


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_strong_answers_every_view_legally(preset: str, players: int) -> None:
    rng = Random(f"{preset} {players}")
    for state in list(random_game(preset, players, rng, start_row=not preset.startswith("njet")))[::2]:
        view = due(state)

        assert decide(view, level="strong", seed=1, budget=0.0005) in view.legal


def test_the_reference_players_answer_legally() -> None:
    for state in random_game("njet-english", 3, Random(5)):
        view = due(state)

        assert decide_randomly(view, 1) in view.legal
        assert decide_flatly(view, 1, Limit(until=0.0, guesses=2)) in view.legal


def test_strong_is_reproducible_when_its_guesses_are_counted() -> None:
    limit = Limit(until=0.0, guesses=4)
    for state in list(random_game("njet-english", 4, Random(6)))[::4]:
        view = due(state)

        assert decide_strongly(view, 7, limit) == decide_strongly(view, 7, limit)


def test_medium_compares_on_few_guesses_and_is_the_same_on_every_machine() -> None:
    few = Limit(until=0.0, guesses=GUESSES["medium"])
    for state in list(random_game("njet-english", 4, Random(6)))[::6]:
        view = due(state)
        alone = len(view.legal) == 1

        action = decide(view, level="medium", seed=7, budget=60.0)

        assert action == (view.legal[0] if alone else decide_strongly(view, 7, few))


def test_a_search_of_few_guesses_ends_with_its_time_too() -> None:
    ticks = iter(range(100))
    limit = Limit.of(3.0, lambda: float(next(ticks)), guesses=1000)

    assert [limit.reached(guesses) for guesses in range(1, 4)] == [False, False, True]


def test_a_bot_without_a_choice_does_not_search() -> None:
    view = due(dealt(digital("njet-english", 4), Random(7)))
    only = replace(view, legal=view.legal[-1:])

    assert decide(only, level="strong", seed=1, budget=3600.0) == view.legal[-1]


def test_an_unknown_level_is_refused() -> None:
    view = due(dealt(digital("njet-english", 4), Random(8)))

    with pytest.raises(ValueError, match="clever"):
        decide(view, level="clever", seed=1)


# --- sense ---

RED_HAND = "R9 R8 R7 R7 R7 R7 R6 R5 R4 K9 K8 K7 Y9 Y8 Y7"
POOR_HAND = "R0 R0 R1 K0 K0 K1 K2 Y0 Y0 Y1 Y2 B1 B2 B3 B4"


def covered(state: FullState, *left: str) -> FullState:
    """The state when only the named spaces of some rows are open yet: "points 2 3"."""
    for words in left:
        row, *spaces = words.split()
        for space in state.setup.ruleset.spaces(RowKey(row)):
            if space not in spaces:
                state = state.apply(Place(RowKey(row), space))
    return state


def placing_with(hand: str, *left: str) -> PlayerView:
    """The next placer's view with this hand."""
    return replace(due(covered(dealt(digital("njet-english", 4), Random(9)), *left)), hand=parse_hand(hand))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("hand", "trumps", "points", "covered"),
    [
        (RED_HAND, "trump red yellow", "points 2 3", Place(RowKey.TRUMP, "yellow")),
        (RED_HAND, "trump red yellow", "points -2", Place(RowKey.TRUMP, "red")),
        (POOR_HAND, "trump red", "points 4 -2", Place(RowKey.POINTS, "4")),
    ],
    ids=["the long suit is trump", "not under negative points", "a poor hand is glad of those"],
)
def test_the_last_choice_suits_the_hand(level: str, hand: str, trumps: str, points: str, covered: Place) -> None:
    view = placing_with(hand, trumps, points, "supertrump njet", "discard njet", "start 0 1")

    assert decided(view, level) == covered


def tricks_of(begun: str, points: str = "2") -> FullState:
    """Hands that begin with these cards, filled up from the sorted deck, at their first trick.

    Red is trump, there is no super trump, seat 0 leads, partners are 0 and 2.
    """
    state = digital("njet-english", 4)
    hands = [list(parse_hand(hand)) for hand in begun.split("|")]
    rest = list(state.setup.ruleset.deck())
    for card in [card for hand in hands for card in hand]:
        rest.remove(card)
    for hand in hands:
        missing = 15 - len(hand)
        hand += rest[:missing]
        rest = rest[missing:]
    state = state.apply(Deal(tuple(sort_hand(hand) for hand in hands)))
    state = covered(state, "start 0", "discard njet", "trump red", "supertrump njet", f"points {points}")
    return state.apply(NameTeam((2,), None))


def play(state: FullState, *cards: str) -> FullState:
    for card in cards:
        state = state.apply(Play(Card.parse(card)))
    return state


@pytest.mark.parametrize(
    ("level", "points", "wise"),
    [("easy", "2", "K9"), ("easy", "-2", "K1"), ("medium", "2", "K9"), ("strong", "2", "K9")],
)
def test_the_last_player_takes_a_trick_where_tricks_are_wanted(level: str, points: str, wise: str) -> None:
    state = tricks_of("K2|K0|K3|K9 K1", points)
    state = play(state, "K2", "K0", "K3")

    assert decided(due(state), level) == Play(Card.parse(wise))


def test_easy_discards_what_the_opponents_would_capture() -> None:
    state = dealt(digital("njet-english", 4), Random(11))
    state = covered(state, "start 0", "discard discard_2", "trump red", "supertrump red", "points 2")
    state = state.apply(NameTeam((2,), None))
    view = replace(view_for(state, 1), hand=parse_hand("R0 R0 R1 R2 R3 R4 K0 K7 K8 B1 B2 B3 Y0 Y7 Y8"))

    assert decide(view, level="easy", seed=1) == Discard(parse_hand("K0 Y0"))
