"""The SQL statements that a block sends."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.test.utils import CaptureQueriesContext

TRANSACTION_CONTROL = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")


def is_transaction_control(sql: str) -> bool:
    return sql.startswith(TRANSACTION_CONTROL)


@contextmanager
def captured_statements() -> Iterator[list[str]]:
    """Yield a list that has, after the block, the statements sent in it, without transaction control."""
    statements: list[str] = []
    with CaptureQueriesContext(connection) as captured:
        yield statements
    statements += [query["sql"] for query in captured if not is_transaction_control(query["sql"])]
