"""A prepared query finds what Django's own query finds."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.db.models import F, QuerySet, Value
from django.forms import model_to_dict
from django.test.utils import CaptureQueriesContext

from games.database.prepared import Prepared
from games.models import Key, LogEntry
from tests.cast.tables import Table

BY_LABEL = Prepared(lambda label: Key.objects.filter(label=label, revoked_at=None).annotate(preset=F("game__preset")))


def everything(found: Key) -> dict[str, object]:
    """The values of all fields, those included that no form shows."""
    return {**model_to_dict(found), "created_at": found.created_at}


def test_a_prepared_query_finds_the_object_with_its_annotations(table: Table) -> None:
    BY_LABEL.first("nothing has this label")

    with CaptureQueriesContext(connection) as queries:
        found = BY_LABEL.first("viewer")
        assert found is not None
        assert found.preset == table.game.preset
    expected = Key.objects.get(label="viewer")
    assert everything(found) == everything(expected)
    assert len([each for each in queries if "games_key" in each["sql"]]) == 1
    assert not found._state.adding


def test_a_prepared_query_reads_what_the_database_has_now(table: Table) -> None:
    before = BY_LABEL.first("viewer")
    Key.objects.filter(label="viewer").update(ready=3)
    after = BY_LABEL.first("viewer")
    Key.objects.filter(label="viewer").update(revoked_at=after.created_at)

    assert (before.ready, after.ready) == (0, 3)
    assert BY_LABEL.first("viewer") is None


def test_a_prepared_query_takes_numbers_and_gives_values_in_their_types(table: Table) -> None:
    for line in ("trump red", "trump black", "trump blue"):
        table.record(line)

    def between(game_id: str, after: int | Value, last: int | Value) -> QuerySet[LogEntry]:
        rows = LogEntry.objects.filter(game_id=game_id, seq__gt=after, seq__lte=last, at__isnull=False)
        return rows.order_by("seq")

    prepared = Prepared(lambda game_id, after, last: between(game_id, Value(after), Value(last)))

    for after, last in ((0, 3), (1, 2), (2, 2)):
        expected = [(row.seq, row.payload, row.at) for row in between(table.id, after, last)]
        assert [(row.seq, row.payload, row.at) for row in prepared.all(table.id, after, last)] == expected
    assert prepared.all("no such game", 0, 3) == []


@pytest.mark.django_db(transaction=True)
def test_the_first_query_of_a_new_connection_is_not_taken_for_the_prepared_one(table: Table) -> None:
    def ask(connection: BaseDatabaseWrapper, **_: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")

    def find_with_a_new_connection() -> Key | None:
        try:
            return Prepared(lambda label: Key.objects.filter(label=label)).first("viewer")
        finally:
            connection.close()

    connection_created.connect(ask)
    try:
        with ThreadPoolExecutor(1) as threads:
            found = threads.submit(find_with_a_new_connection).result()
    finally:
        connection_created.disconnect(ask)

    assert found == Key.objects.get(label="viewer")
