"""The theme that a browser chooses: kept in a cookie, filled into every page, also into cached ones."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client

from games.pages.appearance.theme import AUTO, DARK_MEDIA
from tests.cast.pages import read_html, sit_down
from tests.cast.tables import Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def style_of(browser: Client, address: str = "/") -> str | None:
    """The media query of the dark style sheet."""
    html = browser.get(address).content.decode()
    (link,) = (each for each in read_html(html).all("link") if "dark." in each.attrs["href"])
    return link.attrs["media"]


def test_the_theme_follows_the_phone_until_one_is_chosen() -> None:
    assert style_of(Client()) == DARK_MEDIA[AUTO]


@pytest.mark.parametrize("theme", DARK_MEDIA)
def test_a_chosen_theme_is_remembered_and_leads_back(theme: str) -> None:
    browser = Client()

    answer = browser.post("/appearance/", {"theme": theme, "next": "/new/"})

    assert answer.headers["Location"] == "/new/"
    assert style_of(browser) == DARK_MEDIA[theme]
    assert f'value="{theme}" aria-pressed="true"' in " ".join(browser.get("/appearance/").content.decode().split())


def test_a_page_that_shows_the_theme_itself_is_not_led_away() -> None:
    browser = Client()

    answer = browser.post("/appearance/", {"theme": "dark"}, headers={"HX-Request": "true"})

    assert answer.status_code == 204
    assert style_of(browser) == DARK_MEDIA["dark"]


def test_a_page_of_a_table_that_is_cached_for_all_has_the_theme_of_each_phone() -> None:
    table = Table()
    one, other = sit_down(table), sit_down(table)
    one.post_to("/appearance/", {"theme": "dark"})
    address = one.address_of("table")

    for _again in range(2):
        assert style_of(one.client, address) == DARK_MEDIA["dark"]
        assert style_of(other.client, address) == DARK_MEDIA[AUTO]


@pytest.mark.parametrize("theme", ["", "black", "<script>"])
def test_an_unknown_theme_changes_nothing(theme: str) -> None:
    browser = Client()

    answer = browser.post("/appearance/", {"theme": theme})

    assert answer.status_code == 200
    assert settings.THEME_COOKIE_NAME not in browser.cookies


def test_a_cookie_with_an_unknown_theme_counts_as_none() -> None:
    browser = Client()
    browser.cookies[settings.THEME_COOKIE_NAME] = "black"

    assert style_of(browser) == DARK_MEDIA[AUTO]


@pytest.mark.parametrize(
    "address", ["https://example.com/", "//example.com", "javascript:alert(1)", "\\example.com", ""]
)
def test_the_way_back_stays_on_these_pages(address: str) -> None:
    answer = Client().post("/appearance/", {"theme": "dark", "next": address})

    assert answer.headers["Location"] == "/"
    assert 'value="/"' in Client().get("/appearance/", {"next": address}).content.decode()


def test_a_post_without_a_token_is_refused() -> None:
    assert Client(enforce_csrf_checks=True).post("/appearance/", {"theme": "dark"}).status_code == 403
