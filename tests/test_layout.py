"""The form of sources: short lines, exceptions from checks with their reasons, few sizes of type."""

from __future__ import annotations

import re
from itertools import combinations
from math import dist
from pathlib import Path

import pytest

from games.rules.editions import EDITIONS, Edition

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


PYTHON = sorted(path for folder in ("games", "njetassist", "tests") for path in (ROOT / folder).rglob("*.py"))
EXCEPTION = re.compile(r"# (?:noqa: \w+|type: ignore\[[\w-]+\])(?P<reason>.*)")


def test_every_exception_from_a_check_has_its_reason() -> None:
    """Behind it, or in a comment above it; and the line with both is no longer than others."""
    without = []
    for path in PYTHON:
        lines = path.read_text(encoding="utf-8").splitlines()
        for above, line in zip(["", *lines], lines, strict=False):
            found = EXCEPTION.search(line)
            is_said = found is None or found["reason"].strip() or above.lstrip().startswith("#")
            if not is_said or (found is not None and len(line) > COLUMNS):
                without.append(f"{path.relative_to(ROOT)}: {line.strip()}")

    assert without == []


# A television is read from afar: its page has larger sizes of its own.
STYLES = sorted(set((ROOT / "static" / "njet").rglob("*.css")) - {ROOT / "static" / "njet" / "pages" / "screen.css"})


@pytest.mark.parametrize("style", STYLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_type_has_six_sizes(style: Path) -> None:
    declared = re.findall(r"(?:font|font-size|--symbol):\s*([^;]+);", style.read_text(encoding="utf-8"))

    others = [size for size in declared if not re.search(r"var\(--f[1-6]\)", size)]
    # Figures on a card grow with the card; what is in a part with a size of its own grows with it.
    of_the_part = r"var\(--(?:[ew]|size|suit|least)\b|cq|(?<!r)em\b"
    others = [size for size in others if size != "inherit" and not re.search(of_the_part, size)]
    # The points of a result and the winner's token are figures, the labels of a chart have the smallest size in units
    # of the drawing, the base is the reader's, and a large screen enlarges all six sizes alike.
    assert {re.sub(r"/.*", "", size, flags=re.DOTALL) for size in others} <= {"3rem", "12px", "100%", "125%"}


@pytest.mark.parametrize("style", STYLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_type_has_three_weights(style: Path) -> None:
    declared = re.findall(r"font-weight:\s*([^;]+);", style.read_text(encoding="utf-8"))

    assert set(declared) <= {"var(--w1)", "var(--w2)", "var(--w3)", "inherit"}


def lab(colour: str) -> tuple[float, float, float]:
    """A colour as CIE L*a*b* has it, in which distances are about as people see them."""
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels)
    x, y, z = (
        light ** (1 / 3) if light > 0.008856 else 7.787 * light + 16 / 116
        for light in (
            (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
            0.2126 * red + 0.7152 * green + 0.0722 * blue,
            (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
        )
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda edition: edition.key)
def test_the_tokens_of_an_edition_have_colours_of_their_own(edition: Edition) -> None:
    sheets = "".join(path.read_text() for path in STYLES)
    colours = {
        name: colour
        for names, colour in re.findall(r"((?:\.t-\w+[,\s]*)+)\{\s*--own: (#\w{6});", sheets)
        for name in re.findall(r"t-(\w+)", names)
    }

    for one, other in combinations(edition.tokens, 2):
        assert dist(lab(colours[one]), lab(colours[other])) > 25, (one, other)
