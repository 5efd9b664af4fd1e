"""The lesson on a phone: by taps, by keyboard, without script; on every screen what is said leaves its target free."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator

from games.pages.lesson.script import LESSONS
from tests.browser.audit import fits_without_scrolling, problems_of
from tests.browser.conftest import OpenPhone
from tests.browser.expecting import expect
from tests.browser.phone import Phone
from tests.browser.sizes import LAPTOP, PHONE, SIDEWAYS, SMALL, TABLET, Size

pytestmark = [pytest.mark.browser, pytest.mark.slow]


TOUCHING = """
() => {
  const [target, said] = ["target", "said"].map((id) => document.getElementById(id)?.getBoundingClientRect());
  const here = (box) => box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
  const bubble = document.getElementById("said");
  return {
    covered: !!target && Math.min(target.right, said.right) > Math.max(target.left, said.left)
      && Math.min(target.bottom, said.bottom) > Math.max(target.top, said.top),
    onScreen: here(said) && (!target || here(target)),
    hit: !target || !!document.elementFromPoint((target.left + target.right) / 2, (target.top + target.bottom) / 2)
      ?.closest("#target"),
    place: [said.left, said.top, said.width, said.height].map(Math.round).join(" "),
  };
}
"""


def begun(phone: Phone, edition: str = "njet60") -> Phone:
    phone.open(f"/learn/{edition}/1/")
    return phone


def ahead(phone: Phone) -> Locator:
    """The link that leads on."""
    return phone.page.locator("#target").or_(phone.page.get_by_role("link", name="Go on", exact=True))


def at_step(phone: Phone, edition: str, number: int) -> None:
    expect(phone.page).to_have_url(re.compile(f"/learn/{edition}/{number}/$"))


def tapped_through(phone: Phone, edition: str) -> None:
    """The whole lesson by taps on what glows."""
    last = len(LESSONS[edition].steps)
    for number in range(1, last):
        at_step(phone, edition, number)
        phone.touch(ahead(phone))
    at_step(phone, edition, last)
    assert phone.sees("You and Ben write down 12 each.")


def test_the_whole_lesson_without_script(open_phone: OpenPhone) -> None:
    tapped_through(begun(open_phone(script=False)), "njet60")


def test_the_whole_lesson_by_keyboard(open_phone: OpenPhone) -> None:
    desk = begun(open_phone(LAPTOP, mobile=False, scale=1))
    heard = []
    for number in range(1, len(LESSONS["njet60"].steps)):
        at_step(desk, "njet60", number)
        heard.append(desk.focused)
        desk.page.keyboard.press("Enter")

    at_step(desk, "njet60", len(LESSONS["njet60"].steps))
    assert heard[:6] == [
        *("Cover −2 points", "Cover no super trump", "Cover pass 2 right", "Cover black", "Cover Ben", "Go on"),
    ]
    assert heard[6:9] == ["Play with Ben", "Discard yellow 4", "Play red 3"]


def test_a_tap_elsewhere_is_answered_and_changes_nothing(phone: Phone) -> None:
    begun(phone)
    expect(phone.page.locator("#tap")).to_have_text("Tap the glowing space")

    phone.touch(phone.page.locator(".space").first)

    expect(phone.page.locator("#tap")).to_have_text("Not here: tap the glowing space")
    at_step(phone, "njet60", 1)


def test_home_back_skip_and_repeat(phone: Phone) -> None:
    phone.open("/")
    phone.tap("Learn NJET in 5 minutes")
    at_step(phone, "njet60", 1)
    phone.tap("Skip this part")
    at_step(phone, "njet60", 4)
    phone.tap("Back")
    at_step(phone, "njet60", 3)
    phone.open("/learn/njet60/14/")
    phone.tap("Skip this part")
    at_step(phone, "njet60", 15)
    phone.tap("Skip this part")
    phone.tap("Repeat")
    at_step(phone, "njet60", 1)


@pytest.mark.parametrize("edition", LESSONS)
def test_what_is_said_stays_in_its_slot_and_its_target_is_free(
    open_phone: OpenPhone, edition: str, subtests: pytest.Subtests
) -> None:
    scheme = "dark" if edition == "goldsieber40" else "light"
    phone = open_phone(mobile=False, scale=1)
    places: dict[tuple[Size, str], set[str]] = {}
    for number in range(1, len(LESSONS[edition].steps)):
        phone.open(f"/learn/{edition}/{number}/")
        view = "hand" if phone.page.locator(".is-tricks, .is-choose").count() else "board"
        for size in (SMALL, PHONE, SIDEWAYS, TABLET, LAPTOP):
            phone.turn_into(size, scheme)
            with subtests.test(number, size=str(size)):
                found: dict[str, Any] = phone.page.evaluate(TOUCHING)
                assert not found["covered"]
                assert found["onScreen"]
                assert found["hit"]
                assert fits_without_scrolling(phone.page)
                # The steps of this edition are states, which are looked at.
                assert edition == "njet60" or not problems_of(phone.page, may_shorten=True)
                places.setdefault((size, view), set()).add(found["place"])
    assert all(len(each) == 1 for each in places.values()), places


def test_large_letters_cover_no_target(open_phone: OpenPhone, subtests: pytest.Subtests) -> None:
    phone = open_phone(SMALL)
    for number in range(1, len(LESSONS["njet60"].steps)):
        phone.open(f"/learn/njet60/{number}/")
        phone.turn_into(SMALL, "light", text=200)
        with subtests.test(number):
            assert not phone.page.evaluate(TOUCHING)["covered"]
