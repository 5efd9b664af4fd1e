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


# A television is read from afar: its page has larger sizes of its own.
STYLES = sorted(set((ROOT / "static" / "njet").glob("*.css")) - {ROOT / "static" / "njet" / "screen.css"})


@pytest.mark.parametrize("style", STYLES, ids=lambda path: path.stem)
def test_type_has_six_sizes(style: Path) -> None:
    declared = re.findall(r"(?:font|font-size|--symbol):\s*([^;]+);", style.read_text(encoding="utf-8"))

    others = [size for size in declared if not re.search(r"var\(--f[1-6]\)", size)]
    # Figures on a card grow with the card.
    others = [size for size in others if size != "inherit" and not re.search(r"var\(--[ew]\)", size)]
    # The points of a result and the winner's token are figures, the labels of a chart have the smallest size in units
    # of the drawing, the base is the reader's, and a large screen enlarges all six sizes alike.
    assert {re.sub(r"/.*", "", size, flags=re.DOTALL) for size in others} <= {"3rem", "12px", "100%", "125%"}
