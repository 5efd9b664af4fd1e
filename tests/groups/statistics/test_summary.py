"""What is read off the figures: rates, means, orders, and the word few."""

import json

import pytest

from games.groups.statistics.facts import GameFacts
from games.groups.statistics.figures import added, of_group, of_pair, of_player
from games.groups.statistics.summary import FEW_GAMES, FEW_ROUNDS, Cover, GroupSummary, PairSummary, PlayerSummary
from tests.builders import dutch, english, placing
from tests.groups.statistics import facts_of


@pytest.fixture
def two_rounds() -> GameFacts:
    """Ana plays alone and wins 24 to 18; Ben and Cleo lose 36 to 40 to their."""
    setup = dutch(3, rounds=2)
    first = (*placing(setup, "0 njet blue black 2"), "team alone monster 0", "tally 5+1 4+1 3+1")
    second = ("open 1 discard_1 red njet 4", "team 2 monster 0", "tally 4+1 4 3+2")
    return facts_of(setup, *first, *second)


def test_the_summary_of_a_player(two_rounds: GameFacts) -> None:
    ana = PlayerSummary.of(of_player(two_rounds, 0))

    assert (ana.games, ana.wins, ana.shared, ana.win_rate, ana.few) == (1, 1, 0, 1.0, True)
    assert (ana.total, ana.total_per_game, ana.points, ana.points_per_round) == (64, 64.0, 64, 32.0)
    assert (ana.rounds, ana.rounds_won, ana.rounds_drawn, ana.rounds_won_rate) == (2, 2, 0, 1.0)
    assert (ana.start.rounds, ana.start.won, ana.start.points_per_round) == (1, 1, 24.0)
    assert ana.alone == ana.start
    assert (ana.opponent.rounds, ana.opponent.points_per_round) == (1, 40.0)
    assert (ana.monster.rounds, ana.monster.win_rate, ana.monster.points_per_round) == (2, 1.0, 32.0)
    assert (ana.partner.rounds, ana.partner.win_rate, ana.partner.points_per_round) == (0, None, None)
    assert (ana.tricks, ana.captured, ana.captures_per_trick) == (9, 2, pytest.approx(2 / 9))
    assert (ana.rounds_at_minus2, ana.points_per_round_at_minus2, ana.few_at_minus2) == (0, None, True)
    assert (ana.best_round, ana.worst_round) == (40, 24)


def test_beside_the_rounds_of_a_role_stands_what_is_usual_at_tables_of_that_many(two_rounds: GameFacts) -> None:
    ana, cleo = (PlayerSummary.of(of_player(two_rounds, seat)) for seat in (0, 2))

    assert ana.start.usual_rate == ana.alone.usual_rate == cleo.partner.usual_rate == pytest.approx(0.696, abs=0.001)
    assert ana.opponent.usual_rate == cleo.opponent.usual_rate == pytest.approx(0.304, abs=0.001)
    assert ana.partner.usual_rate is ana.monster.usual_rate is ana.every_round.usual_rate is None


def test_what_is_usual_is_the_mean_of_the_tables_where_the_rounds_were_played() -> None:
    figures = {"start.rounds": 4, "start.won": 2, "start.players.2": 3, "start.players.4": 1}

    usual = PlayerSummary.of(figures).start.usual_rate

    assert usual == pytest.approx((3 * 0.5 + 0.606) / 4, abs=0.001)


def test_what_a_player_covers_and_what_they_left_open_as_start_player(two_rounds: GameFacts) -> None:
    figures = added(of_player(two_rounds, 0), {"cover.points.4": 3, "first.points.4": 2, "open.trump.red": 2})

    ana = PlayerSummary.of(figures)

    assert ana.covers == (
        Cover("points", "4", 3, 2),
        Cover("discard", "discard_1", 1, 1),
        Cover("trump", "black", 1, 0),
        Cover("supertrump", "blue", 1, 0),
        Cover("points", "1", 1, 0),
    )
    assert ana.placed_rounds == 1
    assert ana.conditions == {
        "discard": {"njet": 1},
        "trump": {"red": 2, "blue": 1},
        "supertrump": {"black": 1},
        "points": {"2": 1},
    }
    assert list(ana.conditions["trump"]) == ["red", "blue"]


