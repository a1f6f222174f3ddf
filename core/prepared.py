"""Statements that every move and every page needs, with their SQL made once.

Django builds the SQL of a query anew each time, and checks each column for whether it needs converting. For the rows of
a match, three joined tables with all their columns, that takes ten times as long as the database's answer, and saving a
row takes three times as long (docs/decisions/0007).
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

# What services put into these, every database takes; to have Django look at each again was half of a write.
AS_THEY_ARE = (models.CharField, models.IntegerField, models.BooleanField, models.ForeignKey)

# What these are read as nobody can change, so that many rows have it together: most moments in a row are as before.
UNCHANGEABLE = (models.DateTimeField, models.BooleanField)
REMEMBERED = 500  # of a column


class _Columns(Generic[Row]):
    """The columns of one model in an answer, and those of what was selected with it."""

    def __init__(self, about: dict[str, Any], compiler: SQLCompiler, converters: dict[int, Any]) -> None:
        fields, self._model = about["select_fields"], about["model"]
        columns = [compiler.select[at][0] for at in fields]
        self._own = slice(fields[0], fields[-1] + 1)
        self._names = [column.target.attname for column in columns]
        self._key = fields[0] + self._names.index(self._model._meta.pk.attname)
        self._converted = [
            (name, _reading(compiler.connection, *converters[at]))
            for at, name in zip(fields, self._names, strict=True)
            if at in converters
        ]
        related = about.get("related_klass_infos", ())
        self._related: list[tuple[_Columns[Any], Callable[..., None], Callable[..., None]]] = [
            (_Columns(each, compiler, converters), each["local_setter"], each["remote_setter"])
            for each in related
        ]
        self._alias = compiler.connection.alias

    def row(self, found: Sequence[Any], made: dict[Any, models.Model]) -> Row | None:
        """The row in what was `found`; one that several have in common is made once. `Model.from_db` without its
        signals and its look at each field took twice as long."""
        key = self, found[self._key]
        if key in made or key[1] is None:
            return made.get(key)  # type: ignore[return-value]
        row = made[key] = self._model.__new__(self._model)
        values = vars(row)
        values.update(zip(self._names, found[self._own], strict=True))
        for name, read in self._converted:
            if (value := values[name]) is not None:
                values[name] = read(value)
        row._state = ModelState()
        row._state.adding, row._state.db = False, self._alias
        for columns, set_here, set_there in self._related:
            related = columns.row(found, made)
            set_here(row, related)
            if related is not None:
                set_there(related, row)
        return row


def _reading(database: Any, converters: Sequence[Callable[..., Any]], column: Any) -> Callable[[Any], Any]:
    """What the database says in this column, as the row has it."""

    def read(value: Any) -> Any:
        for convert in converters:
            value = convert(value, column, database)
        return value

    return lru_cache(REMEMBERED)(read) if isinstance(column.target, UNCHANGEABLE) else read


class _Made(Generic[Row]):
    """The SQL of a query for one connection, and how its columns become rows."""

    def __init__(self, asked: QuerySet[Row], values: tuple[str | int, ...]) -> None:
        self.connection = connections[asked.db]
        compiler = asked.query.get_compiler(using=asked.db)
        self.sql, params = compiler.as_sql()
        if tuple(params) != values:
            raise ValueError(f"other values than {values} are asked for: {params}")
        converters = compiler.get_converters([column for column, *_ in compiler.select])
        self._columns: _Columns[Row] = _Columns(compiler.klass_info, compiler, converters)

    def rows(self, found: Iterable[Sequence[Any]]) -> list[Row]:
        made: dict[Any, models.Model] = {}
        return [row for each in found if (row := self._columns.row(each, made)) is not None]


class PreparedQuery(local, Generic[Row]):
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
            return self._made.rows(cursor.fetchall())


class _Write(Generic[Row]):
    """`names` are those of the model's fields that are written."""

    def __init__(self, model: type[Row], names: Sequence[str]) -> None:
        self._model = model
        self._fields: list[models.Field[Any, Any]] = [model._meta.get_field(name) for name in names]  # type: ignore[misc]
        self._attributes = [field.attname for field in self._fields]
        self._ways = list(map(_writing, self._fields))

    @property
    def _columns(self) -> list[str]:
        return [connection.ops.quote_name(str(field.column)) for field in self._fields]

    @property
    def _table(self) -> str:
        return connection.ops.quote_name(self._model._meta.db_table)

    def values(self, row: Row) -> list[Any]:
        """The row's values of these fields."""
        return [getattr(row, attribute) for attribute in self._attributes]

    def _prepared(self, values: Iterable[Any], database: BaseDatabaseWrapper) -> list[Any]:
        return [
            value if way is None or value is None else way(value, database)
            for value, way in zip(values, self._ways, strict=True)
        ]


