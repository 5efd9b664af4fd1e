"""The letters on tokens: short, and different for each player of a table."""

from __future__ import annotations

import pytest

from games.pages.parts.players import letters_of


@pytest.mark.parametrize(
    ("names", "letters"),
    [
        ("Ana Ben Cleo", "A B C"),
        ("Ana Ben anton", "Aa B At"),
        ("Aaron Ada Alma Ana Anton", "Aa Ad Al An At"),
        ("Anna Annabel Bo", "An Ab B"),
        ("An Ana Ann", "A Aa An"),
        ("Player_1 Player_2", "P1 P2"),
        ("🐻🐺 🐻🦅", "🐻🐺 🐻🦅"),
        ("דנה דוד Dan", "דנ דו D"),
        ("A A-", "A A2"),
    ],
)
def test_names_that_begin_alike_have_the_first_letter_that_tells_them_apart(names: str, letters: str) -> None:
    assert letters_of(names.split()) == letters.split()
