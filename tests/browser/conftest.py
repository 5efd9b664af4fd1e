"""What the journeys run on: the whole application behind a port, one Chromium, phones that watch for complaints.

Knows: how a server and a browser are started and ended.  Must not know: what stands on a page.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.core.servers.basehttp import ThreadedWSGIServer
from django.core.wsgi import get_wsgi_application
from django.test import override_settings
from django.test.testcases import QuietWSGIRequestHandler
from playwright.sync_api import Browser, expect, sync_playwright

from games.log import store
from tests.browser.chromium import ARGUMENTS, PROGRAM
from tests.browser.phone import PATIENCE, PHONE, Phone, Size
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
def chromium() -> Iterator[Browser]:
    """The one browser of the run.  `CHROMIUM` names another program."""
    with pytest.MonkeyPatch.context() as patched:
        # Playwright's loop runs in this thread, and Django would refuse to reach the database from it.
        patched.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        with sync_playwright() as playwright:
            expect.set_options(timeout=PATIENCE)
            browser = playwright.chromium.launch(executable_path=PROGRAM, args=ARGUMENTS)
            yield browser
            browser.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


FAILED = pytest.StashKey[bool]()


@pytest.fixture
def open_phone(
    address: str, chromium: Browser, transactional_db: None, request: pytest.FixtureRequest
) -> Iterator[OpenPhone]:
    """Opens phones, each a device of its own.  A complaint of a browser fails the test at its end."""
    store._kept.clear()
    opened: list[Phone] = []

    def open_one(
        size: Size = PHONE,
        *,
        scheme: str = "light",
        script: bool = True,
        mobile: bool = True,
        scale: float = 2,
    ) -> Phone:
        context = chromium.new_context(
            base_url=address,
            viewport={"width": size.width, "height": size.height},
            device_scale_factor=scale,
            color_scheme=scheme,
            java_script_enabled=script,
            is_mobile=mobile,
            has_touch=True,
            locale="en-GB",
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE)
        watch = Watch(context, address)
        phone = Phone(context.new_page(), address, watch)
        opened.append(phone)
        return phone

    yield open_one

    complaints = [complaint for phone in opened for complaint in phone.watch.complaints]
    for number, phone in enumerate(opened, start=1):
        if request.node.stash.get(FAILED, True) or complaints:
            name = f"{request.node.name}-{number}.png".replace("/", "_")
            phone.photograph(ARTEFACTS / "failures" / name, whole=True)
        phone.page.context.close()
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def phone(open_phone: OpenPhone) -> Phone:
    """The phone beside the board: 360×640, by touch, light."""
    return open_phone()
