"""The counters, each by hand on two rounds of three players, and what differs in other games."""

import pytest

from games.groups.statistics.facts import GameFacts
from games.groups.statistics.figures import added, of_group, of_pair, of_player, subtracted
from tests.builders import dutch, english, placing
from tests.groups.statistics import facts_of

OF_THE_DUTCH = {"games": 1, "preset.goldsieber-dutch": 1, "players.3": 1}
OF_FOUR = {"games": 1, "preset.njet-english": 1, "players.4": 1}
"""A game of each kind, as everybody counts it."""

COVERED_IN_ROUND_1 = {
    "cover.start.self": 2,
    "cover.discard.discard_1": 1,
    "cover.discard.discard_2": 1,
    "cover.trump.red": 1,
    "cover.trump.black": 1,
    "cover.trump.green": 1,
    "cover.supertrump.red": 1,
    "cover.supertrump.blue": 1,
    "cover.supertrump.green": 1,
    "cover.supertrump.njet": 1,
    "cover.points.1": 1,
    "cover.points.3": 1,
    "cover.points.4": 1,
}


@pytest.fixture
def two_rounds() -> GameFacts:
    """Ana plays alone and wins 24 to 18; Ben and Cleo lose 36 to 40.  The second board is entered in one go."""
    setup = dutch(3, rounds=2)
    first = (*placing(setup, "0 njet blue black 2"), "team alone monster 0", "tally 5+1 4+1 3+1")
    second = ("open 1 discard_1 red njet 4", "team 2 monster 0", "tally 4+1 4 3+2")
    return facts_of(setup, *first, *second)


def test_the_figures_of_the_start_player_who_plays_alone_with_the_monster(two_rounds: GameFacts) -> None:
    assert of_player(two_rounds, 0) == {
        **OF_THE_DUTCH,
        "wins": 1,
        "total": 64,
        "rounds": 2,
        "won": 2,
        "points": 64,
        "start.rounds": 1,
        "start.won": 1,
        "start.points": 24,
        "start.players.3": 1,
        "alone.rounds": 1,
        "alone.won": 1,
        "alone.points": 24,
        "alone.players.3": 1,
        "opponent.rounds": 1,
        "opponent.won": 1,
        "opponent.points": 40,
        "opponent.players.3": 1,
        "monster.rounds": 2,
        "monster.won": 2,
        "monster.points": 64,
        "tricks": 9,
        "captured": 2,
        "score.24": 1,
        "score.40": 1,
        "placed": 1,
        "cover.discard.discard_1": 1,
        "cover.trump.black": 1,
        "cover.supertrump.blue": 1,
        "cover.points.1": 1,
        "first.discard.discard_1": 1,
        "open.discard.njet": 1,
        "open.trump.blue": 1,
        "open.supertrump.black": 1,
        "open.points.2": 1,
    }


def test_the_figures_of_a_player_who_is_opponent_and_then_partner(two_rounds: GameFacts) -> None:
    assert of_player(two_rounds, 2) == {
        **OF_THE_DUTCH,
        "total": 54,
        "rounds": 2,
        "points": 54,
        "opponent.rounds": 1,
        "opponent.points": 18,
        "opponent.players.3": 1,
        "partner.rounds": 1,
        "partner.points": 36,
        "partner.players.3": 1,
        "tricks": 6,
        "captured": 3,
        "score.18": 1,
        "score.36": 1,
        "placed": 1,
        "cover.start.self": 1,
        "cover.trump.red": 1,
        "cover.supertrump.red": 1,
        "cover.supertrump.njet": 1,
        "cover.points.4": 1,
        "first.start.self": 1,
    }


def test_the_figures_of_the_group(two_rounds: GameFacts) -> None:
    assert of_group(two_rounds) == {
        **OF_THE_DUTCH,
        "rounds": 2,
        "seats": 6,
        "points": 172,
        "tricks": 23,
        "captured": 6,
        "start.won": 1,
        "score.24": 1,
        "score.18": 1,
        "score.36": 1,
        "score.40": 1,
        "monster.rounds": 2,
        "monster.won": 2,
        "monster.points": 64,
        "monster.others": 4,
        "monster.others_points": 108,
        "open.discard.njet": 1,
        "open.discard.discard_1": 1,
        "open.trump.blue": 1,
        "open.trump.red": 1,
        "open.supertrump.black": 1,
        "open.supertrump.njet": 1,
        "open.points.2": 1,
        "open.points.4": 1,
        "placed": 1,
        **COVERED_IN_ROUND_1,
        "first.start.self": 1,
        "row_first.start.self": 1,
        "row_first.discard.discard_1": 1,
        "row_first.trump.red": 1,
        "row_first.supertrump.red": 1,
        "row_first.points.1": 1,
    }


