"""The browsers that the journeys run in, one of each engine, and how they are started.

Knows: programs, their arguments and preferences.  Must not know: pages.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.browser import webkit
from tests.browser.sizes import Size

CHROMIUM = os.environ.get("CHROMIUM") or "/usr/bin/chromium"
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
    "--force-color-profile=srgb",
]

FIREFOX = os.environ.get("FIREFOX") or "/usr/bin/firefox-esr"
FIREFOX_PREFERENCES = {
    # A phone: it has a finger, which is coarse and hovers over nothing.
    "ui.primaryPointerCapabilities": 1,
    "ui.allPointerCapabilities": 1,
    "ui.prefersReducedMotion": 1,
    # One process for all pages: starting one for each takes longer than most tests.
    "fission.autostart": False,
    "dom.ipc.processCount": 1,
    "dom.ipc.processPrelaunch.enabled": False,
}


@contextmanager
def display() -> Iterator[str]:
    """An invisible screen, large enough for every window; its name."""
    reading, writing = os.pipe()
    with subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x2400x24", "-nolisten", "tcp"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    ) as server:
        os.close(writing)
        with os.fdopen(reading) as named:
            number = named.readline().strip()
        assert number, "Xvfb did not start"
        yield f":{number}"
        server.terminate()


class WebKits:
    """WebKits that are kept from test to test: to start one takes seconds."""

    def __init__(self, directory: Path, display: str, patience: float) -> None:
        self._directory, self._display, self._patience = directory, display, patience
        self._free: list[webkit.Browser] = []
        self._started: list[webkit.Browser] = []

    def one(self, address: str, size: Size) -> webkit.Browser:
        """One that remembers nothing, with a line to this server."""
        if not self._free:
            browser = webkit.Browser(address, self._directory, self._display, self._patience)
            self._started.append(browser)
            self._free.append(browser)
        browser = self._free.pop()
        browser.begin(address, size.width, size.height)
        return browser

    def give_back(self, browser: webkit.Browser) -> None:
        browser.rest()
        self._free.append(browser)

    def end(self) -> None:
        for browser in self._started:
            browser.end()
