"""Queries whose SQL is written once: Django takes thirty times as long for it as SQLite to run it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Generic, NoReturn, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet

M = TypeVar("M", bound=Model)


class _Mark(str):
    """A placeholder for a parameter: only its place in the SQL is known."""


class _Written(Exception):
    """The SQL of a query, and its parameters, instead of its rows."""


class Prepared(Generic[M]):
    """A query by one or several values.

    `of`: the queryset for these values.  One that is compared with a number is wrapped in `Value`: fields make plain
    numbers of others.
    """

    def __init__(self, of: Callable[..., QuerySet[M, Any]]) -> None:
        self._of = of

    def all(self, *values: str | int | None) -> list[M]:
        """The objects that the database has for these values, with their annotations."""
        model, sql, parameters = self._prepared
        found = [values[int(each)] if isinstance(each, _Mark) else each for each in parameters]
        return list(model._default_manager.raw(sql, found))

    def first(self, *values: str | int | None) -> M | None:
        """The first of them."""
        return next(iter(self.all(*values)), None)

    @cached_property
    def _prepared(self) -> tuple[type[M], str, Sequence[Any]]:
        """The model, the SQL, and its parameters, with marks in the places of the values."""
        queryset = self._of(*map(_Mark, range(len(inspect.signature(self._of).parameters))))
        try:
            # The connection is opened first: what listens for a new one may send queries, too.
            with connection.cursor(), connection.execute_wrapper(_tell):
                list(queryset)
        except _Written as written:
            sql, parameters = written.args
        return queryset.model, sql, parameters


def _tell(execute: object, sql: str, parameters: Sequence[Any], many: bool, context: object) -> NoReturn:
    raise _Written(sql, parameters)
