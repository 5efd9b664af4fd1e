"""In every engine each state of each page can be seen and tapped, in Chromium on screens of every size."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.browser.conftest import OpenPhone
from tests.browser.digital_states import DIGITAL_STATES
from tests.browser.phone import Phone
from tests.browser.sizes import LAPTOP, LARGE_PHONE, PHONE, SIZES, TURNED, Size
from tests.browser.states import LONG_NAMES, STATES
from tests.browser.usable import boxes_of, obstacles_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ALL_STATES = {**STATES, **LONG_NAMES, **DIGITAL_STATES}
IN_OTHERS = [
    pytest.param(name, engine, marks=[mark, *([] if is_firefoxs == (place % 3 == 2) else [pytest.mark.gallery])])
    for place, name in enumerate(ALL_STATES)
    for engine, mark, is_firefoxs in (("webkit", pytest.mark.webkit, False), ("firefox", pytest.mark.firefox, True))
]
"""Each state in one other engine for every change, two of three in WebKit; in both in the gallery."""


def obstacles_of_a_state(phone: Phone, name: str, sizes: Sequence[Size]) -> list[str]:
    """What keeps a player from using a state on a phone, and once it is turned into these screens."""
    ALL_STATES[name](phone)
    found = obstacles_of(phone.page, PHONE)
    for size in sizes:
        phone.turn_into(size, "light")
        found += [f"{size}: {problem}" for problem in obstacles_of(phone.page, size)]
    return found


@pytest.mark.parametrize("name", ALL_STATES)
def test_what_a_state_shows_can_be_tapped_on_every_screen(open_phone: OpenPhone, name: str) -> None:
    assert obstacles_of_a_state(open_phone(PHONE), name, SIZES) == []


@pytest.mark.parametrize(("name", "engine"), IN_OTHERS)
def test_what_a_state_shows_can_be_tapped_in_other_engines(open_phone: OpenPhone, engine: str, name: str) -> None:
    assert obstacles_of_a_state(open_phone(PHONE), name, (LARGE_PHONE, TURNED, LAPTOP)) == []


@pytest.mark.engines
@pytest.mark.parametrize(
    "name",
    [
        "home-with-tables",
        "setup-card",
        "board-half-covered",
        "result",
        "finished-shared",
        "menu",
        "rules",
        "digital-board",
        "digital-teams",
        "replay-cards",
    ],
)
def test_a_phone_that_was_turned_shows_what_it_shows_when_it_is_opened_so(open_phone: OpenPhone, name: str) -> None:
    phone = open_phone(LARGE_PHONE)
    ALL_STATES[name](phone)

    for size in (TURNED, LAPTOP, LARGE_PHONE):
        phone.turn_into(size, "light")
        turned = boxes_of(phone.page)
        phone.page.reload()
        phone.page.wait_for_load_state()
        assert turned == boxes_of(phone.page), size
