"""The end of a digital game on a phone.  Pictures are kept in `tests/artefacts/end/`."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from games.rules import Action
from games.rules.redaction import PlayerView
from tests.browser.audit import problems_of, violations_of
from tests.browser.conftest import ARTEFACTS, OpenPhone
from tests.browser.phone import LAPTOP, LARGE_PHONE, PHONE, Size
from tests.browser.prepared import give
from tests.builders import english
from tests.cast.digital import DigitalTable, over

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SIZES = (Size(320, 568), PHONE, LARGE_PHONE, Size(640, 360), Size(768, 1024), LAPTOP)


def last(view: PlayerView) -> Action:
    """Another way to play than the first legal action."""
    return view.legal[-1]


@pytest.mark.parametrize("players", [2, 5])
def test_the_same_deals_are_compared_at_the_end(open_phone: OpenPhone, players: int) -> None:
    phone = open_phone(mobile=False)
    earlier = DigitalTable(english(players, rounds=2)).play_on(over)
    again = earlier.same_deals().play_on(over, last)
    give(phone, again.host, again.keys[1], earlier.keys[1])
    phone.go_to(again.id, "")

    compared = phone.page.locator("#compared")
    expect(compared).to_contain_text("With the same deals you scored ")
    expect(compared.locator("tbody tr")).to_have_count(2)
    found = []
    for size in SIZES:
        for scheme in ("light", "dark"):
            phone.turn_into(size, scheme)
            compared.scroll_into_view_if_needed()
            phone.show(ARTEFACTS / "end" / f"same-{players}-{size}-{scheme}.png")
            found += [f"{size} {scheme}: {problem}" for problem in problems_of(phone.page, may_shorten=True)]
    found += violations_of(phone.page)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("players", [2, 4, 5])
def test_the_end_says_what_it_was_for_me(open_phone: OpenPhone, players: int) -> None:
    phone = open_phone(mobile=False)
    table = DigitalTable(english(players, rounds=2)).play_on(over)
    # By chance all may share the victory.
    while len(table.state.winners) == players:
        table = DigitalTable(english(players, rounds=2)).play_on(over)
    loser = next(seat for seat in range(players) if seat not in table.state.winners)
    give(phone, table.host, table.keys[loser])
    phone.go_to(table.id, "")

    expect(phone.page.locator(".victory")).to_contain_text(re.compile("You (came|share) "))
    expect(phone.page.locator(".facts h2")).to_have_text(f"About you, {table.state.setup.names[loser]}")
    expect(phone.page.locator(".facts dt")).to_have_count(3)
    expect(phone.page.get_by_role("button", name="Rematch")).to_be_in_viewport()
    found = []
    for size in SIZES:
        for scheme in ("light", "dark"):
            phone.turn_into(size, scheme)
            if size.height > 640 or size.width == 640:
                # Sideways the button stands below the race.
                above = ".card:has(.chart)" if size.width == 640 else ".facts"
                part, button = (phone.page.locator(each).bounding_box() for each in (above, "#rematch"))
                assert part["y"] + part["height"] <= button["y"], size
                facts = phone.page.locator(".facts").bounding_box()
                assert facts["y"] + facts["height"] <= size.height, size
                place = phone.page.locator(".standings").bounding_box()
                assert place["y"] + place["height"] <= size.height, size
            phone.show(ARTEFACTS / "end" / f"{players}-{size}-{scheme}.png")
            found += [f"{size} {scheme}: {problem}" for problem in problems_of(phone.page, may_shorten=True)]
    found += violations_of(phone.page)
    assert not found, "\n".join(found)
    race = phone.page.locator(".chart").bounding_box()
    assert race["y"] + race["height"] <= LAPTOP.height
    phone.touch(phone.page.get_by_role("button", name="Rematch"))
    expect(phone.page.locator("h1")).not_to_contain_text("The end")
