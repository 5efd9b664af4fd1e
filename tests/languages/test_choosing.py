"""The language of a page: that of the browser until one is chosen; each phone at a table has its own."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client

from tests.cast.pages import Phone, read_html, sit_down
from tests.cast.tables import Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def language_of(browser: Client, address: str = "/", **headers: str) -> str:
    """The language that a page says it is in; the head of the answer says the same."""
    answer = browser.get(address, headers=headers)
    html = read_html(answer.content.decode())
    (root,) = html.all("html")
    assert answer.headers["Content-Language"] == root.attrs["lang"]
    assert "Accept-Language" in answer.headers["Vary"]
    return str(root.attrs["lang"])


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("fr-CA", "fr"),
        ("nl-BE,fr;q=0.5", "nl"),
        ("pt-BR,it;q=0.7", "it"),
        ("xx", "en"),
        ("", "en"),
        ("ü;q=x", "en"),
    ],
)
def test_the_language_is_that_of_the_browser_until_one_is_chosen(asked: str, language: str) -> None:
    assert language_of(Client(), **{"accept-language": asked}) == language


@pytest.mark.parametrize(("code", "name"), settings.LANGUAGES)
def test_a_chosen_language_is_remembered_and_leads_back(code: str, name: str) -> None:
    browser = Client()

    answer = browser.post("/language/", {"language": code, "next": "/new/"})

    assert answer.headers["Location"] == "/new/"
    assert language_of(browser, **{"accept-language": "es"}) == code
    (chosen,) = (
        each
        for each in read_html(browser.get("/appearance/").content.decode()).all("button")
        if each.attrs.get("name") == "language" and each.attrs["aria-pressed"] == "true"
    )
    assert (chosen.attrs["lang"], chosen.text) == (code, name)


@pytest.mark.parametrize("language", ["", "xx", "<script>", "es"])
def test_a_language_that_the_pages_do_not_have_changes_nothing(language: str) -> None:
    browser = Client()

    answer = browser.post("/language/", {"language": language, "next": "/new/"})

    assert answer.headers["Location"] == "/new/"
    assert language_of(browser, **{"accept-language": "nl"}) == "nl"


@pytest.mark.parametrize("address", ["https://example.com/", "//example.com", "javascript:alert(1)", ""])
def test_the_way_back_stays_on_these_pages(address: str) -> None:
    assert Client().post("/language/", {"language": "de", "next": address}).headers["Location"] == "/"


def test_a_choice_without_a_token_is_refused() -> None:
    assert Client(enforce_csrf_checks=True).post("/language/", {"language": "de"}).status_code == 403


def test_every_phone_at_one_table_has_its_own_language() -> None:
    table = Table()
    phones = {code: sit_down(table) for code, _name in settings.LANGUAGES}
    for code, phone in phones.items():
        phone.post_to("/language/", {"language": code})

    for _again in range(2):
        for code, phone in phones.items():
            assert language_of(phone.client, phone.address_of("table")) == code


def test_the_board_for_a_television_has_a_language_too() -> None:
    table = Table()
    phone = Phone().sits(table, table.key)

    assert language_of(phone.client, f"/g/{table.id}/screen/", **{"accept-language": "nl"}) == "nl"


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES if code != "en"])
def test_a_refusal_of_the_rest_api_has_its_message_in_the_language_and_the_same_code(language: str) -> None:
    address = "/api/v1/games/unknown/"

    english = Client().get(address, headers={"accept-language": "en"})
    other = Client().get(address, headers={"accept-language": language})

    assert other.headers["Content-Language"] == language
    assert "Accept-Language" in other.headers["Vary"]
    assert other.json()["error"]["code"] == english.json()["error"]["code"]
    assert other.json()["error"]["message"] != english.json()["error"]["message"]


def test_the_heads_of_csv_stay_english() -> None:
    table = Table()
    phone = Phone().sits(table, table.key)
    address = phone.address_of("sheet_csv")

    assert (
        phone.client.get(address, headers={"accept-language": "de"}).content
        == phone.client.get(address, headers={"accept-language": "en"}).content
    )
