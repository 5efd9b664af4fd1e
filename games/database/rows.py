"""Many rows inserted without an object of Django for each, which would take most of the time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection
from django.db.models import Model


def insert(model: type[Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows with these columns; the others are null or the database's.

    The values are those of the database: a JSON column gets its text, a time what `adapt_datetimefield_value` returns.
    """
    quoted = ", ".join(map(connection.ops.quote_name, columns))
    places = ", ".join("%s" for _ in columns)
    table = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {table} ({quoted}) VALUES ({places})", list(rows))
