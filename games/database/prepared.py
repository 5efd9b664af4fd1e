"""Queries whose SQL the ORM writes once: writing it takes thirty times as long as running it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

M = TypeVar("M", bound=Model)
Row = tuple[Any, ...]


class Parameter(str):
    """The name of a text that a prepared query gets each time that it runs."""


class Prepared(Generic[M]):
    """A query of models, with a `Parameter` for each text that changes."""

    def __init__(self, queryset: QuerySet[M, Any]) -> None:
        self.queryset = queryset

    def rows(self, **texts: str | None) -> list[Row]:
        """The rows as the database returns them."""
        _, (sql, parameters) = self._compiled
        with connection.cursor() as cursor:
            cursor.execute(sql, [texts[each] if isinstance(each, Parameter) else each for each in parameters])
            rows: list[Row] = cursor.fetchall()
        return rows

    def place(self, annotation: str) -> int:
        """Where an annotation stands in a row."""
        place: int = self._compiled[0].annotation_col_map[annotation]
        return place

    def model(self, row: Row) -> M:
        """A row as an instance, with the related ones that the query selects."""
        fields, converters, populators = self._model
        values = list(row)
        for place, (conversions, expression) in converters.items():
            for convert in conversions:
                values[place] = convert(values[place], expression, connection)
        instance = self.queryset.model.from_db(DEFAULT_DB_ALIAS, fields, values[: len(fields)])
        for populator in populators:
            populator.populate(values, instance)
        return instance

    @cached_property
    def _compiled(self) -> tuple[Any, tuple[str, Sequence[Any]]]:
        compiler = self.queryset.query.get_compiler(DEFAULT_DB_ALIAS)
        return compiler, compiler.as_sql()

    @cached_property
    def _model(self) -> tuple[list[str], dict[int, Any], list[Any]]:
        compiler, _ = self._compiled
        select, info = compiler.select, compiler.klass_info
        fields = [select[place][0].target.attname for place in info["select_fields"]]
        converters = compiler.get_converters([column for column, _, _ in select])
        # The stubs are those of Django 6.
        related = get_related_populators(info, select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]
        return fields, converters, related
