"""A game that ends at a number of points, and a board that hides whose marker is whose, on the pages."""

from __future__ import annotations

import pytest

from games.services import tables
from tests.builders import english
from tests.cast.digital import DigitalTable
from tests.cast.pages import Phone
from tests.cast.seats import hosting, watching
from tests.cast.tables import Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

TWENTY = ("open 0 njet red blue 2", "team 1 2 monster 4", "tally 3+1 2+1 2+1 3 2+1")


def recording(table: Table) -> Phone:
    """The scorekeeper's phone."""
    return Phone().sits(table, table.key)


def test_the_pages_say_at_how_many_points_a_game_ends() -> None:
    phone = recording(Table(english(5, target=100), *TWENTY))

    assert "Round 2 to 100" in phone.open("table", board="").text
    assert "The game ends at 100 points; the most so far are 20 of 100." in phone.open("sheet").text
    assert "more rounds" not in phone.open("sheet").text
    assert "Round 2" in phone.open("home").text


def test_a_game_with_a_target_is_over_at_it_and_not_finished_early() -> None:
    page = recording(Table(english(5, target=20), *TWENTY)).open("table")

    assert page.root.one("section", class_="victory")
    assert "Finished early" not in page.text


def test_a_game_that_is_ended_before_its_target_says_after_how_many_rounds() -> None:
    page = recording(Table(english(5, target=100), *TWENTY, "finish")).open("table")

    assert "Finished early, after 1 round." in page.text


def owners(phone: Phone) -> set[str]:
    """The colours of the markers on the board that the phone shows."""
    markers = phone.open("table", board="").root.all("i", class_="marker")
    return {name for marker in markers for name in marker.attrs["class"].split() if name.startswith("t-")}


def test_the_scorekeeper_hides_whose_marker_is_whose_and_shows_it_again() -> None:
    phone = recording(Table(english(5), "trump red"))

    assert owners(phone) == {"t-turquoise"}
    phone.open("menu").press("Hide whose marker is whose")
    assert owners(phone) == {"t-none"}
    phone.open("menu").press("Hide whose marker is whose")
    assert owners(phone) == {"t-turquoise"}


def test_a_rematch_hides_markers_too() -> None:
    table = Table(english(5, rounds=1), *TWENTY)
    tables.hide_markers(game=table.game, hidden=True)

    recording(table).open("table").press("Rematch")

    assert table.game.rematches.get().hides_markers


def test_the_host_of_a_digital_table_alone_hides_markers() -> None:
    table = DigitalTable(english(3)).play_on(lambda state: state.current.board.markers > 1)
    hosting(table, 0).open("menu").press("Hide whose marker is whose")

    assert owners(watching(table)) == {"t-none"}
    assert "Hide whose marker is whose" not in watching(table).open("menu").text
