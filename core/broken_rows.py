"""Rows that this release cannot use, such as rules with an option that it does not know.

Each costs itself alone: it is left out, logged once by each process, and named in the admin and by /healthz.
"""

import logging
import time
from collections.abc import Callable, Iterable

log = logging.getLogger(__name__)

TTL_SECONDS = 10.0
Finder = Callable[[], Iterable[str]]

_finders: list[Finder] = []
_logged: set[str] = set()  # bounded by the number of broken rows, which only staff and upgrades make
# Cache: key none; bound one value; invalidated after TTL_SECONDS.
_found: list[str] = []
_valid_until = 0.0


def register(finder: Finder) -> None:
    """Let `finder` name broken rows, with what is wrong: *site game sevens: rules: …*."""
    _finders.append(finder)


def find_broken_rows() -> list[str]:
    """Return all broken rows as their apps name them, at most `TTL_SECONDS` old."""
    global _found, _valid_until
    if time.monotonic() >= _valid_until:
        _found = [name for finder in _finders for name in finder()]
        _valid_until = time.monotonic() + TTL_SECONDS
        for name in _found:
            log_once(name)
    return _found


def log_once(name: str) -> None:
    """Log a broken row, once in the life of the process."""
    if name not in _logged:
        _logged.add(name)
        log.error("A row is left out, as this release cannot use it: %s", name)


def clear_cache() -> None:
    global _valid_until
    _valid_until = 0.0
    _logged.clear()
