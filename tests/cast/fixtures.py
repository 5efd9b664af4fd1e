"""A table of three by the Dutch text, for tests of packages around the rules; a `conftest.py` names what it takes."""

from __future__ import annotations

import pytest

from games.log import store
from tests.cast.tables import ROUND_1, ROUND_2, Table


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    """Each test begins like a fresh process."""
    store._kept.clear()


@pytest.fixture
def table(db: None) -> Table:
    """Ana, Ben and Cleo by the Dutch text, two rounds, nothing recorded yet."""
    return Table()


@pytest.fixture
def round_2(db: None) -> Table:
    """The same table in round 2: entries 1 to 3 are round 1."""
    return Table(None, *ROUND_1)


@pytest.fixture
def finished(db: None) -> Table:
    """The same table at the end: entries 1 to 6, won by Ana."""
    return Table(None, *ROUND_1, *ROUND_2)
