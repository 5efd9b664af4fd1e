"""RULES.md section 7: the sheet, the end, misdeals and penalties, in a table game as everyone sees it."""

import pytest

from games.rules import AddPenalty, Claim, Deal, Discard, Hidden, Pass, PenaltyLine, Phase, Play
from games.rules.errors import (
    DigitalOnly,
    GameOver,
    NothingToFinish,
    PenaltyOutOfRange,
    ReasonMissing,
    ReasonTooLong,
    UnknownSeat,
)
from tests.builders import dutch, english, in_order, play, read
from tests.rules.public_states import BOARD, refusal_of

# --- the sheet and the end ---


def test_the_sheet_adds_the_rounds_up() -> None:
    state = play(
        dutch(3),
        *("open 0 njet blue black 2", "team alone monster 0", "tally 5+1 4+1 3+1"),
        *("open 1 discard_1 red njet 4", "team 2 monster 0", "tally 1 5+1 5"),
    )

    assert [done.score.points for done in state.finished] == [(24, 18, 18), (8, 44, 44)]
    assert (state.totals, state.leaders, state.ranks) == ((32, 62, 62), (1, 2), (3, 1, 1))
    assert state.winners == ()


def test_by_difference_the_gaps_add_up_and_the_raw_scores_are_kept() -> None:
    state = play(
        english(4, score_record="difference"),
        *("open 0 njet blue black 2", "team 1", "tally 10 0 5 0"),
        *("open 0 njet blue black -2", "team 2", "tally 10 0 5 0"),
    )

    assert [done.score.raw for done in state.finished] == [(20, 20, 10, 10), (-30, 0, -30, 0)]
    assert [done.score.points for done in state.finished] == [(10, 10, 0, 0), (0, 30, 0, 30)]
    assert state.totals == (10, 40, 0, 30)


def test_no_seat_leads_before_a_line_is_on_the_sheet() -> None:
    state = play(english(4), BOARD, "team 1", "trick 0")

    assert (state.totals, state.leaders, state.winners) == ((0, 0, 0, 0), (), ())


def test_the_last_round_finishes_the_game() -> None:
    state = play(dutch(4, rounds=2), BOARD, "team 1", "tally 10 0 0 0", BOARD, "team 2", "tally 10 0 0 0")

    assert (state.phase, state.current, len(state.finished)) == (Phase.FINISHED, None, 2)
    assert (state.totals, state.winners, state.acting_seats) == ((40, 20, 20, 0), (0,), ())
    assert (state.legal_actions(), state.first_placer, state.tally_bounds) == ((), None, None)
    assert state.markers_left == (0, 0, 0, 0)


def test_the_last_trick_of_the_last_round_finishes_the_game_too() -> None:
    state = play(dutch(4, rounds=1), "open 0 discard_2 red blue 1", "team 1", *["trick 2"] * 7)

    finished = play(state, "trick 2+1")

    assert (state.phase, finished.phase) == (Phase.TRICKS, Phase.FINISHED)
    assert (finished.totals, finished.winners) == ((0, 0, 9, 9), (2, 3))


def test_equal_totals_share_the_victory() -> None:
    state = play(english(4, rounds=1), BOARD, "team 2", "tally 9 0 6 0")

    assert (state.winners, state.ranks) == ((0, 2), (1, 3, 1, 3))


@pytest.mark.parametrize(
    "line", ["trump red", BOARD, "team 1", "trick 0", "tally 10 0 0 0", "void misdeal", "penalty 0 -5 late", "finish"]
)
def test_a_finished_game_takes_no_more_actions(line: str) -> None:
    state = play(dutch(4, rounds=1), BOARD, "team 1", "tally 10 0 0 0")

    refusal = refusal_of(state, line)

    assert type(refusal) is GameOver


