"""A prepared query finds what Django's own query finds, and a prepared statement writes what Django's own would."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet
from django.forms import model_to_dict
from django.test.utils import CaptureQueriesContext

from games.database.prepared import Prepared, PreparedAdvance, PreparedInsert
from games.models import Game, Key, LogEntry
from tests.cast.tables import Table

BY_LABEL = Prepared(lambda label: Key.objects.filter(label=label, revoked_at=None).select_related("game", "through"))


def everything(found: Key | Game) -> dict[str, object]:
    """The values of all fields, those included that no form shows."""
    return {**model_to_dict(found), "created_at": found.created_at}


def test_a_prepared_query_finds_the_object_with_its_relations(table: Table) -> None:
    BY_LABEL.first("nothing has this label")

    with CaptureQueriesContext(connection) as queries:
        found = BY_LABEL.first("viewer")
        assert found is not None
        assert found.game.pk == table.id
        assert found.through is None
    expected = Key.objects.select_related("game").get(label="viewer")
    assert (everything(found), everything(found.game)) == (everything(expected), everything(expected.game))
    assert len(queries) == 1
    assert not found._state.adding


def test_a_prepared_query_reads_what_the_database_has_now(table: Table) -> None:
    before = BY_LABEL.first("viewer")
    table.record("trump red")
    after = BY_LABEL.first("viewer")
    Key.objects.filter(label="viewer").update(revoked_at=after.created_at)

    assert (before.game.version, after.game.version) == (0, 1)
    assert BY_LABEL.first("viewer") is None


def test_a_prepared_query_takes_numbers_and_gives_values_in_their_types(table: Table) -> None:
    for line in ("trump red", "trump black", "trump blue"):
        table.record(line)

    def between(game_id: str, after: int, last: int) -> QuerySet[LogEntry, tuple[object, ...]]:
        rows = LogEntry.objects.filter(game_id=game_id, seq__gt=after, seq__lte=last, at__isnull=False)
        return rows.order_by("seq").values_list("seq", "payload", "at")

    prepared = Prepared(between, numbers=2)

    for after, last in ((0, 3), (1, 2), (2, 2)):
        assert prepared.values(table.id, after, last) == list(between(table.id, after, last))
    assert prepared.values("no such game", 0, 3) == []


def test_a_prepared_insertion_stores_what_django_would_store(table: Table) -> None:
    table.record("trump red")
    written = LogEntry.objects.order_by("seq").last()
    values = {"kind": "act", "payload": {"word": 'a "quoted" é', "list": [1, None]}, "seat": 2, "actor": written.actor}
    values |= {"at": written.at, "request_id": "one", "request_hash": "two"}
    insert = PreparedInsert(LogEntry)

    insert(LogEntry(game_id=table.id, seq=91, **values))
    LogEntry.objects.bulk_create([LogEntry(game_id=table.id, seq=92, **{**values, "request_id": "other"})])

    one, other = (model_to_dict(LogEntry.objects.get(game=table.id, seq=seq)) for seq in (91, 92))
    assert one == {**other, "id": one["id"], "seq": 91, "request_id": "one"}
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(LogEntry(game_id=table.id, seq=91, **{**values, "request_id": "third"}))


def test_a_number_is_raised_only_if_it_is_as_it_was_read(table: Table) -> None:
    table.record("trump red")
    advance, version = PreparedAdvance(Game, "version"), Game.objects.get(pk=table.id).version

    assert not advance(table.id, before=version + 1, after=version + 2)
    assert not advance("no such game", before=version, after=version + 1)
    assert Game.objects.get(pk=table.id).version == version
    assert advance(table.id, before=version, after=version + 5)
    assert Game.objects.get(pk=table.id).version == version + 5
