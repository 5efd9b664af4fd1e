"""The cast at its phones: Ana opened the table, Ben records too, Cleo watches, Dan sits elsewhere, Eve nowhere.

In the Thursday club Olga is the owner, Max a member, Vera a viewer; none of them sits at a table yet.
"""

from __future__ import annotations

import pytest

from games.log import store
from games.models import Group, GroupRole, Role
from tests.cast.groups import new_group
from tests.cast.pages import Phone, come_in, sit_down
from tests.cast.tables import ROUND_1, ROUND_2, Table


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    """Each test begins like a fresh process."""
    store._kept.clear()


@pytest.fixture
def table(db: None, request: pytest.FixtureRequest) -> Table:
    """Ana, Ben and Cleo by the Dutch text, two rounds; played as far as the other fixtures of the test say."""
    lines = (*ROUND_1, *ROUND_2) if "finished" in request.fixturenames else ROUND_1
    return Table(None, *lines if "round_2" in request.fixturenames else ())


@pytest.fixture
def round_2(table: Table) -> Table:
    """The same table in round 2: entries 1 to 3 are round 1, 24 to 18 to 18."""
    return table


@pytest.fixture
def finished(round_2: Table) -> Table:
    """The same table at the end: entries 1 to 6, Ana wins with 54."""
    return round_2


@pytest.fixture
def locked(finished: Table) -> Table:
    """The same table with the result confirmed."""
    finished.lock()
    return finished


@pytest.fixture
def ana(table: Table) -> Phone:
    """The phone that opened the table."""
    return Phone().sits(table, table.key)


@pytest.fixture
def ana_htmx(table: Table) -> Phone:
    """The same with script."""
    return Phone(htmx=True).sits(table, table.key)


@pytest.fixture
def ben(table: Table) -> Phone:
    """Another scorekeeper."""
    return sit_down(table, label="Ben’s phone")


@pytest.fixture
def cleo(table: Table) -> Phone:
    """A viewer."""
    return sit_down(table, role=Role.VIEWER, label="Cleo’s phone")


@pytest.fixture
def dan(table: Table) -> Phone:
    """A scorekeeper of another table, who has got hold of the address of this one."""
    phone = sit_down(Table(), label="Dan’s phone")
    phone.table = table
    return phone


@pytest.fixture
def eve(table: Table) -> Phone:
    """Somebody who only knows the address."""
    phone = Phone()
    phone.table = table
    return phone


# --- a group ---


@pytest.fixture
def group(db: None) -> Group:
    """The Thursday club, without games."""
    return new_group()


@pytest.fixture
def olga(group: Group) -> Phone:
    """An owner of the group; another phone founded it."""
    return come_in(group, GroupRole.OWNER, label="Olga’s phone")


@pytest.fixture
def max_(group: Group) -> Phone:
    """A member of the group."""
    return come_in(group, GroupRole.MEMBER, label="Max’s phone")


@pytest.fixture
def vera(group: Group) -> Phone:
    """A viewer of the group."""
    return come_in(group, GroupRole.VIEWER, label="Vera’s phone")