@pytest.mark.parametrize(
    "lines", [[], ["trump red"], [BOARD], [BOARD, "team 1"], [BOARD, "team 1", "trick 0+2"]], ids=len
)
def test_finish_ends_the_game_after_the_rounds_that_are_complete(lines: list[str]) -> None:
    complete = play(english(4), BOARD, "team 1", "tally 10 0 5 0")

    finished = play(complete, *lines, "finish")

    assert finished.phase is Phase.FINISHED
    assert finished.finished == complete.finished
    assert (finished.totals, finished.winners) == ((20, 20, 10, 10), (0, 1))


def test_a_game_finished_early_keeps_its_penalties() -> None:
    state = play(english(4), BOARD, "team 1", "tally 10 0 5 0", "penalty 0 -1 late", BOARD)

    finished = play(state, "finish")

    assert (finished.totals, finished.winners) == ((19, 20, 10, 10), (1,))
    assert finished.penalties == state.penalties


@pytest.mark.parametrize(
    "lines", [[], [BOARD], [BOARD, "team 1", "trick 0"], ["penalty 0 -5 late"], ["void misdeal"]], ids=str
)
def test_without_a_complete_round_there_is_nothing_to_finish(lines: list[str]) -> None:
    state = play(english(4), *lines)

    refusal = refusal_of(state, "finish")

    assert type(refusal) is NothingToFinish
    assert read("finish") not in state.legal_actions()


# --- void and penalty ---


@pytest.mark.parametrize(
    "lines", [[], ["trump red"], [BOARD], [BOARD, "team 1"], [BOARD, "team 1", "trick 0+2"]], ids=len
)
def test_a_misdeal_voids_the_round_which_is_dealt_again_by_the_same_dealer(lines: list[str]) -> None:
    second_round = play(english(4, dealer=2), BOARD, "team 1", "tally 10 0 5 0")

    again = play(second_round, *lines, "void misdeal")

    assert again == second_round
    assert (again.current.number, again.current.dealer, again.acting_seats) == (2, 3, (3,))


def test_a_voided_round_leaves_the_penalties_on_the_sheet() -> None:
    state = play(english(4), "penalty 1 -5 revoke", BOARD)

    again = play(state, "void misdeal")

    assert (again.totals, len(again.penalties)) == ((0, -5, 0, 0), 1)


def test_a_penalty_is_a_line_of_its_own_with_its_reason() -> None:
    state = play(english(4), BOARD, "team 1", "tally 10 0 5 0", "open 1 njet red blue 2", "team 0", "trick 2")

    punished = play(state, "penalty 1 -5 Ben revoked", "penalty 3 2 agreed")

    assert punished.penalties == (PenaltyLine(1, -5, "Ben revoked", 1), PenaltyLine(3, 2, "agreed", 1))
    assert (state.totals, punished.totals) == ((20, 20, 10, 10), (20, 15, 10, 12))
    assert (punished.current, punished.finished) == (state.current, state.finished)


def test_a_penalty_before_the_first_round_counts_too() -> None:
    state = play(english(4), "penalty 1 -5 late")

    assert (state.totals, state.leaders, state.ranks) == ((0, -5, 0, 0), (0, 2, 3), (1, 4, 1, 1))
    assert state.penalties[0].after_round == 0


def test_a_penalty_can_decide_the_game() -> None:
    state = play(english(4, rounds=1), BOARD, "team 1", "penalty 0 -11 revoke", "tally 10 0 5 0")

    assert (state.totals, state.winners) == ((9, 20, 10, 10), (1,))


@pytest.mark.parametrize(
    ("line", "refusal", "params"),
    [
        ("penalty 4 -5 revoke", UnknownSeat, {"seat": 4}),
        ("penalty -1 -5 revoke", UnknownSeat, {"seat": -1}),
        ("penalty 1 0 revoke", PenaltyOutOfRange, {"points": 0, "most": 999}),
        ("penalty 1 1000 revoke", PenaltyOutOfRange, {"points": 1000, "most": 999}),
        ("penalty 1 -1000 revoke", PenaltyOutOfRange, {"points": -1000, "most": 999}),
        ("penalty 1 -5", ReasonMissing, {}),
        ("penalty 1 -5 \u200b", ReasonMissing, {}),
        ("void", ReasonMissing, {}),
        ("void \u200b", ReasonMissing, {}),
    ],
)
def test_what_breaks_the_rules_is_written_down_with_a_seat_points_and_a_reason(line, refusal, params) -> None:
    state = play(english(4), BOARD)

    error = refusal_of(state, line)

    assert (type(error), error.params) == (refusal, params)


