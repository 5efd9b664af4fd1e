"""The size of a first visit of the table page, as a real server sends it: compressed files with hashed names."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Request

from tests.browser.phone import PHONE, Phone
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
class Visit:
    """The bytes of each answer's body as they came over the line, by the end of its address."""

    sizes: dict[str, int]

    def of(self, ending: str) -> int:
        """What the files with this ending weigh together."""
        return sum(size for path, size in self.sizes.items() if path.endswith(ending))

    def __str__(self) -> str:
        return ", ".join(f"{path}: {size}" for path, size in self.sizes.items())


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
    phone = Phone(opening.new_page(), served, Watch(opening, served))
    phone.new_table("njet-english", ["Ana", "Ben", "Cleo", "Dan", "Eve"])
    phone.begin_placing()
    for row, spaces in COVERED.items():
        for space in spaces.split():
            phone.cover(row, space)
    cookies = opening.storage_state()
    opening.close()

    fresh = chromium.new_context(base_url=served, storage_state=cookies)
    watch = Watch(fresh, served)
    page = fresh.new_page()
    finished: list[Request] = []
    page.on("requestfinished", lambda request: finished.append(request))
    page.goto(phone.path, wait_until="networkidle")
    # heartbeats come every four seconds, however long a visit takes.
    visit = [request for request in finished if "/live/" not in request.url]
    sizes = {request.url.removeprefix(served): request.sizes()["responseBodySize"] for request in visit}
    fresh.close()
    assert watch.complaints == []
    return Visit(sizes)


def test_the_first_visit_weighs_at_most_30_kb(visit: Visit) -> None:
    assert sum(visit.sizes.values()) <= 30 * KB, str(visit)


def test_the_first_visit_takes_at_most_8_requests(visit: Visit) -> None:
    assert 4 <= len(visit.sizes) <= 8, str(visit)


def test_own_scripts_and_styles_are_small(visit: Visit) -> None:
    """5 KB of own script were asked for; what lets a phone go on offline takes more, and the page has room."""
    own = [path for path in visit.sizes if "/static/njet/" in path and path.endswith(".js")]
    assert len(own) == 3
    assert 0 < sum(visit.sizes[path] for path in own) <= 6.75 * KB, str(visit)
    assert 0 < visit.of(".css") <= 8 * KB
