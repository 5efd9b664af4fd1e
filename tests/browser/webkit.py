"""WebKit, the engine of every iPhone: what the journeys use of Playwright's pages, by WebDriver.

Playwright drives a WebKit that it has built itself.  This one is Debian's WebKitGTK in a window of its MiniBrowser.
Its driver has a mouse and no touch, and cannot cut the line: a `Cable` between browser and server does.

Knows: WebDriver, windows, cables.  Must not know: pages.
"""

from __future__ import annotations

import base64
import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from selenium import webdriver
from selenium.common.exceptions import JavascriptException, WebDriverException
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from tests.browser.cable import Cable

DRIVER = os.environ.get("WEBKIT_DRIVER") or "/usr/bin/WebKitWebDriver"
MINI_BROWSERS = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser"
FIND = (Path(__file__).parent / "finding.js").read_text()
# Journeys tap as soon as they see what they look for: test_asleep.py alone waits as people are made to.
AWAKE = "document.documentElement.style.setProperty('--nap', '0s');"
# How often what has to appear is looked for, in seconds.
LOOK = 0.03

Text = str | re.Pattern[str]
Steps = tuple[tuple[Any, ...], ...]

# GTK draws the bar of the browser as small as it can: a window may then be as narrow as a phone.
GTK_STYLE = (
    "* { font-size: 1px; padding: 0; margin: 0; border: 0 none; min-width: 0; min-height: 0; box-shadow: none; }"
)
GTK_SETTINGS = """
[Settings]
gtk-icon-sizes = gtk-menu=1,1:gtk-button=1,1:gtk-large-toolbar=1,1:gtk-small-toolbar=1,1
gtk-enable-animations = false
"""


def matching(text: Text, *, exact: bool = False) -> dict[str, object]:
    """A text or pattern for the script that finds."""
    if isinstance(text, str):
        return {"source": text, "exact": exact}
    return {"source": text.pattern, "flags": "i" if text.flags & re.IGNORECASE else ""}


class Browser:
    """A WebKit with cookies of its own.  `config`: a directory for what GTK reads; `display`: the name of a screen."""

    def __init__(self, address: str, config: Path, display: str, patience: float) -> None:
        (config / "gtk-3.0").mkdir(parents=True, exist_ok=True)
        (config / "gtk-3.0" / "gtk.css").write_text(GTK_STYLE)
        (config / "gtk-3.0" / "settings.ini").write_text(GTK_SETTINGS)
        options = Options()
        options.binary_location = str(next(Path("/").glob(MINI_BROWSERS[1:])))
        options.add_argument("--automation")
        environment = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": str(config), "LANGUAGE": "en_GB"}
        self._service = Service(DRIVER, env=environment)
        self._service.start()
        connection = RemoteConnection(client_config=ClientConfig(remote_server_addr=self._service.service_url))
        self.driver = webdriver.Remote(command_executor=connection, options=options)
        self.cable = Cable(address)
        self.page = Page(self, patience)

    def begin(self, address: str, width: int, height: int) -> None:
        """A new phone: nothing remembered, this size, a line to this server."""
        self.cable.cut()
        self.cable.leads_to(address)
        self.cable.mend()
        self.driver.get(f"{self.cable.address}/robots.txt")
        self.driver.delete_all_cookies()
        self.driver.execute_script(
            "localStorage.clear(); sessionStorage.clear(); indexedDB.deleteDatabase('njet');"
            "return caches.keys().then((names) => Promise.all(names.map((name) => caches.delete(name))))"
        )
        self.page.set_viewport_size({"width": width, "height": height})

    def rest(self) -> None:
        """The page is left, so that it asks nothing any more."""
        self.driver.get("about:blank")

    def end(self) -> None:
        self.driver.quit()
        self._service.stop()
        self.cable.close()

    # --- what Playwright calls a context ---

    def cookies(self) -> list[dict[str, Any]]:
        return self.driver.get_cookies()

    def add_cookies(self, cookies: list[dict[str, Any]]) -> None:
        for cookie in cookies:
            self.driver.add_cookie({"name": cookie["name"], "value": cookie["value"], "path": "/"})

    def clear_cookies(self, *, name: str) -> None:
        self.driver.delete_cookie(name)

    def set_offline(self, is_offline: bool) -> None:
        if is_offline:
            self.cable.cut()
        else:
            self.cable.mend()


