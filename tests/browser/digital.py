"""Phones at a digital table: each with the key of a seat, described in sentences like those beside a board.

Knows: where things stand on the page of a digital game.  Must not know: rules; who is due is asked of the game.
"""

from __future__ import annotations

from playwright.sync_api import Locator

from tests.browser.expecting import expect
from tests.browser.hand import Hand
from tests.browser.phone import Phone
from tests.browser.prepared import give
from tests.cast.digital import DigitalTable


def refresh(phone: Phone) -> None:
    """What others did arrives now, and not with the next poll."""
    phone.page.evaluate("Line.refresh()")


class Player(Hand):
    """Somebody at a digital table, with a phone of their own."""

    def __init__(self, phone: Phone, table: DigitalTable, seat: int) -> None:
        super().__init__(phone)
        self.table, self.seat = table, seat
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
        self.switch(name, on=True)

    def switch(self, name: str, *, on: bool) -> None:
        """The same, or off."""
        self.phone.tap("How this phone plays")
        self.page.locator(f"#settings [name={name}]").set_checked(on)
        self.phone.touch(self.page.locator("#settings").get_by_role("button", name="Close"))

    def card(self, code: str) -> Locator:
        """A card of the hand by its code."""
        return self.page.locator(f'#hand [value="{code}"]').first

    @property
    def lying(self) -> Locator:
        """The cards of the open trick."""
        return self.page.locator("#trick .slot:not(.was) .face")
