"""The statistics on a phone: nothing sticks out, everything can be read in both lights and reached by keyboard."""

from __future__ import annotations

import random

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser.audit import CONTRAST, problems_of, violations_of
from tests.browser.conftest import OpenPhone
from tests.browser.phone import LAPTOP, NARROW, PHONE, Phone
from tests.browser.prepared import give
from tests.cast.clubs import FRIENDS, Club, of_chance

pytestmark = pytest.mark.browser


@pytest.fixture
def friends(transactional_db: None) -> Club:
    """Four friends after two games."""
    friends, chance = Club(), random.Random(3)
    for day, names in enumerate((FRIENDS[:3], FRIENDS[1:4]), start=1):
        friends.bring(*of_chance(chance, names, rounds=3), at=f"2026-03-0{day}T20:00:00Z")
    return friends


def pages(friends: Club) -> dict[str, str]:
    """The addresses of the three pages."""
    ids = sorted(friends.player(name).pk for name in ("Ben", "Cleo"))
    return {
        "group": reverse("games:group_statistics", args=[friends.id]),
        "player": reverse("games:player", args=[friends.id, ids[0]]),
        "pair": reverse("games:pair", args=[friends.id, *ids]),
    }


def with_key(phone: Phone, friends: Club) -> Phone:
    """The phone, with the group's key."""
    give(phone, friends.key)
    return phone


def unfold(phone: Phone) -> None:
    """Open everything that is folded."""
    phone.page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.gallery)])
def test_nothing_is_wrong_with_the_pages_on_a_phone(open_phone: OpenPhone, friends: Club, scheme: str) -> None:
    phone = with_key(open_phone(PHONE, scheme=scheme), friends)
    problems = {}

    for name, address in pages(friends).items():
        phone.open(address)
        unfold(phone)
        problems[name] = problems_of(phone.page)
        # What else axe looks at is the same in any light.
        problems[name] += violations_of(phone.page, only="" if scheme == "light" else CONTRAST)

    assert problems == {name: [] for name in problems}


def test_on_a_narrow_phone_and_in_large_type_no_page_scrolls_sideways(open_phone: OpenPhone, friends: Club) -> None:
    phone = with_key(open_phone(NARROW), friends)
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    problems = {}

    for name, address in pages(friends).items():
        phone.open(address)
        problems[name] = problems_of(phone.page)
        phone.turn_into(PHONE, "light", text=200)
        unfold(phone)
        problems[f"{name} in large type"] = phone.page.evaluate(wide) or []
        phone.turn_into(NARROW, "light")

    assert problems == {name: [] for name in problems}


def test_on_the_narrowest_phone_every_table_fits_in_every_language(open_phone: OpenPhone, friends: Club) -> None:
    phone = with_key(open_phone(NARROW), friends)
    wide = {}

    for language, _name in settings.LANGUAGES:
        cookie = {"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": phone.address}
        phone.page.context.add_cookies([cookie])
        for name, address in pages(friends).items():
            phone.open(address)
            unfold(phone)
            # What stands in a frame of its own scrolls there.
            tables = phone.page.locator("table:not(.sheet-wrap > *)").all()
            boxes = [box for table in tables if (box := table.bounding_box())]
            wide[f"{name} {language}"] = [box for box in boxes if box["x"] + box["width"] > NARROW.width - 12]

    assert wide == {page: [] for page in wide}


def test_on_a_desk_the_sections_stand_in_two_columns(open_phone: OpenPhone, friends: Club) -> None:
    phone = with_key(open_phone(LAPTOP, mobile=False, scale=1), friends)

    phone.open(pages(friends)["group"])

    left, right = (phone.page.locator(each).bounding_box() for each in ("#open", "#covered"))
    assert left is not None
    assert right is not None
    assert left["x"] + left["width"] <= right["x"]
    assert left["y"] == right["y"]


def test_by_keyboard_from_the_group_to_a_player_and_on_to_a_pair(open_phone: OpenPhone, friends: Club) -> None:
    phone = with_key(open_phone(LAPTOP, mobile=False, scale=1), friends)
    phone.open(pages(friends)["group"])

    phone.tab_to(phone.page.get_by_text("How the rating works"))
    phone.page.keyboard.press("Enter")
    expect(phone.page.get_by_text("openskill")).to_be_visible()
    phone.tab_to(phone.page.get_by_role("link", name="Ben"))
    phone.page.keyboard.press("Enter")
    expect(phone.page.get_by_role("heading", level=1)).to_contain_text("Ben")
    phone.tab_to(phone.page.get_by_role("link", name="Cleo"))
    phone.page.keyboard.press("Enter")

    expect(phone.page.get_by_role("heading", level=1)).to_contain_text("Ben and Cleo")
