"""The database may be away, locked or full for a while. Which errors say so, and what the log says of it: a line when
it begins and a line when it is over."""

import logging
import math
import sqlite3
import time
from collections.abc import Awaitable, Callable
from typing import Any

from django.db import DatabaseError, InterfaceError, InternalError, OperationalError, connection

log = logging.getLogger(__name__)

QUIET = 5.0  # seconds without such an error, after which an answer says that it is over
TRY_AGAIN_LATER = 1013
AWAY, MALFORMED = "away", "malformed"
READ_ONLY = "25006"
OF_POSTGRESQL = {"53100": "full", "55P03": "locked", "40P01": "locked", READ_ONLY: AWAY}
OF_SQLITE = {
    "SQLITE_FULL": "full",
    "SQLITE_BUSY": "locked",
    "SQLITE_LOCKED": "locked",
    "SQLITE_CORRUPT": MALFORMED,
    "SQLITE_NOTADB": MALFORMED,
    "SQLITE_IOERR": AWAY,
    "SQLITE_CANTOPEN": AWAY,
    "SQLITE_READONLY": AWAY,
}
NOT_WRITTEN = (OperationalError, InternalError)  # what a write raises then; the latter if read-only

_last: float | None = None  # when the latest such error was seen, until it is over (time.monotonic)


def get_outage_reason(error: BaseException | None) -> str:
    """`full`, `locked`, `malformed` or `away`, if that is why the database refused; else "", and the fault is ours."""
    if not isinstance(error, DatabaseError | InterfaceError | sqlite3.Error):
        return ""
    cause = error.__cause__ or error
    if name := getattr(cause, "sqlite_errorname", ""):
        return next((word for start, word in OF_SQLITE.items() if name.startswith(start)), "")
    if code := getattr(cause, "sqlstate", None):
        return OF_POSTGRESQL.get(code, AWAY if isinstance(error, OperationalError) else "")
    no_answer = isinstance(error, OperationalError | InterfaceError) and connection.vendor == "postgresql"
    return AWAY if no_answer else ""


class OnceAnOutage(logging.Filter):
    """Lets through one record of all those that an outage of the database causes, as a single line."""

    def filter(self, record: logging.LogRecord) -> bool:
        global _last
        error = record.exc_info[1] if record.exc_info else None
        if not (word := get_outage_reason(error)):
            return True
        first = _last is None or (word == MALFORMED and _last < math.inf)
        # No rest heals a file.
        _last = math.inf if word == MALFORMED or _last == math.inf else time.monotonic()
        if first:
            said = f"{record.getMessage()}: {error}".splitlines()[0]
            record.msg, record.args = "The database is %s until it is said to be well: %s", (word, said)
            record.exc_info = record.exc_text = None
        return first


def answered() -> None:
    """The database has just done what was asked."""
    global _last
    if _last is not None and time.monotonic() - _last > QUIET:
        _last = None
        log.warning("The database is well again")


class SocketsWithoutIt:
    """An ASGI application whose sockets are closed, to come again, where they need the database and it is not there."""

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await self.app(scope, receive, send)
        except (DatabaseError, InterfaceError) as error:
            if not get_outage_reason(error):
                raise
            log.warning("The socket at %s was closed", scope["path"], exc_info=True)
            await send({"type": "websocket.close", "code": TRY_AGAIN_LATER})
