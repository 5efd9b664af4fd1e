"""Names and reasons, made fit for one line of the sheet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.text import clean_line, skeleton, typed_line


@pytest.mark.parametrize(
    ("typed", "cleaned"),
    [
        ("Ana", "Ana"),
        ("  Ana \t Maria\n", "Ana Maria"),
        ("Bjo\u0308rn", "Bj\u00f6rn"),
        ("A\u200bna", "Ana"),
        ("\u202eAna", "Ana"),
        ("A\x00na", "Ana"),
        ("A\ud800na", "Ana"),
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


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("Ana\ufe0f", "Ana"),
        ("A\U000e0100na\u034f", "Ana"),
        ("\u3164", ""),
        ("\u2800\u115f", ""),
        ("Ana" + "\u0301" * 30, "An\u00e1\u0301\u0301"),
        (("q" + "\u0301" * 3) * 2, "q\u0301\u0301q\u0301\u0301"),
        ("Nguy\u1ec5n", "Nguy\u1ec5n"),
        ("\u0e19\u0e49\u0e33", "\u0e19\u0e49\u0e33"),
        ("\u0939\u093f\u0928\u094d\u0926\u0940", "\u0939\u093f\u0928\u094d\u0926\u0940"),
    ],
)
def test_what_is_typed_has_nothing_unseen_and_few_marks_on_a_letter(typed: str, line: str) -> None:
    assert typed_line(typed) == line


@given(st.text())
def test_a_typed_line_is_clean_and_stays_as_it_is(text: str) -> None:
    once = typed_line(text)

    assert typed_line(once) == clean_line(once) == once


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "\u0410na"),
        ("Ana", "\u0391na"),
        ("ana", "\u0430n\u0430"),
        ("Ana", "ANA"),
        ("Ana", "\uff21na"),
        ("Pop", "\u03a1\u043e\u0440"),
    ],
)
def test_names_that_are_taken_for_one_another_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Ana", "An\u00e1"), ("\u0411\u0435\u043d", "Ben"), ("\u0413\u0430\u044f", "Tar"), ("1", "I")]
)
def test_other_names_are_other_names(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)
