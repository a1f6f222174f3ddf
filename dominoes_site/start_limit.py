"""End a process that hangs while it starts, so that systemd or its parent starts another.

systemd's watchdog and the parent's beats begin once a process serves. A thread of faulthandler ends it even where
Python code waits forever, such as for a database that accepts a connection and says nothing. `setup` and `serve` have
this limit each; migrations that run may take longer, but wait for no lock of PostgreSQL for longer than
`MAX_LOCK_SECONDS`.
"""

import faulthandler

from django.db import DatabaseError, connection

MAX_START_SECONDS = 120.0  # from the command to serving; it takes 3 on a quiet machine
MAX_LOCK_SECONDS = 60.0  # less: the error says more than tracebacks
_LOCK_NOT_AVAILABLE = "55P03"


def begin() -> None:
    """End this process with status 1 and the tracebacks of its threads, unless `end` is called in time."""
    faulthandler.dump_traceback_later(MAX_START_SECONDS, exit=True)


def end() -> None:
    faulthandler.cancel_dump_traceback_later()


def limit_lock_waits() -> None:
    """Let a statement on this connection fail that waits too long for a lock. SQLite waits for 5 seconds anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = {int(MAX_LOCK_SECONDS * 1000)}")


def is_lock_wait(error: DatabaseError) -> bool:
    """Return whether a statement failed because it waited too long for a lock."""
    return getattr(error.__cause__, "sqlstate", "") == _LOCK_NOT_AVAILABLE
