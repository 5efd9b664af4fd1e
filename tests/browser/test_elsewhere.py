"""A phone whose player looks elsewhere: its turn in the title and as a notification; what has been played, by suit."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from pytest_django import Settings

from tests.browser.conftest import OpenPhone
from tests.browser.digital import Player
from tests.builders import english
from tests.cast.digital import DigitalTable

pytestmark = [pytest.mark.browser]

AWAY = """(isAway) => {
    Object.defineProperty(document, "hidden", {get: () => isAway, configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}"""

NOTICES = """(answer) => {
    window.notices = [];
    Notification.requestPermission = async () => answer;
    ServiceWorkerRegistration.prototype.showNotification = async (title) => void window.notices.push(title);
}"""


def test_my_turn_reaches_me_while_i_look_elsewhere(open_phone: OpenPhone, settings: Settings) -> None:
    settings.HTTPS = True
    table = DigitalTable(english(3))
    first = table.state.acting_seats[0]
    player = Player(open_phone(), table, (first + 2) % 3)
    player.page.evaluate(NOTICES, "granted")
    player.switch_on("notify")
    player.page.evaluate(AWAY, True)

    table.play_on(lambda state: state.acting_seats == ((first + 1) % 3,))
    player.hears()
    assert not player.page.title().startswith("●")
    assert player.page.evaluate("notices") == []

    table.play_on(lambda state: state.acting_seats == (player.seat,))
    player.hears()
    assert player.page.title() == "● Your turn · NJET"
    player.page.wait_for_function("notices.length === 1")
    assert player.page.evaluate("notices") == ["Your turn"]

    player.page.evaluate(AWAY, False)
    assert player.page.title() == "Your turn · NJET"


def test_a_browser_that_refuses_notifications_has_the_setting_off(open_phone: OpenPhone, settings: Settings) -> None:
    settings.HTTPS = True
    table = DigitalTable(english(3))
    player = Player(open_phone(), table, 0)
    player.page.evaluate(NOTICES, "denied")

    player.phone.tap("How this phone plays")
    player.phone.touch(player.page.locator("#settings [name=notify]"))

    expect(player.page.locator("#notify-refused")).to_be_visible()
    expect(player.page.locator("#settings [name=notify]")).not_to_be_checked()
    assert player.page.evaluate("localStorage.getItem('cards-notify')") is None


def test_what_has_been_played_is_beside_the_last_trick_by_a_setting(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(3)).play_on(lambda state: bool(state.current and len(state.current.tricks) == 2))
    player = Player(open_phone(), table, 0)
    gone = player.page.locator("#last .gone")
    player.page.evaluate("document.getElementById('last').showPopover()")
    expect(gone).to_be_hidden()
    player.page.evaluate("document.getElementById('last').hidePopover()")

    player.switch_on("gone")
    player.page.evaluate("document.getElementById('last').showPopover()")

    expect(gone).to_be_visible()
