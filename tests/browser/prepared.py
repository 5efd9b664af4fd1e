"""Tables laid for a test: the game is made by the services, the phone is handed its key.

Knows: how a browser has a key.  Must not know: pages.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore

from games.keys import registry
from games.models import GroupKey, Key
from games.rules import Action, Setup
from tests.browser.phone import Phone
from tests.builders import CAST, placing
from tests.cast.people import bear
from tests.cast.tables import Table

ANA, BEN, CLEO, DAN, EVE = FIVE = list(CAST)


def lay(phone: Phone, setup: Setup, *lines: str | Action, path: str | None = "") -> Table:
    """A table with these entries, the phone its scorekeeper, the page below the table open (None: no page)."""
    table = Table(setup, *lines)
    sit(phone, table)
    if path is not None:
        phone.go_to(table.id, path)
    return table


def sit(phone: Phone, table: Table, key: Key | None = None) -> None:
    """Give the phone a key of the table, besides those that it has."""
    give(phone, key or table.key)
    phone.names = list(table.state.setup.names)


def give(phone: Phone, *keys: Key | GroupKey) -> None:
    """Give the phone keys of games, seats and groups, besides those that it has."""
    cookies = phone.page.context.cookies()
    held = [each["value"] for each in cookies if each["name"] == settings.SESSION_COOKIE_NAME]
    session = SessionStore(held[0] if held else None)
    bear(session, *keys)
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session.session_key, "url": phone.address}
    phone.page.context.add_cookies([cookie])


def viewer_of(table: Table) -> Key:
    """The key of somebody who only looks."""
    return registry.issue(game=table.game, role="viewer", label="Eve’s phone")


def markers(setup: Setup, conditions: str, *, number: int) -> list[Action]:
    """The first placements of those that leave these spaces open, row after row."""
    return list(placing(setup, conditions)[:number])
