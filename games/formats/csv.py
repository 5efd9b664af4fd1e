"""Tables as CSV that spreadsheets read safely, written a few hundred rows at a time."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

ROWS_AT_ONCE = 200
"""Sent together: a packet for each row would take longer than the rows."""

FORMULA = re.compile(r"""(^|[;\t\n\v\f\r\x85\u2028\u2029])(?=[ "]*[=+\-@＝＋－＠]|\A *[\t\r])""")
"""Where a formula could start: at the start of a text, and behind what ends a cell in spreadsheets of other countries,
which split cells at semicolons or tabs and ignore the quotation marks in the middle of a cell."""

SEVERAL_COLUMNS = {
    "conditions": ("start", "discard", "trump", "supertrump", "points_per_trick"),
    "teams": ("team", "opponents"),
}
"""The columns of the fields of a round that are objects or lists."""


def written(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """The table, some rows at a time; a value that a row does not have is an empty cell."""
    text = io.StringIO(newline="")
    table = csv.DictWriter(text, columns, lineterminator="\r\n")
    table.writeheader()
    for number, row in enumerate(rows, start=1):
        table.writerow({column: _cell(row.get(column)) for column in columns})
        if number % ROWS_AT_ONCE == 0:
            yield text.getvalue()
            text.seek(0)
            text.truncate()
    yield text.getvalue()


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


def _cell(value: object) -> object:
    """Numbers stay numbers; where a text could start a formula it gets the apostrophe that marks a text."""
    if isinstance(value, bool):
        return str(value).lower()
    return FORMULA.sub(r"\1'", value) if isinstance(value, str) else value
