"""RULES.md section 3.3: partnerships and the monster."""

from itertools import combinations

import pytest

from games.rules import Teams, choices
from games.rules.errors import (
    MonsterInLargerTeam,
    MonsterMissing,
    MonsterNotUsed,
    NjetError,
    OwnPartner,
    PartnerTwice,
    UnknownSeat,
    WrongTeamSize,
)
from tests.builders import teams


@pytest.mark.parametrize(("players", "partnerships"), [(2, 1), (3, 3), (4, 3), (5, 10)])
def test_the_number_of_different_partnerships(players: int, partnerships: int) -> None:
    for start in range(players):
        found = choices(players=players, start=start)

        assert len({each.own for each in found}) == partnerships
        assert all(start in each.own for each in found)
        assert len(found) == len(set(found))


@pytest.mark.parametrize(("players", "sizes"), [(2, {1}), (3, {1, 2}), (4, {2}), (5, {2, 3})])
def test_the_start_player_takes_partners_as_the_number_of_players_allows(players: int, sizes: set[int]) -> None:
    found = choices(players=players, start=1)

    assert {len(each.own) for each in found} == sizes
    assert all(sorted(each.own + each.other) == list(range(players)) for each in found)


@pytest.mark.parametrize(("players", "ways"), [(2, 1), (3, 3), (4, 3), (5, 4 * 2 + 6 * 2)])
def test_the_choices_name_each_possible_holder_of_the_monster_once(players: int, ways: int) -> None:
    found = choices(players=players, start=0)

    assert len(found) == ways


def test_with_three_players_the_monster_belongs_to_the_lone_player() -> None:
    found = choices(players=3, start=1)

    named = {(each.own, each.other, each.monster) for each in found}

    assert named == {((1,), (0, 2), 1), ((0, 1), (2,), 2), ((1, 2), (0,), 0)}


def test_with_five_players_either_of_the_smaller_team_may_hold_the_monster() -> None:
    found = choices(players=5, start=2)

    holders = {(each.own, each.monster) for each in found}

    pairs = {((min(2, other), max(2, other)), holder) for other in (0, 1, 3, 4) for holder in (2, other)}
    trios = {
        (tuple(sorted((2, *partners))), holder)
        for partners in combinations((0, 1, 3, 4), 2)
        for holder in {0, 1, 3, 4} - set(partners)
    }
    assert holders == pairs | trios


@pytest.mark.parametrize("players", [2, 4])
def test_there_is_no_monster_with_two_or_four_players(players: int) -> None:
    found = choices(players=players, start=0)

    assert {each.monster for each in found} == {None}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_choice_can_be_named(players: int) -> None:
    for start in range(players):
        for choice in choices(players=players, start=start):
            partners = [seat for seat in choice.own if seat != start]

            named = Teams.of(players=players, start=start, partners=partners, monster=choice.monster)

            assert named == choice


def test_teams_are_sorted_for_any_order_of_the_naming() -> None:
    named = Teams.of(players=5, start=3, partners=(4, 0), monster=2)

    assert (named.own, named.other) == ((0, 3, 4), (1, 2))


def test_the_start_player_may_take_the_monster_themselves() -> None:
    named = Teams.of(players=5, start=3, partners=(0,), monster=3)

    assert named.monster == 3


def test_the_start_player_decides_on_the_monster_also_from_the_larger_team() -> None:
    named = Teams.of(players=5, start=0, partners=(1, 2), monster=4)

    assert (named.smaller, named.monster) == ((3, 4), 4)


