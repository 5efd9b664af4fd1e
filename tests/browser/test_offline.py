"""Offline in the https profile: the page opens all the same, and shows what it last knew."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import PATIENCE
from tests.browser.phone import PHONE, Phone
from tests.browser.watching import Watch
from tests.live.phones import Visitor
from tests.ops.running import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def server(first_start: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    settings = {
        "DJANGO_SETTINGS_MODULE": "tests.browser.https_settings",
        "NJET_PROFILE": "https",
        "NJET_HOSTS": "localhost",
    }
    with Server(shutil.copytree(first_start, tmp_path_factory.mktemp("https") / "data"), **settings) as server:
        yield server


@pytest.fixture
def ana(server: Server, chromium: Browser) -> Iterator[Phone]:
    """A phone at a table, whose service worker is there."""
    address = f"http://localhost:{server.port}"
    context = chromium.new_context(base_url=address, has_touch=True, is_mobile=True, viewport=vars(PHONE))
    context.set_default_timeout(PATIENCE)
    phone = Phone(context.new_page(), address, Watch(context, address))
    phone.new_table("njet-english", ["Ana", "Ben", "Cleo"], dealer="Cleo")
    # What a worker asks for offline fails in its name.
    phone.watch.forgive("net::ERR_FAILED")
    phone.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    phone.open(f"/g/{phone.game_id}/?board")
    expect(phone.page.locator("#here-button")).not_to_have_text("")
    yield phone
    assert phone.watch.complaints == []
    context.close()


def test_a_page_opens_offline_and_shows_the_last_state_and_what_waits(ana: Phone) -> None:
    ana.cover("trump", "red")
    ana.cover("trump", "blue")
    ana.lose_line()
    ana.space("points", "1").tap()
    expect(ana.page.locator("#line summary")).to_contain_text("1 waiting")
    assert ana.keeps(1)

    ana.page.reload()

    expect(ana.table).to_have_attribute("data-version", "2")
    expect(ana.space("trump", "blue")).to_have_class("space is-covered")
    expect(ana.space("points", "1")).to_have_class("space is-waiting")
    expect(ana.page.locator("#line summary")).to_contain_text("1 waiting")
    ana.find_line()
    expect(ana.table).to_have_attribute("data-version", "3")
    expect(ana.page.locator("#line")).to_be_hidden()


def test_a_fragment_that_came_without_the_service_worker_is_shown_offline_too(ana: Phone, server: Server) -> None:
    cookies = {cookie["name"]: cookie["value"] for cookie in ana.page.context.cookies()}
    other = Visitor(server.port, cookies, ana.game_id)
    tap = {"do": "place", "space": "trump:blue", "version": "0", "request_id": "1"}

    answer = other.post(f"/g/{ana.game_id}/act/", tap, Host="localhost", HX_Request="true")
    assert answer.status == 200, answer.body
    expect(ana.table).to_have_attribute("data-version", "1")
    ana.lose_line()
    ana.page.reload()

    expect(ana.table).to_have_attribute("data-version", "1")
    expect(ana.space("trump", "blue")).to_have_class("space is-covered")
    token = "document.querySelector('[name=csrfmiddlewaretoken]').value"
    assert re.fullmatch(r"\w{64}", ana.page.evaluate(token))


def test_a_dead_battery_keeps_the_taps_and_the_browser_sends_them_by_itself(ana: Phone) -> None:
    ana.lose_line()
    ana.space("points", "1").tap()
    expect(ana.page.locator("#line summary")).to_contain_text("1 waiting")
    assert ana.keeps(1)
    game_id, context = ana.game_id, ana.page.context
    ana.page.close()
    context.set_offline(False)

    ana.page = context.new_page()
    ana.open(f"/g/{game_id}/?board")

    expect(ana.table).to_have_attribute("data-version", "1")


def test_the_browser_sends_what_waits_while_no_table_is_open(ana: Phone) -> None:
    game_id = ana.game_id
    ana.lose_line()
    for points in ("1", "3"):
        ana.space("points", points).tap()
    expect(ana.page.locator("#line summary")).to_contain_text("2 waiting")
    assert ana.keeps(2)
    # The tab goes on to the list of tables before the line comes back.
    ana.page.close()
    context = ana.page.context
    context.set_offline(False)
    ana.page = context.new_page()
    ana.open("/")
    shell = context.new_cdp_session(ana.page)
    registrations: list[str] = []
    shell.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(each["registrationId"] for each in event["registrations"]),
    )
    shell.send("ServiceWorker.enable")
    for _ in range(PATIENCE // 50):
        if registrations:
            break
        ana.page.wait_for_timeout(50)

    sync = {"origin": ana.address, "registrationId": registrations[0], "tag": "taps", "lastChance": False}
    shell.send("ServiceWorker.dispatchSyncEvent", sync)

    asked = (
        f"fetch('/g/{game_id}/').then((answer) => answer.text()).then((text) => text.includes('data-version=\"2\"'))"
    )
    ana.page.wait_for_function(f"() => {asked}", timeout=PATIENCE)
    ana.open(f"/g/{game_id}/?board")
    expect(ana.table).to_have_attribute("data-version", "2")
    expect(ana.page.locator("#line")).to_be_hidden()


def test_a_table_that_was_deleted_is_not_kept(ana: Phone) -> None:
    path = ana.path
    ana.go("delete/")
    with ana.page.expect_navigation():
        ana.page.locator("main form button").first.tap()
    ana.open(path)
    expect(ana.page.locator("#table")).to_have_count(0)

    kept = ana.page.evaluate(
        "caches.open('kept').then((cache) => cache.keys()).then((keys) => keys.map((key) => key.url))"
    )

    assert not [url for url in kept if path.split("?")[0] in url]


def test_only_the_first_page_and_those_of_a_physical_table_may_be_kept(ana: Phone) -> None:
    for part in ("sheet/", "history/", "phones/", "menu/"):
        ana.go(part)

    kept = ana.page.evaluate(
        "caches.open('kept').then((cache) => cache.keys()).then((keys) => keys.map((key) => new URL(key.url).pathname))"
    )

    assert set(kept) <= {"/kept/page/", f"/kept/page/g/{ana.game_id}/", f"/kept/fragment/g/{ana.game_id}/"}
