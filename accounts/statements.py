"""Statements that every move and every page needs, with their SQL made once.

Django builds the SQL of a query anew each time, and checks each column for whether it needs converting. For the rows of
a match, three joined tables with all their columns, that takes ten times as long as the database's answer, and saving a
row takes three times as long (docs/decisions/0007).
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from threading import local
from typing import Any, Generic, TypeVar

from django.db import DatabaseError, connection, connections, models
from django.db.models.query import QuerySet, get_related_populators

Row = TypeVar("Row", bound=models.Model)


class _Made(Generic[Row]):
    """The SQL of a query for one connection, and how its columns become rows."""

    def __init__(self, asked: QuerySet[Row], values: tuple[str | int, ...]) -> None:
        self.connection = connections[asked.db]
        self._compiler = asked.query.get_compiler(using=asked.db)
        self.sql, params = self._compiler.as_sql()
        if tuple(params) != values:
            raise ValueError(f"other values than {values} are asked for: {params}")
        select, about = self._compiler.select, self._compiler.klass_info
        self._converters = self._compiler.get_converters([column for column, *_ in select])
        first, *_, last = about["select_fields"]
        self._own, self._model = slice(first, last + 1), asked.model
        self._names = [column.target.attname for column, *_ in select[self._own]]
        self._related = get_related_populators(about, select, asked.db)  # type: ignore[call-arg]  # Django 6's stubs

    def rows(self, found: Sequence[Sequence[Any]]) -> Iterator[Row]:
        for columns in self._compiler.apply_converters(found, self._converters):
            row = self._model.from_db(self.connection.alias, self._names, columns[self._own])
            for related in self._related:
                related.populate(columns, row)
            yield row


class Statement(local, Generic[Row]):
    """The rows that `asking(*values)` finds, for any values: the parameters of its SQL, in their order there.

    Each thread makes the SQL for its own connection. Raises ValueError if the SQL has other parameters.
    """

    def __init__(self, asking: Callable[..., QuerySet[Row]]) -> None:
        self._asking = asking
        self._made: _Made[Row] | None = None

    def rows(self, *values: str | int) -> list[Row]:
        """As they are now, in one statement."""
        if self._made is None or self._made.connection is not connections[self._made.connection.alias]:
            self._made = _Made(self._asking(*values), values)
        with self._made.connection.cursor() as cursor:
            cursor.execute(self._made.sql, values)
            return list(self._made.rows(cursor.fetchall()))


class _Write(Generic[Row]):
    def __init__(self, model: type[Row], names: Sequence[str]) -> None:
        self._model = model
        self._fields = [field for field in model._meta.concrete_fields if field.name in names]

    def _columns(self, with_each: str = "") -> str:
        return ", ".join(connection.ops.quote_name(str(field.column)) + with_each for field in self._fields)

    @property
    def _table(self) -> str:
        return connection.ops.quote_name(self._model._meta.db_table)

    def _values(self, row: Row) -> list[Any]:
        return [field.get_db_prep_save(getattr(row, field.attname), connection) for field in self._fields]


class Update(_Write[Row]):
    """`row.save(update_fields=names)` of a model without signals. Raises DatabaseError if there is no such row."""

    def save(self, row: Row) -> None:
        with connection.cursor() as cursor:
            cursor.execute(self._sql, [*self._values(row), row.pk])
            if cursor.rowcount != 1:
                raise DatabaseError(f"no row {row.pk} in {self._table}")

    @cached_property
    def _sql(self) -> str:
        return f"UPDATE {self._table} SET {self._columns(' = %s')} WHERE id = %s"  # noqa: S608


class Insert(_Write[Row]):
    """`row.save()` of a new row of a model without signals; the row is not told its key."""

    def save(self, row: Row) -> None:
        with connection.cursor() as cursor:
            cursor.execute(self._sql, self._values(row))

    @cached_property
    def _sql(self) -> str:
        holes = ", ".join(["%s"] * len(self._fields))
        return f"INSERT INTO {self._table} ({self._columns()}) VALUES ({holes})"  # noqa: S608
