"""What a journey waits for, in any engine: Playwright's `expect`, and the same words for WebKit's pages."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, LocatorAssertions, Page, PageAssertions
from playwright.sync_api import expect as playwright_expect

from tests.browser import webkit
from tests.browser.webkit import Text


class Expectation:
    """What becomes true of a search or page of WebKit's within its patience."""

    def __init__(self, actual: webkit.Locator | webkit.Page) -> None:
        self._actual = actual
        self._page = actual if isinstance(actual, webkit.Page) else actual.page

    def _until(self, is_so: Callable[[], bool], sentence: str, timeout: float | None = None) -> None:
        self._page.until(is_so, f"{self._actual} {sentence}", timeout)

    @property
    def _found(self) -> webkit.Locator:
        assert isinstance(self._actual, webkit.Locator)
        return self._actual

    def to_have_url(self, pattern: re.Pattern[str]) -> None:
        self._until(lambda: pattern.search(self._page.url) is not None, f"has the address {pattern.pattern}")

    def to_be_visible(self, *, timeout: float | None = None) -> None:
        self._until(self._found.is_visible, "is visible", timeout)

    def to_be_hidden(self) -> None:
        self._until(lambda: not self._found.is_visible(), "is hidden")

    def to_be_attached(self) -> None:
        self._until(lambda: self._found.count() > 0, "is there")

    def to_be_enabled(self) -> None:
        self._until(lambda: self._found.ask("state", "enabled"), "is enabled")

    def to_be_disabled(self) -> None:
        self._until(lambda: self._found.count() > 0 and not self._found.ask("state", "enabled"), "is disabled")

    def to_be_focused(self) -> None:
        self._until(lambda: self._found.ask("state", "focused"), "has the focus")

    def to_have_count(self, count: int) -> None:
        self._until(lambda: self._found.count() == count, f"is there {count} times")

    def to_have_value(self, value: Text) -> None:
        self._until(
            lambda: self._found.count() > 0 and fits(value, self._found.input_value()), f"has the value {value}"
        )

    def to_have_attribute(self, name: str, value: Text, *, timeout: float | None = None) -> None:
        self._until(lambda: fits(value, self._found.ask("attribute", name)), f"has {name} {value}", timeout)

    def not_to_have_attribute(self, name: str, value: Text) -> None:
        self._until(lambda: not fits(value, self._found.ask("attribute", name)), f"has not {name} {value}")

    def to_have_class(self, value: Text) -> None:
        self.to_have_attribute("class", value)

    def to_have_text(self, text: Text) -> None:
        self._until(lambda: any(fits(text, each) for each in self._texts()), f"says {text}")

    def not_to_have_text(self, text: Text) -> None:
        self._until(lambda: not any(fits(text, each) for each in self._texts()), f"does not say {text}")

    def to_contain_text(self, text: Text) -> None:
        pattern = text if isinstance(text, re.Pattern) else re.compile(re.escape(text))
        self._until(lambda: any(pattern.search(each) for each in self._texts()), f"says {text} somewhere")

    def _texts(self) -> list[str]:
        return [" ".join(text.split()) for text in self._found.all_text_contents()]


def fits(wanted: Text, found: str | None) -> bool:
    """Whether a text is the one wanted, or has the pattern."""
    if isinstance(wanted, str):
        return found == wanted
    return found is not None and wanted.search(found) is not None


def expect(actual: Locator | Page | webkit.Locator | webkit.Page) -> Any:
    """What is expected of a search or page, waited for."""
    if isinstance(actual, webkit.Locator | webkit.Page):
        return Expectation(actual)
    expected: LocatorAssertions | PageAssertions = playwright_expect(actual)
    return expected
