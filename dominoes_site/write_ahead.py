"""The size of SQLite's write-ahead log, which grows as long as one reader holds an old state of the database."""

import logging
from datetime import datetime
from pathlib import Path

from django.db import connection

log = logging.getLogger(__name__)

LARGE_BYTES = 64 * 2**20  # some 40 seconds of a busy site behind one reader
MEGABYTE = 2**20

_is_large = False  # as it was logged last


def get_log_bytes() -> int:
    """Return the size of the file; 0 without one and for PostgreSQL."""
    if connection.vendor != "sqlite":
        return 0
    try:
        return Path(f"{connection.settings_dict['NAME']}-wal").stat().st_size
    except OSError:
        return 0


def describe_large_log() -> list[str]:
    """Return *write-ahead log 70 MB* if it is large, for `/healthz`; else nothing."""
    size = get_log_bytes()
    return [f"write-ahead log {size // MEGABYTE} MB"] if size >= LARGE_BYTES else []


def check(now: datetime) -> None:
    """Log that the file has become large, and that it is small again. A duty."""
    global _is_large
    size = get_log_bytes()
    if (size >= LARGE_BYTES) == _is_large:
        return
    _is_large = not _is_large
    if _is_large:
        log.warning(
            "SQLite's write-ahead log has %d MB: some reader has been open for long (docs/deploy.md, Watching it)",
            size // MEGABYTE,
        )
    else:
        log.warning("SQLite's write-ahead log is small again")
