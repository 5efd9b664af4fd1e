"""The end of a digital game on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPhone
from tests.browser.facts import outside
from tests.browser.prepared import give
from tests.browser.sizes import LAPTOP, LARGE_PHONE, SIDEWAYS, TABLET
from tests.builders import english
from tests.cast.digital import DigitalTable, over

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("players", [2, 5])
def test_the_end_says_what_it_was_for_me_and_leads_to_a_rematch(open_phone: OpenPhone, players: int) -> None:
    phone = open_phone(mobile=False)
    table = DigitalTable(english(players, rounds=2)).play_on(over)
    # By chance all may share the victory.
    while len(table.state.winners) == players:
        table = DigitalTable(english(players, rounds=2)).play_on(over)
    loser = next(seat for seat in range(players) if seat not in table.state.winners)
    give(phone, table.host, table.keys[loser])
    phone.go_to(table.id, "")
    rematch = phone.page.get_by_role("button", name="Rematch")

    expect(phone.page.locator(".facts h2")).to_contain_text(table.state.setup.names[loser])
    expect(phone.page.locator(".facts dt")).to_have_count(3)
    expect(rematch).to_be_in_viewport()
    for size in (LARGE_PHONE, SIDEWAYS, TABLET, LAPTOP):
        phone.turn_into(size, "light")
        # A phone on its side has the room of the standings.
        assert outside(phone.page, ".standings" if size == SIDEWAYS else ".standings, .facts") == [], size
    phone.touch(rematch)
    expect(phone.table).not_to_have_class("is-finished")
