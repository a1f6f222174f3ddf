"""Django's SQLite, whose statements and answers are looked through once."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.db.backends.sqlite3 import base

STATEMENTS = 500  # of them, a process hardly has more


class Cursor(base.SQLiteCursorWrapper):
    def convert_query(self, query: str, *, param_names: Sequence[str] | None = None) -> str:
        """As Django's, which looks through the text of each statement each time that it is sent; and the text being the
        same object, SQLite's module finds what it has prepared of it at once."""
        return super().convert_query(query, param_names=param_names) if param_names else _with_marks(query)


class DatabaseWrapper(base.DatabaseWrapper):
    def get_connection_params(self) -> dict[str, Any]:
        """Django has Python's module look up the type of each column of each answer, and does so itself again."""
        return super().get_connection_params() | {"detect_types": 0}

    def create_cursor(self, name: str | None = None) -> Cursor:
        return self.connection.cursor(factory=Cursor)


@lru_cache(STATEMENTS)
def _with_marks(query: str) -> str:
    return base.FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%")
