"""The rating and the streaks, by hand."""

import ast
import json
import math
from pathlib import Path

import pytest

import games
from games.groups.statistics.facts import GameFacts
from games.groups.statistics.ratings import BETA, DRIFT, MEAN, SCALE, Form, after, shown, start
from games.groups.statistics.start_lead import START_LEAD, usual_rate
from games.rules import PRESETS, replay
from tests.builders import dutch, english, entries
from tests.groups.statistics import facts_of


def round_of_three(tally: str) -> GameFacts:
    """Ana alone with the monster against Ben and Cleo, 2 points a trick."""
    return facts_of(dutch(3, rounds=1), "open 0 njet blue black 2", "team alone monster 0", f"tally {tally}")


ALONE_WINS, ALONE_LOSES, DRAWN = (round_of_three(tally) for tally in ("7 3 2", "3 4 5", "4 5 3"))


def round_of(players: int, *, wins: bool) -> GameFacts:
    """A round that the team of the start player, seat 0, wins or loses."""
    setup = english(players, rounds=1)
    team = {2: [], 3: ["team 1 monster 2"], 4: ["team 2"], 5: ["team 1 monster 0"]}[players]
    tricks = replay(setup, entries("open 0 njet red red 1", *team)).state.tally_bounds.tricks
    taken = [0] * players
    taken[0 if wins else {2: 1, 3: 2, 4: 1, 5: 2}[players]] = tricks
    return facts_of(setup, "open 0 njet red red 1", *team, f"tally {' '.join(map(str, taken))}")


def test_the_rating_of_a_round_is_the_formula_of_the_module() -> None:
    forms = [Form(28.0, 5.0, 0, 0, 9), Form(22.0, 3.0, 0, 0, 9), Form(30.0, 2.0, 0, 0, 9)]

    rated = after(ALONE_WINS, forms)

    variance = [sigma**2 + DRIFT**2 for sigma in (5.0, 3.0, 2.0)]
    own, other = 4 * variance[0], variance[1] + variance[2]
    c = math.sqrt(own + other + 2 * BETA**2)
    p = 1 / (1 + math.exp(((22 + 30) - 2 * 28) / c - START_LEAD[3]))
    gain, spread = (1 - p) / c, p * (1 - p) / c**2
    assert [form.mu for form in rated] == pytest.approx(
        [28 + 2 * variance[0] * gain, 22 - variance[1] * gain, 30 - variance[2] * gain], rel=1e-12
    )
    shares = [4 * variance[0] * math.sqrt(own), variance[1] * math.sqrt(other), variance[2] * math.sqrt(other)]
    left = [var * (1 - share / c * spread) for var, share in zip(variance, shares, strict=True)]
    assert [form.sigma for form in rated] == pytest.approx([math.sqrt(each) for each in left], rel=1e-12)


def test_the_monster_makes_one_against_two_and_two_against_three_even_between_equals() -> None:
    """But for the lead of the start player's team, which has the monster in one game and not in the other."""
    five = [
        facts_of(english(5, rounds=1), "open 0 njet red red 1", f"team {team} monster {monster}", "tally 3 2 2+1 2 3")
        for team, monster in (("1 2", 4), ("1", 0))
    ]

    moves = [after(facts, [start()] * 5) for facts in five]

    assert moves[0][0].mu < MEAN
    assert moves[0][0].mu == pytest.approx(moves[1][1].mu, rel=1e-12)


@pytest.mark.parametrize(("players", "share"), [(2, 0.5), (3, 0.697), (4, 0.607), (5, 0.593)])
def test_between_equals_rounds_that_the_start_players_team_wins_as_often_as_usual_move_no_rating(
    players: int, share: float
) -> None:
    won, lost = (round_of(players, wins=wins) for wins in (True, False))
    first = [after(facts, [start()] * players) for facts in (won, lost)]

    expected = [share * up.mu + (1 - share) * down.mu for up, down in zip(*first, strict=True)]

    assert expected == pytest.approx([MEAN] * players, abs=0.01)
    assert usual_rate(players, names_teams=True) == pytest.approx(share, abs=0.002)
    assert usual_rate(players, names_teams=False) == pytest.approx(1 - share, abs=0.002)


def test_every_table_that_can_be_set_has_a_lead() -> None:
    assert {players for preset in PRESETS.values() for players in preset.player_counts} == START_LEAD.keys()


