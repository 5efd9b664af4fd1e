"""The cast at a digital table, for modules that import it in place of the one of `conftest.py`.

Ana hosts and plays on their phone, Ben on their, Cleo's seat is a bot's unless a test says otherwise; Zoe looks on, Eve
knows only the address.  Imported as “ana as ana”: the linter takes no parameter of a test for a use of the fixture.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games.live.hub import hub
from tests.builders import dutch
from tests.cast.digital import DigitalTable, over
from tests.cast.pages import Phone
from tests.cast.seats import at_seats, hosting, watching


@pytest.fixture(autouse=True)
def no_one_there() -> Iterator[None]:
    """Presence lives in the process: each test begins with no one there."""
    hub.presence._phones.clear()
    yield
    hub.presence._phones.clear()


@pytest.fixture
def game(db: None) -> DigitalTable:
    """Three people, nothing done yet."""
    return DigitalTable(dutch(3, rounds=2))


@pytest.fixture
def finished(db: None) -> DigitalTable:
    """The same after its last round."""
    return DigitalTable(dutch(3, rounds=1)).play_on(over)


@pytest.fixture
def ana(game: DigitalTable) -> Phone:
    """The host, who plays too."""
    return hosting(game, 0)


@pytest.fixture
def ben(game: DigitalTable) -> Phone:
    """A player."""
    return at_seats(game, 1)


@pytest.fixture
def zoe(game: DigitalTable) -> Phone:
    """A spectator."""
    return watching(game)


@pytest.fixture
def eve(game: DigitalTable) -> Phone:
    """Somebody who only knows the address."""
    phone = Phone()
    phone.table = game
    return phone
