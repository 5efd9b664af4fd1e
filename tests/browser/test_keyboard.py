"""A round by Tab and Enter alone: everything is reached, and the focus is still there after each answer."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPhone
from tests.browser.digital_states import DIGITAL_STATES
from tests.browser.phone import Phone
from tests.browser.prepared import lay
from tests.browser.sizes import LAPTOP, PHONE
from tests.browser.states import STATES
from tests.builders import dutch, english

pytestmark = pytest.mark.browser


@pytest.fixture
def desk(open_phone: OpenPhone) -> Phone:
    """A laptop: no thumb, a keyboard."""
    return open_phone(LAPTOP, mobile=False, scale=1)


def test_a_marker_is_placed_and_the_focus_stays_on_its_space(desk: Phone) -> None:
    lay(desk, english(5), path="?board")

    desk.tab_to(desk.space("trump", "black"))
    desk.page.keyboard.press("Enter")

    expect(desk.table).to_have_attribute("data-version", "1")
    expect(desk.space("trump", "black")).to_be_focused()
    assert desk.focused == "black trump: covered by Ana"
    assert desk.announced == "Ana covered black trump. Ben covers a space, 4 left."
    desk.page.keyboard.press("Tab")
    assert desk.focused == "Cover blue"
    desk.page.keyboard.press("Enter")
    expect(desk.table).to_have_attribute("data-version", "2")
    expect(desk.space("trump", "blue")).to_be_focused()
    assert desk.focused == "blue trump: covered by Ben"


def test_the_undo_button_keeps_the_focus(desk: Phone) -> None:
    lay(desk, english(5), "trump red", "trump black", "trump blue")

    desk.tab_to(desk.page.locator(".undo button"))
    desk.page.keyboard.press("Enter")

    expect(desk.table).to_have_attribute("data-version", "4")
    expect(desk.page.locator(".undo button")).to_be_focused()
    assert desk.focused == "Undo: Ben covered black trump"


def test_a_team_is_named(desk: Phone) -> None:
    lay(desk, english(5), "open 0 njet black blue 2")

    desk.tab_to(desk.page.get_by_role("link", name="with Ben Cleo"))
    desk.page.keyboard.press("Enter")
    expect(desk.page.get_by_role("heading", name="Ana plays with Ben and Cleo")).to_be_visible()
    assert desk.focused
    desk.tab_to(desk.page.get_by_role("button", name="Eve"))
    desk.page.keyboard.press("Enter")

    expect(desk.page.locator("form.tricks")).to_be_visible()
    assert desk.focused
    assert desk.announced.endswith(" Tricks are counted: 0 of 12 tricks.")


def test_a_trick_is_recorded_and_the_focus_stays_with_its_winner(desk: Phone) -> None:
    lay(desk, english(5), "open 0 njet black blue 2", "team 1 2 monster 4")

    button = desk.page.get_by_role("button", name="Ben wins the trick", exact=True)
    desk.tab_to(button)
    desk.page.keyboard.press("Enter")

    expect(desk.table).to_have_attribute("data-version", "3")
    expect(button).to_be_focused()
    assert desk.focused == "Ben wins the trick"


def test_a_round_is_tallied(desk: Phone) -> None:
    lay(desk, dutch(3), "open 0 njet blue black 2", "team alone monster 0", path="?count=tally")

    for seat, (tricks, captured) in enumerate([(5, 1), (4, 1), (3, 1)]):
        for kind, number in (("tricks", tricks), ("captured", captured)):
            desk.tab_to(desk.page.locator(f'[name="{kind}-{seat}"]'))
            desk.page.keyboard.type(str(number))
    assert desk.progress == "12 of 12 tricks 3 captured"
    desk.tab_to(desk.page.get_by_role("button", name="Count the round"))
    desk.page.keyboard.press("Enter")

    expect(desk.table).to_have_attribute("data-version", "3")
    assert desk.formulas == ["(5 + 1) × 2 × 2 = 24", "(7 + 2) × 2 = 18"]
    assert desk.focused


def test_the_steppers_and_the_rules_are_reached(desk: Phone) -> None:
    lay(desk, dutch(3), "open 0 njet blue black 2", "team alone monster 0", path="?count=tally")

    desk.tab_to(desk.page.get_by_role("button", name="Ana: one captured 1 more"))
    desk.page.keyboard.press("Enter")
    desk.page.keyboard.press("Enter")
    expect(desk.page.locator('[name="captured-0"]')).to_have_value("2")

    rules = desk.page.get_by_role("button", name="The rules here")
    desk.tab_to(rules)
    desk.page.keyboard.press("Enter")
    expect(desk.page.locator("#help")).to_be_visible()
    desk.page.keyboard.press("Escape")
    expect(desk.page.locator("#help")).to_be_hidden()
    expect(rules).to_be_focused()
    assert desk.focused == "The rules here"


SEEN = """
() => [document.activeElement, ...(document.activeElement.labels ?? []), document.activeElement.nextElementSibling]
  .filter(Boolean).map((each) => getComputedStyle(each))
  .some(({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && parseFloat(outlineWidth) > 0)
"""


def test_what_has_the_focus_is_seen(desk: Phone) -> None:
    lay(desk, english(5), path="?board")

    for _ in range(12):
        desk.page.keyboard.press("Tab")
        assert desk.page.evaluate(SEEN), desk.focused


# What has the focus, or is the last thing above the bar, and lies below the upper edge of the bar.
UNDER_THE_BAR = """
(all) => {
  const bar = document.querySelector(".is-stuck"), at = document.activeElement;
  const under = (each) => each.getBoundingClientRect().bottom > bar.getBoundingClientRect().top + 1;
  const inner = all ? [...bar.parentElement.children].filter((each) => each !== bar && each.checkVisibility()) : [at];
  const found = inner.filter((each) => !bar.contains(each) && each !== document.body && under(each));
  return found.map((each) => each.outerHTML);
}
"""


@pytest.mark.parametrize("state", ["new-digital-table", "digital-seats"])
def test_nothing_is_under_the_bar_of_a_page_that_has_the_focus_or_at_its_end(open_phone: OpenPhone, state: str) -> None:
    phone = open_phone(PHONE)
    {**STATES, **DIGITAL_STATES}[state](phone)
    phone.page.evaluate("scrollTo(0, 0)")

    for _ in range(phone.page.locator(".is-stuck").locator("xpath=..").locator("a, button, input, select").count()):
        phone.page.keyboard.press("Tab")
        assert phone.page.evaluate(UNDER_THE_BAR, False) == []

    phone.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert phone.page.evaluate(UNDER_THE_BAR, True) == []
