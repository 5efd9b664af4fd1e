"""What the pages of a table hold for screens with room beside the board: the sheet and the race."""

from __future__ import annotations

import pytest

from tests.builders import dutch
from tests.cast.pages import Page, Phone
from tests.cast.tables import ROUND_1, ROUND_2, Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

ROUND_3 = ("open 2 njet red green 3", "team 1 monster 0", "tally 4 4+2 4+1")


def opened(*lines: str) -> Page:
    """The page of a table with these entries."""
    table = Table(dutch(3, rounds=4), *lines)
    return Phone().sits(table, table.key).open()


@pytest.mark.parametrize("entries", [0, 1, 2, 3], ids=["setup", "teams", "count", "result"])
def test_the_sheet_stands_beside_each_phase(entries: int) -> None:
    first = opened(*ROUND_2[: min(entries, 2)]).root.one("aside")
    second = opened(*ROUND_1, *ROUND_2[:entries]).root.one("aside")

    assert "A Ana 0 B Ben 0" in first.one("thead").text
    assert second.all("tbody")[0].text.startswith("1 Ana deals A")
    assert len(second.all("tbody")) == (3 if entries == 3 else 2)
    # The figures alone: a round is read and corrected on the page of the sheet.
    assert not second.all("a") + second.all("details")