def test_the_figures_of_a_pair_of_partners_and_of_a_pair_of_opponents(two_rounds: GameFacts) -> None:
    assert of_pair(two_rounds, 1, 2) == {**OF_THE_DUTCH, "with.rounds": 2, "with.points": 54, "with.chosen": 1}
    assert of_pair(two_rounds, 0, 2) == {**OF_THE_DUTCH, "against.rounds": 2}


def test_a_round_that_the_chosen_partner_helped_to_win_is_counted_for_the_pair() -> None:
    facts = facts_of(english(4, rounds=1), "open 0 njet red red -2", "team 2", "tally 3 4 4 4+1")

    chosen = {**OF_FOUR, "shared": 1, "with.rounds": 1, "with.won": 1, "with.points": -14}
    assert of_pair(facts, 0, 2) == {**chosen, "with.chosen": 1, "with.chosen_won": 1}
    assert of_pair(facts, 1, 3) == {**OF_FOUR, "with.rounds": 1, "with.points": -18}


def test_a_pair_is_made_of_two(two_rounds: GameFacts) -> None:
    with pytest.raises(ValueError, match="two players"):
        of_pair(two_rounds, 1, 1)


def test_covering_somebody_elses_token_is_distinguished_from_ones_own() -> None:
    setup = dutch(3, rounds=1)
    # Ben, who places first, covers Ana's token; Cleo covers their.
    lines = ("start 0", "start 1", "open 2 njet blue black 2", "team alone monster 2", "tally 5+1 4+1 3+1")

    facts = facts_of(setup, *lines)

    assert of_player(facts, 1)["first.start.other"] == of_player(facts, 2)["first.start.other"] == 1
    assert of_group(facts)["cover.start.other"] == 2
    assert "cover.start.self" not in of_group(facts)


def test_with_two_players_the_start_player_is_not_said_to_be_alone() -> None:
    facts = facts_of(english(2, rounds=1), "open 1 njet red red 3", "tally 5 10")

    figures = of_player(facts, 1)

    assert figures["start.rounds"] == 1
    assert not any(name.startswith("alone.") for name in figures)


def test_at_minus_2_the_team_nearer_to_nothing_wins() -> None:
    facts = facts_of(english(4, rounds=1), "open 0 njet red red -2", "team 2", "tally 3 4 4 4+1")

    loser, winner = of_player(facts, 1), of_player(facts, 0)

    assert (winner["minus2.rounds"], winner["minus2.won"], winner["minus2.points"]) == (1, 1, -14)
    assert (loser["minus2.rounds"], loser.get("minus2.won"), loser["minus2.points"]) == (1, None, -18)


def test_a_drawn_round_and_a_shared_victory() -> None:
    drawn = facts_of(english(4, rounds=1), "open 0 discard_1 red red 3", "team 2", "tally 3 3 4 4")

    assert of_player(drawn, 3)["drawn"] == of_player(drawn, 3)["opponent.drawn"] == 1
    assert "won" not in of_player(drawn, 3)
    assert of_player(drawn, 0)["wins"] == of_player(drawn, 0)["shared"] == 1
    assert of_group(drawn)["shared"] == of_group(drawn)["start.drawn"] == 1
    assert of_pair(drawn, 0, 1) == {**OF_FOUR, "shared": 1, "against.rounds": 1, "against.drawn": 1}


def test_on_a_sheet_by_difference_points_are_what_was_written_and_scores_what_was_won() -> None:
    setup = english(5, rounds=1, score_record="difference")
    facts = facts_of(setup, "open 2 njet black blue 2", "team 0 1 monster 4", "tally 3+1 2+1 2+1 3 2+1")

    assert (of_player(facts, 0)["points"], of_player(facts, 0)["score.20"]) == (2, 1)
    assert "points" not in of_player(facts, 4)
    assert of_player(facts, 4)["score.18"] == 1


def test_figures_are_added_and_taken_away_without_leaving_a_zero() -> None:
    a, b = {"games": 2, "points": 3}, {"games": 1, "points": -3, "won": 1}

    assert added(a, b) == {"games": 3, "won": 1}
    assert subtracted(added(a, b), b) == a
    assert subtracted(a, a) == {}
    assert (a, b) == ({"games": 2, "points": 3}, {"games": 1, "points": -3, "won": 1})
