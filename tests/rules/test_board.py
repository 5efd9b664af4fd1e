"""RULES.md section 3.2: spaces, markers and the conditions that stay open."""

import pytest

from games.rules import ENTRY, Board, Row, RowKey, Suit
from games.rules.errors import (
    IllegalAction,
    LastOpenSpace,
    Malformed,
    MissingField,
    NjetError,
    RowClosed,
    RowNotUsed,
    SpaceCovered,
    UnknownSpace,
)
from tests.builders import dutch, english

SUITS_AND_NJET = ("red", "black", "blue", "yellow", "njet")


def _row(*covered: str) -> Row:
    row = Row(RowKey.TRUMP, SUITS_AND_NJET, (None,) * 5)
    for space in covered:
        row = row.cover(space, 0)
    return row


def _board(setup=None) -> Board:
    return Board.fresh((setup or english(4)).ruleset)


def test_a_fresh_board_has_all_rows_and_every_space_open() -> None:
    board = _board(english(3))

    rows = {row.key.value: row.open_spaces for row in board.rows}

    assert rows == {
        "start": ("0", "1", "2"),
        "discard": ("discard_1", "discard_2", "discard_2_no_zero", "pass_2_right", "njet"),
        "trump": ("red", "black", "blue", "yellow", "njet"),
        "supertrump": ("red", "black", "blue", "yellow", "njet"),
        "points": ("1", "2", "3", "4", "-2"),
    }
    assert board.is_untouched


def test_without_the_start_row_the_board_has_four_rows() -> None:
    board = _board(english(3, start_row=False))

    rows = [row.key.value for row in board.rows]

    assert rows == ["discard", "trump", "supertrump", "points"]


def test_the_start_row_has_one_space_for_each_player() -> None:
    rows = {players: _board(english(players)).row(RowKey.START).spaces for players in (2, 3, 4, 5)}

    assert {players: len(spaces) for players, spaces in rows.items()} == {2: 2, 3: 3, 4: 4, 5: 5}
    assert rows[5] == ("0", "1", "2", "3", "4")


def test_a_marker_covers_one_space_and_remembers_who_placed_it() -> None:
    board = _board()

    covered = board.cover(RowKey.TRUMP, "blue", 2)

    assert covered.row(RowKey.TRUMP).marks == (None, None, 2, None, None)
    assert covered.row(RowKey.TRUMP).open_spaces == ("red", "black", "yellow", "njet")
    assert covered.markers == 1
    assert not covered.is_untouched
    assert [row for row in covered.rows if row.key is not RowKey.TRUMP] == [
        row for row in board.rows if row.key is not RowKey.TRUMP
    ]


@pytest.mark.parametrize(
    ("covered", "space", "refusal"),
    [
        ("red", "red", SpaceCovered),
        # Exactly one stays open, and then the row is closed.
        ("red black blue yellow", "njet", LastOpenSpace),
        ("red black blue yellow", "red", RowClosed),
    ],
)
def test_a_space_that_cannot_be_covered(covered: str, space: str, refusal: type[NjetError]) -> None:
    row = _row(*covered.split())

    with pytest.raises(refusal) as refused:
        row.cover(space, 1)

    assert row.settled_space == ("njet" if len(covered.split()) == 4 else None)
    assert (refused.value.code, refused.value.params) == (refusal.code, {"row": "trump", "space": space})


def test_a_space_may_be_covered_while_another_of_its_row_is_open_too() -> None:
    row = _row("red", "black", "blue")

    covered = row.cover("njet", 1)

    assert covered.settled_space == "yellow"


@pytest.mark.parametrize("left_open", [2, 3, 4, 5])
def test_a_row_with_more_open_spaces_is_not_settled(left_open: int) -> None:
    row = _row(*SUITS_AND_NJET[left_open:])

    assert len(row.open_spaces) == left_open
    assert row.settled_space is None


@pytest.mark.parametrize(
    ("setup", "row", "space"),
    [
        (english(5), "trump", "green"),
        (english(5), "trump", ""),
        (english(5), "trump", "1"),
        (english(5), "points", "0"),
        (english(5), "points", "5"),
        (english(5), "start", "5"),
        (english(5), "start", "turquoise"),
        (english(3), "start", "3"),
        (english(3), "start", "lilac"),
        (dutch(4), "trump", "njet"),
        (dutch(4), "trump", "yellow"),
        (dutch(4), "supertrump", "yellow"),
        (dutch(4), "discard", "discard_2_no_zero"),
        (dutch(4), "discard", "pass_2_right"),
        (dutch(4), "points", "-2"),
        (dutch(3), "start", "3"),
    ],
)
def test_a_space_that_the_row_does_not_have_cannot_be_covered(setup, row: str, space: str) -> None:
    board = _board(setup)

    with pytest.raises(UnknownSpace) as refused:
        board.cover(RowKey(row), space, 0)

    assert refused.value.params == {"row": row, "space": space}


