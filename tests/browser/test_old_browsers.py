"""A browser that is too old for the style sheets gets plain forms, also where it runs scripts."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from njetassist.staticfiles import NEEDED
from tests.browser.sizes import PHONE
from tests.ops.running import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def served(first_start: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """`manage.py serve`, whose files are minified."""
    with Server(shutil.copytree(first_start, tmp_path_factory.mktemp("served") / "data")) as server:
        yield f"http://127.0.0.1:{server.port}"


@contextmanager
def page_of(chromium: Browser, served: str, *, is_old: bool) -> Iterator[Page]:
    """A page in a browser that has what is needed, or in one in which no condition for it holds."""
    context = chromium.new_context(base_url=served, viewport=vars(PHONE), has_touch=True, locale="en-GB")
    if is_old:

        def without(route: Route) -> None:
            answer = route.fetch()
            route.fulfill(response=answer, body=answer.text().replace(NEEDED, "(unknown:unknown)"))

        context.route("**/*.css", without)
        context.add_init_script("CSS.supports = () => false")
    page = context.new_page()
    yield page
    # An icon or the dark theme may still be on its way.
    context.unroute_all(behavior="ignoreErrors")
    context.close()


@pytest.mark.parametrize("is_old", [True, False])
def test_only_old_browsers_show_what_is_needed(chromium: Browser, served: str, is_old: bool) -> None:
    with page_of(chromium, served, is_old=is_old) as page:
        for address in ("/", "/new/", "/learn/", "/rules/", "/no-such-page/"):
            page.goto(address)
            expect(page.locator(".needed")).to_be_visible(visible=is_old)


OPEN = "form.board .space:not(.is-covered, .is-left)"


@pytest.mark.parametrize(("address", "names"), [("/new/", ["Ana", "Ben", "Cleo"]), ("/new/?bots", [])])
def test_the_board_is_tapped_by_plain_forms(chromium: Browser, served: str, address: str, names: list[str]) -> None:
    with page_of(chromium, served, is_old=True) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.resource_type))
        page.goto(address)
        for place, name in enumerate(names):
            page.locator(f'[name="name-{place}"]').fill(name)
        page.get_by_role("button", name="Start", exact=True).first.tap()
        start = page.get_by_role("link", name="Start placing")
        expect(start.or_(page.locator(OPEN).first)).to_be_visible()
        if start.is_visible():
            start.tap()
        tapped = page.locator(OPEN).first
        value = tapped.get_attribute("value")

        tapped.tap()

        expect(page.locator(f'.space[value="{value}"]:is(.is-covered, .is-left)')).to_be_visible()
        # Neither htmx nor a script of ours has fetched anything.
        assert not {"fetch", "xhr", "eventsource"} & set(asked)
