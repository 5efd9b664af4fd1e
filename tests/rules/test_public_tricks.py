"""RULES.md section 5: tricks and the tally, in a table game as everyone sees it."""

import pytest

from games.rules import NjetError, Phase, Setup, Template
from games.rules.errors import (
    CapturedSumTooLarge,
    CapturedSumTooSmall,
    CapturedWithoutTrick,
    NegativeCount,
    TooManyCaptured,
    UnknownSeat,
    WrongPhase,
    WrongTallyLength,
    WrongTrickSum,
)
from tests.builders import dutch, english, french, play, setup_of
from tests.rules.public_states import BOARD, refusal_of

# --- tricks ---


def test_the_start_player_leads_and_the_winner_of_a_trick_leads_the_next() -> None:
    state = play(english(4), "open 2 njet red blue 2", "team 1")
    leaders = [state.current.leader]

    for line in ("trick 3", "trick 3+1", "trick 0"):
        state = play(state, line)
        leaders.append(state.current.leader)

    assert leaders == [2, 3, 3, 0]
    assert [trick.leader for trick in state.current.tricks] == [2, 3, 3]


def test_tricks_and_captures_belong_to_the_player_who_won_the_trick() -> None:
    state = play(english(4), BOARD, "team 1", "trick 3+2", "trick 0", "trick 3+1")

    counts = [(each.tricks, each.captured) for each in state.current.won(4)]

    assert counts == [(1, 0), (0, 0), (0, 0), (2, 3)]


def test_while_tricks_are_counted_no_single_seat_is_due() -> None:
    state = play(english(4), BOARD, "team 1", "trick 3+2")

    assert (state.phase, state.acting_seats) == (Phase.TRICKS, ())


@pytest.mark.parametrize(
    ("setup", "team", "tricks", "refused", "refusal", "params"),
    [
        (english(4), "team 1", [], "trick 4", UnknownSeat, {"seat": 4}),
        (english(4), "team 1", [], "trick -1", UnknownSeat, {"seat": -1}),
        (english(4), "team 1", [], "trick 0+-1", NegativeCount, {"captured": -1}),
        (english(4), "team 1", [], "trick 0+3", TooManyCaptured, {"seat": 0, "captured": 3, "most": 2}),
        (english(5), "team 1 monster 0", [], "trick 1+4", TooManyCaptured, {"seat": 1, "captured": 4, "most": 3}),
        (english(5), "team 1 monster 0", [], "trick 2+3", TooManyCaptured, {"seat": 2, "captured": 3, "most": 2}),
        (english(3), "team alone monster 0", [], "trick 1+2", TooManyCaptured, {"seat": 1, "captured": 2, "most": 1}),
        (english(4), "team 1", ["trick 0+2"] * 6, "trick 0+1", CapturedSumTooLarge, {"sum": 13, "most": 12}),
        (dutch(4), "team 1", ["trick 0+2"] * 4, "trick 0+1", CapturedSumTooLarge, {"sum": 9, "most": 8}),
        (french(4), "team 1", [], "trick 0+5", TooManyCaptured, {"seat": 0, "captured": 5, "most": 4}),
        (french(4), "team 1", ["trick 0"] * 8, "trick 0+3", CapturedSumTooSmall, {"sum": 3, "least": 4}),
        (
            french(4),
            "team 1",
            ["trick 0+2"] * 3 + ["trick 0"] * 6,
            "trick 0+1",
            CapturedSumTooSmall,
            {"sum": 7, "least": 8},
        ),
    ],
)
def test_an_impossible_trick_is_refused(setup, team, tricks, refused, refusal, params) -> None:
    state = play(setup, BOARD, team, *tricks)

    error = refusal_of(state, refused)

    assert (type(error), error.params) == (refusal, params)


@pytest.mark.parametrize(
    ("discard", "tricks"), [("njet", 15), ("discard_1", 14), ("discard_2_no_zero", 13), ("pass_2_right", 15)]
)
def test_the_round_is_over_with_the_last_trick(discard: str, tricks: int) -> None:
    state = play(english(4), f"open 0 {discard} red blue 2", "team 1")

    counted = play(state, *["trick 1"] * (tricks - 1))
    done = play(counted, "trick 2+1")

    assert (counted.current.number, len(counted.current.tricks), counted.finished) == (1, tricks - 1, ())
    assert done.current.number == 2
    assert [(each.tricks, each.captured) for each in done.finished[0].won] == [(0, 0), (tricks - 1, 0), (1, 1), (0, 0)]
    assert len(done.finished[0].tricks) == tricks


def test_after_the_round_the_next_begins_by_itself_with_the_left_neighbour_as_dealer() -> None:
    state = play(english(4, dealer=3), BOARD, "team 1", "tally 15 0 0 0")

    assert (state.phase, state.current.number, state.current.dealer) == (Phase.PLACING, 2, 0)
    assert (state.acting_seats, state.current.board.is_untouched) == ((0,), True)
    assert (state.finished[0].number, state.finished[0].dealer) == (1, 3)


# --- the tally ---


def test_a_tally_replaces_the_tricks_recorded_one_by_one_so_far() -> None:
    state = play(english(4), BOARD, "team 1", "trick 3+2", "trick 3+2", "trick 2")

    done = play(state, "tally 15 0 0 0")

    assert [(each.tricks, each.captured) for each in done.finished[0].won] == [(15, 0), (0, 0), (0, 0), (0, 0)]
    assert done.finished[0].tricks == ()
    assert done.totals == (30, 30, 0, 0)


