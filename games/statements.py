"""Queries that every move asks, with their SQL made once.

Django makes the SQL of a query anew each time. For the rows of a match, three joined tables with all their columns,
that takes ten times as long as the database's answer (docs/decisions/0007).
"""

from collections.abc import Callable
from threading import local
from typing import Generic, TypeVar

from django.db import connections, models
from django.db.models.query import ModelIterable, QuerySet
from django.db.models.sql.compiler import SQLCompiler

Row = TypeVar("Row", bound=models.Model)


class Statement(local, Generic[Row]):
    """The rows that `asking(value)` finds, for any value: the only parameter of its SQL.

    Each thread makes the SQL for its own connection. Raises ValueError if the SQL has other parameters.
    """

    def __init__(self, asking: Callable[[str | int], QuerySet[Row]]) -> None:
        self._asking = asking
        self._made: tuple[QuerySet[Row], SQLCompiler, str] | None = None

    def rows(self, value: str | int) -> list[Row]:
        """As they are now, in one statement."""
        if self._made is None or self._made[1].connection is not connections[self._made[0].db]:
            self._made = self._make(value)
        asked, compiler, sql = self._made
        compiler.as_sql = lambda *_args, **_kwargs: (sql, (value,))  # type: ignore[method-assign]
        return list(ModelIterable(asked))

    def _make(self, value: str | int) -> tuple[QuerySet[Row], SQLCompiler, str]:
        asked = self._asking(value)
        compiler = asked.query.get_compiler(using=asked.db)
        sql, params = compiler.as_sql()
        if tuple(params) != (value,):
            raise ValueError(f"more than one value is asked for: {params}")
        asked.query.get_compiler = lambda *_args, **_kwargs: compiler  # type: ignore[method-assign]
        return asked, compiler, sql
