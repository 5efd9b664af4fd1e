"""All that a test begins with, built once in each process: later tests insert the same rows with the same ids."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.apps import apps
from django.db import connection

from games.log import store
from games.models import Game

T = TypeVar("T")

_KEPT: dict[Callable[[], object], tuple[dict[str, tuple[list[str], list[tuple[object, ...]]]], object]] = {}


def world(build: Callable[[], T]) -> T:
    """The answer of a function that fills a database without games and groups, and what it has written.

    A test may change it: the rows belong to the test, and a ledger that another test kept of it is forgotten.
    """
    if connection.vendor != "sqlite":  # others count ids beside the rows
        return build()
    if build not in _KEPT:
        before = _rows()
        answer = build()
        _KEPT[build] = {name: each for name, each in _rows().items() if name not in before}, answer
        return answer
    rows, answer = _KEPT[build]
    with connection.cursor() as cursor:
        for name, (columns, values) in rows.items():
            marks = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({marks})", values)
    for game_id in Game.objects.values_list("pk", flat=True):
        store.forget(game_id)
    return answer


def _rows() -> dict[str, tuple[list[str], list[tuple[object, ...]]]]:
    """The columns and rows of each table that has some."""
    found = {}
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            name = connection.ops.quote_name(model._meta.db_table)
            cursor.execute(f"SELECT * FROM {name}")
            if rows := cursor.fetchall():
                found[name] = [connection.ops.quote_name(each[0]) for each in cursor.description], rows
    return found
