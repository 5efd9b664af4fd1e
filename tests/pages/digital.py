"""Digital tables in a phase, phones with some of their seats, what these phones show and send."""

from __future__ import annotations

from games.rules import Phase
from tests.builders import english, italian
from tests.cast.digital import DigitalTable, in_phase, leaving
from tests.cast.pages import Page, Phone


def in_tricks(setup=None) -> DigitalTable:
    """A game whose first trick is to be led, nothing discarded."""
    return DigitalTable(setup or italian(rounds=2)).play_on(in_phase(Phase.TRICKS), leaving("discard:njet"))


def choosing(space: str, setup=None) -> DigitalTable:
    """A game in which everybody chooses cards."""
    until = in_phase(Phase.DISCARDING, Phase.PASSING)
    return DigitalTable(setup or english(4)).play_on(until, leaving(f"discard:{space}"))


def hand_on(page: Page) -> list[str]:
    """The codes of the cards in the hand, as they can be tapped."""
    hand = page.root.one(id="hand")
    return [node.attrs["value"] for node in hand if node.attrs.get("name") in ("card", "cards")]


def send(phone: Phone, name: str, **fields: object) -> Page:
    """A form of the newest page, with these fields."""
    return phone.post_to(phone.address_of(name), {"version": phone.table.game.version, **fields})
