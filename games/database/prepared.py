"""Queries whose SQL is written once: Django takes thirty times as long to write it as SQLite to run it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

M = TypeVar("M", bound=Model)
Row = tuple[Any, ...]


class _Mark(str):
    """Stands for a text of which only the place is known."""


class Prepared(Generic[M]):
    """A query by one or several texts, with the objects of `select_related`.

    `of`: the queryset for these texts.
    """

    def __init__(self, of: Callable[..., QuerySet[M, Any]]) -> None:
        self._of = of

    def first(self, *texts: str) -> M | None:
        """The first object that the database has for these texts."""
        rows = self.rows(*texts)
        return self.model(rows[0]) if rows else None

    def rows(self, *texts: str | None) -> list[Row]:
        """The rows for these texts, as the database returns them: most of the time goes into objects."""
        _, (sql, parameters) = self._compiled
        with connection.cursor() as cursor:
            cursor.execute(sql, [texts[int(each)] if isinstance(each, _Mark) else each for each in parameters])
            rows: list[Row] = cursor.fetchall()
        return rows

    def place(self, annotation: str) -> int:
        """Where an annotation stands in a row."""
        place: int = self._compiled[0].annotation_col_map[annotation]
        return place

    def model(self, row: Row) -> M:
        """The object of a row."""
        model, fields, converters, populators = self._model
        values = list(row)
        for place, (functions, column) in converters:
            for convert in functions:
                values[place] = convert(values[place], column, connection)
        found: M = model.from_db(DEFAULT_DB_ALIAS, fields, values[: len(fields)])
        for populator in populators:
            populator.populate(values, found)
        return found

    @cached_property
    def _compiled(self) -> tuple[Any, tuple[str, Sequence[Any]]]:
        marks = (_Mark(place) for place in range(len(inspect.signature(self._of).parameters)))
        compiler = self._of(*marks).query.get_compiler(DEFAULT_DB_ALIAS)
        return compiler, compiler.as_sql()

    @cached_property
    def _model(self) -> tuple[Any, ...]:
        """What Django's own iteration over such a queryset computes each time (`ModelIterable`)."""
        compiler, _ = self._compiled
        info, columns = compiler.klass_info, [column for column, *_ in compiler.select]
        fields = [columns[place].target.attname for place in info["select_fields"]]
        converters = list(compiler.get_converters(columns).items())
        # The stubs are those of Django 6.
        populators = get_related_populators(info, compiler.select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]
        return info["model"], fields, converters, populators
