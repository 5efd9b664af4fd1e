"""Rows as spreadsheets read them, all at once or one after the other.

Knows: CSV, and that a text could be taken for a formula.  Must not know: any single table.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

ROWS_AT_ONCE = 200
"""Sent together: a packet for each line would take longer than the lines."""

FORMULA = re.compile(r"""(^|[;\t\n\v\f\r\x85\u2028\u2029])(?=[ "]*[=+\-@＝＋－＠]|\A *[\t\r])""")
"""Where a formula could start: at the start of a text, and behind what ends a cell in spreadsheets of other countries,
which part cells at semicolons or tabs and know nothing of the quotation marks in the middle of a cell."""


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
    """Numbers stay numbers; where a text could start a formula it gets the apostrophe that marks a text."""
    if isinstance(value, bool):
        return str(value).lower()
    return FORMULA.sub(r"\1'", value) if isinstance(value, str) else value
