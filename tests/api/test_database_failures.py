"""The database fails while somebody writes: the answer says so in a sentence, and what was there stays."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from psycopg.errors import DiskFull

from games.errors import DatabaseUnavailable, StorageFull, of_database
from games.management.commands.check_logs import differences_of
from games.models import Attempt, Game
from tests.api.client import Answer, Table

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="the failures are made with SQLite's means"),
]

PENALTY = {"type": "penalty", "seat": 1, "points": -1, "reason": "late " * 12}
NO_LIMIT = 2**30


@pytest.fixture
def table(transactional_db: None, api: Any) -> Table:
    return api.open_table()


@pytest.fixture
def full(table: Table) -> Iterator[None]:
    """The database may not grow any more."""
    with connection.cursor() as cursor:
        (pages,) = cursor.execute("PRAGMA page_count").fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages}")
    yield
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA max_page_count = {NO_LIMIT}")


@pytest.fixture
def busy(table: Table) -> Iterator[None]:
    """Another process writes and does not end; no one waits for it long."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 100")
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
    connection.close()


def record_until_refused(table: Table) -> Answer:
    while (answer := table.act(PENALTY)).status == 201:
        assert answer.json["version"] < 500
    return answer


def test_a_full_disk_is_shown_to_programs(table: Table, full: None) -> None:
    answer = record_until_refused(table)

    assert answer.refusal == (507, "storage_full")
    assert answer.json["error"]["message"] == StorageFull().message
    assert int(answer.response.headers["Retry-After"]) > 0
    assert table.get("/").status == 200
    assert differences_of(table.id) == []


def test_a_database_that_stays_locked_is_shown_to_programs(table: Table, busy: None) -> None:
    answer = table.act(PENALTY)

    assert answer.refusal == (503, "database_unavailable")
    assert int(answer.response.headers["Retry-After"]) > 0
    assert table.get("/").json["version"] == 0


def test_it_is_shown_to_people_too(table: Table, busy: None) -> None:
    answer = Client(raise_request_exception=False).post("/join/", {"code": "0000-0000"})

    page = answer.content.decode()
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert DatabaseUnavailable().message in page
    assert "Traceback" not in page
    assert not Attempt.objects.exists()


def test_a_fault_of_the_program_is_no_failure_of_the_database(table: Table) -> None:
    with pytest.raises(OperationalError) as caught:
        Game.objects.extra(where=["no_such_column = 1"]).exists()

    assert of_database(caught.value) is None
    assert of_database(LookupError()) is None
    assert of_database(None) is None


def test_a_full_disk_is_known_on_postgresql_too() -> None:
    error = OperationalError("could not extend file")
    error.__cause__ = DiskFull()

    assert isinstance(of_database(error), StorageFull)
