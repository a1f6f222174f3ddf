"""SQL that is compiled once, for the statements of a move and of a socket's own rows.

Django compiles the SQL of a query each time, and looks for converters of each column. For the rows of a match (three
joined tables with all their columns) that takes ten times as long as the database's answer; saving a row takes three
times as long (docs/decisions/0007).
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property, lru_cache, partial
from threading import local
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.base import ModelState
from django.db.models.query import QuerySet
from django.db.models.sql.compiler import SQLCompiler

Row = TypeVar("Row", bound=models.Model)

# Values of these fields need no conversion for any database; Django's check of each was half of a write.
UNCONVERTED_FIELDS = (models.CharField, models.IntegerField, models.BooleanField, models.ForeignKey)

# Values of these fields are immutable, so that rows can share them. Most times of a row are as in the last reading.
IMMUTABLE_FIELDS = (models.DateTimeField, models.BooleanField)
MAX_CACHED_VALUES = 500  # of a column


class _Columns(Generic[Row]):
    """The columns of one model in a result, and those of its related models that were selected with it."""

    def __init__(self, class_info: dict[str, Any], compiler: SQLCompiler, converters: dict[int, Any]) -> None:
        fields, self._model = class_info["select_fields"], class_info["model"]
        columns = [compiler.select[index][0] for index in fields]
        self._slice = slice(fields[0], fields[-1] + 1)
        self._names = [column.target.attname for column in columns]
        self._pk_index = fields[0] + self._names.index(self._model._meta.pk.attname)
        self._converters = [
            (name, _build_converter(compiler.connection, *converters[index]))
            for index, name in zip(fields, self._names, strict=True)
            if index in converters
        ]
        related = class_info.get("related_klass_infos", ())
        self._related: list[tuple[_Columns[Any], Callable[..., None], Callable[..., None]]] = [
            (_Columns(each, compiler, converters), each["local_setter"], each["remote_setter"])
            for each in related
        ]
        self._alias = compiler.connection.alias

    def build(self, values: Sequence[Any], built: dict[Any, models.Model]) -> Row | None:
        """Build the model instance of a result row, or return it from `built` if another row has built it.

        `Model.from_db`, with its signals and its check of each field, takes twice as long.
        """
        key = self, values[self._pk_index]
        if key in built or key[1] is None:
            return built.get(key)  # type: ignore[return-value]
        row: Row = self._model.__new__(self._model)
        built[key] = row
        attributes = vars(row)
        attributes.update(zip(self._names, values[self._slice], strict=True))
        for name, convert in self._converters:
            if (value := attributes[name]) is not None:
                attributes[name] = convert(value)
        row._state = ModelState()
        row._state.adding, row._state.db = False, self._alias
        for columns, set_local, set_remote in self._related:
            related = columns.build(values, built)
            set_local(row, related)
            if related is not None:
                set_remote(related, row)
        return row


def _build_converter(
    database: Any, converters: Sequence[Callable[..., Any]], column: Any
) -> Callable[[Any], Any]:
    """Return a function that converts a database value of this column to the field's value."""

    def convert_value(value: Any) -> Any:
        for convert in converters:
            value = convert(value, column, database)
        return value

    if not isinstance(column.target, IMMUTABLE_FIELDS):
        return convert_value
    # Cache: key the database value; bound MAX_CACHED_VALUES a column and connection; invalidated by nothing (pure).
    return lru_cache(MAX_CACHED_VALUES)(convert_value)


class _CompiledQuery(Generic[Row]):
    """The SQL of a query for one connection, and how its result becomes model instances."""

    def __init__(self, queryset: QuerySet[Row], values: tuple[str | int, ...]) -> None:
        self.connection = connections[queryset.db]
        compiler = queryset.query.get_compiler(using=queryset.db)
        self.sql, params = compiler.as_sql()
        if tuple(params) != values:
            raise ValueError(f"the query's parameters are not {values}: {params}")
        converters = compiler.get_converters([column for column, *_ in compiler.select])
        self._columns: _Columns[Row] = _Columns(compiler.klass_info, compiler, converters)

    def build_rows(self, result: Iterable[Sequence[Any]]) -> list[Row]:
        built: dict[Any, models.Model] = {}
        return [row for values in result if (row := self._columns.build(values, built)) is not None]


class PreparedQuery(local, Generic[Row]):
    """The query that `build_query(*values)` returns, compiled once per thread for its connection.

    The values must be the parameters of its SQL, in their order there.
    """

    def __init__(self, build_query: Callable[..., QuerySet[Row]]) -> None:
        self._build_query = build_query
        # Cache: key the thread; bound one query a thread; invalidated by a new connection.
        self._compiled: _CompiledQuery[Row] | None = None

    def rows(self, *values: str | int) -> list[Row]:
        """Execute the query for these values. Raise `ValueError` if its SQL has other parameters."""
        compiled = self._compiled
        if compiled is None or compiled.connection is not connections[compiled.connection.alias]:
            compiled = self._compiled = _CompiledQuery(self._build_query(*values), values)
        with compiled.connection.cursor() as cursor:
            cursor.execute(compiled.sql, values)
            return compiled.build_rows(cursor.fetchall())