@pytest.mark.parametrize(
    ("setup", "tally", "refusal"),
    [
        (english(4), "tally 15 0 0", WrongTallyLength),
        (english(4), "tally 16 -1 0 0", NegativeCount),
        (english(4), "tally 15+-1 0 0 0", NegativeCount),
        (english(4), "tally 14 0 0 0", WrongTrickSum),
        (english(4), "tally 16 0 0 0", WrongTrickSum),
        (english(4), "tally 15 0+1 0 0", CapturedWithoutTrick),
        (english(4), "tally 14 1+3 0 0", TooManyCaptured),
        (english(4), "tally 8+7 0 7+6 0", CapturedSumTooLarge),
        (french(4), "tally 5+3 0 5+4 0", CapturedSumTooSmall),
    ],
)
def test_an_impossible_tally_is_refused(setup: Setup, tally: str, refusal: type[NjetError]) -> None:
    state = play(setup, BOARD, "team 1")

    error = refusal_of(state, tally)

    assert type(error) is refusal


def test_with_two_players_any_number_of_zeros_may_be_missing() -> None:
    state = play(english(2, captured_from="everyone"), BOARD)

    done = play(state, "tally 7 8+1")

    assert done.totals == (14, 18)


# --- recording trick by trick never gets stuck ---


@pytest.mark.parametrize("discard", ["njet", "discard_1", "discard_2"])
@pytest.mark.parametrize("captured_from", ["opponents", "everyone"])
@pytest.mark.parametrize(
    ("preset", "players"),
    [("njet-english", 2), ("njet-english", 3), ("njet-english", 4), ("njet-english", 5), ("goldsieber-dutch", 3),
     ("goldsieber-dutch", 4)],
)  # fmt: skip
def test_trick_by_trick_never_gets_stuck(preset: str, players: int, captured_from: str, discard: str) -> None:
    setup = setup_of(preset, players, captured_from=captured_from)
    start = play(setup, f"open 0 {discard} red blue 1")
    if players > 2:
        start = play(start, start.legal_actions()[0])
    total = setup.ruleset.tricks(discard)

    for take in ("least", "most", "least, then most", "most, then least"):
        state = start
        for number in range(total):
            (trick,) = [each for each in state.legal_actions() if isinstance(each, Template) and each.kind == "trick"]
            winner = trick.bounds["winner"][number % len(trick.bounds["winner"])]
            limits = trick.bounds["captured"][winner]
            assert limits["least"] <= limits["most"]
            first, _, later = take.partition(", then ")
            state = play(state, f"trick {winner}+{limits[later if later and number >= total // 2 else first]}")

        captured = sum(each.captured for each in state.finished[0].won)
        zeros = setup.ruleset.edition.capturable_cards
        missing = players * {"njet": 0, "discard_1": 1, "discard_2": 2}[discard]
        assert captured <= zeros
        assert captured_from == "opponents" or players == 2 or captured >= zeros - missing


def test_the_bounds_of_the_next_trick_are_offered_by_seat() -> None:
    state = play(french(4), BOARD, "team 1", *["trick 0"] * 8)

    (trick,) = [each for each in state.legal_actions() if isinstance(each, Template) and each.kind == "trick"]

    assert trick.bounds == {"winner": [0, 1, 2, 3], "captured": [{"least": 4, "most": 4}] * 4}
    assert state.captures_of_next_trick(2) == (4, 4)


def test_the_bounds_of_the_tally_are_offered() -> None:
    state = play(english(5), "open 0 discard_1 red blue 2", "team 1 monster 0")

    (tally,) = [each for each in state.legal_actions() if isinstance(each, Template) and each.kind == "tally"]

    assert tally.bounds == {"tricks": 11, "captured_per_trick": [3, 3, 2, 2, 2], "captured": {"least": 0, "most": 12}}


@pytest.mark.parametrize("lines", [[], [BOARD], [BOARD, "team 1", "trick 0"]], ids=len)
def test_the_bounds_of_a_misdeal_and_of_a_penalty_are_offered_in_every_phase(lines: list[str]) -> None:
    state = play(english(4), *lines)

    offered = {each.kind: each.bounds for each in state.legal_actions() if isinstance(each, Template)}

    assert offered["void_round"] == {"reason": {"longest": 200}}
    assert offered["penalty"] == {
        "seat": [0, 1, 2, 3],
        "points": {"least": -999, "most": 999, "not": [0]},
        "reason": {"longest": 200},
    }


def test_the_open_spaces_are_offered_for_a_quick_entry() -> None:
    state = play(dutch(3, dealer=0), "trump red", "start 2")

    (entry,) = [each for each in state.legal_actions() if isinstance(each, Template) and each.kind == "conditions"]

    assert entry.bounds == {
        "start": ["0", "1"],
        "discard": ["discard_1", "discard_2", "njet"],
        "trump": ["black", "blue", "green"],
        "supertrump": ["red", "black", "blue", "green", "njet"],
        "points": ["1", "2", "3", "4"],
    }


def test_there_is_no_next_trick_before_the_teams() -> None:
    state = play(english(4), BOARD)

    with pytest.raises(WrongPhase) as refused:
        state.captures_of_next_trick(0)

    assert refused.value.params == {"action": "trick", "phase": "teams", "needed": "tricks"}