def test_the_summary_of_a_group(two_rounds: GameFacts) -> None:
    group = GroupSummary.of(of_group(two_rounds))

    assert (group.games, group.shared, group.digital_games, group.few) == (1, 0, 0, True)
    assert (group.by_preset, group.by_players) == ({"goldsieber-dutch": 1}, {"3": 1})
    assert (group.rounds, group.points_per_round) == (2, pytest.approx(172 / 6))
    assert (group.tricks, group.captured, group.captures_per_trick) == (23, 6, pytest.approx(6 / 23))
    assert (group.start_won, group.start_drawn, group.start_win_rate) == (1, 0, 0.5)
    assert group.conditions["points"] == {"2": 1, "4": 1}
    assert group.covers[0] == Cover("start", "self", 2, 1, 1)
    assert len(group.covers) == 13
    assert (group.placed_rounds, group.few_covers) == (1, True)
    assert (group.largest_team_score, group.smallest_team_score) == (40, 18)


def test_what_the_monster_brings_is_its_holders_mean_less_that_of_the_others(two_rounds: GameFacts) -> None:
    monster = GroupSummary.of(of_group(two_rounds)).monster

    assert (monster.rounds, monster.won, monster.win_rate) == (2, 2, 1.0)
    assert (monster.points_per_round, monster.others_points_per_round, monster.brings) == (32.0, 27.0, 5.0)


def test_rounds_at_minus_2_have_a_mean_of_their_own() -> None:
    facts = facts_of(english(4, rounds=1), "open 0 njet red red -2", "team 2", "tally 3 4 4 4+1")

    player, group = PlayerSummary.of(of_player(facts, 1)), GroupSummary.of(of_group(facts))

    assert (player.rounds_at_minus2, player.points_per_round_at_minus2, player.worst_round) == (1, -18.0, -18)
    assert (group.rounds_at_minus2, group.points_per_round_at_minus2, group.smallest_team_score) == (1, -16.0, -18)
    assert (group.monster.rounds, group.monster.brings) == (0, None)


def test_the_summary_of_a_pair(two_rounds: GameFacts) -> None:
    partners, opponents = PairSummary.of(of_pair(two_rounds, 1, 2)), PairSummary.of(of_pair(two_rounds, 0, 1))

    assert (partners.games, partners.shared, partners.few) == (1, 0, True)
    assert (partners.partners.rounds, partners.partners.won, partners.partners.points_per_round) == (2, 0, 27.0)
    assert (partners.chosen, partners.chosen_won, partners.chosen_win_rate, partners.opponents) == (1, 0, 0.0, 0)
    assert (opponents.partners.rounds, opponents.partners.win_rate, opponents.opponents) == (0, None, 2)


def test_few_is_said_of_each_figure_by_the_games_or_rounds_behind_that_very_figure() -> None:
    figures = {"games": FEW_GAMES, "rounds": FEW_ROUNDS, "start.rounds": FEW_ROUNDS - 1, "monster.rounds": FEW_ROUNDS}

    player = PlayerSummary.of(figures)

    assert (player.few, player.few_rounds, player.start.few, player.monster.few) == (False, False, True, False)
    assert PlayerSummary.of({"games": FEW_GAMES - 1, "rounds": FEW_ROUNDS - 1}).few_rounds
    assert PlayerSummary.of({"placed": FEW_ROUNDS}).few_covers is False
    assert PairSummary.of({"games": 99, "with.rounds": 2}).partners.few


@pytest.mark.parametrize("summary", [PlayerSummary, GroupSummary, PairSummary])
def test_without_games_there_is_a_summary_without_rates(summary) -> None:
    value = summary.of({}).to_json()

    assert value["games"] == 0
    assert value["few"] is True
    assert not [name for name, each in value.items() if name.endswith(("_rate", "_per_round", "_round")) and each]


def test_summaries_are_plain_json(two_rounds: GameFacts) -> None:
    summaries = [
        PlayerSummary.of(of_player(two_rounds, 0)),
        GroupSummary.of(of_group(two_rounds)),
        PairSummary.of(of_pair(two_rounds, 1, 2)),
    ]

    for summary in summaries:
        value = summary.to_json()
        assert json.loads(json.dumps(value)) == value
    player = summaries[0].to_json()
    assert player["covers"][0] == {
        "row": "discard",
        "space": "discard_1",
        "count": 1,
        "first_count": 1,
        "row_first_count": None,
    }
    assert player["start"]["points_per_round"] == 24.0
