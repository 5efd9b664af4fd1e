"""Queries and statements whose SQL is written once: Django takes thirty times as long for it as SQLite to run it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar, cast

from django import VERSION
from django.db import DEFAULT_DB_ALIAS, connection, models
from django.db.models import AutoField, Field, Model, QuerySet
from django.db.models.query import get_related_populators
from django.db.models.sql import InsertQuery, UpdateQuery

M = TypeVar("M", bound=Model)
Row = tuple[Any, ...]

# Django 6.1 asks how related objects are read that a query has left out: one by one, as before.
_FETCH_MODE: tuple[Any, ...] = () if VERSION < (6, 1) else (models.FETCH_ONE,)


class _Mark(str):
    """A placeholder for a parameter: only its place in the SQL is known."""


# A placeholder for a whole number, less the place of the parameter: fields make plain numbers of any others.
_NUMBER = 2**31 - 1


class Prepared(Generic[M]):
    """A query by one or several values, with the objects of `select_related`.

    `of`: the queryset for these values; `numbers`: how many of them, the last ones, are whole numbers, not texts.
    """

    def __init__(self, of: Callable[..., QuerySet[M, Any]], *, numbers: int = 0) -> None:
        self._of, self._numbers = of, numbers

    def first(self, *values: str | int) -> M | None:
        """The first object that the database has for these values."""
        rows = self.rows(*values)
        return self.model(rows[0]) if rows else None

    def rows(self, *values: str | int | None) -> list[Row]:
        """The rows for these values, as the database returns them: most of the time goes into objects."""
        sql, parameters = self._statement
        with connection.cursor() as cursor:
            cursor.execute(sql, [each if place is None else values[place] for place, each in parameters])
            rows: list[Row] = cursor.fetchall()
        return rows

    def values(self, *values: str | int) -> list[Row]:
        """The rows for these values in Python's types, of a queryset of `values_list`."""
        return [tuple(self._converted(row)) for row in self.rows(*values)]

    def place(self, annotation: str) -> int:
        """The index of an annotation in a row."""
        place: int = self._compiled[0].annotation_col_map[annotation]
        return place

    def model(self, row: Row) -> M:
        """The object of a row."""
        model, fields, populators = self._model
        values = self._converted(row)
        found: M = model.from_db(DEFAULT_DB_ALIAS, fields, values[: len(fields)])
        for populator in populators:
            populator.populate(values, found)
        return found

    def _converted(self, row: Row) -> list[Any]:
        values = list(row)
        for place, (functions, column) in self._converters:
            for convert in functions:
                values[place] = convert(values[place], column, connection)
        return values

    @cached_property
    def _marks(self) -> list[str | int]:
        """A placeholder for each value."""
        count = len(inspect.signature(self._of).parameters)
        return [_Mark(place) if place < count - self._numbers else _NUMBER - place for place in range(count)]

    @cached_property
    def _compiled(self) -> tuple[Any, tuple[str, Sequence[Any]]]:
        compiler = self._of(*self._marks).query.get_compiler(DEFAULT_DB_ALIAS)
        return compiler, compiler.as_sql()

    @cached_property
    def _statement(self) -> tuple[str, list[tuple[int | None, Any]]]:
        """The SQL, and each of its parameters: the place of its value, or None and the value itself."""
        sql, parameters = self._compiled[1]
        numbers = {mark: place for place, mark in enumerate(self._marks) if isinstance(mark, int)}
        return sql, [
            (int(each) if isinstance(each, _Mark) else numbers.get(each) if isinstance(each, int) else None, each)
            for each in parameters
        ]

    @cached_property
    def _converters(self) -> list[Any]:
        compiler, _ = self._compiled
        return list(compiler.get_converters([column for column, *_ in compiler.select]).items())

    @cached_property
    def _model(self) -> tuple[Any, ...]:
        """What Django's own iteration over such a queryset computes each time (`ModelIterable`)."""
        compiler, _ = self._compiled
        info = compiler.klass_info
        fields = [compiler.select[place][0].target.attname for place in info["select_fields"]]
        populators = get_related_populators(info, compiler.select, DEFAULT_DB_ALIAS, *_FETCH_MODE)
        return info["model"], fields, populators


class PreparedInsert(Generic[M]):
    """The insertion of one row.  The object that is inserted does not learn its primary key."""

    def __init__(self, model: type[M]) -> None:
        self._model = model

    def __call__(self, row: M) -> None:
        """Insert a row.

        Errors: the database's `IntegrityError`.
        """
        values = [field.get_db_prep_save(field.pre_save(row, add=True), connection) for field in self._fields]
        with connection.cursor() as cursor:
            cursor.execute(self._sql, values)

    @cached_property
    def _fields(self) -> list[Field[Any, Any]]:
        return [field for field in self._model._meta.concrete_fields if not isinstance(field, AutoField)]

    @cached_property
    def _sql(self) -> str:
        query = InsertQuery(self._model)
        query.insert_values(self._fields, [self._model()], raw=True)
        ((sql, _),) = query.get_compiler(DEFAULT_DB_ALIAS).as_sql()
        return str(sql)


class PreparedAdvance(Generic[M]):
    """Raise a whole number of the row with a primary key, if it is as it was read.

    `field`: the name of the number.
    """

    def __init__(self, model: type[M], field: str) -> None:
        self._model, self._field = model, field

    def __call__(self, pk: str, *, before: int, after: int) -> bool:
        """Raise the number.  Whether it was as it was read; the row stays locked until the end of the transaction."""
        with connection.cursor() as cursor:
            cursor.execute(self._sql, [after, pk, before])
            return bool(cursor.rowcount)

    @cached_property
    def _sql(self) -> str:
        rows = self._model._default_manager.filter(pk="1").filter(**{self._field: 2})
        query = cast(UpdateQuery, rows.query.chain(UpdateQuery))
        query.add_update_values({self._field: 3})
        sql, parameters = query.get_compiler(DEFAULT_DB_ALIAS).as_sql()
        assert list(parameters) == [3, "1", 2], "the order of the values above"
        return str(sql)
