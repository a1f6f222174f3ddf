"""An outage of the database costs the log two lines, however many things fail by it."""

import io
import logging
import sqlite3

import pytest
from django.db import (
    DatabaseError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    connection,
)
from psycopg.errors import ReadOnlySqlTransaction

from core import database
from core.database import OutageLogFilter, SocketOutageMiddleware, get_outage_reason


def refusal(name: str, kind: type[DatabaseError] = OperationalError) -> DatabaseError:
    """What Django raises of an error that SQLite has a name for."""
    cause = sqlite3.OperationalError("said by SQLite")
    cause.sqlite_errorname = name
    error = kind("said by SQLite")
    error.__cause__ = cause
    return error


@pytest.fixture
def told(monkeypatch):
    """A function: the lines of the log so far."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(OutageLogFilter())
    logging.getLogger().addHandler(handler)
    monkeypatch.setattr(database, "_last_error_at", None)
    yield lambda: stream.getvalue().splitlines()
    logging.getLogger().removeHandler(handler)


def fail(error: Exception) -> None:
    try:
        raise error
    except Exception:
        logging.getLogger("somewhere").exception("The referee stumbled")


@pytest.mark.parametrize(
    "name, word",
    [
        ("SQLITE_BUSY", "locked"),
        ("SQLITE_BUSY_SNAPSHOT", "locked"),
        ("SQLITE_FULL", "full"),
        ("SQLITE_IOERR_WRITE", "away"),
        ("SQLITE_CANTOPEN", "away"),
        ("SQLITE_CORRUPT", "malformed"),
        ("SQLITE_ERROR", ""),
    ],
)
def test_what_sqlite_says_is_known_by_a_word(name, word):
    assert get_outage_reason(refusal(name)) == word


def test_a_fault_of_ours_is_no_outage():
    assert get_outage_reason(IntegrityError("twice")) == get_outage_reason(ValueError("odd")) == get_outage_reason(None) == ""


def test_a_postgresql_that_may_only_be_read_is_away(told):
    for _ in range(100):
        error = InternalError("cannot execute UPDATE in a read-only transaction")
        error.__cause__ = ReadOnlySqlTransaction(str(error))
        assert get_outage_reason(error) == "away"
        fail(error)
    assert told() == [
        "The database is away until it is said to be well: The referee stumbled:"
        " cannot execute UPDATE in a read-only transaction"
    ]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="what psycopg says without a server's code")
def test_a_server_that_does_not_answer_is_away():
    assert get_outage_reason(OperationalError("connection refused")) == "away"
    assert get_outage_reason(InterfaceError("the connection is closed")) == "away"


def test_an_outage_is_told_when_it_begins_and_when_it_is_over(told, monkeypatch):
    for _ in range(100):
        fail(refusal("SQLITE_BUSY"))
    assert told() == [
        "The database is locked until it is said to be well: The referee stumbled: said by SQLite"
    ]
    database.note_success()
    assert len(told()) == 1  # one success between failures is not the end
    monkeypatch.setattr(database, "RECOVERY_SECONDS", -1.0)
    for _ in range(3):
        database.note_success()
    assert told()[1:] == ["The database is well again"]
    fail(refusal("SQLITE_FULL"))
    assert len(told()) == 3


def test_a_malformed_file_is_told_beside_all_else_and_does_not_get_well(told, monkeypatch):
    monkeypatch.setattr(database, "RECOVERY_SECONDS", -1.0)
    for name in ("SQLITE_BUSY", "SQLITE_CORRUPT", "SQLITE_CORRUPT", "SQLITE_BUSY"):
        fail(refusal(name))
    database.note_success()
    assert [line.split(" until")[0] for line in told()] == [
        "The database is locked",
        "The database is malformed",
    ]


def test_what_else_breaks_keeps_its_traceback(told):
    fail(ValueError("odd"))
    assert "ValueError: odd" in told()


async def test_a_socket_that_needs_a_database_that_is_not_there_is_told_to_come_again(told):
    async def arriving(scope, receive, send):
        raise refusal("SQLITE_BUSY")

    sent = []

    async def send(message):
        sent.append(message)

    await SocketOutageMiddleware(arriving)({"path": "/ws/lobby/"}, None, send)
    assert sent == [{"type": "websocket.close", "code": 1013}]
    assert len(told()) == 1