@pytest.mark.parametrize(
    ("players", "partners", "monster", "refusal", "params"),
    [
        (2, (1,), None, WrongTeamSize, {"players": 2, "partners": 1, "allowed": "0"}),
        (2, (), 0, MonsterNotUsed, {"players": 2, "monster": 0}),
        (3, (1, 2), 0, WrongTeamSize, {"players": 3, "partners": 2, "allowed": "0–1"}),
        (3, (), None, MonsterMissing, {"allowed": [0]}),
        (3, (1,), None, MonsterMissing, {"allowed": [2]}),
        (3, (), 1, MonsterInLargerTeam, {"seat": 1, "allowed": [0]}),
        (3, (1,), 0, MonsterInLargerTeam, {"seat": 0, "allowed": [2]}),
        (3, (1,), 1, MonsterInLargerTeam, {"seat": 1, "allowed": [2]}),
        (3, (), 3, UnknownSeat, {"seat": 3}),
        (3, (), -1, UnknownSeat, {"seat": -1}),
        (4, (), None, WrongTeamSize, {"players": 4, "partners": 0, "allowed": "1"}),
        (4, (1, 2), None, WrongTeamSize, {"players": 4, "partners": 2, "allowed": "1"}),
        (4, (1, 2, 3), None, WrongTeamSize, {"players": 4, "partners": 3, "allowed": "1"}),
        (4, (1,), 0, MonsterNotUsed, {"players": 4, "monster": 0}),
        (4, (1,), 2, MonsterNotUsed, {"players": 4, "monster": 2}),
        (4, (1,), 7, MonsterNotUsed, {"players": 4, "monster": 7}),
        (4, (0,), None, OwnPartner, {"seat": 0}),
        (4, (4,), None, UnknownSeat, {"seat": 4}),
        (4, (-1,), None, UnknownSeat, {"seat": -1}),
        (5, (), 0, WrongTeamSize, {"players": 5, "partners": 0, "allowed": "1–2"}),
        (5, (1, 2, 3), 4, WrongTeamSize, {"players": 5, "partners": 3, "allowed": "1–2"}),
        (5, (1, 2, 3, 4), None, WrongTeamSize, {"players": 5, "partners": 4, "allowed": "1–2"}),
        (5, (1,), None, MonsterMissing, {"allowed": [0, 1]}),
        (5, (1, 2), None, MonsterMissing, {"allowed": [3, 4]}),
        (5, (1,), 2, MonsterInLargerTeam, {"seat": 2, "allowed": [0, 1]}),
        (5, (1, 2), 0, MonsterInLargerTeam, {"seat": 0, "allowed": [3, 4]}),
        (5, (1, 2), 1, MonsterInLargerTeam, {"seat": 1, "allowed": [3, 4]}),
        (5, (1, 2), 5, UnknownSeat, {"seat": 5}),
        (5, (1, 0), 3, OwnPartner, {"seat": 0}),
        (5, (1, 1), 3, PartnerTwice, {"seat": 1}),
        (5, (5,), 0, UnknownSeat, {"seat": 5}),
    ],
)
def test_teams_that_the_rules_do_not_know_are_refused_and_say_what_is_allowed(
    players, partners, monster, refusal: type[NjetError], params
) -> None:
    with pytest.raises(NjetError) as refused:
        Teams.of(players=players, start=0, partners=partners, monster=monster)

    assert (type(refused.value), refused.value.params) == (refusal, params)


@pytest.mark.parametrize(
    ("sides", "monster", "smaller"),
    [("2-01", 2, (2,)), ("20-1", 1, (1,)), ("31-024", 1, (1, 3)), ("310-24", 2, (2, 4)), ("31-02", None, (1, 3))],
)
def test_the_smaller_team_has_fewer_players_and_is_the_start_players_if_they_are_equal(sides, monster, smaller) -> None:
    named = teams(sides, monster)

    assert named.smaller == smaller


def test_everybody_has_a_team_and_opponents() -> None:
    named = teams("02-134", monster=2)

    sides = [(named.team_of(seat), named.opponents_of(seat)) for seat in range(5)]

    mine, theirs = ((0, 2), (1, 3, 4)), ((1, 3, 4), (0, 2))
    assert sides == [mine, theirs, mine, theirs, theirs]


def test_the_monster_doubles_its_holder_alone() -> None:
    named = teams("02-134", monster=2)

    weights = [named.weight(seat) for seat in range(5)]

    assert weights == [1, 1, 2, 1, 1]
