"""RULES.md section 6: the worked examples of the rule texts, as games."""

from games.rules import PublicState, TrickRules
from tests.builders import dutch, english, french, in_order, placing, play, wikipedia

S0_ROUND = ("open 0 njet black blue 2", "team 1 2 monster 4", "tally 4+1 2+1 1+1 3 2+1")


def test_s0_five_players_score_20_and_with_the_monster_18() -> None:
    state = play(english(5), *S0_ROUND)

    done = state.finished[0]

    assert done.score.raw == done.score.points == (20, 20, 20, 18, 18)
    assert done.score.own.formula == "(7 + 3) × 2 = 20"
    assert done.score.other.formula == "(3 × 2) + (3 × 2) × 2 = 18"


def test_s0_by_difference_the_three_write_2_and_the_two_nothing() -> None:
    state = play(english(5, score_record="difference"), *S0_ROUND)

    done = state.finished[0]

    assert done.score.points == state.totals == (2, 2, 2, 0, 0)
    assert done.score.raw == (20, 20, 20, 18, 18)


def test_s0_the_black_seven_wins_with_one_captured_zero() -> None:
    setup = english(5)
    state = play(setup, "open 0 njet black blue 2", "team 1 4 monster 2")
    rules = TrickRules.of(setup.ruleset, state.current.conditions)
    cards = in_order("R9 R0 R4 K0 K7")

    winner, captured = rules.winner(cards), rules.captured(cards, leader=0, teams=state.current.teams)

    assert (winner, captured) == (4, 1)


def test_s2_and_s3_two_pairs_score_12_and_21_in_a_round_with_two_discards() -> None:
    for setup in (dutch(4), french(4)):
        state = play(setup, "open 0 discard_2 blue black 3", "team 1", "tally 3+1 0 5+2 0")

        done = state.finished[0]

        assert state.totals == (12, 12, 21, 21)
        assert (done.score.own.formula, done.score.other.formula) == ("(3 + 1) × 3 = 12", "(5 + 2) × 3 = 21")


def test_s3_the_lone_player_scores_24_and_the_pair_18() -> None:
    state = play(dutch(3), "open 0 njet blue black 2", "team alone monster 0", "tally 5+1 4+1 3+1")

    done = state.finished[0]

    assert state.totals == (24, 18, 18)
    assert (done.score.own.formula, done.score.other.formula) == ("(5 + 1) × 2 × 2 = 24", "(7 + 2) × 2 = 18")


def test_s1_without_the_start_row_16_markers_serve_4_rows() -> None:
    setup = wikipedia(5, start_row=False)
    placements = placing(setup, "njet black blue 2")

    state = play(setup, *placements)

    assert len(placements) == sum(PublicState.start(setup).markers_left) == 16
    assert len(state.current.board.rows) == 4
    assert state.current.conditions is not None
