"""The statistics on a phone: nothing sticks out, everything can be read in both lights and reached by keyboard."""

from __future__ import annotations

import pytest
from django.conf import settings
from playwright.sync_api import expect

from tests.browser.conftest import OpenPhone
from tests.browser.facts import outside
from tests.browser.group_states import four_friends, statistics_of, unfold
from tests.browser.phone import Phone
from tests.browser.prepared import give
from tests.browser.sizes import LAPTOP, SMALL
from tests.cast.groups import CastGroup

pytestmark = pytest.mark.browser


@pytest.fixture
def friends(transactional_db: None) -> CastGroup:
    """Four friends after two games."""
    return four_friends()


def with_key(phone: Phone, friends: CastGroup) -> Phone:
    """The phone, with the group's key."""
    give(phone, friends.key)
    return phone


def test_on_the_narrowest_phone_every_table_fits_in_every_language(open_phone: OpenPhone, friends: CastGroup) -> None:
    phone = with_key(open_phone(SMALL), friends)
    wide = {}

    for language, _name in settings.LANGUAGES:
        cookie = {"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": phone.address}
        phone.page.context.add_cookies([cookie])
        for name, address in statistics_of(friends).items():
            phone.open(address)
            unfold(phone)
            # What stands in a frame of its own scrolls there.
            wide[f"{name} {language}"] = outside(phone.page, "table:not(.sheet-wrap > *)", "main")

    assert wide == {page: [] for page in wide}


def test_by_keyboard_from_the_group_to_a_player_and_on_to_a_pair(open_phone: OpenPhone, friends: CastGroup) -> None:
    phone = with_key(open_phone(LAPTOP, mobile=False, scale=1), friends)
    phone.open(statistics_of(friends)["group"])

    phone.tab_to(phone.page.get_by_text("How the rating works"))
    phone.page.keyboard.press("Enter")
    expect(phone.page.get_by_text("openskill")).to_be_visible()
    phone.tab_to(phone.page.get_by_role("link", name="Ben"))
    phone.page.keyboard.press("Enter")
    expect(phone.page.get_by_role("heading", level=1)).to_contain_text("Ben")
    phone.tab_to(phone.page.get_by_role("link", name="Cleo"))
    phone.page.keyboard.press("Enter")

    expect(phone.page.get_by_role("heading", level=1)).to_contain_text("Ben and Cleo")
