"""The size of a first visit of the table page, as a real server sends it: compressed files with hashed names."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.browser.conftest import phone_of
from tests.browser.sizes import PHONE
from tests.browser.watching import Watch
from tests.ops.running import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

KB = 1024

COVERED = {
    "start": "Ana Ben Cleo Dan",
    "discard": "discard_1 discard_2 discard_2_no_zero pass_2_right",
    "trump": "red black blue yellow",
    "supertrump": "red black blue yellow",
    "points": "1 2 3",
}


@dataclass(frozen=True)
class Weight:
    """The bytes of an answer as they came over the line."""

    headers: int
    body: int


@dataclass(frozen=True)
class Visit:
    """What each answer weighs, by its address."""

    weights: dict[str, Weight]

    @property
    def total(self) -> int:
        return sum(weight.headers + weight.body for weight in self.weights.values())

    def bodies(self, ending: str) -> int:
        """What our own files with this ending weigh together, without headers."""
        own = [path for path in self.weights if path.startswith("/static/njet/") and path.endswith(ending)]
        return sum(self.weights[path].body for path in own)

    def __str__(self) -> str:
        return ", ".join(f"{path}: {weight}" for path, weight in self.weights.items())


@pytest.fixture(scope="module")
def served(first_start: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """`manage.py serve`, as a stranger starts it."""
    with Server(shutil.copytree(first_start, tmp_path_factory.mktemp("served") / "data")) as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.fixture(scope="module")
def visit(served: str, chromium: Browser) -> Visit:
    """The board of five players with one marker to place, seen for the first time by a phone that has nothing yet.

    No page of the table is heavier than a full board.
    """
    opening = chromium.new_context(base_url=served, has_touch=True, is_mobile=True, viewport=vars(PHONE))
    phone = phone_of(opening, served)
    phone.new_table("njet-english", ["Ana", "Ben", "Cleo", "Dan", "Eve"])
    phone.begin_placing()
    for row, spaces in COVERED.items():
        for space in spaces.split():
            phone.cover(row, space)
    cookies = opening.storage_state()
    opening.close()

    fresh = chromium.new_context(base_url=served, storage_state=cookies, viewport=vars(PHONE))
    return weighed(served, fresh, phone.path)


def weighed(served: str, fresh: BrowserContext, path: str) -> Visit:
    """What a page and all that it loads weigh for a browser that has nothing yet."""
    watch = Watch(fresh, served)
    page = fresh.new_page()
    network = fresh.new_cdp_session(page)
    network.send("Network.enable")
    asked: dict[str, str] = {}
    headers: dict[str, int] = {}
    whole: dict[str, int] = {}
    network.on("Network.requestWillBeSent", lambda event: asked.update({event["requestId"]: event["request"]["url"]}))
    network.on(
        "Network.responseReceived",
        lambda event: headers.update({event["requestId"]: event["response"]["encodedDataLength"]}),
    )
    network.on("Network.loadingFinished", lambda event: whole.update({event["requestId"]: event["encodedDataLength"]}))
    page.goto(path, wait_until="networkidle")
    expect(page.locator("#here-button")).to_have_attribute("aria-label", "Here: 1")
    fresh.close()
    assert watch.complaints == []
    # The stream of events has headers, and does not end.
    weights: dict[str, Weight] = {}
    for key, address in asked.items():
        # A file that is asked for again comes out of the browser's cache, and weighs nothing.
        before = weights.get(file := address.removeprefix(served), Weight(0, 0))
        body = whole.get(key, headers[key]) - headers[key]
        weights[file] = Weight(before.headers + headers[key], before.body + body)
    return Visit(weights)


def test_the_first_visit_weighs_at_most_34_kb_with_headers(visit: Visit) -> None:
    assert visit.total <= 34 * KB, str(visit)


def test_the_first_visit_takes_at_most_7_requests_with_the_stream(visit: Visit) -> None:
    assert 4 <= len(visit.weights) <= 7, str(visit)
    assert len([path for path in visit.weights if path.startswith("/live/")]) == 1


def test_static_files_have_few_headers(visit: Visit) -> None:
    files = {path: weight for path, weight in visit.weights.items() if path.startswith("/static/")}
    assert len(files) >= 3
    assert max(weight.headers for weight in files.values()) <= 0.5 * KB, str(visit)


def test_own_scripts_and_styles_are_small(visit: Visit) -> None:
    assert 0 < visit.bodies(".js") <= 6.1 * KB, str(visit)
    assert 0 < visit.bodies(".css") <= 8 * KB, str(visit)


def test_the_first_visit_of_a_digital_table_weighs_at_most_45_kb_with_headers(served: str, chromium: Browser) -> None:
    opening = chromium.new_context(base_url=served, has_touch=True, is_mobile=True, viewport=vars(PHONE))
    phone = phone_of(opening, served)
    phone.open("/new/?bots")
    phone.tap("Start")
    expect(phone.page.locator("form.board")).to_be_visible()
    path, cookies = phone.path, opening.storage_state()
    opening.close()

    visit = weighed(served, chromium.new_context(base_url=served, storage_state=cookies), path)

    assert 30 * KB < visit.total <= 45 * KB, str(visit)


def test_a_digital_table_runs_with_its_scripts_in_one_file(served: str, chromium: Browser) -> None:
    context = chromium.new_context(base_url=served, has_touch=True, is_mobile=True, viewport=vars(PHONE))
    phone = phone_of(context, served)
    phone.open("/new/")
    phone.touch(phone.page.get_by_label("Cards on the phones"))
    for place, name in enumerate(("Ana", "Ben")):
        phone.page.locator(f'[name="name-{place}"]').fill(name)
    phone.tap("Start and invite Ben")
    phone.tap("To the table")
    expect(phone.page.locator("#here-button")).to_have_text("only you")
    scripts = phone.page.locator("script").evaluate_all("(all) => all.map((script) => script.src)")
    context.close()

    assert [re.sub(r".*/|[.].*", "", address) for address in scripts] == ["digital-page", "htmx-4"]
    assert phone.watch.complaints == []
