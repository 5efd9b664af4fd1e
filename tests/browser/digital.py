"""Phones at a digital table: each with the key of a seat, described in sentences like those beside a board.

Knows: where things stand on the page of a digital game.  Must not know: rules; who is due is asked of the game.
"""

from __future__ import annotations

from time import monotonic

from playwright.sync_api import Locator, expect

from tests.browser.phone import Phone
from tests.browser.prepared import give
from tests.cast.digital import DigitalTable


def refresh(phone: Phone) -> None:
    """What others did arrives now, and not with the next poll."""
    phone.page.evaluate("Line.refresh()")


class Player:
    """Somebody at a digital table, with a phone of their own."""

    def __init__(self, phone: Phone, table: DigitalTable, seat: int) -> None:
        self.phone, self.page, self.table, self.seat = phone, phone.page, table, seat
        self._tapped = 0.0
        give(phone, table.keys[seat])
        phone.go_to(table.id, "")
        phone.at_table(list(table.state.setup.names))

    def hears(self) -> None:
        """What others did is on the phone."""
        refresh(self.phone)
        expect(self.phone.table).to_have_attribute("data-version", str(self.table.game.version))

    @property
    def hand(self) -> list[str]:
        """The cards of the hand as they are read out."""
        hand = self.page.locator("#hand")
        return [
            button.get_attribute("aria-label") or button.locator(".sr").inner_text()
            for button in hand.locator(".in-hand").all()
        ]

    def switch_on(self, name: str) -> None:
        """One of the settings of this phone."""
        self.phone.tap("How this phone plays")
        self.page.locator(f"#settings [name={name}]").check()
        self.page.locator("#settings").get_by_role("button", name="Close").tap()

    def card(self, code: str) -> Locator:
        """A card of the hand by its code."""
        return self.page.locator(f'#hand [value="{code}"]').first

    @property
    def lying(self) -> Locator:
        """The cards of the open trick."""
        return self.page.locator("#trick .slot:not(.was) .face")

    def act(self) -> None:
        """Do the first thing that may be done."""
        before = self.phone.version
        match self.phone.shows:
            case "result":
                self.phone.tap("Go on")
                expect(self.page.locator("form.board")).to_be_visible()
                return self.act()
            case "board":
                self.page.locator(".space:not(.is-covered, .is-left)").first.tap()
            case "teams":
                self._name_team()
            case "choose":
                form = self.page.locator("form#hand")
                for label in form.locator(".is-playable").all()[: int(form.get_attribute("data-needed") or 0)]:
                    label.tap()
                self.page.locator("#choose").tap()
            case _:
                # A second tap shortly would be taken for a trembling finger.
                self.page.wait_for_timeout(max(0.0, 400 - 1000 * (monotonic() - self._tapped)))
                self.page.locator("#hand .is-playable").first.tap()
                self._tapped = monotonic()
        expect(self.phone.table).not_to_have_attribute("data-version", str(before))
        return None

    def _name_team(self) -> None:
        button = self._choose_candidate()
        leads_on = button.evaluate("element => element.tagName") == "A"
        button.tap()
        if leads_on:
            expect(self.page.locator("[id^=monster]").first).to_be_attached()
            self._choose_candidate().tap()

    def _choose_candidate(self) -> Locator:
        """Choose the first candidate; their button is in the thumb bar then."""
        candidate = self.page.locator(".candidate").first
        candidate.locator("label").tap()
        return candidate.locator(".button")
