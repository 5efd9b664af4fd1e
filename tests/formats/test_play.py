"""What all formats say of a game: ids, times, the sheet in a line for each round."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from datetime import timezone as zone
from uuid import UUID

import pytest
from django.utils import timezone

from games.formats.play import Person, Play, board, guest_id, lines, remarks, stamp
from games.rules import PublicState
from tests.builders import dutch, english, french, play
from tests.formats.plays import EVENING, as_play, four_friends
from tests.test_architecture import modules_of, within


def test_the_exports_know_the_rules_the_words_and_no_database() -> None:
    known = ("games.formats", "games.rules", "games.texts.words")
    for module in modules_of("games.formats"):
        if module.name == "games.formats.document":
            continue
        assert all(any(within(name, each) for each in known) for name in module.imported_from("games")), module.name
        # The language and the time zone of the reader are those of the thread.
        assert all(within(name, "django.utils") for name in module.imported_from("django")), module.name


# --- who and when ---


def test_a_guest_has_the_same_id_every_evening_however_the_name_is_typed() -> None:
    assert guest_id("  zoë\u200b  LEE ") == guest_id("Zoe\u0308 Lee")
    assert guest_id("Zoë Lee") != guest_id("Zoe Lee")
    assert UUID(guest_id("Ana")).version == 5


def test_ids_that_were_given_out_never_change() -> None:
    assert guest_id("Ana") == "85fc7107-f653-523c-a1bb-5bba5d45921b"


def test_without_a_reader_times_are_described_in_utc() -> None:
    in_delhi = datetime(2026, 1, 1, 3, 5, 9, 999_999, tzinfo=zone(timedelta(hours=5, minutes=30)))

    assert stamp(in_delhi) == "2025-12-31 21:35:09"


def test_times_are_those_of_the_reader_wherever_the_server_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "America/Lima")
        time.tzset()
        assert stamp(EVENING) == "2026-11-21 19:30:00"
        with timezone.override("Pacific/Auckland"):
            assert stamp(EVENING) == "2026-11-22 08:30:00"
    time.tzset()


@pytest.mark.parametrize(("setup", "first"), [(english(4, dealer=3), 3), (dutch(4, dealer=3), 0), (dutch(4), 1)])
def test_the_start_player_is_who_places_the_first_marker_of_the_game(setup, first) -> None:
    state = PublicState.start(setup)
    assert state.acting_seats == (first,)

    done = play(state, "open 2 njet red njet 2", "team 0", f"tally {setup.ruleset.dealt} 0 0 0", "finish")

    assert as_play(done).first_placer == first


def test_a_very_long_name_is_cut_with_a_sign_that_it_was() -> None:
    names = ("Ana", "B" * 41, "C" * 40, " Dan\nthe\tThird ")

    assert as_play(four_friends(), names=names).names == ("Ana", "B" * 39 + "…", "C" * 40, "Dan the Third")


def test_an_unfinished_game_is_no_play() -> None:
    with pytest.raises(ValueError, match="is not finished"):
        as_play(PublicState.start(english(4)))


def test_everybody_has_to_be_named() -> None:
    with pytest.raises(ValueError, match="has 4 players, not 1"):
        Play("g", four_friends(), (Person("1", "Ana"),), EVENING, EVENING, None)


@pytest.mark.parametrize("which", ["began", "ended"])
def test_a_time_without_a_zone_is_refused(which: str) -> None:
    people = tuple(Person(name, name) for name in "ABCD")
    times = {"began": EVENING, "ended": EVENING, which: datetime(2026, 1, 1)}

    with pytest.raises(ValueError, match="no time zone"):
        Play("g", four_friends(), people, **times, group=None)
    with pytest.raises(ValueError, match="no time zone"):
        stamp(datetime(2026, 1, 1))


# --- the sheet ---


def test_each_round_is_a_line_and_penalties_stand_where_they_were_agreed() -> None:
    assert lines(as_play(four_friends())) == [
        "Round 1: 2 points, red trump, no super trump, discard 1; Cleo + Ana 20, Ben + Dan 14",
        "Penalty: Ben −5 (revoke)",
        "Round 2: −2 points, no trump, blue 0s super trump, pass 2 right; Ana + Dan −20, Ben + Cleo −20",
    ]


def test_the_monster_is_named() -> None:
    state = play(english(3, rounds=1), "open 1 njet red njet 1", "team alone monster 1", "tally 16 0 0")

    assert lines(as_play(state)) == [
        "Round 1: 1 point, red trump, no super trump, no discard; Ben 0, Ana + Cleo 16 (monster Ben)"
    ]


def test_where_there_is_no_monster_card_the_lone_player_scores_double() -> None:
    state = play(dutch(3, rounds=1), "open 0 njet blue black 2", "team alone monster 0", "tally 5+1 4+1 3+1")

    assert lines(as_play(state)) == [
        "Round 1: 2 points, blue trump, black 1s super trump, no discard; Ana 24, Ben + Cleo 18 (Ana scores double)"
    ]


def test_with_two_players_and_without_the_start_row_a_round_is_listed_all_the_same() -> None:
    state = play(english(2, rounds=1, start_row=False), "open discard_2_no_zero red red 3", "tally 6+2 7")

    assert lines(as_play(state)) == [
        "Round 1: 3 points, red trump, red 0s super trump, discard 2, no 0; Ana 24, Ben 21"
    ]


def test_a_difference_is_shown_with_where_it_came_from() -> None:
    state = play(
        english(5, rounds=1, score_record="difference"),
        "open 0 njet red njet 2",
        "team 1 2 monster 4",
        "tally 4+2 2+1 1 3 2+1",
    )

    assert lines(as_play(state)) == [
        "Round 1: 2 points, red trump, no super trump, no discard; "
        "Ana + Ben + Cleo 2, Dan + Eve 0 (monster Eve; by difference: 20 − 18 = 2)"
    ]


def test_a_penalty_before_the_first_round_comes_first_and_may_be_a_gift() -> None:
    state = play(english(4, rounds=1), "penalty 3 7 birthday", "open 0 njet red njet 2", "team 1", "tally 15 0 0 0")

    assert lines(as_play(state))[0] == "Penalty: Dan +7 (birthday)"
    assert len(lines(as_play(state))) == 2


def test_every_penalty_is_shown_once_wherever_it_stands() -> None:
    state = play(
        english(4, rounds=8),
        *("penalty 0 1 a", "open 0 njet red njet 2", "team 1", "tally 15 0 0 0"),
        *("penalty 1 2 b", "penalty 2 3 c", "finish"),
    )

    assert [line for line in lines(as_play(state)) if line.startswith("Penalty")] == [
        "Penalty: Ana +1 (a)",
        "Penalty: Ben +2 (b)",
        "Penalty: Cleo +3 (c)",
    ]


def test_people_are_called_as_they_are_called_now() -> None:
    shown = "\n".join(lines(as_play(four_friends(), names=("W", "X", "Y", "Z"))))

    assert "Y + W 20, X + Z 14" in shown
    assert not any(name in shown for name in ("Ana", "Ben", "Cleo", "Dan"))


def test_the_board_counts_the_rounds_on_the_sheet() -> None:
    early = play(english(4), "open 0 njet red njet 2", "team 1", "tally 15 0 0 0", "finish")

    assert board(as_play(four_friends())) == "4 players, 2 rounds"
    assert board(as_play(early)) == "4 players, 1 round"
    assert remarks(as_play(early)) == ["Finished early, after 1 of 8 rounds."]


def test_what_is_unusual_about_a_game_is_remarked() -> None:
    state = play(french(4, rounds=1), "open 0 njet red blue 2", "team 1", "tally 10+8 0 0 0")

    assert remarks(as_play(four_friends())) == []
    assert remarks(as_play(state, digital=True)) == [
        "Played apart, with the cards on the phones.",
        "Captured cards count from everybody, partners too.",
    ]
