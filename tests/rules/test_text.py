"""Names and reasons, made fit for one line of the sheet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.text import clean_line


@pytest.mark.parametrize(
    ("typed", "cleaned"),
    [
        ("Ana", "Ana"),
        ("  Ana \t Maria\n", "Ana Maria"),
        ("Bjo\u0308rn", "Bj\u00f6rn"),
        ("A\u200bna", "Ana"),
        ("\u202eAna", "Ana"),
        ("A\x00na", "Ana"),
        (" \n\t ", ""),
        ("\u200b \u200b", ""),
        ("", ""),
        ("Łucja 王 Ñandú", "Łucja 王 Ñandú"),
    ],
)
def test_a_line_has_single_blanks_and_only_visible_characters(typed: str, cleaned: str) -> None:
    assert clean_line(typed) == cleaned


@given(st.text())
def test_a_clean_line_stays_as_it_is(text: str) -> None:
    once = clean_line(text)

    twice = clean_line(once)

    assert twice == once


@pytest.mark.parametrize("text", ["e\u200d\u0301", " a \u200b b ", "\u200b", "Ö\nO\u0308"])
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    cleaned = clean_line(text)

    assert clean_line(cleaned) == cleaned
