"""The form of templates, style sheets and scripts: short lines, few sizes of type."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
COLUMNS = 120
SOURCES = sorted(
    path
    for folder in ("templates", "static/njet")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".html", ".css", ".js"}
)


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_line_is_longer_than_120_columns(source: Path) -> None:
    lines = source.read_text(encoding="utf-8").splitlines()

    assert [line for line in lines if len(line) > COLUMNS] == []


def test_all_kinds_of_sources_are_looked_at() -> None:
    assert {path.suffix for path in SOURCES} == {".html", ".css", ".js"}


TABLE_STYLES = ("njet", "rounds", "pages", "sheet", "correct", "groups", "statistics")
"""The style sheets of a table with real cards, and of what surrounds it."""


@pytest.mark.parametrize("name", TABLE_STYLES)
def test_type_has_six_sizes(name: str) -> None:
    styles = (ROOT / "static" / "njet" / f"{name}.css").read_text(encoding="utf-8")

    sizes = [size for size in re.findall(r"font-size: ([^;]+);", styles) if not re.search(r"var\(--f[1-6]\)", size)]
    # The points of a result and the winner's token are figures, the labels of a chart are units of the drawing, and a
    # large screen enlarges all six sizes alike.
    assert set(sizes) <= {"3rem", "11.5px", "125%"}
