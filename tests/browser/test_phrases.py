"""Short messages of the digital table by touch: two taps on one phone, a bubble on the others."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from games.rules import Phase
from tests.browser.audit import violations_of
from tests.browser.conftest import OpenPhone
from tests.browser.digital import Player
from tests.browser.sizes import SMALL
from tests.builders import dutch
from tests.cast.digital import DigitalTable, in_phase

pytestmark = pytest.mark.browser

SHOWN = "[role=status] > .saving.is-shown"
PLACES = """
  [...document.querySelectorAll(".plate, .slot, .in-hand")].map((each) => JSON.stringify(each.getBoundingClientRect()))
"""


def loaded(page: Page) -> None:
    """The scripts that a first visit does not need have come."""
    page.locator("#here-button").tap()
    expect(page.locator("#phrases")).to_be_attached()
    page.keyboard.press("Escape")


def test_a_phrase_is_sent_by_two_taps_and_shown_at_the_plate_of_its_sender(open_phone: OpenPhone) -> None:
    table = DigitalTable(dutch(3, rounds=1)).play_on(in_phase(Phase.TRICKS))
    ana, ben = (Player(open_phone(size=SMALL), table, seat) for seat in (0, 1))
    for player in (ana, ben):
        loaded(player.page)
    before = ben.page.evaluate(PLACES)

    ana.page.locator("#here-button").tap()
    assert not violations_of(ana.page)
    ana.page.get_by_role("button", name="Sorry!").tap()

    expect(ana.page.locator("#here")).to_be_hidden()
    bubble, plate = ben.page.locator(SHOWN), ben.page.locator('.sitter[data-seat="0"] > .plate')
    expect(bubble).to_have_text(f"{table.state.setup.names[0]} · Sorry!")
    said, at = bubble.bounding_box(), plate.bounding_box()
    assert said is not None
    assert at is not None
    assert said["x"] >= 0
    assert said["x"] + said["width"] <= SMALL.width
    assert abs(said["y"] + said["height"] / 2 - at["y"] - at["height"] / 2) < 2
    assert ben.page.evaluate(PLACES) == before
    expect(bubble).to_have_count(0, timeout=7000)


def test_a_phone_that_is_muted_shows_none(open_phone: OpenPhone) -> None:
    table = DigitalTable(dutch(3, rounds=1)).play_on(in_phase(Phase.TRICKS))
    ana, ben = (Player(open_phone(size=SMALL), table, seat) for seat in (0, 1))
    for player in (ana, ben):
        loaded(player.page)

    ben.page.locator("#settings-button").tap()
    ben.page.get_by_label("Hide the messages of the others").tap()
    ben.page.locator("#settings [popovertargetaction=hide]").tap()
    with ben.page.expect_event("console", lambda message: message.text == "heard"):
        ben.page.evaluate(
            "document.addEventListener('here', ({ detail }) => detail.some(({ said }) => said) && console.log('heard'))"
        )
        ana.page.locator("#here-button").tap()
        ana.page.get_by_role("button", name="Good luck!").tap()

    expect(ana.page.locator(SHOWN)).to_have_count(1)
    expect(ben.page.locator(SHOWN)).to_have_count(0)


def test_beside_a_board_a_phrase_leaves_readable_whose_turn_it_is(open_phone: OpenPhone) -> None:
    table = DigitalTable(dutch(3, rounds=1)).play_on(in_phase(Phase.PLACING))
    ana, ben = (Player(open_phone(size=SMALL), table, seat) for seat in (0, 1))
    for player in (ana, ben):
        loaded(player.page)

    ana.page.locator("#here-button").tap()
    ana.page.get_by_role("button", name="Sorry!").tap()

    expect(ben.page.locator(SHOWN)).to_be_visible()
    bubble, banner = ben.page.locator(SHOWN).bounding_box(), ben.page.locator(".dash").bounding_box()
    assert bubble is not None
    assert banner is not None
    assert bubble["x"] > banner["x"] + banner["width"] / 2
    assert bubble["x"] + bubble["width"] <= SMALL.width
