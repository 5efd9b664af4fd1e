"""What the markers of a game say, on boards that were placed by hand and on random games."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.groups.statistics.facts import GameFacts, rounds_of
from games.groups.statistics.placements import Block, GamePlacements, LastMarker, MonsterEffect, Stake
from games.rules import Action, Ruleset, Setup, replay
from tests.builders import dutch, english, entries, placing, setup_of
from tests.groups.statistics import finished, law, reseated


def said_of(setup: Setup, *lines: str | Action) -> GamePlacements:
    """What the markers of a game say that was shown line by line."""
    result = replay(setup, entries(*lines))
    assert result.error is None, result.error
    return GamePlacements.of(setup.ruleset, rounds_of(result))


def ruleset_of(facts: GameFacts) -> Ruleset:
    """The rules of random facts, as far as their markers tell them."""
    start_row = any(row == "start" for played in facts.rounds for _, row, _ in played.placements)
    options = {} if start_row or facts.preset.startswith("goldsieber") else {"start_row": False}
    return setup_of(facts.preset, facts.players, **options).ruleset


# Four players by the Dutch text: Ben (seat 1) places first, then Cleo, Dan, Ana, Ben …
@pytest.mark.parametrize(
    ("markers", "blocks"),
    [
        pytest.param(["trump black", "trump blue"], [], id="one covered space of a row is no wish"),
        pytest.param(
            # Ben, Cleo, Dan, Ana, Ben, Cleo.
            ["points 4", "trump black", "start 1", "discard discard_1", "points 3", "points 1"],
            [(2, "points", "1", 1)],
            id="who covered two wants what is left",
        ),
        pytest.param(
            ["points 4", "trump black", "start 1", "discard discard_1", "points 3", "supertrump red"],
            [],
            id="a marker in another row blocks nobody",
        ),
        pytest.param(
            ["start 1", "trump black", "discard discard_1", "trump blue", "start 2", "start 3"],
            [],
            id="tokens are counted apart",
        ),
        pytest.param(
            # All three markers on super trumps are Ben’s.
            [
                *("supertrump red", "trump black", "start 1", "discard discard_1"),
                *("supertrump blue", "points 4", "start 2", "trump red", "supertrump black"),
            ],
            [],
            id="the own markers block nobody",
        ),
    ],
)
def test_a_marker_on_what_another_wants_is_a_block(markers: list[str], blocks: list[tuple]) -> None:
    said = said_of(dutch(4, rounds=1), *markers, *_completed(markers))

    assert [(each.seat, each.row, each.space, each.against) for each in said.blocks] == blocks


def _completed(markers: list[str]) -> list[str]:
    """The rest of the round in one go, with spaces open that no marker covers."""
    covered = {tuple(line.split()) for line in markers}
    spaces = dutch(4).ruleset
    left = [next(s for s in spaces.spaces(row)[::-1] if (row.value, s) not in covered) for row in spaces.rows]
    start = int(left[0])
    return [f"open {' '.join(left)}", f"team {(start + 1) % 4}", *_tally(left[1])]


def _tally(discard: str) -> list[str]:
    tricks = dutch(4).ruleset.tricks(discard)
    return [f"tally {tricks - 3} 1 1 1"]


def test_the_last_marker_of_a_row_decides_it() -> None:
    setup = dutch(3, rounds=1)

    said = said_of(setup, *placing(setup, "0 njet blue black 2"), "team alone monster 0", "tally 5+1 4+1 3+1")

    # Ben, Cleo, Ana in turn, row by row: two markers, two, three, four, three.
    assert said.last_markers == (
        LastMarker(1, 2, "start", "2", "0"),
        LastMarker(1, 1, "discard", "discard_2", "njet"),
        LastMarker(1, 1, "trump", "green", "blue"),
        LastMarker(1, 2, "supertrump", "njet", "black"),
        LastMarker(1, 2, "points", "4", "2"),
    )
    assert (said.rounds, said.placed, said.markers) == (1, 1, 14)
    assert said.ends == {"points": 1}
    assert said.tokens == ((0, 0, 0), (0, 1, 0), (0, 0, 1))
    assert said.stakes == (Stake(2, 1, (24, 18, 18), ((1, 2),)),)


def test_a_board_that_was_completed_in_one_go_has_the_markers_before_and_no_last_words() -> None:
    said = said_of(
        dutch(3, rounds=1),
        "start 2",
        "trump red",
        "open 0 njet blue black 2",
        "team alone monster 0",
        "tally 5+1 4+1 3+1",
    )

    assert (said.rounds, said.placed, said.markers) == (1, 0, 2)
    assert said.tokens == ((0, 0, 0), (0, 0, 1), (0, 0, 0))
    assert (said.last_markers, said.ends) == ((), {})
    assert said.stakes == (Stake(2, 1, (24, 18, 18), ()),)


def test_points_of_the_same_stake_are_added_and_penalties_are_not() -> None:
    one = ("open 0 njet red blue -2", "tally 10+1 5")

    said = said_of(english(2, rounds=3), *one, "penalty 0 -5 late", "open 1 njet red blue 3", "tally 5 10", *one)

    assert said.stakes == (Stake(3, 1, (15, 30), ()), Stake(-2, 2, (-44, -20), ()))


@pytest.mark.parametrize(
    ("board", "team", "tally", "effect", "turned"),
    [
        # The example of the rules: (3 × 2) + (3 × 2) × 2 = 18 against (7 + 3) × 2 = 20.
        ("2 njet black blue 2", "0 1 monster 4", "3+1 2+1 2+1 3 2+1", MonsterEffect(1, 4, 6, -2, 3, 6), False),
        # 1 + (3 + 2) × 2 = 11 against 6; without the monster 6 against 6.
        ("2 discard_2 black blue 1", "0 1 monster 3", "3 2 1 3+2 1", MonsterEffect(1, 3, 5, 5, 4, 1), True),
        # At −2 the doubling is a loss: −22 against −12, and −12 without it.
        ("2 discard_2 black blue -2", "0 1 monster 3", "3 2 1 3+2 1", MonsterEffect(1, 3, -10, -10, 4, -2), True),
    ],
)
def test_the_monster_brings_what_its_doubling_adds(
    board: str, team: str, tally: str, effect: MonsterEffect, turned: bool
) -> None:
    said = said_of(english(5, rounds=1), f"open {board}", f"team {team}", f"tally {tally}")

    assert said.monster_effects == (effect,)
    assert effect.turned == turned


def test_a_lone_player_has_no_partner_who_could_have_held_it() -> None:
    said = said_of(dutch(3, rounds=1), "open 0 njet blue black 2", "team alone monster 0", "tally 5+1 4+1 3+1")

    assert said.monster_effects == (MonsterEffect(1, 0, 12, 6, None, None),)
    assert said.monster_effects[0].turned


def test_with_two_or_four_players_there_is_no_monster() -> None:
    assert said_of(dutch(4, rounds=1), "open 0 njet red green 2", "team 1", "tally 4+1 2 3 1").monster_effects == ()


@law
@given(finished())
def test_every_marker_and_every_point_is_counted_once(facts: GameFacts) -> None:
    ruleset = ruleset_of(facts)
    said = GamePlacements.of(ruleset, facts.rounds)

    markers = [marker for played in facts.rounds for marker in played.placements]
    assert said.markers == len(markers)
    assert sum(map(sum, said.tokens)) == sum(row == "start" for _, row, _ in markers)
    assert said.rounds == sum(stake.rounds for stake in said.stakes) == len(facts.rounds)
    for seat in range(facts.players):
        written = sum(played.points[seat] for played in facts.rounds)
        assert sum(stake.scored[seat] for stake in said.stakes) == written
    assert sum(said.ends.values()) == said.placed <= said.rounds
    assert len(said.monster_effects) == (len(facts.rounds) if facts.players in (3, 5) else 0)


@law
@given(finished())
def test_a_row_is_decided_once_a_round_and_a_block_is_a_marker_on_anothers_wish(facts: GameFacts) -> None:
    said = GamePlacements.of(ruleset_of(facts), facts.rounds)
    rounds = {played.number: played for played in facts.rounds}

    assert max(Counter((marker.number, marker.row) for marker in said.last_markers).values(), default=1) == 1
    for marker in said.last_markers:
        played = rounds[marker.number]
        assert (marker.seat, marker.row, marker.covered) in played.placements
        assert marker.left == str(played.conditions[marker.row])
    for block in said.blocks:
        assert _is_block(rounds[block.number].placements, block)
    assert len(set(said.blocks)) == len(said.blocks)


@law
@given(finished(), st.data())
def test_who_sits_where_makes_no_difference(facts: GameFacts, data: st.DataObject) -> None:
    seats = data.draw(st.permutations(range(facts.players)))

    here = GamePlacements.of(ruleset_of(facts), facts.rounds)
    there = GamePlacements.of(ruleset_of(facts), reseated(facts, lambda seat: seats[seat]).rounds)

    for seat in range(facts.players):
        assert there.tokens[seats[seat]] == tuple(here.tokens[seat][seats.index(new)] for new in range(facts.players))
    moved = {replace(block, seat=seats[block.seat], against=seats[block.against]) for block in here.blocks}
    assert set(there.blocks) == moved
    assert [seats[marker.seat] for marker in here.last_markers] == [marker.seat for marker in there.last_markers]
    assert [effect.contributed for effect in there.monster_effects] == [
        effect.contributed for effect in here.monster_effects
    ]
    assert there.ends == here.ends


def _is_block(placements: tuple, block: Block) -> bool:
    place = placements.index((block.seat, block.row, block.space))
    before = [space for seat, row, space in placements[:place] if (seat, row) == (block.against, block.row)]
    return block.seat != block.against and len(before) >= 2 and block.space not in before
