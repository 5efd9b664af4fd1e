"""RULES.md section 3: naming the teams, in a table game as everyone sees it."""

import pytest

from games.rules import NjetError, Phase, Setup, Template
from games.rules.errors import (
    MonsterInLargerTeam,
    MonsterMissing,
    MonsterNotUsed,
    NotYourTurn,
    OwnPartner,
    PartnerTwice,
    UnknownSeat,
    WrongPhase,
    WrongTeamSize,
)
from tests.builders import dutch, english, play, read, wikipedia
from tests.rules.public_states import BOARD, refusal_of


@pytest.mark.parametrize(
    ("setup", "line", "own", "other", "monster"),
    [
        (english(3), "team alone monster 0", (0,), (1, 2), 0),
        (english(3), "team 2 monster 1", (0, 2), (1,), 1),
        (english(4), "team 3", (0, 3), (1, 2), None),
        (english(5), "team 3 monster 0", (0, 3), (1, 2, 4), 0),
        (english(5), "team 3 monster 3", (0, 3), (1, 2, 4), 3),
        (english(5), "team 3 1 monster 4", (0, 1, 3), (2, 4), 4),
        (dutch(3), "team alone monster 0", (0,), (1, 2), 0),
    ],
)
def test_the_start_player_names_the_teams_and_the_holder_of_the_monster(setup, line, own, other, monster) -> None:
    state = play(setup, BOARD)

    named = play(state, line)

    assert (named.current.teams.own, named.current.teams.other) == (own, other)
    assert named.current.teams.monster == monster
    assert named.phase is Phase.TRICKS


@pytest.mark.parametrize(
    ("setup", "line", "refusal"),
    [
        (english(4), "team alone", WrongTeamSize),
        (english(4), "team 0", OwnPartner),
        (english(4), "team 4", UnknownSeat),
        (english(5), "team 1 1 monster 3", PartnerTwice),
        (english(5), "team 1 2 monster 0", MonsterInLargerTeam),
        (english(5), "team 1 2", MonsterMissing),
        (dutch(3), "team alone", MonsterMissing),
        (dutch(4), "team 1 monster 0", MonsterNotUsed),
    ],
)
def test_impossible_teams_are_refused(setup: Setup, line: str, refusal: type[NjetError]) -> None:
    state = play(setup, BOARD)

    error = refusal_of(state, line)

    assert type(error) is refusal


def test_only_the_start_player_names_the_teams() -> None:
    state = play(english(4), "open 2 njet red blue 2")

    refusal = refusal_of(state, "team 1", seat=0)

    assert type(refusal) is NotYourTurn
    assert refusal.params == {"seat": 0, "acting": [2]}
    assert state.apply(read("team 1"), seat=2) == play(state, "team 1")


def test_two_players_have_no_choice_of_teams() -> None:
    state = play(english(2), "open 1 njet red blue 2")

    refusal = refusal_of(state, "team alone")

    assert (state.current.teams.own, state.current.teams.other, state.current.teams.monster) == ((1,), (0,), None)
    assert (state.phase, type(refusal)) == (Phase.TRICKS, WrongPhase)


@pytest.mark.parametrize(
    ("setup", "ways"),
    [
        (english(3), 3),
        (english(4), 3),
        (english(5), 20),
        (wikipedia(3, start_row=False), 3 * 3),
        (wikipedia(4, start_row=False), 4 * 3),
        (wikipedia(5, start_row=False), 5 * 20),
    ],
)
def test_every_way_to_name_the_teams_is_offered(setup: Setup, ways: int) -> None:
    state = play(setup, BOARD if setup.ruleset.options.start_row else "open njet red blue 2")

    offered = [action for action in state.legal_actions() if not isinstance(action, Template)]

    assert len(offered) == len(set(offered)) == ways


@pytest.mark.parametrize(
    ("lines", "phase"), [([], "placing"), (["trump red"], "placing"), ([BOARD], "teams"), ([BOARD, "team 1"], "tricks")]
)
@pytest.mark.parametrize(
    ("line", "action", "needed"),
    [
        ("trump blue", "place", "placing"),
        (BOARD, "conditions", "placing"),
        ("team 1", "team", "teams"),
        ("trick 0", "trick", "tricks"),
        ("tally 15 0 0 0", "tally", "tricks"),
    ],
)
def test_each_action_belongs_to_its_phase(lines: list[str], phase: str, line: str, action: str, needed: str) -> None:
    state = play(english(4), *lines)
    assert state.phase == phase

    refusal = refusal_of(state, line) if phase != needed else None

    if refusal is not None:
        assert type(refusal) is WrongPhase
        assert refusal.params == {"action": action, "phase": phase, "needed": needed}


def test_a_tally_has_no_bounds_before_the_teams_are_named() -> None:
    states = [play(english(4)), play(english(4), BOARD), play(english(4), BOARD, "team 1")]

    assert [state.tally_bounds is None for state in states] == [True, True, False]