def _writing(field: "models.Field[Any, Any]") -> Callable[[Any, Any], Any] | None:
    """How a value of this field becomes the database's; None where it is that already."""
    if isinstance(field, AS_THEY_ARE):
        return None
    if isinstance(field, models.DateTimeField):  # with its zone, as all moments here
        return lambda moment, database: database.ops.adapt_datetimefield_value(moment)
    return field.get_db_prep_save


class PreparedUpdate(_Write[Row]):
    """`row.save(update_fields=names)` of a model without signals. Raises DatabaseError if there is no such row."""

    def __init__(self, model: type[Row], names: Sequence[str]) -> None:
        super().__init__(model, names)
        self._part = cache(partial(PreparedUpdate, model))

    def save(self, row: Row) -> None:
        database = connections[DEFAULT_DB_ALIAS]
        with database.cursor() as cursor:
            cursor.execute(self._sql, self._params(row, database))
            if cursor.rowcount != 1:
                raise DatabaseError(f"no row {row.pk} in {self._table}")

    def save_changes(self, row: Row, before: Sequence[Any]) -> None:
        """`save` of what is no longer as in the `values` before: a database writes each index of a column that is
        named. Lists and dicts must have been replaced, not changed."""
        after = zip(self._fields, before, self.values(row), strict=True)
        changed = tuple(field.name for field, was, value in after if value != was)
        if changed:
            self._part(changed).save(row)

    def save_all(self, rows: Sequence[Row]) -> None:
        """`save` of each, in one go."""
        database = connections[DEFAULT_DB_ALIAS]
        with database.cursor() as cursor:
            cursor.executemany(self._sql, [self._params(row, database) for row in rows])
            if cursor.rowcount != len(rows):
                raise DatabaseError(f"not each of {rows} is in {self._table}")

    def _params(self, row: Row, database: BaseDatabaseWrapper) -> list[Any]:
        return [*self._prepared(self.values(row), database), row.pk]

    @cached_property
    def _sql(self) -> str:
        columns = ", ".join(f"{column} = %s" for column in self._columns)
        return f"UPDATE {self._table} SET {columns} WHERE id = %s"  # noqa: S608


class PreparedInsert(_Write[Row]):
    """New rows of a model without signals, with all its columns if none are named."""

    def __init__(self, model: type[Row], names: Sequence[str] = ()) -> None:
        columns = [field for field in model._meta.concrete_fields if not isinstance(field, models.AutoField)]
        super().__init__(model, names or [field.name for field in columns])

    def add(self, *values: Any) -> None:
        """A row of these values, in the order of the names; of a foreign key the other row's key."""
        database = connections[DEFAULT_DB_ALIAS]
        with database.cursor() as cursor:
            cursor.execute(self._sql, self._prepared(values, database))

    def save(self, row: Row) -> None:
        """As `row.save()`, but the row is not told its key."""
        self.add(*self.values(row))

    def create(self, row: Row) -> None:
        """As `save`, and the row knows its key and that it is stored."""
        database = connections[DEFAULT_DB_ALIAS]
        told = database.features.can_return_columns_from_insert  # not by old SQLite
        with database.cursor() as cursor:
            cursor.execute(
                f"{self._sql} RETURNING id" if told else self._sql,
                self._prepared(self.values(row), database),
            )
            row.pk = cursor.fetchone()[0] if told else cursor.lastrowid
        row._state.adding, row._state.db = False, database.alias

    def save_all(self, rows: Iterable[Row]) -> None:
        """As `save` of each, in one go."""
        database = connections[DEFAULT_DB_ALIAS]
        with database.cursor() as cursor:
            cursor.executemany(self._sql, [self._prepared(self.values(row), database) for row in rows])

    @cached_property
    def _sql(self) -> str:
        columns, holes = ", ".join(self._columns), ", ".join(["%s"] * len(self._fields))
        return f"INSERT INTO {self._table} ({columns}) VALUES ({holes})"  # noqa: S608
