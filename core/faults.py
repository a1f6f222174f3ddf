"""Work through rows so that one that fails costs itself, and not those after it."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from core.database import get_outage_reason

LOG_INTERVAL_SECONDS = 3600.0  # duties meet the same fault every few seconds
MAX_REMEMBERED = 1000

_logged: dict[str, float] = {}  # by what failed: when it was logged (time.monotonic)


@contextmanager
def contain(log: logging.Logger, what: str) -> Iterator[None]:
    """Log an error with the name of what failed, once an hour, and go on after the block.

    An outage of the database is raised: it concerns every row.
    """
    try:
        yield
    except Exception as error:
        if get_outage_reason(error):
            raise
        if _is_news(f"{log.name}: {what}"):
            log.exception("%s failed; the others go on", what)


def _is_news(what: str) -> bool:
    now = time.monotonic()
    if now - _logged.get(what, -LOG_INTERVAL_SECONDS) < LOG_INTERVAL_SECONDS:
        return False
    if len(_logged) >= MAX_REMEMBERED:
        _logged.clear()
    _logged[what] = now
    return True
