"""Old games out of a spreadsheet: a line for each, with the day and a column for each player's total.

Knows: the columns and what a cell can hold.  Must not know: groups, players' ids, what is done with a game.

The columns `day`, `time`, `rules`, `minutes`, `place` and `note` may be called by other words; every other column is a
player, whose cell is empty where they did not play.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time

from games.rules.errors import NjetError, PaperListUnreadable
from games.rules.text import clean_line

MOST_LINES = 100
"""All are entered in one transaction, for which other writers of the server wait."""
DELIMITERS = ";,\t"
COLUMNS = ("day", "time", "rules", "minutes", "place", "note")


@dataclass(frozen=True)
class ListedGame:
    """A line.  `totals`: by name, in the order of the columns; `rules`: as they were typed, empty: the usual ones."""

    line: int
    day: date
    time: time | None
    totals: Mapping[str, int]
    rules: str = ""
    minutes: int | None = None
    place: str = ""
    note: str = ""


@dataclass(frozen=True)
class PaperList:
    """What was read: the games, and why other lines are none.  `names`: of the columns of players."""

    names: tuple[str, ...]
    games: tuple[ListedGame, ...] = ()
    refused: Mapping[int, NjetError] = field(default_factory=dict)


def read(text: str, words: Mapping[str, str]) -> PaperList:
    """Read a list.  `words`: the column that a word names, besides its own name.

    Errors: `PaperListUnreadable` where the first line names no day or no player, or the list is too long.
    """
    lines = text.strip("\ufeff\r\n ").splitlines()
    head = lines[0] if lines else ""
    delimiter = max(DELIMITERS, key=head.count)
    rows = [(number, row) for number, row in enumerate(csv.reader(lines, delimiter=delimiter), start=1) if any(row)]
    if len(rows) > MOST_LINES + 1:
        raise PaperListUnreadable(problem="too long", line=MOST_LINES + 2, most=MOST_LINES)
    columns = [clean_line(cell) for cell in rows[0][1]] if rows else []
    called = {name: name for name in COLUMNS} | {word.casefold(): name for word, name in words.items()}
    known = {called[column.casefold()]: at for at, column in enumerate(columns) if column.casefold() in called}
    players = {at: column for at, column in enumerate(columns) if column and column.casefold() not in called}
    if "day" not in known:
        raise PaperListUnreadable(problem="no day", line=1)
    if len(players) < 2 or len({name.casefold() for name in players.values()}) < len(players):
        raise PaperListUnreadable(problem="players", line=1)
    games: list[ListedGame] = []
    refused: dict[int, NjetError] = {}
    for number, row in rows[1:]:
        try:
            games.append(_game(number, [*row, *[""] * len(columns)], known, players))
        except NjetError as error:
            refused[number] = error
    return PaperList(tuple(players.values()), tuple(games), refused)


def _game(line: int, row: Sequence[str], known: Mapping[str, int], players: Mapping[int, str]) -> ListedGame:
    def cell(name: str) -> str:
        return clean_line(row[known[name]]) if name in known else ""

    totals = {name: _number(line, name, row[at]) for at, name in players.items() if row[at].strip()}
    if len(totals) < 2:
        raise PaperListUnreadable(problem="totals", line=line)
    return ListedGame(
        line=line,
        day=_day(line, cell("day")),
        time=_time(line, cell("time")),
        totals=totals,
        rules=cell("rules"),
        minutes=_number(line, "minutes", cell("minutes")) if cell("minutes") else None,
        place=cell("place"),
        note=cell("note"),
    )


def _number(line: int, name: str, cell: str) -> int:
    text = cell.strip().replace("−", "-")
    if not text.lstrip("+-").isascii() or not text.lstrip("+-").isdigit() or len(text) > 6:
        raise PaperListUnreadable(problem="number", line=line, name=name, cell=clean_line(cell)[:20])
    return int(text)


def _day(line: int, cell: str) -> date:
    for written in ("%Y-%m-%d", "%d.%m.%Y"):
        try:
            return datetime.strptime(cell, written).date()
        except ValueError:
            pass
    raise PaperListUnreadable(problem="day", line=line, cell=cell[:20])


def _time(line: int, cell: str) -> time | None:
    if not cell:
        return None
    try:
        return datetime.strptime(cell, "%H:%M").time()
    except ValueError:
        raise PaperListUnreadable(problem="time", line=line, cell=cell[:20]) from None
