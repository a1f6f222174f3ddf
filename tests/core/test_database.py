"""Database outages: their reasons and their two lines in the log."""

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


def sqlite_error(name: str, kind: type[DatabaseError] = OperationalError) -> DatabaseError:
    """Return what Django raises for an SQLite error of this name."""
    cause = sqlite3.OperationalError("said by SQLite")
    cause.sqlite_errorname = name
    error = kind("said by SQLite")
    error.__cause__ = cause
    return error


@pytest.fixture
def log_lines(monkeypatch):
    """Return a function that returns the lines logged so far."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(OutageLogFilter())
    logging.getLogger().addHandler(handler)
    monkeypatch.setattr(database, "_last_error_at", None)
    yield lambda: stream.getvalue().splitlines()
    logging.getLogger().removeHandler(handler)


def log_error(error: Exception) -> None:
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
def test_sqlite_error_gives_outage_reason(name, word):
    assert get_outage_reason(sqlite_error(name)) == word


def test_other_errors_are_no_outage():
    assert (
        get_outage_reason(IntegrityError("twice"))
        == get_outage_reason(ValueError("odd"))
        == get_outage_reason(None)
        == ""
    )


def test_read_only_postgresql_is_away(log_lines):
    for _ in range(100):
        error = InternalError("cannot execute UPDATE in a read-only transaction")
        error.__cause__ = ReadOnlySqlTransaction(str(error))
        assert get_outage_reason(error) == "away"
        log_error(error)
    assert log_lines() == [
        "The database is away until it is said to be well: The referee stumbled:"
        " cannot execute UPDATE in a read-only transaction"
    ]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="what psycopg says without a server's code")
def test_unreachable_server_is_away():
    assert get_outage_reason(OperationalError("connection refused")) == "away"
    assert get_outage_reason(InterfaceError("the connection is closed")) == "away"


def test_outage_is_logged_at_start_and_end(log_lines, monkeypatch):
    for _ in range(100):
        log_error(sqlite_error("SQLITE_BUSY"))
    assert log_lines() == [
        "The database is locked until it is said to be well: The referee stumbled: said by SQLite"
    ]
    database.note_success()
    assert len(log_lines()) == 1  # a success between errors does not end the outage
    monkeypatch.setattr(database, "RECOVERY_SECONDS", -1.0)
    for _ in range(3):
        database.note_success()
    assert log_lines()[1:] == ["The database is well again"]
    log_error(sqlite_error("SQLITE_FULL"))
    assert len(log_lines()) == 3


def test_malformed_file_is_logged_and_does_not_recover(log_lines, monkeypatch):
    monkeypatch.setattr(database, "RECOVERY_SECONDS", -1.0)
    for name in ("SQLITE_BUSY", "SQLITE_CORRUPT", "SQLITE_CORRUPT", "SQLITE_BUSY"):
        log_error(sqlite_error(name))
    database.note_success()
    assert [line.split(" until")[0] for line in log_lines()] == [
        "The database is locked",
        "The database is malformed",
    ]


def test_other_errors_keep_traceback(log_lines):
    log_error(ValueError("odd"))
    assert "ValueError: odd" in log_lines()


async def test_socket_is_closed_with_1013_during_outage(log_lines):
    async def app(scope, receive, send):
        raise sqlite_error("SQLITE_BUSY")

    sent = []

    async def send(message):
        sent.append(message)

    await SocketOutageMiddleware(app)({"path": "/ws/lobby/"}, None, send)
    assert sent == [{"type": "websocket.close", "code": 1013}]
    assert len(log_lines()) == 1