def test_nothing_asks_the_library_for_a_chance() -> None:
    """Its predictions are of another model than its ratings."""
    sources = [path.read_text(encoding="utf-8") for path in Path(games.__file__).parent.rglob("*.py")]

    asked = [node.attr for source in sources for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)]

    assert "rate" in asked
    assert not [name for name in asked if name.startswith("predict_")]


def test_between_equals_both_sides_of_even_teams_move_as_far() -> None:
    facts = facts_of(english(4, rounds=1), "open 0 njet red red -2", "team 2", "tally 3 4 4 4+1")

    rated = after(facts, [start()] * 4)

    moves = [form.mu - MEAN for form in rated]
    assert moves[0] == moves[2] == pytest.approx(-moves[1])
    assert moves[1] == moves[3] < 0


def test_who_is_expected_to_win_moves_less_by_winning_than_by_losing() -> None:
    forms = [Form(35.0, 4.0, 0, 0, 9), *[Form(20.0, 4.0, 0, 0, 9)] * 2]

    won, lost, drawn = (after(facts, forms)[0].mu - 35 for facts in (ALONE_WINS, ALONE_LOSES, DRAWN))

    assert 0 < won < -lost
    assert lost < drawn < 0


def test_by_how_much_a_round_was_won_makes_no_difference() -> None:
    narrow, high = round_of_three("5 4 3"), round_of_three("12 0 0")

    assert after(narrow, [start()] * 3) == after(high, [start()] * 3)


def test_every_round_of_a_game_is_rated_after_the_other() -> None:
    lines = ("open 0 njet blue black 2", "team alone monster 0", "tally 7 3 2")
    two = facts_of(dutch(3, rounds=2), *lines, *lines)

    one_by_one = after(ALONE_WINS, after(ALONE_WINS, [start()] * 3))

    assert [(form.mu, form.sigma) for form in after(two, [start()] * 3)] == [
        (form.mu, form.sigma) for form in one_by_one
    ]


def test_a_streak_counts_games_won_and_shared_ones_and_ends_with_a_game_lost() -> None:
    shared = facts_of(dutch(3, rounds=1), "open 0 njet blue black 2", "team alone monster 0", "tally 4 4 4")
    assert shared.winners == (0, 1, 2)
    ana = []

    forms = (start(),) * 3
    for facts in (ALONE_WINS, shared, ALONE_WINS, ALONE_LOSES, ALONE_WINS):
        forms = after(facts, forms)
        ana.append((forms[0].streak, forms[0].longest, forms[0].games))

    assert ana == [(1, 1, 1), (2, 2, 2), (3, 3, 3), (0, 3, 4), (1, 3, 5)]
    assert (forms[1].streak, forms[1].longest) == (0, 1)


def test_a_newcomer_has_0_and_is_still_settling() -> None:
    newcomer = shown(start())

    assert (newcomer.rating, newcomer.uncertainty, newcomer.settling) == (0, 500, True)
    assert newcomer.to_json() == {"rating": 0, "uncertainty": 500, "settling": True}


def test_the_rating_shown_is_what_the_player_is_worth_at_least() -> None:
    known = shown(Form(mu=27.0, sigma=2.0, streak=0, longest=3, games=40))

    assert (known.rating, known.uncertainty, known.settling) == (21 * SCALE, 2 * SCALE, False)


def test_a_rating_settles_with_the_rounds_behind_it_and_never_before_a_few_games() -> None:
    forms = (start(),) * 3
    settling = []
    for game in range(100):
        forms = after(ALONE_WINS if game % 2 else ALONE_LOSES, forms)
        settling.append(shown(forms[1]).settling)

    assert settling[0]
    assert not settling[-1]
    assert settling == sorted(settling, reverse=True)
    assert shown(Form(mu=27.0, sigma=2.0, streak=0, longest=0, games=4)).settling


def test_there_is_one_form_for_each_player() -> None:
    with pytest.raises(ValueError, match="3 participants have 3 forms, not 2"):
        after(ALONE_WINS, [start()] * 2)


def test_a_form_comes_back_from_json_to_the_last_bit() -> None:
    (form, *_) = after(ALONE_WINS, [start()] * 3)

    assert Form.from_json(json.loads(json.dumps(form.to_json()))) == form
