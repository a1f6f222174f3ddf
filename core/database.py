"""Database outages: which errors are one, and how they are logged."""

import logging
import math
import sqlite3
import time
from collections.abc import Awaitable, Callable
from typing import Any

from django.db import DatabaseError, InterfaceError, InternalError, OperationalError, connection

log = logging.getLogger(__name__)

RECOVERY_SECONDS = 5.0  # without an error, after which an outage counts as over
CLOSE_TRY_AGAIN_LATER = 1013
AWAY, MALFORMED = "away", "malformed"
REASON_BY_SQLSTATE = {
    "53100": "full",
    "55P03": "locked",
    "40P01": "locked",
    "25006": AWAY,
}  # 25006: read-only
REASON_BY_SQLITE_ERROR = {  # by how the error's name begins
    "SQLITE_FULL": "full",
    "SQLITE_BUSY": "locked",
    "SQLITE_LOCKED": "locked",
    "SQLITE_CORRUPT": MALFORMED,
    "SQLITE_NOTADB": MALFORMED,
    "SQLITE_IOERR": AWAY,
    "SQLITE_CANTOPEN": AWAY,
    "SQLITE_READONLY": AWAY,
}
WRITE_ERRORS = (
    OperationalError,
    InternalError,
)  # raised by a write during an outage; InternalError if read-only

_last_error_at: float | None = (
    None  # time.monotonic; None if there is no outage, inf if the file is malformed
)


def get_outage_reason(error: BaseException | None) -> str:
    """Return `full`, `locked`, `malformed` or `away` for an outage of the database, "" for any other error."""
    if not isinstance(error, DatabaseError | InterfaceError | sqlite3.Error):
        return ""
    cause = error.__cause__ or error
    if name := getattr(cause, "sqlite_errorname", ""):
        reasons = (reason for start, reason in REASON_BY_SQLITE_ERROR.items() if name.startswith(start))
        return next(reasons, "")
    if code := getattr(cause, "sqlstate", None):
        return REASON_BY_SQLSTATE.get(code, AWAY if isinstance(error, OperationalError) else "")
    no_answer = isinstance(error, OperationalError | InterfaceError) and connection.vendor == "postgresql"
    return AWAY if no_answer else ""


class OutageLogFilter(logging.Filter):
    """A filter that passes the first record of a database outage, as a single line, and drops the rest."""

    def filter(self, record: logging.LogRecord) -> bool:
        global _last_error_at
        error = record.exc_info[1] if record.exc_info else None
        if not (reason := get_outage_reason(error)):
            return True
        is_first = _last_error_at is None or (reason == MALFORMED and _last_error_at < math.inf)
        # A malformed file does not recover.
        is_malformed = reason == MALFORMED or _last_error_at == math.inf
        _last_error_at = math.inf if is_malformed else time.monotonic()
        if is_first:
            line = f"{record.getMessage()}: {error}".splitlines()[0]
            record.msg, record.args = "The database is %s until it is said to be well: %s", (reason, line)
            record.exc_info = record.exc_text = None
        return is_first


def note_success() -> None:
    """Log the end of an outage. Call after a successful query."""
    global _last_error_at
    if _last_error_at is not None and time.monotonic() - _last_error_at > RECOVERY_SECONDS:
        _last_error_at = None
        log.warning("The database is well again")


class SocketOutageMiddleware:
    """ASGI middleware that closes a socket with 1013 (try again later) if a database outage breaks it."""

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await self.app(scope, receive, send)
        except (DatabaseError, InterfaceError) as error:
            if not get_outage_reason(error):
                raise
            log.warning("The socket at %s was closed", scope["path"], exc_info=True)
            await send({"type": "websocket.close", "code": CLOSE_TRY_AGAIN_LATER})
