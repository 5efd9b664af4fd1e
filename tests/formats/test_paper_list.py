"""Old games out of a spreadsheet: what a line is, and what it cannot be."""

from __future__ import annotations

from datetime import date, time

import pytest

from games.formats.paper_list import MOST_LINES, ListedGame, read
from games.rules.errors import PaperListUnreadable

WORDS = {"Tag": "day", "Ort": "place"}


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_line_is_a_game_of_those_who_have_a_number(delimiter: str) -> None:
    text = "day,Ana,Ben,Cleo\n2026-01-15,42,,−7\n\n16.01.2026,1,2,3\n".replace(",", delimiter)

    found = read(text, {})

    assert found.names == ("Ana", "Ben", "Cleo")
    assert found.games == (
        ListedGame(2, date(2026, 1, 15), None, {"Ana": 42, "Cleo": -7}),
        ListedGame(4, date(2026, 1, 16), None, {"Ana": 1, "Ben": 2, "Cleo": 3}),
    )
    assert not found.refused


def test_columns_have_the_words_of_a_language_too() -> None:
    text = '\ufeffTag;time;Ana;Ben;rules;minutes;ORT;note\r\n2026-01-15;19:30;1;2;NJET;95;Garden;"a; b"\r\n'

    (game,) = read(text, WORDS).games

    assert game == ListedGame(2, date(2026, 1, 15), time(19, 30), {"Ana": 1, "Ben": 2}, "NJET", 95, "Garden", "a; b")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no day"),
        ("Ana,Ben\n1,2", "no day"),
        ("day,Ana\n2026-01-15,1", "players"),
        ("day,Ana,ana\n2026-01-15,1,2", "players"),
        ("day,Ana,Ben" + "\n2026-01-15,1,2" * (MOST_LINES + 1), "too long"),
    ],
)
def test_what_is_no_list_is_refused(text: str, problem: str) -> None:
    with pytest.raises(PaperListUnreadable) as refused:
        read(text, {})
    assert refused.value.params["problem"] == problem


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("2026-01-15,1,", "totals"),
        ("2026-01-15,1,much", "number"),
        ("2026-01-15,1,٣", "number"),
        ("2026-01-15,1,1234567", "number"),
        ("2026-02-31,1,2", "day"),
        ("01/02/26,1,2", "day"),
        ("2026-01-15,1,2,25:00", "time"),
    ],
)
def test_a_line_that_is_no_game_is_named_and_the_others_are_read(line: str, problem: str) -> None:
    found = read(f"day,Ana,Ben,time\n{line}\n2026-01-15,3,4,", {})

    assert [(number, error.params["problem"]) for number, error in found.refused.items()] == [(2, problem)]
    assert [game.line for game in found.games] == [3]
