"""The end of a digital game: where a reader came in, and three facts about them."""

from __future__ import annotations

import pytest

from games.pages.digital.end import end_view, facts
from tests.builders import dutch, english, play

ROUNDS = (
    *("open 0 njet black blue 2", "team 2", "tally 5+2 4+0 3+1 3+0"),
    *("open 1 njet black blue 3", "team 0", "tally 4+0 6+1 2+0 3+0"),
)


def test_three_facts_come_from_the_rounds() -> None:
    state = play(english(4, rounds=2), *ROUNDS)

    assert facts(state, 0) == [
        ("Best round", "Round 2, +33"),
        ("Zeros captured", "2, most of all"),
        ("Best partner", "Ben, +33 together"),
    ]
    assert facts(state, 3)[1] == ("Zeros captured", "0")


def test_who_never_had_a_partner_reads_how_many_tricks_were_won() -> None:
    state = play(english(2, rounds=1), "open 0 njet black blue 2", "tally 8+1 7+0")

    assert facts(state, 1)[2] == ("Tricks won", "7")


def test_a_loser_reads_the_place_and_a_winner_none() -> None:
    state = play(english(4, rounds=2), *ROUNDS)

    assert [end_view(state, seat).place for seat in range(4)] == [
        *("", "You came second, 8 behind.", "You came third, 18 behind.", "You came fourth, 26 behind.")
    ]
    watched = end_view(state, None)
    assert (watched.about.name, watched.is_reader, watched.place) == ("Ana", False, "")


def test_losers_with_the_same_total_share_their_place() -> None:
    state = play(english(4, rounds=1), "open 0 njet black blue 2", "team 2", "tally 5+2 4+0 3+1 3+0")

    places = [end_view(state, seat).place for seat in range(4)]

    assert places == ["", "You share the third place, 8 behind."] * 2


def test_a_game_that_is_played_has_no_end() -> None:
    assert end_view(play(english(4, rounds=2), *ROUNDS[:3]), 0) is None


@pytest.mark.parametrize("seat", range(3))
def test_the_other_edition_counts_ones(seat: int) -> None:
    state = play(dutch(3, rounds=1), "open 0 njet black blue 2", "team monster 0", "tally 5+1 4+1 3+1")

    assert facts(state, seat)[1][0] == "Ones captured"
