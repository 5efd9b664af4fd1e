"""A player at a digital table who does what their phone shows as possible.

Must not know: the application and its database, which may be another process.
"""

from __future__ import annotations

from time import monotonic

from playwright.sync_api import Locator

from tests.browser.expecting import expect
from tests.browser.phone import Phone


class Hand:
    """A phone with a hand of cards."""

    def __init__(self, phone: Phone) -> None:
        self.phone, self.page = phone, phone.page
        self._tapped = 0.0

    def act(self) -> None:
        """Do the first thing that may be done."""
        before = self.phone.version
        match self.phone.shows:
            case "result":
                self.phone.tap("Go on")
                expect(self.page.locator("form.board")).to_be_visible()
                return self.act()
            case "board":
                self.phone.touch(self.page.locator(".space:not(.is-covered, .is-left)").first)
            case "teams":
                self._name_team()
            case "choose":
                form = self.page.locator("form#hand")
                for label in form.locator(".is-playable").all()[: int(form.get_attribute("data-needed") or 0)]:
                    self.phone.touch(label)
                self.phone.touch(self.page.locator("#choose"))
                # All choose at once: a new version may tell of somebody else's choice, while this one is on its way.
                expect(form.locator("input:checked")).to_have_count(0)
            case _:
                # A second tap shortly would be taken for a trembling finger.
                self.page.wait_for_timeout(max(0.0, 400 - 1000 * (monotonic() - self._tapped)))
                self.phone.touch(self.page.locator("#hand .is-playable").first)
                self._tapped = monotonic()
        expect(self.phone.table).not_to_have_attribute("data-version", str(before))
        return None

    def _name_team(self) -> None:
        button = self._choose_candidate()
        leads_on = button.evaluate("element => element.tagName") == "A"
        self.phone.touch(button)
        if leads_on:
            expect(self.page.locator("[id^=monster]").first).to_be_attached()
            self.phone.touch(self._choose_candidate())

    def _choose_candidate(self) -> Locator:
        """Choose the first candidate; their button is in the thumb bar then."""
        candidate = self.page.locator(".candidate").first
        self.phone.touch(candidate.locator("label"))
        return candidate.locator(".button")
