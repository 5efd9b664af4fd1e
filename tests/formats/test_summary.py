"""A finished game in a sentence and in a line."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from django.utils import timezone, translation

from games.formats.summary import Standing, line, sentence, standings
from tests.formats.plays import four_friends

LATE = datetime(2026, 1, 15, 23, 30, tzinfo=UTC)
ANA, BEN, DAN = Standing("Ana", 54, True), Standing("Ben", 48, False), Standing("Dan", -5, False)


def test_the_line_says_who_won_all_totals_the_day_and_the_place() -> None:
    assert line([ANA, BEN, DAN], LATE, "Garden") == (
        "Ana won NJET with 54: Ana 54, Ben 48, Dan −5 (15 Jan 2026, Garden)"
    )
    assert line([ANA, BEN], LATE).endswith("(15 Jan 2026)")


def test_who_shares_the_victory_is_named_together() -> None:
    assert sentence([ANA, Standing("Ben", 54, True)]) == "Ana and Ben share the victory in NJET with 54"


def test_the_line_is_in_the_language_and_of_the_day_of_the_reader() -> None:
    with translation.override("de"), timezone.override(ZoneInfo("Europe/Berlin")):
        assert line([ANA], LATE) == "Ana hat NJET mit 54 gewonnen: Ana 54 (16. Januar 2026)"


def test_a_name_from_right_to_left_does_not_take_its_total_along() -> None:
    assert "\u2068דן\u2069 48" in line([ANA, Standing("דן", 48, False)], LATE)


def test_the_standings_begin_with_the_first_place() -> None:
    assert standings(four_friends(), ("Ana", "Ben", "Cleo", "Dan")) == [
        Standing("Ana", 0, True),
        Standing("Cleo", 0, True),
        Standing("Dan", -6, False),
        Standing("Ben", -11, False),
    ]
