"""In every engine each state of each page can be seen and tapped: upright, turned, on a desk."""

from __future__ import annotations

import pytest

from tests.browser.conftest import OpenPhone
from tests.browser.digital_states import DIGITAL_STATES
from tests.browser.phone import LAPTOP, LARGE_PHONE, PHONE, Size
from tests.browser.states import LONG_NAMES, STATES
from tests.browser.usable import boxes_of, obstacles_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.engines]

TURNED = Size(844, 390)
ALL_STATES = {**STATES, **LONG_NAMES, **DIGITAL_STATES}


@pytest.mark.parametrize("name", ALL_STATES)
def test_what_a_state_shows_can_be_tapped_on_every_screen(open_phone: OpenPhone, name: str) -> None:
    phone = open_phone(PHONE)

    ALL_STATES[name](phone)

    found = obstacles_of(phone.page)
    for size in (LARGE_PHONE, TURNED, LAPTOP):
        phone.turn_into(size, "light")
        found += [f"{size}: {problem}" for problem in obstacles_of(phone.page)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "name",
    [
        "home-with-tables",
        "board-half-covered",
        "result",
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
