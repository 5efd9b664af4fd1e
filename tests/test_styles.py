"""The style sheets in figures that may only fall: see `.github/STYLES.md`."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from njetassist.staticfiles import LAYERS, NAMED_SIZE, SIZES

STATIC = Path(__file__).resolve().parent.parent / "static"
SHEETS = {path: path.read_text(encoding="utf-8") for path in sorted((STATIC / "njet").rglob("*.css"))}
WHOLE = re.sub(r"/\*.*?\*/", "", "".join(SHEETS.values()), flags=re.DOTALL)
NAMES = dict(NAMED_SIZE.findall((STATIC / SIZES).read_text(encoding="utf-8")))

SELECTORS = re.findall(r"(?:^|[{};])\s*([^{};@]+)\{", WHOLE)
CONDITIONS = {" ".join(condition.split()) for condition in re.findall(r"@(?:media|container)([^{]+)\{", WHOLE)}

MOST = {
    "lines": 8_570,
    "bytes": 173_767,
    "conditions": 12,
    "doubled": 0,
    "important": 3,
    "has": 63,
    "sheets that style .space": 2,
    "sheets that style .token": 2,
}


def styled_in(name: str) -> int:
    """The number of sheets with a rule for a class."""
    return sum(bool(re.search(rf"\.{name}\b(?!-)", re.sub(r"/\*.*?\*/", "", sheet))) for sheet in SHEETS.values())


def is_doubled(selector: str) -> bool:
    """Whether a part of a selector names a class twice: only its weight can be the reason."""
    return any(
        most > 1
        for compound in re.split(r"[\s>+~,()]+", selector)
        for _, most in Counter(re.findall(r"\.[\w-]+", compound)).most_common(1)
    )


FIGURES = {
    "lines": sum(sheet.count("\n") for sheet in SHEETS.values()),
    "bytes": sum(len(sheet.encode()) for sheet in SHEETS.values()),
    "conditions": len(CONDITIONS),
    "doubled": sum(map(is_doubled, SELECTORS)),
    "important": WHOLE.count("!important"),
    "has": WHOLE.count(":has("),
    "sheets that style .space": styled_in("space"),
    "sheets that style .token": styled_in("token"),
}


@pytest.mark.parametrize("figure", MOST)
def test_the_figures_of_the_styles_only_fall(figure: str) -> None:
    assert FIGURES[figure] <= MOST[figure]


@pytest.mark.parametrize(("selector", "doubled"), [(".a.a > b", True), (".a .a", False), (".a:has(.a)", False)])
def test_a_class_that_a_selector_names_twice_is_noticed(selector: str, doubled: bool) -> None:
    assert is_doubled(selector) is doubled


def test_there_are_five_named_sizes() -> None:
    assert len(NAMES) == 5


def test_a_part_does_not_ask_for_the_screen() -> None:
    """Its room may be a container's; light, motion and paper are no sizes."""
    asking = [
        f"{path.name}: {query}"
        for path, sheet in SHEETS.items()
        if path.parent.name == "parts"
        for query in re.findall(r"@media ([^{]+)\{", sheet)
        if re.search(r"width|height|orientation|--", query)
    ]

    assert asking == []


def test_the_layers_have_folders() -> None:
    assert {path.parent.name for path in SHEETS} >= set(LAYERS) - {"parts"}
