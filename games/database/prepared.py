"""Queries whose SQL is written once: Django takes thirty times as long for it as SQLite to run it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Generic, NoReturn, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet

M = TypeVar("M", bound=Model)
Row = tuple[Any, ...]


class _Mark(str):
    """A placeholder for a parameter: only its place in the SQL is known."""


# A placeholder for a whole number, less the place of the parameter: fields make plain numbers of any others.
_NUMBER = 2**31 - 1


class _Written(Exception):
    """The SQL of a query, and its parameters, instead of its rows."""


class Prepared(Generic[M]):
    """A query by one or several values.

    `of`: the queryset for these values; `numbers`: how many of them, the last ones, are whole numbers, not texts.
    """

    def __init__(self, of: Callable[..., QuerySet[M, Any]], *, numbers: int = 0) -> None:
        self._of, self._numbers = of, numbers

    def all(self, *values: str | int | None) -> list[M]:
        """The objects that the database has for these values, with their annotations."""
        queryset, sql, _ = self._prepared
        return list(queryset.model._default_manager.raw(sql, self._parameters(values)))

    def first(self, *values: str | int | None) -> M | None:
        """The first of them."""
        return next(iter(self.all(*values)), None)

    def rows(self, *values: str | int | None) -> list[Row]:
        """The rows for these values, as the database returns them."""
        with connection.cursor() as cursor:
            cursor.execute(self._prepared[1], self._parameters(values))
            rows: list[Row] = cursor.fetchall()
        return rows

    def _parameters(self, values: Sequence[str | int | None]) -> list[Any]:
        return [each if place is None else values[place] for place, each in self._prepared[2]]

    @cached_property
    def _prepared(self) -> tuple[QuerySet[M, Any], str, list[tuple[int | None, Any]]]:
        """The queryset, its SQL, and each parameter: the place of its value, or None and the value itself."""
        count = len(inspect.signature(self._of).parameters)
        marks = [_Mark(place) if place < count - self._numbers else _NUMBER - place for place in range(count)]
        numbers = {mark: place for place, mark in enumerate(marks) if isinstance(mark, int)}
        queryset = self._of(*marks)
        try:
            with connection.execute_wrapper(_tell):
                list(queryset)
        except _Written as written:
            sql, parameters = written.args
        return (
            queryset,
            sql,
            [
                (int(each) if isinstance(each, _Mark) else numbers.get(each) if isinstance(each, int) else None, each)
                for each in parameters
            ],
        )


def _tell(execute: object, sql: str, parameters: Sequence[Any], many: bool, context: object) -> NoReturn:
    raise _Written(sql, parameters)
