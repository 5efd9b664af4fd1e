"""The styles of the bots, as players read them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.bots.style import STYLES
from games.models import Game
from games.rules.setup import Setup
from tests.builders import dutch, english
from tests.cast.digital import DigitalTable
from tests.cast.pages import Phone
from tests.cast.seats import at_seats, watching

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def with_names(setup: Setup, *names: str) -> Setup:
    seats = [replace(seat, name=name) for seat, name in zip(setup.seats, names, strict=True)]
    return replace(setup, seats=tuple(seats))


def lines_of(page_html: str) -> list[str]:
    """The names whose style a page mentions."""
    return [name for name in STYLES if f"{name} loves" in page_html or f"{name} wants" in page_html]


@pytest.fixture
def table() -> DigitalTable:
    """Ana, Cog of whom a person has the phone, and bots for Zip and Eve."""
    return DigitalTable(with_names(english(4), "Ana", "Cog", "Zip", "Eve"), bots={2: "medium", 3: "easy"})


def test_the_seats_and_the_settings_say_how_a_bot_plays(table: DigitalTable) -> None:
    phone = at_seats(table, 0)

    assert "The medium bot Zip loves −2." in " ".join(phone.open("phones").root.text.split())
    for page in (phone.open(), phone.open("menu")):
        assert "Zip loves −2." in page.html
        assert lines_of(page.html) == ["Zip"], "nothing of people, nothing of a bot with another name"
    assert not lines_of(watching(table).open().html)


def test_a_bot_that_plays_for_a_person_says_nothing(table: DigitalTable) -> None:
    table.put_bot(3, None)
    table.put_bot(0, "strong")

    assert lines_of(at_seats(table, 1).open("menu").html) == ["Zip"]


def test_where_the_board_has_no_minus_two_nothing_is_said_of_it() -> None:
    table = DigitalTable(with_names(dutch(3), "Ana", "Zip", "Cog"), bots={1: "easy", 2: "easy"})

    assert lines_of(at_seats(table, 0).open("menu").html) == ["Cog"]


def test_a_new_table_names_its_bots_and_says_how_they_play() -> None:
    typed = {"mode": "digital", "plays-0": "here", "plays-1": "easy", "plays-2": "person", "remove": "4"}
    page = Phone().post_to("/new/", typed)
    fields = {field.attrs["name"]: field.attrs for field in page.root.all("input", class_="field")}

    assert fields["name-1"]["placeholder"] == fields["name-1"]["data-bot"] == "Zip loves −2."
    assert fields["name-2"]["placeholder"] == "Player 3"
    assert fields["name-2"]["data-bot"] == "Cog wants trumps."


def test_the_page_against_bots_says_who_plays() -> None:
    lines = [line.text for line in Phone().open("home").press("Play against bots").root.one("ul").all("li")]

    assert lines == ["Zip loves −2.", "Cog wants trumps.", "Dot wants to start.", "Gizmo hunts zeros."]


def test_a_typed_name_of_a_bot_stays() -> None:
    Phone().open("new").fill_in({"mode": "digital", "name-1": "Rob", "plays-1": "easy"}, press="Start")

    assert list(Game.objects.get().seats.order_by("number").values_list("name", flat=True)) == ["Player 1", "Rob"]
