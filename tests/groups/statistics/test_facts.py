"""What a finished game leaves behind, shown on small games."""

import json

import pytest

from games.groups.statistics import VERSION
from games.groups.statistics.facts import GameFacts
from games.rules import ActionEntry, AmendEntry, Key, ReplaceAction, UndoEntry, replay
from tests.builders import dutch, english, entries, placing, read, wikipedia
from tests.groups.statistics import facts_of


def test_the_example_of_the_english_rules_as_facts() -> None:
    lines = ("open 2 njet black blue 2", "team 0 1 monster 4", "tally 3+1 2+1 2+1 3 2+1")

    facts = facts_of(english(5, rounds=1), *lines)

    (played,) = facts.rounds
    assert (facts.preset, facts.players, facts.digital) == ("njet-english", 5, False)
    assert (facts.totals, facts.ranks, facts.winners) == ((20, 20, 20, 18, 18), (1, 1, 1, 4, 4), (0, 1, 2))
    assert (played.number, played.start, played.teams, played.monster) == (1, 2, ((0, 1, 2), (3, 4)), 4)
    assert played.conditions == {"start": 2, "discard": "njet", "trump": "black", "supertrump": "blue", "points": 2}
    assert (played.raw, played.points) == ((20, 20, 20, 18, 18), (20, 20, 20, 18, 18))
    assert (played.tricks, played.captured) == ((3, 2, 2, 3, 2), (1, 1, 1, 0, 1))
    assert played.team_scores == (20, 18)
    assert [played.gap(seat) for seat in range(5)] == [2, 2, 2, -2, -2]


def test_a_sheet_by_difference_keeps_the_raw_scores() -> None:
    lines = ("open 2 njet black blue 2", "team 0 1 monster 4", "tally 3+1 2+1 2+1 3 2+1")

    facts = facts_of(english(5, rounds=1, score_record="difference"), *lines)

    assert facts.rounds[0].raw == (20, 20, 20, 18, 18)
    assert facts.rounds[0].points == facts.totals == (2, 2, 2, 0, 0)


def test_a_round_without_trump_and_super_trump_says_njet() -> None:
    facts = facts_of(english(2, rounds=1), "open 1 njet njet njet -2", "tally 10+1 5+1")

    conditions = facts.rounds[0].conditions
    assert (conditions["trump"], conditions["supertrump"], conditions["points"]) == ("njet", "njet", -2)
    assert facts.rounds[0].raw == (-22, -12)


def test_the_start_player_whom_the_table_agreed_on_is_the_one_that_counts() -> None:
    setup = wikipedia(4, rounds=1, start_row=False)

    facts = facts_of(setup, "open njet red blue 1", "team 0 start 3", "tally 5 5 5 0")

    assert facts.rounds[0].start == facts.rounds[0].conditions["start"] == 3
    assert facts.rounds[0].teams == ((0, 3), (1, 2))


def test_markers_are_kept_in_the_order_in_which_they_were_placed_with_who_placed_them() -> None:
    setup = dutch(3, rounds=1)
    marks = placing(setup, "0 njet blue black 2")

    facts = facts_of(setup, *marks, "team alone monster 0", "tally 5+1 4+1 3+1")

    placements = facts.rounds[0].placements
    assert placements[:4] == (
        (1, "start", "1"),
        (2, "start", "2"),
        (0, "discard", "discard_1"),
        (1, "discard", "discard_2"),
    )
    assert [(row, space) for _, row, space in placements] == [(mark.row.value, mark.space) for mark in marks]
    assert {type(row) for _, row, _ in placements} == {str}


def test_a_quick_entry_has_no_placements_and_a_board_completed_by_one_the_markers_before_it() -> None:
    setup = dutch(3, rounds=2)
    first = ("open 0 njet blue black 2", "team alone monster 0", "tally 5+1 4+1 3+1")
    second = ("trump red", "points 1", "open 0 njet blue black 2", "team alone monster 0", "tally 5+1 4+1 3+1")

    facts = facts_of(setup, *first, *second)

    assert [played.placements for played in facts.rounds] == [(), ((2, "trump", "red"), (0, "points", "1"))]


def test_a_voided_round_leaves_no_trace() -> None:
    setup = dutch(3, rounds=1)
    played = ("trump green", "open 0 njet blue black 2", "team alone monster 0", "tally 5+1 4+1 3+1")
    voided = ("trump red", "points 1", "open 1 njet blue red 4", "team 0 monster 2", "trick 1+1", "void misdeal")

    assert facts_of(setup, *voided, *played) == facts_of(setup, *played)


def test_a_round_that_was_not_completed_leaves_no_trace() -> None:
    setup = dutch(3)
    played = ("open 0 njet blue black 2", "team alone monster 0", "tally 5+1 4+1 3+1")

    facts = facts_of(
        setup, *played, "trump red", "open 0 njet blue black 2", "team alone monster 0", "trick 1", "finish"
    )

    assert facts == facts_of(setup, *played, "finish")
    assert len(facts.rounds) == 1


def test_a_penalty_changes_the_totals_and_no_round() -> None:
    setup = dutch(3, rounds=1)
    played = ("open 0 njet blue black 2", "team alone monster 0", "tally 5+1 4+1 3+1")

    facts = facts_of(setup, "penalty 0 -10 revoke", *played)

    assert facts.totals == (14, 18, 18)
    assert (facts.ranks, facts.winners) == ((3, 1, 1), (1, 2))
    assert facts.rounds == facts_of(setup, *played).rounds


def test_what_was_taken_back_or_corrected_counts_as_it_stands_in_the_end() -> None:
    setup = dutch(3, rounds=1)
    log = entries("trump red", "trump green", "open 0 njet blue black 2", "team alone monster 0", "tally 5+1 4+1 3+1")
    log = [*log[:2], UndoEntry(10, undoes=2), *[ActionEntry(entry.seq + 10, entry.action) for entry in log[2:]]]
    log = [*log, AmendEntry(20, (ReplaceAction(Key(1), read("trump black")),))]

    facts = GameFacts.of(replay(setup, log))

    assert facts.rounds[0].placements == ((1, "trump", "black"),)


def test_a_game_that_is_not_finished_has_no_facts() -> None:
    with pytest.raises(ValueError, match="finished"):
        GameFacts.of(replay(dutch(3), entries("trump red")))


def test_a_digital_game_says_so() -> None:
    facts = facts_of(english(2, rounds=1), "open 1 njet njet njet 1", "tally 10+1 5+1", digital=True)

    assert facts.digital
    assert GameFacts.from_json(facts.to_json()).digital


def test_facts_are_written_small_and_with_their_version() -> None:
    setup = dutch(3, rounds=1)
    facts = facts_of(setup, *placing(setup, "0 njet blue black 2"), "team alone monster 0", "tally 5+1 4+1 3+1")

    value = facts.to_json()

    assert value["v"] == VERSION
    assert value["rounds"][0]["placed"].startswith("1s1 2s2 0ddiscard_1 1ddiscard_2 2tred 0tblack")
    assert len(json.dumps(value)) < 600


def test_facts_of_another_version_are_refused() -> None:
    facts = facts_of(english(2, rounds=1), "open 1 njet njet njet 1", "tally 10+1 5+1")

    with pytest.raises(ValueError, match=f"version {VERSION + 1}"):
        GameFacts.from_json({**facts.to_json(), "v": VERSION + 1})
