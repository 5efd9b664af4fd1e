"""The table of following suit (RULES.md section 4.4), from which every test of following takes its cases."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.rules.tables import table_below


class Following(NamedTuple):
    """A hand, the card that was led, and the cards that may be played; cards as “B0 R3”, njet for no suit."""

    trump: str
    supertrump: str
    reading: str
    must_trump: bool
    led: str
    hand: str
    legal: str


_HEADING, *_ROWS = table_below("### 4.4 Examples of what may be played")
READINGS = [heading.strip("`") for heading in _HEADING[2:]]
"""The columns: values of `supertrump_suit`."""


def _cases() -> dict[str, Following]:
    """The trump is black and the super trump blue, except where the first column says otherwise."""
    cases = {}
    for led, hand, *cells in _ROWS:
        remark, _, led_card = led.rpartition(": ")
        trump = "njet" if remark == "no trump" else "black"
        supertrump = {"super trump black": "black", "no super trump": "njet"}.get(remark, "blue")
        for reading, cell in zip(READINGS, cells, strict=True):
            free, _, bracketed = cell.replace("any", hand).rstrip(")").partition(" (")
            for must_trump, legal in ((False, free), (True, bracketed or free)):
                name = f"{led}, {hand}, {reading}" + (", must trump" if must_trump else "")
                cases[name] = Following(trump, supertrump, reading, must_trump, led_card, hand, legal)
    return cases


each_case_of_the_table = pytest.mark.parametrize("case", [pytest.param(case, id=id) for id, case in _cases().items()])