class _Write(Generic[Row]):
    """A statement that writes the fields `names` of a model."""

    def __init__(self, model: type[Row], names: Sequence[str]) -> None:
        self._model = model
        self._fields: list[models.Field[Any, Any]] = [model._meta.get_field(name) for name in names]  # type: ignore[misc]
        self._attributes = [field.attname for field in self._fields]
        self._converters = list(map(_get_write_converter, self._fields))

    @property
    def _columns(self) -> list[str]:
        return [connection.ops.quote_name(str(field.column)) for field in self._fields]

    @property
    def _table(self) -> str:
        return connection.ops.quote_name(self._model._meta.db_table)

    def values(self, row: Row) -> list[Any]:
        """Return the row's values of these fields."""
        return [getattr(row, attribute) for attribute in self._attributes]

    def _convert(self, values: Iterable[Any], database: BaseDatabaseWrapper) -> list[Any]:
        return [
            value if convert is None or value is None else convert(value, database)
            for value, convert in zip(values, self._converters, strict=True)
        ]


def _get_write_converter(field: "models.Field[Any, Any]") -> Callable[[Any, Any], Any] | None:
    """Return the function that converts a value of this field for the database; None if it needs no conversion."""
    if isinstance(field, UNCONVERTED_FIELDS):
        return None
    if isinstance(field, models.DateTimeField):  # all times are aware
        return lambda value, database: database.ops.adapt_datetimefield_value(value)
    return field.get_db_prep_save


class PreparedUpdate(_Write[Row]):
    """Like `row.save(update_fields=names)`, for models without signals."""

    def __init__(self, model: type[Row], names: Sequence[str]) -> None:
        super().__init__(model, names)
        # Cache: key the names of the changed fields; bound their combinations; invalidated by nothing (pure).
        self._update_of = cache(partial(PreparedUpdate, model))

    def save(self, row: Row) -> None:
        """Update the row. Raise `DatabaseError` if it does not exist."""
        database = connections[DEFAULT_DB_ALIAS]
        with database.cursor() as cursor:
            cursor.execute(self._sql, self._get_params(row, database))
            if cursor.rowcount != 1:
                raise DatabaseError(f"no row {row.pk} in {self._table}")

    def save_changes(self, row: Row, before: Sequence[Any]) -> None:
        """Update the fields that differ from the `values` before: each named column costs its indexes a write.

        Lists and dicts must have been replaced, not mutated.
        """
        after = zip(self._fields, before, self.values(row), strict=True)
        changed = tuple(field.name for field, old, new in after if old != new)
        if changed:
            self._update_of(changed).save(row)

    def save_all(self, rows: Sequence[Row]) -> None:
        """Update these rows with one call. Raise `DatabaseError` unless all of them exist."""
        database = connections[DEFAULT_DB_ALIAS]
        with database.cursor() as cursor:
            cursor.executemany(self._sql, [self._get_params(row, database) for row in rows])
            if cursor.rowcount != len(rows):
                raise DatabaseError(f"not each of {rows} is in {self._table}")

    def _get_params(self, row: Row, database: BaseDatabaseWrapper) -> list[Any]:
        return [*self._convert(self.values(row), database), row.pk]

    @cached_property
    def _sql(self) -> str:
        columns = ", ".join(f"{column} = %s" for column in self._columns)
        return f"UPDATE {self._table} SET {columns} WHERE id = %s"  # noqa: S608


class PreparedInsert(_Write[Row]):
    """An insert of new rows, for models without signals; all columns unless `names` are given."""

    def __init__(self, model: type[Row], names: Sequence[str] = ()) -> None:
        columns = [field for field in model._meta.concrete_fields if not isinstance(field, models.AutoField)]
        super().__init__(model, names or [field.name for field in columns])

    def add(self, *values: Any) -> None:
        """Insert a row with these values, in the order of the names; a foreign key's value is a primary key."""
        database = connections[DEFAULT_DB_ALIAS]
        with database.cursor() as cursor:
            cursor.execute(self._sql, self._convert(values, database))

    def save(self, row: Row) -> None:
        """Insert the row like `row.save()`, without setting its primary key."""
        self.add(*self.values(row))

    @cached_property
    def _sql(self) -> str:
        columns, placeholders = ", ".join(self._columns), ", ".join(["%s"] * len(self._fields))
        return f"INSERT INTO {self._table} ({columns}) VALUES ({placeholders})"  # noqa: S608
