"""The tables of RULES.md, from which tests take their cases."""

from __future__ import annotations

import re
from pathlib import Path

RULES = Path(__file__).resolve().parents[2] / "games" / "rules" / "RULES.md"


def table_below(heading: str) -> list[list[str]]:
    """The cells of the first table below a heading of RULES.md, without the line of dashes."""
    text = RULES.read_text(encoding="utf-8").split(f"{heading}\n", 1)[1]
    lines = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert lines is not None
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[0].splitlines()]
    return [row for row in rows if set("".join(row)) - set("-")]
