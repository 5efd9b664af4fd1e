"""The replay on a phone and a laptop: from the sheet through a round, marker by marker, forth and back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPhone
from tests.browser.digital_states import TWO_ROUNDS
from tests.browser.phone import Phone
from tests.browser.prepared import lay
from tests.browser.sizes import LAPTOP
from tests.builders import english
from tests.cast.tables import Table

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def lay_game(phone: Phone, path: str) -> Table:
    """Two rounds, the phone at a page of them."""
    return lay(phone, english(5), *TWO_ROUNDS, path=path)


def at_step(phone: Phone, step: int) -> None:
    """Wait until the page shows this step, and its address says so."""
    expect(phone.page.locator("h1 small")).to_contain_text(f"step {step} of 37")
    expect(phone.page).to_have_url(re.compile(f"/replay/{step}/$"))
    expect(phone.page).to_have_title(f"Step {step} of 37 · NJET")


def covered(phone: Phone) -> list[str]:
    """The spaces that are covered, read out."""
    return phone.page.locator(".is-covered .sr").all_inner_texts()


def test_a_round_is_looked_at_marker_by_marker(phone: Phone) -> None:
    lay_game(phone, "sheet/")
    phone.tap("Replay, step by step")
    expect(phone.page.locator(".turn b")).to_have_text("The game begins")
    phone.page.evaluate("window.isTheSamePage = true")

    phone.tap("Round 2")
    at_step(phone, 4)
    assert covered(phone) == ["Ana’s token: covered by Ben in this step"]

    phone.tap("Next")
    at_step(phone, 5)
    assert covered(phone) == ["Ana’s token: covered by Ben", "Ben’s token: covered by Cleo in this step"]

    phone.tap("Back")
    at_step(phone, 4)
    assert covered(phone) == ["Ana’s token: covered by Ben in this step"]

    phone.touch(phone.page.locator("#steps summary"))
    phone.touch(phone.page.get_by_role("link", name=re.compile("^24 ")))
    at_step(phone, 24)
    expect(phone.page.locator("#steps")).to_have_attribute("open", "")
    phone.tap("Last step")
    at_step(phone, 37)
    assert phone.victory == "Ben and Cleo share the victory, 8"
    assert phone.page.evaluate("window.isTheSamePage")


def test_the_browser_goes_back_the_same_way(phone: Phone) -> None:
    lay_game(phone, "replay/4/")
    phone.tap("Next")
    at_step(phone, 5)
    phone.tap("Next")
    at_step(phone, 6)

    phone.page.go_back()
    at_step(phone, 5)
    phone.page.go_back()
    at_step(phone, 4)
    phone.page.go_forward()
    at_step(phone, 5)

    assert covered(phone) == ["Ana’s token: covered by Ben", "Ben’s token: covered by Cleo in this step"]
    phone.page.reload()
    at_step(phone, 5)
    phone.tap("Back to the sheet")
    expect(phone.page.locator("table.sheet")).to_be_visible()


def test_arrow_keys_turn_the_steps(open_phone: OpenPhone) -> None:
    phone = open_phone(LAPTOP, mobile=False, scale=1)
    lay_game(phone, "replay/35/")

    phone.page.keyboard.press("ArrowRight")
    at_step(phone, 36)
    phone.page.keyboard.press("ArrowRight")
    at_step(phone, 37)
    phone.page.keyboard.press("ArrowRight")
    phone.page.keyboard.press("ArrowLeft")
    at_step(phone, 36)


def test_a_lost_connection_is_said_and_forgotten(phone: Phone) -> None:
    lay_game(phone, "replay/4/")

    phone.lose_line()
    phone.tap("Next")
    assert phone.sees("No connection: try again.")

    phone.find_line()
    phone.tap("Next")
    at_step(phone, 5)
    expect(phone.page.locator("#unreached")).to_be_hidden()