def test_a_row_that_is_not_used_takes_no_marker() -> None:
    board = _board(english(4, start_row=False))

    with pytest.raises(RowNotUsed) as refused:
        board.cover(RowKey.START, "0", 0)

    assert (refused.value.code, refused.value.params) == ("row_not_used", {"row": "start"})


def test_only_spaces_of_open_rows_can_be_covered() -> None:
    board = _board(dutch(3)).settle(
        {RowKey.START: "0", RowKey.DISCARD: "njet", RowKey.TRUMP: "red", RowKey.SUPERTRUMP: "njet", RowKey.POINTS: "3"}
    )
    half = _board(dutch(3)).cover(RowKey.START, "0", 0).cover(RowKey.START, "2", 1).cover(RowKey.DISCARD, "njet", 2)

    coverable = half.coverable()

    assert board.coverable() == ()
    assert [space for row, space in coverable if row is RowKey.START] == []
    assert [space for row, space in coverable if row is RowKey.DISCARD] == ["discard_1", "discard_2"]
    assert len(coverable) == 2 + 4 + 5 + 4


def test_when_every_row_is_closed_the_open_spaces_are_the_conditions() -> None:
    board = _board()
    wanted = {"start": "2", "discard": "discard_1", "trump": "njet", "supertrump": "blue", "points": "-2"}

    settled = board.settle({RowKey(row): space for row, space in wanted.items()})

    conditions = settled.conditions(start=0)
    assert settled.is_settled
    assert (conditions.start, conditions.discard, conditions.trump) == (2, "discard_1", None)
    assert (conditions.supertrump, conditions.points) == (Suit.BLUE, -2)


def test_there_are_no_conditions_before_the_last_row_is_closed() -> None:
    board = _board(english(2))
    for row in board.rows:
        for space in row.spaces[1:]:
            assert board.conditions(start=0) is None
            assert not board.is_settled
            board = board.cover(row.key, space, 0)

    conditions = board.conditions(start=1)

    assert (conditions.start, conditions.discard, conditions.trump) == (0, "discard_1", Suit.RED)
    assert (conditions.supertrump, conditions.points) == (Suit.RED, 1)


def test_without_the_start_row_the_conditions_take_the_given_start_player() -> None:
    board = _board(english(4, start_row=False))
    wanted = {"discard": "njet", "trump": "red", "supertrump": "red", "points": "4"}

    settled = board.settle({RowKey(row): space for row, space in wanted.items()})

    assert settled.conditions(start=3).start == 3


def test_quick_entry_covers_the_rest_and_leaves_the_markers_that_lie_there() -> None:
    board = _board().cover(RowKey.TRUMP, "blue", 3)
    wanted = {"start": "2", "discard": "njet", "trump": "red", "supertrump": "red", "points": "4"}

    settled = board.settle({RowKey(row): space for row, space in wanted.items()})

    assert settled.row(RowKey.TRUMP).marks == (None, ENTRY, 3, ENTRY, ENTRY)
    assert settled.row(RowKey.START).marks == (ENTRY, ENTRY, None, ENTRY)
    assert settled.markers == 1


@pytest.mark.parametrize(
    ("changed", "refusal", "family"),
    [
        ({"trump": "blue"}, SpaceCovered, IllegalAction),
        ({"trump": "green"}, UnknownSpace, IllegalAction),
        ({"points": "0"}, UnknownSpace, IllegalAction),
        ({"start": "4"}, UnknownSpace, IllegalAction),
        ({"start": None}, MissingField, Malformed),
        ({"discard": None}, MissingField, Malformed),
    ],
)
def test_quick_entry_opens_no_space_that_is_covered_or_unknown(changed, refusal, family) -> None:
    board = _board().cover(RowKey.TRUMP, "blue", 3)
    wanted = {"start": "2", "discard": "njet", "trump": "red", "supertrump": "red", "points": "4"} | changed

    with pytest.raises(NjetError) as refused:
        board.settle({RowKey(row): space for row, space in wanted.items() if space is not None})

    assert type(refused.value) is refusal
    assert isinstance(refused.value, family)


def test_quick_entry_names_no_start_where_the_row_is_not_used() -> None:
    board = _board(english(4, start_row=False))
    wanted = {"start": "2", "discard": "njet", "trump": "red", "supertrump": "red", "points": "4"}

    with pytest.raises(RowNotUsed):
        board.settle({RowKey(row): space for row, space in wanted.items()})

    assert board.is_untouched
