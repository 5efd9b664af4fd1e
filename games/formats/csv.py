"""Tables as CSV that spreadsheets read safely, written a few hundred rows at a time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any

ROWS_AT_ONCE = 200
"""Sent together: a packet for each row would take longer than the rows."""

COMMA, SEMICOLON = ",", ";"

_ENDS_A_CELL = {COMMA: r";", SEMICOLON: r";,"}
"""Where another spreadsheet splits a cell, besides tabs and ends of lines, by the delimiter of the file: it ignores
quotation marks in the middle of what it takes for a cell."""

FORMULA = {
    delimiter: re.compile(
        rf"""(^|[{ends}\t\n\v\f\r\x85\u2028\u2029])(?=[ "]*[=+\-@＝＋－＠]|\A *[\t\r])""",
    )
    for delimiter, ends in _ENDS_A_CELL.items()
}
"""Where a formula could start: at the start of a text, and behind what ends a cell, by the delimiter of the file."""

SEVERAL_COLUMNS = {
    "conditions": ("start", "discard", "trump", "supertrump", "points_per_trick"),
    "teams": ("team", "opponents"),
}
"""The columns of the fields of a round that are objects or lists."""


def written(columns: Sequence[str], rows: Iterable[Mapping[str, object]], *, delimiter: str = COMMA) -> Iterator[str]:
    """The table, some rows at a time; a value that a row does not have is an empty cell.

    `delimiter`: `COMMA`, or `SEMICOLON` for spreadsheets of countries with a decimal comma.
    """
    lines = [delimiter.join(columns)]
    for number, row in enumerate(rows, start=1):
        lines.append(delimiter.join(_cell(row.get(column), delimiter) for column in columns))
        if number % ROWS_AT_ONCE == 0:
            yield _ended(lines)
            lines = []
    yield _ended(lines)


def _ended(lines: Sequence[str]) -> str:
    return "".join(f"{line}\r\n" for line in lines)


def round_columns(fields: Iterable[str]) -> tuple[str, ...]:
    """The columns of rows about rounds: one for each field, several for conditions and teams."""
    return tuple(column for field in fields for column in SEVERAL_COLUMNS.get(field, (field,)))


def flat_round(row: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """A row about a round with a value for each of its columns, and players by name instead of by seat."""
    if row["conditions"] is None:
        return dict(row)
    own, other = row["teams"] if row["seat"] in row["teams"][0] else reversed(row["teams"])
    conditions = dict(row["conditions"])
    flat = {
        **row,
        **conditions,
        "points": row["points"],
        "points_per_trick": conditions["points"],
        "start": names[conditions["start"]],
        "team": ", ".join(names[seat] for seat in own),
        "opponents": ", ".join(names[seat] for seat in other),
        "monster": None if row["monster"] is None else names[row["monster"]],
    }
    return {**flat, "dealer": names[row["dealer"]]} if "dealer" in row else flat


def _cell(value: object, delimiter: str) -> str:
    """A value as RFC 4180 writes it; where a text could start a formula it gets the apostrophe that marks a text.

    Every text is in quotation marks, so that no other delimiter in it is taken for that of the file.  Numbers, truth
    values and times are not, nor what is missing: quoted, they would be texts.  Of the module `csv` only Python 3.12
    can write that (`QUOTE_STRINGS`).
    """
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case datetime():
            return value.isoformat(sep=" ", timespec="seconds")
        case date():
            return value.isoformat()
        case str():
            return '"' + FORMULA[delimiter].sub(r"\1'", value).replace('"', '""') + '"'
        case _:
            return str(value)
