"""The table of following suit (RULES.md section 4), from which every test of following takes its cases."""

from __future__ import annotations

from typing import NamedTuple

import pytest

READINGS = ("own_suit", "trump_or_own", "trump")

# Trump black (K), super trump the blue 0 (B0), R red, Y yellow; in brackets with `must_trump_when_void`.
FOLLOWING_TABLE = """
| led                        | hand     | own_suit    | trump_or_own | trump       |
| B5                         | B0 R3 K4 | B0          | any (B0 K4)  | any (B0 K4) |
| B5                         | B0 B7 K4 | B0 B7       | B0 B7        | B7          |
| K3                         | B0 R3    | any (B0)    | B0           | B0          |
| K3                         | B0 K9 R3 | K9          | B0 K9        | B0 K9       |
| B0                         | B5 K4 R3 | B5          | K4           | K4          |
| B0                         | B5 R3    | B5          | any          | any         |
| B0                         | B0 B5 K4 | B0 B5       | B0 K4        | B0 K4       |
| R9                         | K4 Y2 B0 | any (K4 B0) | any (K4 B0)  | any (K4 B0) |
| super trump black too: K3  | K0 R5    | K0          | K0           | K0          |
| no trump: B0               | B5 R3    | B5          | any          | any         |
| no trump: R4               | B0 Y3    | any (B0)    | any (B0)     | any (B0)    |
| no super trump: K3         | B0 K9 R3 | K9          | K9           | K9          |
"""


class Following(NamedTuple):
    """A hand, the card that was led, and the cards that may be played; cards as “B0 R3”, njet for no suit."""

    trump: str
    supertrump: str
    reading: str
    must_trump: bool
    led: str
    hand: str
    legal: str


def _cases() -> dict[str, Following]:
    cases = {}
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in FOLLOWING_TABLE.strip().splitlines()]
    for led, hand, *cells in rows[1:]:
        remark, _, led_card = led.rpartition(": ")
        trump = "njet" if remark == "no trump" else "black"
        supertrump = {"super trump black too": "black", "no super trump": "njet"}.get(remark, "blue")
        for reading, cell in zip(READINGS, cells, strict=True):
            free, _, bracketed = cell.replace("any", hand).rstrip(")").partition(" (")
            for must_trump, legal in ((False, free), (True, bracketed or free)):
                name = f"{led}, {hand}, {reading}" + (", must trump" if must_trump else "")
                cases[name] = Following(trump, supertrump, reading, must_trump, led_card, hand, legal)
    return cases


each_case_of_the_table = pytest.mark.parametrize("case", [pytest.param(case, id=id) for id, case in _cases().items()])