def test_a_reason_fits_in_one_line_of_the_sheet() -> None:
    state = play(english(4), AddPenalty(1, -5, "  revoke,\n noticed\t late "))

    reason = state.penalties[0].reason

    assert reason == "revoke, noticed late"


def test_a_reason_longer_than_a_line_is_refused() -> None:
    state = play(english(4), AddPenalty(1, -5, "x" * 200))

    error = refusal_of(state, AddPenalty(1, -5, "x" * 201))

    assert (type(error), error.params) == (ReasonTooLong, {"most": 200})


@pytest.mark.parametrize("points", [-999, -1, 1, 999])
def test_a_penalty_may_take_and_give_points(points: int) -> None:
    state = play(english(4), f"penalty 2 {points} agreed")

    assert state.totals == (0, 0, points, 0)


# --- what a physical table keeps to itself ---


@pytest.mark.parametrize(
    "action",
    [Deal((Hidden(15),) * 4), Discard(in_order("R1")), Pass(in_order("R1 B0")), Play(in_order("R7")[0]), Claim(0, 0)],
    ids=lambda action: type(action).__name__,
)
@pytest.mark.parametrize("lines", [[], [BOARD], [BOARD, "team 1"]], ids=len)
def test_at_a_physical_table_the_cards_are_on_the_table(lines: list[str], action) -> None:
    state = play(english(4), *lines)

    refusal = refusal_of(state, action)

    assert (type(refusal), refusal.params) == (DigitalOnly, {"action": action.kind})


@pytest.mark.parametrize("timing", ["after_teams", "before_teams"])
@pytest.mark.parametrize("discard", ["discard_1", "discard_2", "discard_2_no_zero", "pass_2_right", "njet"])
def test_the_log_of_a_physical_table_does_not_care_about_discarding(timing: str, discard: str) -> None:
    state = play(english(4, discard_timing=timing), f"open 0 {discard} red blue 2")

    named = play(state, "team 1")

    assert (state.phase, named.phase) == (Phase.TEAMS, Phase.TRICKS)


def test_a_game_is_over_when_its_last_round_is_complete_or_it_is_finished_early() -> None:
    begun = play(english(4, rounds=2), "open 0 njet red blue 2", "team 1", "tally 10 0 5 0")

    assert not begun.is_over
    assert begun.apply(read("finish")).is_over
    assert play(english(4, rounds=1), "open 0 njet red blue 2", "team 1", "tally 10 0 5 0").is_over


# --- the target ---


TWENTY_A_ROUND = ("open 0 njet red blue 2", "team 1 2 monster 4", "tally 3+1 2+1 2+1 3 2+1")


def test_a_game_ends_after_the_round_in_which_a_total_reaches_the_target() -> None:
    first = play(english(5, target=40), *TWENTY_A_ROUND)
    second = play(english(5, target=40), *TWENTY_A_ROUND * 2)

    assert (first.is_over, max(first.totals)) == (False, 20)
    assert (second.is_over, second.is_complete, max(second.totals)) == (True, True, 40)
    assert second.winners == tuple(seat for seat, total in enumerate(second.totals) if total == 40)


def test_the_rounds_that_are_given_bound_a_game_with_a_target() -> None:
    state = play(english(5, target=40, rounds=1), *TWENTY_A_ROUND)

    assert (state.is_over, max(state.totals)) == (True, 20)


def test_a_penalty_ends_no_game_before_its_round_does() -> None:
    state = play(english(5, target=40), *TWENTY_A_ROUND, "penalty 0 30 agreed")

    assert (state.is_over, max(state.totals)) == (False, 50)
    assert play(english(5, target=40), *TWENTY_A_ROUND, "penalty 0 30 agreed", *TWENTY_A_ROUND).is_over