class Keyboard:
    def __init__(self, driver: webdriver.Remote) -> None:
        self._driver = driver

    def press(self, key: str) -> None:
        known = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "ArrowRight": "\ue014", "ArrowLeft": "\ue012"}
        actions = ActionBuilder(self._driver, duration=0)
        actions.key_action.send_keys(known.get(key, key))
        actions.perform()


class Mouse:
    def __init__(self, driver: webdriver.Remote) -> None:
        self._driver = driver

    def click(self, x: float, y: float) -> None:
        actions = ActionBuilder(self._driver, duration=0)
        actions.pointer_action.move_to_location(round(x), round(y)).click()
        actions.perform()


class Page:
    """A page as Playwright has it, as far as the journeys use it."""

    def __init__(self, context: Browser, patience: float) -> None:
        self.context = context
        self.patience = patience
        self.keyboard = Keyboard(context.driver)
        self.mouse = Mouse(context.driver)
        self.viewport_size: dict[str, int] | None = None
        self.is_awake = True

    @property
    def _driver(self) -> webdriver.Remote:
        return self.context.driver

    @property
    def url(self) -> str:
        return self._driver.current_url

    def goto(self, path: str) -> None:
        self._driver.get(urljoin(self.context.cable.address, path))
        self.wake()

    def reload(self) -> None:
        self._driver.refresh()
        self.wake()

    def wake(self) -> None:
        """WebKit finds what sleeps, too, where it looks for what a click would hit."""
        if self.is_awake:
            with suppress(WebDriverException):  # another page is just being loaded
                self._driver.execute_script(AWAKE)

    def go_back(self) -> None:
        self._driver.back()

    def evaluate(self, script: str, argument: object = None) -> Any:
        """An expression, or a function of the argument: its value, awaited."""
        is_function = re.match(r"\s*(async\s*)?(\([^()]*\)|\w+)\s*=>", script) is not None
        call = f"({script})(arguments[0])" if is_function else script
        return self._driver.execute_script(f"return {call.strip().removesuffix(';')}", argument)

    def ask(self, steps: Steps, what: str, *given: object) -> Any:
        """What `finding.js` answers."""
        try:
            return self._driver.execute_script(FIND, steps, what, *given)
        except JavascriptException:
            raise
        except WebDriverException:
            # Another page is just being loaded.
            time.sleep(LOOK)
            return self._driver.execute_script(FIND, steps, what, *given)

    def until(self, is_so: Callable[[], bool], sentence: str, patience: float | None = None) -> None:
        """Look until something is so."""
        deadline = time.monotonic() + (self.patience if patience is None else patience) / 1000
        while not is_so():
            if time.monotonic() > deadline:
                raise AssertionError(f"{sentence} – not so on {self.url}")
            time.sleep(LOOK)

    def set_viewport_size(self, size: dict[str, int]) -> None:
        """Make the window as large as it has to be for a page of this size."""
        width, height = size["width"], size["height"]
        for _ in range(3):
            inner = self.evaluate("[innerWidth, innerHeight]")
            outer = self._driver.get_window_size()
            self._driver.set_window_size(outer["width"] - inner[0] + width, outer["height"] - inner[1] + height)
            if self._settles(width, height):
                break
        # The page hears of it with the next frame.
        self.evaluate("new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))")
        self.viewport_size = dict(size)

    def _settles(self, width: int, height: int) -> bool:
        for _ in range(20):
            if self.evaluate("[innerWidth, innerHeight]") == [width, height]:
                return True
            time.sleep(LOOK)
        return False

    def emulate_media(self, **_how: object) -> None:
        """Light stays light: the theme is asked for by the page's own setting where it matters."""

    def route(self, _pattern: str, _handler: object) -> None:
        """Nothing is held back: where no events arrive a page asks every three seconds only, and tests tap sooner."""

    def screenshot(self, *, path: Path | str, **_how: object) -> None:
        Path(path).write_bytes(base64.b64decode(self._driver.get_screenshot_as_base64()))

    def wait_for_load_state(self, _state: str = "load") -> None:
        self.until(lambda: self.evaluate("document.readyState") != "loading", "The page is loaded")

    def wait_for_timeout(self, milliseconds: float) -> None:
        time.sleep(milliseconds / 1000)

    # --- finding ---

    def locator(self, selector: str, **narrowed: Any) -> Locator:
        return Locator(self, ()).locator(selector, **narrowed)

    def get_by_role(self, role: str, **named: Any) -> Locator:
        return Locator(self, ()).get_by_role(role, **named)

    def get_by_text(self, text: Text, *, exact: bool = False) -> Locator:
        return Locator(self, (("text", matching(text, exact=exact)),))

    def get_by_label(self, text: Text, *, exact: bool = False) -> Locator:
        return Locator(self, (("label", matching(text, exact=exact)),))


