"""What the journeys run on: the application behind a port, a browser of each engine, phones that watch for complaints.

Knows: how a server and a browser are started and ended.  Must not know: what stands on a page.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.servers.basehttp import ThreadedWSGIServer
from django.core.wsgi import get_wsgi_application
from django.test import override_settings
from django.test.testcases import QuietWSGIRequestHandler
from playwright.sync_api import Browser, BrowserContext, Playwright, sync_playwright
from playwright.sync_api import expect as playwright_expect

from games.log import store
from tests.browser import engines, webkit
from tests.browser.phone import PATIENCE, Phone
from tests.browser.sizes import PHONE, Size
from tests.browser.watching import Watch

ARTEFACTS = Path(__file__).resolve().parents[1] / "artefacts"

OpenPhone = Callable[..., Phone]


@pytest.fixture(scope="session")
def address(django_db_setup: None) -> Iterator[str]:
    """The application as any server loads it, with every middleware: pytest-django's own live server would answer
    static files without the headers that pages are held to."""
    server = ThreadedWSGIServer(("127.0.0.1", 0), QuietWSGIRequestHandler)
    # Other tests look for a static file when it is asked for. Each page of a journey asks for several: here all are
    # looked for once.
    with override_settings(WHITENOISE_AUTOREFRESH=False):
        server.set_app(get_wsgi_application())
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """What drives Chromium and Firefox."""
    with pytest.MonkeyPatch.context() as patched:
        # Playwright's loop runs in this thread, and Django would refuse to reach the database from it.
        patched.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        with sync_playwright() as playwright:
            playwright_expect.set_options(timeout=PATIENCE)
            yield playwright


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """The one Chromium of the run."""
    browser = playwright.chromium.launch(executable_path=engines.CHROMIUM, args=engines.CHROMIUM_ARGUMENTS)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def firefox(playwright: Playwright) -> Iterator[Browser]:
    """The one Firefox of the run: an installed one, by WebDriver BiDi."""
    browser = playwright.firefox.launch(
        channel="moz-firefox", executable_path=engines.FIREFOX, firefox_user_prefs=engines.FIREFOX_PREFERENCES
    )
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def webkits(tmp_path_factory: pytest.TempPathFactory) -> Iterator[engines.WebKits]:
    """Starts a WebKit for each phone that is in use at once, and keeps it for other tests."""
    with engines.display() as display:
        kept = engines.WebKits(tmp_path_factory.mktemp("webkit"), display, PATIENCE)
        yield kept
        kept.end()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that is marked `engines` runs in each of them, all others in Chromium."""
    if metafunc.definition.get_closest_marker("engines"):
        metafunc.parametrize("engine", [pytest.param(each, marks=ENGINE_MARKS[each]) for each in ENGINE_MARKS])


ENGINE_MARKS = {"chromium": (), "webkit": pytest.mark.webkit, "firefox": pytest.mark.firefox}


@pytest.fixture
def engine() -> str:
    """The engine of a test's phones."""
    return "chromium"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


FAILED = pytest.StashKey[bool]()


@pytest.fixture
def open_phone(
    engine: str, address: str, transactional_db: None, request: pytest.FixtureRequest
) -> Iterator[OpenPhone]:
    """Opens phones, each a device of its own.  A complaint of a browser fails the test at its end."""
    store._kept.clear()
    yield from opening(engine, address, request)


def phone_of(context: BrowserContext, address: str, *, awake: bool = True, has_touch: bool = True) -> Phone:
    """A phone with what a context of a browser remembers."""
    context.set_default_timeout(PATIENCE)
    if awake:
        context.add_init_script(f"addEventListener('DOMContentLoaded', () => {{ {webkit.AWAKE} }})")
    return Phone(context.new_page(), address, Watch(context, address), has_touch=has_touch)


def opening(engine: str, address: str, request: pytest.FixtureRequest) -> Iterator[OpenPhone]:
    """Opens phones of an engine that ask a server."""
    opened: list[Phone] = []
    webkits: list[webkit.Browser] = []

    def open_one(
        size: Size = PHONE,
        *,
        scheme: str = "light",
        script: bool = True,
        mobile: bool = True,
        scale: float = 2,
        awake: bool = True,
    ) -> Phone:
        if engine == "webkit":
            webkits.append(request.getfixturevalue("webkits").one(address, size))
            webkits[-1].page.is_awake = awake
            phone = Phone(webkits[-1].page, webkits[-1].cable.address, Watch(None, address), has_touch=False)
        else:
            how: dict[str, Any] = (
                # What this Firefox's driver cannot pretend is among its preferences.
                {"color_scheme": "null", "reduced_motion": "null"}
                if engine == "firefox"
                else {"is_mobile": mobile, "has_touch": True, "color_scheme": scheme, "reduced_motion": "reduce"}
            )
            context = request.getfixturevalue(engine).new_context(
                base_url=address,
                viewport={"width": size.width, "height": size.height},
                device_scale_factor=scale,
                java_script_enabled=script,
                locale="en-GB",
                **how,
            )
            phone = phone_of(context, address, awake=awake, has_touch=engine == "chromium")
            phone.has_script = script
        opened.append(phone)
        return phone

    yield open_one

    complaints = [complaint for phone in opened for complaint in phone.watch.complaints]
    for number, phone in enumerate(opened, start=1):
        if request.node.stash.get(FAILED, True) or complaints:
            name = f"{request.node.name}-{number}.png".replace("/", "_")
            phone.photograph(ARTEFACTS / "failures" / name, whole=True)
        if engine != "webkit":
            phone.page.context.close()
    for each in webkits:
        request.getfixturevalue("webkits").give_back(each)
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def phone(open_phone: OpenPhone) -> Phone:
    """The phone beside the board: 360×640, by touch, light."""
    return open_phone()
