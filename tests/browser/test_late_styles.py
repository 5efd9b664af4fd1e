"""The styles that come after the first visit of a digital table: they add parts and move nothing that stands."""

from __future__ import annotations

import pytest
from django.conf import settings
from playwright.sync_api import Page

from tests.browser.conftest import OpenPhone
from tests.browser.digital import Player
from tests.browser.expecting import expect
from tests.browser.facts import cut, outside, overlaps, places
from tests.browser.sizes import LAPTOP, PHONE, SIDEWAYS, SMALL, TABLET, TURNED, Size
from tests.builders import dutch
from tests.cast.digital import DigitalTable, rounds_finished

pytestmark = pytest.mark.browser

REST = """
() => new Promise((arrived) => {
  addRest();
  document.querySelector('link[href*="rounds"]').onload = arrived;
}).then(() => undefined)
"""


def _rest_comes(page: Page) -> None:
    """What the first tap or a while loads, without the tap."""
    assert page.locator('link[href*="rounds"]').count() == 0
    page.evaluate(REST)


@pytest.mark.parametrize("size", [SMALL, PHONE, SIDEWAYS, Size(667, 375), TURNED, TABLET, LAPTOP], ids=str)
def test_the_late_styles_leave_the_board_as_it_is(open_phone: OpenPhone, size: Size) -> None:
    ana = Player(open_phone(size=size), DigitalTable(dutch(3, rounds=2)), 0)
    before = places(ana.page, "#table *")

    _rest_comes(ana.page)

    assert places(ana.page, "#table *") == before


@pytest.mark.parametrize("size", [SIDEWAYS, Size(667, 375), TURNED], ids=str)
@pytest.mark.parametrize("is_own", [False, True])
def test_a_request_after_the_late_styles_is_read_beside_the_board(
    open_phone: OpenPhone, size: Size, *, is_own: bool
) -> None:
    table = DigitalTable(dutch(3, rounds=2))
    asks = table.state.acting_seats[0]
    table.step()
    ana = Player(open_phone(size=size), table, asks if is_own else (asks + 1) % 3)
    _rest_comes(ana.page)

    table.propose(asks, "takeback")
    ana.hears()

    ana.page.locator(".toasts > .ask").wait_for()
    [words] = places(ana.page, ".ask > div")
    [toasts] = places(ana.page, ".toasts")
    assert words[2] > toasts[2] / 2
    assert not cut(ana.page, ".toasts")
    assert not outside(ana.page, ".ask", ".toasts")
    assert not overlaps(ana.page, ".ask", "#dock, .thumb, .scene > .board")


@pytest.mark.parametrize("size", [SMALL, PHONE, SIDEWAYS], ids=str)
@pytest.mark.parametrize("view", ["board", "result"])
def test_a_proposal_to_finish_early_is_read_and_answered_in_german(
    open_phone: OpenPhone, size: Size, view: str
) -> None:
    table = DigitalTable(dutch(3, rounds=3)).play_on(rounds_finished(1))
    if view == "board":
        table.step()
    phone = open_phone(size=size)
    phone.page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": "de", "url": phone.address}])
    ana = Player(phone, table, 0)
    if ana.page.locator('link[href*="rounds"]').count() == 0:
        ana.page.evaluate(REST)

    table.propose(1, "finish")
    ana.hears()

    assert ana.page.locator(f".is-{view} .ask").count() == 1
    [words] = places(ana.page, ".ask > div")
    assert words[2] > 90
    assert not cut(ana.page, ".ask > div")
    for button in ana.page.locator(".answer .button").all():
        expect(button).to_be_in_viewport(ratio=1)
