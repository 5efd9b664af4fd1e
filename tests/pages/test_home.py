"""The home page: the tables of this phone, the ways to others, and all its games page by page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings

from games.keys import registry
from games.models import Game, Role, Seat
from tests.builders import dutch, english
from tests.cast.pages import Page, Phone, sit_down
from tests.cast.tables import Table
from tests.laws import rest_slow

pytestmark = pytest.mark.django_db


def test_a_phone_that_was_never_here_is_offered_a_table_and_a_code(db: None) -> None:
    page = Phone().open("home")

    assert page.press("New table").status == 200
    assert page.press("Join").status == 200
    assert not page.root.all("ul", class_="tables")


def test_home_leads_to_every_language_under_its_own_name(db: None) -> None:
    (row,) = [link for link in Phone().open("home").root.all("a") if "Language" in link.name]

    assert row.attrs["href"] == "/appearance/"
    assert row.one("small").text == ", ".join(name for _code, name in settings.LANGUAGES)


def test_home_lists_the_tables_of_this_phone_the_latest_first(db: None) -> None:
    first, second = Table(english(5)), Table(dutch(3))
    phone = sit_down(first)
    phone.sits(second, second.key)
    Table(english(2))

    page = phone.open("home")

    assert page.root.one("a", class_="cont").name == "Continue with Ana, Ben, Cleo Round 1 of 6"
    (other,) = page.root.one("ul", class_="tables").all("li")
    assert other.name == "Ana, Ben, Cleo, Dan, Eve Round 1 of 10"
    assert [each.text for each in other.all("i", class_="token")] == ["A", "B", "C", "D", "E"]


def test_home_says_how_far_a_game_is_and_who_leads(round_2: Table, ana: Phone) -> None:
    round_2.correct(rounds=5)

    assert (
        ana.open("home").root.one("a", class_="cont").name == "Continue with Ana, Ben, Cleo Round 2 of 5 Ana leads, 24"
    )


def test_home_says_of_a_finished_game_who_won(finished: Table, ana: Phone) -> None:
    page = ana.open("home")

    (row,) = page.root.one("ul", class_="tables").all("li")
    assert row.one("b").text == "Ana won with 54"
    assert row.one("small").text.startswith("2 rounds · Ana, Ben, Cleo ")
    assert page.press("New table").status == 200


def many_games(phone: Phone, count: int, *, finished: bool) -> list[str]:
    """Games of one phone without a log, an hour apart, by id, the latest first; some of them at the same time."""
    status = "finished" if finished else "playing"
    games = [Game(mode="table", preset="njet-english", players=3, setup={}, rules_version=1) for _ in range(count)]
    for number, game in enumerate(games):
        game.status, game.created_at = status, datetime(2026, 11, 1, tzinfo=UTC) + timedelta(hours=number // 2)
        game.finished_at = game.created_at if finished else None
    Game.objects.bulk_create(games)
    Seat.objects.bulk_create(Seat(game=game, number=0, name="Ana") for game in games)
    keys = [registry.issue(game=game, role=Role.SCOREKEEPER, label="Ana’s phone") for game in games]
    phone.sits(games[-1], *keys)
    return list(Game.objects.order_by("-created_at", "-pk").values_list("pk", flat=True))


def games_in(page: Page) -> list[str]:
    """The tables that a page lists, by id."""
    links = [node.attrs["href"] for each in page.root.all("ul", class_="tables") for node in each.all("a")]
    return [link.split("/")[2] for link in links]


@pytest.mark.parametrize("count", [3, 4])
def test_home_shows_the_latest_three_finished_games_and_leads_to_all(db: None, count: int) -> None:
    phone = Phone()
    games = many_games(phone, count, finished=True)

    page = phone.open("home")

    assert games_in(page) == games[:3]
    assert page.offers("All games") == (count > 3)


@pytest.mark.parametrize(("count", "finished"), rest_slow([(51, True), (75, False), (51, False), (75, True)], quick=2))
def test_all_games_of_a_phone_are_listed_page_by_page(db: None, count: int, finished: bool) -> None:
    phone = Phone()
    games = many_games(phone, count, finished=finished)

    page = turned(phone.open("home"), "All games")
    pages = [games_of_page(page)]
    while page.offers("Older"):
        page = turned(page, "Older")
        pages.append(games_of_page(page))

    assert [len(each) for each in pages] == [25, 25, count - 50]
    assert [game for each in pages for game in each] == games
    assert games_of_page(turned(page, "Newer")) == pages[1]
    assert not turned(turned(page, "Newer"), "Newer").offers("Newer")


def turned(page: Page, link: str) -> Page:
    """The page of a link, which leads to the list in it."""
    (found,) = [node for node in page.root.all("a") if node.name == link]
    query, _, place = found.attrs["href"].partition("#")
    assert place == "games"
    return page.phone.get(f"/{query}")


def games_of_page(page: Page) -> list[str]:
    """The games under “All games”."""
    assert page.root.one("h2", id="games").text == "All games"
    links = page.root.all("ul", class_="tables")[-1].all("a")
    return [link.attrs["href"].split("/")[2] for link in links]


def test_a_page_number_that_does_not_exist_leads_to_one_that_does(db: None) -> None:
    phone = Phone()
    games = many_games(phone, 30, finished=True)

    for number, shown in (("", 0), ("x", 0), ("0", 25), ("-1", 25), ("99999999999999999999", 25)):
        assert games_of_page(phone.open("home", page=number)) == games[shown : shown + 25], number
        assert "All games" not in Phone().open("home", page=number).text


def test_a_viewers_table_is_listed_at_home_too(table: Table) -> None:
    assert sit_down(table, role=Role.VIEWER).open("home").press("Continue with Ana, Ben, Cleo").status == 200
