"""A prepared query finds what Django's own query finds."""

from __future__ import annotations

from django.db import connection
from django.forms import model_to_dict
from django.test.utils import CaptureQueriesContext

from games.database.prepared import Prepared
from games.models import Game, Key
from tests.services.tables import Table

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
