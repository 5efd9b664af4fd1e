"""Queries that are compiled once: Django takes ten times as long to build a joined query as SQLite to answer it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import connections
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

M = TypeVar("M", bound=Model)


class Prepared(Generic[M]):
    """A query for one object, with the objects of `select_related`, by one text.

    `of`: the queryset for a text.
    """

    def __init__(self, of: Callable[[str], QuerySet[M]]) -> None:
        self._of = of

    def first(self, text: str) -> M | None:
        """The object that the database has for this text."""
        model, alias, sql, params, names, converters, populators = self._compiled
        with connections[alias].cursor() as cursor:
            cursor.execute(sql, [text if param == _MARK else param for param in params])
            row = cursor.fetchone()
            if row is None:
                return None
            values = list(row)
            for place, (functions, column) in converters:
                for function in functions:
                    values[place] = function(values[place], column, cursor.db)
        found: M = model.from_db(alias, names, values[: len(names)])
        for populator in populators:
            populator.populate(values, found)
        return found

    @cached_property
    def _compiled(self) -> tuple[Any, ...]:
        """What Django's own iteration over such a queryset computes each time (`ModelIterable`)."""
        queryset = self._of(_MARK)
        compiler = queryset.query.get_compiler(using=queryset.db)
        sql, params = compiler.as_sql()
        info = compiler.klass_info
        columns = [column for column, *_ in compiler.select]
        names = [columns[place].target.attname for place in info["select_fields"]]
        converters = list(compiler.get_converters(columns).items())
        populators = get_related_populators(info, compiler.select, queryset.db)  # type: ignore[call-arg]  # as of Django 6
        return info["model"], queryset.db, sql, params, names, converters, populators


_MARK = "the text"
