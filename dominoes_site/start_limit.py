"""End a process that hangs while it starts, so that systemd or its parent starts another.

systemd's watchdog and the parent's beats begin once a process serves. A thread of faulthandler ends it even where
Python code waits forever, such as for a lock of the database.
"""

import faulthandler

MAX_START_SECONDS = 120.0  # from the command to serving; it takes 3 on a quiet machine


def begin() -> None:
    """End this process with status 1 and the tracebacks of its threads, unless `end` is called in time."""
    faulthandler.dump_traceback_later(MAX_START_SECONDS, exit=True)


def end() -> None:
    faulthandler.cancel_dump_traceback_later()
