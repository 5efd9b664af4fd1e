"""A table that disappears while somebody taps: gone, and no fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import connection

from games.models import Game
from tests.services.tables import Table
from tests.views.pages import Phone

pytestmark = pytest.mark.django_db


@contextmanager
def deleted_before_the_write(table: Table) -> Iterator[None]:
    """Another phone deletes the table when the block's request has been let in and is about to write."""
    done = []

    def delete_first(execute: Callable[..., object], sql: str, *rest: object) -> object:
        if not done and sql.startswith("SAVEPOINT"):
            done.append(sql)
            Game.objects.filter(pk=table.id).delete()
        return execute(sql, *rest)

    with connection.execute_wrapper(delete_first):
        yield
    assert done


WRITES = {
    "act": {"do": "penalty", "seat": "0", "points": "-5", "reason": "late"},
    "undo": {"sure": "1"},
    "undo_to": {"version": "6"},
    "correct_confirm": {"changes": '[{"seq": 3, "delete": true}]'},
    "setup": {"rounds": "3"},
    "penalty": {"seat": "0", "points": "-5", "reason": "late", "sure": "0:-5:late"},
    "lock": {},
    "reopen": {},
}


@pytest.mark.parametrize("name", WRITES)
def test_a_table_that_is_deleted_in_the_middle_of_a_tap_is_simply_gone(finished: Table, ana: Phone, name: str) -> None:
    further = [1] if name in ("undo_to", "correct_confirm") else []

    with deleted_before_the_write(finished):
        page = ana.post_to(ana.address_of(name, *further), WRITES[name])

    assert page.status == 404
    assert page.notice == "There is nothing here."
