"""No line of a template, style sheet or script is longer than 120 columns: the formatters break them, or people do."""

from __future__ import annotations

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
