"""Rows as spreadsheets read them, all at once or one after the other.

Knows: CSV, and that a text could be taken for a formula.  Must not know: any single table.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

ROWS_AT_ONCE = 200
"""Sent together: a packet for each line would take longer than the lines."""


def written(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """The table, some rows at a time; what a row does not have stays empty."""
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


def _cell(value: object) -> object:
    """Numbers stay numbers; a text that would start a formula gets the apostrophe that spreadsheets hide."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str) and value.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r")):
        return f"'{value}"
    return value
