"""The board: rows, spaces, markers, and the conditions that are left open (RULES.md section 3.2).

Must not know: whose turn it is, nor what a condition does to the tricks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from games.rules.cards import Suit
from games.rules.editions import EXCHANGES, NJET, Exchange, RowKey
from games.rules.errors import LastOpenSpace, MissingField, RowClosed, RowNotUsed, SpaceCovered, UnknownSpace
from games.rules.ruleset import Ruleset

ENTRY: Literal["entry"] = "entry"
"""Covers a space without a recorded marker: the settled board was entered in one go."""

Mark = int | Literal["entry"] | None
"""Who covered a space: a seat, the quick entry, None: it is open."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a round is played under: the open space of each row."""

    start: int
    discard: str
    trump: Suit | None
    supertrump: Suit | None
    points: int

    @property
    def first_leader(self) -> int:
        """The seat that leads the first trick (RULES.md section 3.5)."""
        return self.start

    @property
    def exchange(self) -> Exchange:
        """What each player does before the tricks."""
        return EXCHANGES[self.discard]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the board.  `marks[i]` covers `spaces[i]`."""

    key: RowKey
    spaces: tuple[str, ...]
    marks: tuple[Mark, ...]

    @property
    def open_spaces(self) -> tuple[str, ...]:
        """The spaces that no marker covers."""
        return tuple(space for space, mark in zip(self.spaces, self.marks, strict=True) if mark is None)

    @property
    def settled_space(self) -> str | None:
        """The one open space of a closed row, None while more than one is open."""
        return self.spaces[self.marks.index(None)] if self.marks.count(None) == 1 else None

    def cover(self, space: str, mark: Mark) -> Row:
        """The row with one more marker.

        Errors: `UnknownSpace`, `SpaceCovered`, `RowClosed`, `LastOpenSpace`.
        """
        if space not in self.spaces:
            raise UnknownSpace(row=self.key.value, space=space)
        place = self.spaces.index(space)
        closed = self.marks.count(None) == 1
        if self.marks[place] is not None:
            refusal = RowClosed if closed else SpaceCovered
            raise refusal(row=self.key.value, space=space)
        if closed:
            raise LastOpenSpace(row=self.key.value, space=space)
        return Row(self.key, self.spaces, (*self.marks[:place], mark, *self.marks[place + 1 :]))


@dataclass(frozen=True, slots=True)
class Board:
    """The rows in use, top to bottom.  `markers`: how many players have placed."""

    rows: tuple[Row, ...]
    markers: int = 0

    @classmethod
    def fresh(cls, ruleset: Ruleset) -> Board:
        """The board before the first marker."""
        spaces = ((key, ruleset.spaces(key)) for key in ruleset.rows)
        return cls(tuple(Row(key, row, (None,) * len(row)) for key, row in spaces))

    def row(self, key: RowKey) -> Row:
        """One row.

        Errors: `RowNotUsed`.
        """
        for row in self.rows:
            if row.key is key:
                return row
        raise RowNotUsed(row=key.value)

    def cover(self, key: RowKey, space: str, mark: Mark) -> Board:
        """The board with one more marker.

        Errors: `RowNotUsed` and those of `Row.cover`.
        """
        for place, row in enumerate(self.rows):
            if row.key is key:
                rows = (*self.rows[:place], row.cover(space, mark), *self.rows[place + 1 :])
                return Board(rows, self.markers + 1)
        raise RowNotUsed(row=key.value)

    def settle(self, wanted: Mapping[RowKey, str]) -> Board:
        """The board with exactly the wanted spaces open, as a quick entry covers it.

        Errors: `RowNotUsed`, `MissingField`, `UnknownSpace`, `SpaceCovered`.
        """
        for key in wanted:
            self.row(key)
        return Board(tuple(_settled(row, wanted.get(row.key)) for row in self.rows), self.markers)

    def coverable(self) -> tuple[tuple[RowKey, str], ...]:
        """The spaces that the next marker may cover, row by row."""
        return tuple((row.key, space) for row in self.rows if row.settled_space is None for space in row.open_spaces)

    @property
    def is_settled(self) -> bool:
        """Whether every row is down to one open space."""
        for row in self.rows:  # noqa: SIM110 (asked after each marker, and `all` takes thrice the time)
            if row.marks.count(None) != 1:
                return False
        return True

    @property
    def is_untouched(self) -> bool:
        """Whether nothing has been covered yet."""
        return all(mark is None for row in self.rows for mark in row.marks)

    def conditions(self, *, start: int) -> Conditions | None:
        """The settled conditions, None before the last marker.  `start`: the start player if the row is not used."""
        if not self.is_settled:
            return None
        left = {row.key: row.open_spaces[0] for row in self.rows}
        return Conditions(
            start=int(left.get(RowKey.START, start)),
            discard=left[RowKey.DISCARD],
            trump=suit_of_space(left[RowKey.TRUMP]),
            supertrump=suit_of_space(left[RowKey.SUPERTRUMP]),
            points=int(left[RowKey.POINTS]),
        )


def suit_of_space(space: str) -> Suit | None:
    """The suit that a space of the rows trump and super trump names, None for njet."""
    return None if space == NJET else Suit(space)


def _settled(row: Row, wanted: str | None) -> Row:
    if wanted is None:
        raise MissingField(action="conditions", field=row.key.value)
    if wanted not in row.spaces:
        raise UnknownSpace(row=row.key.value, space=wanted)
    if wanted not in row.open_spaces:
        raise SpaceCovered(row=row.key.value, space=wanted)
    marks = zip(row.spaces, row.marks, strict=True)
    return replace(row, marks=tuple(ENTRY if mark is None and space != wanted else mark for space, mark in marks))
