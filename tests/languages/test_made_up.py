"""Every text that people read is marked for translation: pages in every state, refusals, the messages of the REST API.

Walks through all addresses and whole games in a made-up language (`made_up.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random

import pytest
from django.http import HttpResponse
from django.test import Client

from games.bots.style import STYLES
from tests.builders import english
from tests.cast.digital import DigitalTable
from tests.cast.pages import Phone
from tests.cast.seats import at_seats
from tests.cast.tables import Table
from tests.languages.made_up import CODE, WORD, changed, spoken, untranslated
from tests.test_matrix import LISTS, MODES, World, ask, quiet, routes, stated

__all__ = ["quiet"]

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

NAMES = {
    # What the tests have named: people, groups, phones, the server.
    *("Ana", "Ben", "Cleo", "Cloe", "Dan", "Eve", "Fay", "Gus", "Hal", "Mia", "Zoe"),
    *("Wednesdays", "Fridays", "Thursday", "club", "Screen", "Spring", "testserver"),
    # The names of keys are stored as they were when these were made.
    *("Phone", "API", "owner", "member", "viewer", "scorekeeper"),
    *STYLES,
    # In dates, in the language whose code the made-up one has.
    *("de", "je"),
    # Of the game, and of programs.
    *("NJET", "njet", "Assist", "REST", "CSV", "JSON", "QR", "BG", "Stats"),
}


@pytest.fixture(autouse=True)
def language() -> Iterator[None]:
    """The made-up language is one of the project's."""
    with spoken():
        yield


def problems(answer: HttpResponse) -> list[str]:
    """What is not translated in an answer."""
    if answer.streaming or not answer.content:
        return []
    kind = answer["Content-Type"].partition(";")[0]
    if kind == "text/html":
        return untranslated(answer.content.decode(), NAMES)
    if kind == "application/json" and answer.status_code >= 400:
        message = json.loads(answer.content)["error"]["message"]
        # The name of a method or a parameter in quotes is the program's.
        return [message] if WORD.search(re.sub(r"“\w+”|\b[A-Z]+\b", "", message)) else []
    return []


def test_placeholders_and_markup_stay() -> None:
    assert (
        changed("suit\x04{name} has <b>%(count)s</b> cards &amp; no 0")
        == "{name} ｈａｓ <b>%(count)s</b> ｃａｒｄｓ &amp; ｎｏ 0"
    )


def test_what_is_not_marked_is_found() -> None:
    assert untranslated('<p title="ｏｋ">Ben <b>wins</b></p>', {"Ben"}) == ["wins"]
    assert untranslated('<input type="submit" value="Go"><i data-text="a word">ｏｋ</i>') == ["Go", "a word"]


@pytest.mark.slow
@MODES
def test_every_answer_is_in_the_language_of_the_browser(mode: str) -> None:
    world = World(mode)
    served = {space: {known for known, _ in stated(lists, mode)} for space, lists in LISTS.items()}
    found: dict[str, str] = {}
    for route in routes():
        if not world.has(route) or route.name in ("docs", "schema"):
            continue
        for method in ("GET", "POST", "DELETE"):
            # A method that an address does not take has one answer for all who may read, and one for the others.
            for role in world.roles if (route.name, method) in served[route.space] else ("owner", "nobody"):
                answer = ask(world, role, route, method, language=CODE)
                for text in problems(answer):
                    found.setdefault(text, f"{method} {route} by {role}")
    assert not found, "\n".join(f"{place}: {text}" for text, place in found.items())


# --- every state of a game ---

ROUNDS = (
    ("open 0 njet black blue 2", "team 1 2 monster 4", "tally 3+1 2+1 2+1 3 2+1"),
    ("open 1 pass_2_right njet red -2", "team 3 monster 1", "tally 4+1 2+1 3 1 2+1"),
)


def shown(phone: Phone, *addresses: str) -> list[str]:
    """What is not translated on these pages of a phone's table."""
    assert phone.table is not None
    found = []
    for address in addresses:
        answer = phone.client.get(f"/g/{phone.table.id}/{address}", headers={"accept-language": CODE})
        assert answer.status_code == 200, address
        found += [f"{address}: {text}" for text in problems(answer)]
    return found


@pytest.mark.slow
def test_a_physical_table_is_in_the_language_of_the_browser_in_every_state() -> None:
    table = Table(english(5, rounds=2))
    phone = Phone().sits(table, table.key)
    found = shown(phone, "", "?board", "quick/", "rules/")
    for number, lines in enumerate(ROUNDS, start=1):
        for line in lines:
            table.record(line)
            found += shown(phone, "", "sheet/", "history/", "menu/", "board/", "?count=whole")
        found += shown(phone, f"correct/{number}/", "placements/", "penalty/")
    assert table.state.is_over
    assert sorted(set(found)) == []


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 5])
def test_a_digital_table_is_in_the_language_of_the_browser_in_every_state(players: int) -> None:
    game = DigitalTable(english(players, rounds=1), bots={1: "strong"})
    phone = at_seats(game, 0)
    found, chance = [], Random(players)
    while not game.state.is_over:
        found += shown(phone, "", "history/")
        game.step(lambda view: chance.choice(view.legal))
    found += shown(phone, "", "sheet/", "history/", "replay/", "menu/")
    assert sorted(set(found)) == []


def test_what_is_refused_before_a_view_is_in_the_language_of_the_request_too() -> None:
    """Also where the thread has answered somebody in another language before."""
    browser, body = Client(), b"x" * 65537
    for language in (CODE, "en", CODE):
        answer = browser.generic("POST", "/", body, headers={"accept-language": language})
        assert (answer.status_code, answer["Content-Language"]) == (413, language)
        assert bool(WORD.search(answer.content.decode().replace("KB", ""))) == (language == "en")
