"""What the pages of a table hold for screens with room beside the board: the standings and the race."""

from __future__ import annotations

import pytest

from tests.builders import dutch
from tests.cast.pages import Page, Phone
from tests.cast.tables import ROUND_1, ROUND_2, Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def opened(*lines: str) -> Page:
    """The page of a table with these entries."""
    table = Table(dutch(3, rounds=3), *lines)
    return Phone().sits(table, table.key).open()


@pytest.mark.parametrize("entries", [1, 2], ids=["teams", "count"])
def test_the_standings_stand_beside_teams_and_count_from_the_first_round_on(entries: int) -> None:
    assert "B Ben 0" in opened(*ROUND_2[:entries]).root.one("aside").text
    assert "1 A Ana" in opened(*ROUND_1, *ROUND_2[:entries]).root.one("aside").text


def test_the_race_stands_beside_the_result_from_round_2_on() -> None:
    assert "The race" not in opened(*ROUND_1).text
    assert "The race" in opened(*ROUND_1, *ROUND_2).text
