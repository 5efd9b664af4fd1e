"""Many rows inserted without an object of Django for each, which would take most of the time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection
from django.db.models import Model


def insert(
    model: type[Model], columns: Sequence[str], rows: Iterable[Sequence[Any]], *, unique: Sequence[str] = ()
) -> None:
    """Insert rows with these columns; the others are null or the database's.

    `unique`: the columns of a constraint; a row that the table has by them gets the other columns instead.
    The values are those of the database: a JSON column gets its text, a time what `adapt_datetimefield_value` returns.
    """
    quote = connection.ops.quote_name
    places = ", ".join("%s" for _ in columns)
    statement = f"INSERT INTO {quote(model._meta.db_table)} ({', '.join(map(quote, columns))}) VALUES ({places})"
    if unique:
        changed = ", ".join(f"{quote(each)} = excluded.{quote(each)}" for each in columns if each not in unique)
        statement += f" ON CONFLICT ({', '.join(map(quote, unique))}) DO UPDATE SET {changed}"
    with connection.cursor() as cursor:
        cursor.executemany(statement, list(rows))