class Locator:
    """What a search finds at the time of each question."""

    def __init__(self, page: Page, steps: Steps) -> None:
        self.page, self.steps = page, steps

    def __repr__(self) -> str:
        return f"Locator{self.steps}"

    def _then(self, *step: object) -> Locator:
        return Locator(self.page, (*self.steps, step))

    def locator(self, selector: str, *, has: Locator | None = None, has_text: Text | None = None) -> Locator:
        found = self._then("parent") if selector in ("..", "xpath=..") else self._then("css", selector)
        return found.filter(has=has, has_text=has_text)

    def filter(self, *, has: Locator | None = None, has_text: Text | None = None) -> Locator:
        found = self
        if has is not None:
            found = found._then("has", has.steps)
        return found if has_text is None else found._then("has_text", matching(has_text))

    def get_by_role(self, role: str, *, name: Text | None = None, exact: bool = False) -> Locator:
        return self._then("role", role, None if name is None else matching(name, exact=exact))

    def or_(self, other: Locator) -> Locator:
        return self._then("or", other.steps)

    def nth(self, place: int) -> Locator:
        return self._then("nth", place)

    @property
    def first(self) -> Locator:
        return self.nth(0)

    @property
    def last(self) -> Locator:
        return self.nth(-1)

    def all(self) -> list[Locator]:
        return [self.nth(place) for place in range(self.count())]

    # --- asking ---

    def ask(self, what: str, *given: object) -> Any:
        return self.page.ask(self.steps, what, *given)

    def wait_for(self, *, state: str = "visible") -> None:
        conditions: dict[str, Callable[[], bool]] = {
            "visible": lambda: self.ask("shown") > 0,
            "attached": lambda: self.count() > 0,
            "hidden": lambda: self.ask("shown") == 0,
            "detached": lambda: self.count() == 0,
        }
        self.page.until(conditions[state], f"{self} is {state}")

    def count(self) -> int:
        return int(self.ask("count"))

    def is_visible(self) -> bool:
        return bool(self.ask("shown"))

    def get_attribute(self, name: str) -> str | None:
        self.wait_for(state="attached")
        value: str | None = self.ask("attribute", name)
        return value

    def all_inner_texts(self) -> list[str]:
        return list(self.ask("texts", "innerText"))

    def all_text_contents(self) -> list[str]:
        return list(self.ask("texts", "textContent"))

    def inner_text(self) -> str:
        self.wait_for(state="attached")
        return self.all_inner_texts()[0]

    def input_value(self) -> str:
        return str(self.ask("value"))

    def bounding_box(self) -> dict[str, float] | None:
        box: dict[str, float] | None = self.ask("box")
        return box

    def evaluate(self, script: str, argument: object = None) -> Any:
        """A function of the element and an argument."""
        self.wait_for(state="attached")
        script = script if "=>" in script else f"() => {script}"
        element = self.ask("elements")[0]
        return self.page.context.driver.execute_script(f"return ({script})(...arguments)", element, argument)

    # --- acting ---

    def click(self, *, force: bool = False) -> None:
        """Press and release the mouse in the middle of it, once it can be hit there."""
        places: list[list[int] | None] = []

        def can_be_hit() -> bool:
            self.page.wake()
            places.append(self.ask("place", force))
            # It has to stand still, too.
            return places[-1] is not None and (force or places[-1] in places[-2:-1])

        self.page.until(can_be_hit, f"{self} can be tapped")
        self.page.mouse.click(*places[-1] or (0, 0))

    def fill(self, text: str) -> None:
        self.page.until(lambda: bool(self.ask("fill", text)), f"{self} can be filled in")

    def check(self, *, force: bool = False) -> None:
        if not self.evaluate("(box) => box.checked"):
            self.click(force=force)

    def set_checked(self, is_checked: bool) -> None:
        if self.evaluate("(box) => box.checked") != is_checked:
            self.click()

    def focus(self) -> None:
        self.ask("focus")
