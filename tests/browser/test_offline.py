"""Offline in the https profile: the page opens all the same, and shows what it last knew."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import PATIENCE, phone_of
from tests.browser.phone import Phone, waiting
from tests.browser.sizes import PHONE, SMALL
from tests.builders import CAST
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
    phone = phone_of(context, address)
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
    expect(ana.page.locator("#line summary")).to_contain_text(waiting(1))
    assert ana.keeps(1)

    ana.page.reload()

    expect(ana.table).to_have_attribute("data-version", "2")
    expect(ana.space("trump", "blue")).to_have_class("space is-covered")
    expect(ana.space("points", "1")).to_have_class("space is-waiting is-covered")
    expect(ana.page.locator("#line summary")).to_contain_text(waiting(1))
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
    expect(ana.page.locator("#line summary")).to_contain_text(waiting(1))
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
    expect(ana.page.locator("#line summary")).to_contain_text(waiting(2))
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

    assert set(kept) <= {
        "/kept/page/",
        f"/kept/page/g/{ana.game_id}/",
        f"/kept/page/g/{ana.game_id}/pad/",
        f"/kept/fragment/g/{ana.game_id}/",
    }


# --- the questions of a whole round on a phone offline ---

FIVE = list(CAST)


@pytest.fixture
def late(server: Server, chromium: Browser) -> Iterator[Phone]:
    """A phone at a table of five whose board is whole except for the last two markers; it loses the line."""
    address = f"http://localhost:{server.port}"
    context = chromium.new_context(base_url=address, has_touch=True, is_mobile=True, viewport=vars(PHONE))
    phone = phone_of(context, address)
    phone.new_table("njet-english", FIVE)
    phone.watch.forgive("net::ERR_FAILED")
    phone.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    phone.open(f"/g/{phone.game_id}/?board")
    for row, spaces in BOARD.items():
        for space in spaces.split():
            phone.cover(row, space)
    phone.has_pad()
    phone.lose_line()
    yield phone
    assert phone.watch.complaints == []
    context.close()


def waits(phone: Phone, count: int) -> None:
    expect(phone.page.locator("#line summary")).to_contain_text(waiting(count))


def name_teams(phone: Phone) -> None:
    """The last marker, then Cleo with Dan and Eve against Ana, who holds the monster, and Ben."""
    phone.space("discard", "pass_2_right").tap()
    for box in ("partner", 3), ("partner", 4), ("monster", 0):
        phone.touch(phone.page.locator("#pad .pick", has=phone.page.locator(f'[name="{box[0]}"][value="{box[1]}"]')))
    phone.tap("Name the teams")
    waits(phone, 2)
    phone.page.get_by_text("Whole round", exact=True).tap()


def test_offline_the_start_player_is_no_partner_and_the_monster_is_in_the_smaller_team(late: Phone) -> None:
    late.space("discard", "pass_2_right").tap()
    picks = late.page.locator("#pad .pick:visible")

    # Cleo starts: the other four are offered; while none of them is chosen, Cleo alone is the smaller team.
    expect(picks).to_have_count(4 + 1)
    button = late.page.locator("#pad").get_by_role("button", name="Name the teams")
    expect(button).to_have_attribute("aria-disabled", "true")
    assert late.sees("Choose one partner or two.")
    button.tap(force=True)
    waits(late, 1)

    late.touch(picks.nth(2))
    shown = late.page.locator("#pad .pick:has([name=monster]):visible")
    expect(shown).to_have_text([re.compile("Cleo"), re.compile("Dan")])
    late.touch(shown.nth(1))
    expect(button).not_to_have_attribute("aria-disabled", "true")
    button.tap()
    waits(late, 2)


def test_offline_a_round_is_counted_when_its_sum_is_right(late: Phone) -> None:
    name_teams(late)
    button = late.page.locator("#pad").get_by_role("button", name="Count the round")
    expect(button).to_contain_text("Tricks: 11 missing")

    for name, tricks in {"Ana": 4, "Ben": 3, "Cleo": 2, "Dan": 1}.items():
        late.touch(late.figure("tricks", name))
        late.touch(late.page.locator(f'#pad .key[value="{tricks}"]'))

    # The last player is offered the rest.
    expect(late.figure("tricks", "Eve")).to_have_attribute("data-offer", "1")
    expect(button).to_contain_text("11 tricks · no captures?")
    late.touch(late.figure("tricks", "Ana"))
    late.touch(late.page.locator('#pad .key[value="9"]'))
    expect(button).to_contain_text("Tricks: 4 too many")
    button.tap(force=True)
    waits(late, 2)
    late.touch(late.figure("tricks", "Ana"))
    late.touch(late.page.locator('#pad .key[value="4"]'))
    button.tap()
    waits(late, 3)

    late.find_line()
    expect(late.page.locator("#line")).to_be_hidden()
    assert late.shows == "setup"
    assert late.heading.startswith("Round 1 ")


COUNTS_LATE = """() => new Promise((done) => {
  const script = document.createElement("script");
  script.src = document.getElementById("here").dataset.later;
  script.onload = done;
  document.head.append(script);
})"""
"""Run the script of counting a second time, as if it came after everything else."""


def test_offline_the_figures_of_a_round_survive_a_script_that_comes_late(late: Phone) -> None:
    name_teams(late)
    late.touch(late.figure("tricks", "Ana"))
    late.touch(late.page.locator('#pad .key[value="4"]'))

    late.page.evaluate(COUNTS_LATE)

    drafts = late.page.evaluate("Object.entries(localStorage).filter(([name]) => name.startsWith('tally'))")
    assert [json.loads(draft)["values"] for _, draft in drafts] == [{"tricks-0": "4"}]


def test_offline_the_figures_of_a_round_survive_a_reload_and_the_line(late: Phone) -> None:
    name_teams(late)
    late.touch(late.figure("tricks", "Ana"))
    late.touch(late.page.locator('#pad .key[value="4"]'))
    assert late.keeps(2)

    late.page.reload()
    late.page.get_by_text("Whole round", exact=True).tap()
    expect(late.figure("tricks", "Ana")).to_have_value("4")

    late.find_line()
    expect(late.page.locator("#line")).to_be_hidden()
    late.count_whole_round()
    expect(late.figure("tricks", "Ana")).to_have_value("4")


def test_offline_the_figures_of_a_round_survive_a_page_that_is_older_than_they_are(late: Phone) -> None:
    name_teams(late)
    late.touch(late.figure("tricks", "Ana"))
    late.touch(late.page.locator('#pad .key[value="4"]'))
    assert late.keeps(2)
    # The table as its page was opened, as if the phone had not had the time to keep what came after.
    late.page.evaluate("caches.open('kept').then((cache) => cache.delete(`/kept/fragment${location.pathname}`))")

    late.page.reload()
    late.page.get_by_text("Whole round", exact=True).tap()
    expect(late.table).to_have_attribute("data-version", "0")
    expect(late.figure("tricks", "Ana")).to_have_value("4")

    late.find_line()
    expect(late.page.locator("#line")).to_be_hidden()


def test_a_link_that_is_tapped_while_the_pad_asks_waits_and_opens_after_what_waits(late: Phone) -> None:
    late.space("discard", "pass_2_right").tap()
    assert late.sees("Choose one partner or two.")

    late.tap("Sheet")

    line = late.page.locator("#line summary")
    expect(line).to_contain_text("The page opens once you are online.")
    line.tap()
    for size in (SMALL, PHONE):
        late.page.set_viewport_size(vars(size))
        assert line.locator("span").evaluate("(words) => words.scrollHeight - words.clientHeight") <= 1
    assert late.sees("Choose one partner or two.")
    late.find_line()
    expect(late.page.locator("table.sheet")).to_be_visible()
    late.open(f"/g/{late.game_id}/")
    assert late.shows == "teams"


def test_back_after_a_link_that_waited_leads_to_the_table_with_nothing_waiting(late: Phone) -> None:
    late.tap("Sheet")
    expect(late.page.locator("#line summary")).to_contain_text("The page opens once you are online.")
    late.find_line()
    expect(late.page.locator("table.sheet")).to_be_visible()

    late.page.go_back()

    expect(late.table).to_be_visible()
    expect(late.page.locator("#here-button")).not_to_have_text("")
    expect(late.page.locator("#line")).to_be_hidden()
    # It stays: the link has been followed once.
    late.page.wait_for_timeout(1000)
    expect(late.table).to_be_visible()
    late.cover("discard", "pass_2_right")
    assert late.shows == "teams"


# What stays open: Cleo starts, and 1 card is discarded: 11 of 12 tricks.
BOARD = {
    "trump": "red black blue yellow",
    "supertrump": "red black blue yellow",
    "points": "-2 1 3 4",
    "start": "Ana Ben Dan Eve",
    "discard": "discard_2 discard_2_no_zero njet",
}
