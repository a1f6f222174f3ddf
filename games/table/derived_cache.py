"""A cache of values that are derived from another object, for example from a match as it stands."""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from core.latest import LatestDict

MAX_CACHED_MATCHES = 400  # a process serves about a hundred tables, some in several languages or board shapes

Source = TypeVar("Source")
Derived = TypeVar("Derived")


class DerivedCache(Generic[Source, Derived]):
    """By key, the last derived value and the object that it was derived from."""

    def __init__(self, max_size: int = MAX_CACHED_MATCHES) -> None:
        # Cache: key the caller's; bound `max_size`; replaced when asked for another source object.
        self._entries: LatestDict[Hashable, tuple[Source, Derived]] = LatestDict(max_size)
        self._lock = Lock()

    def get(self, key: Hashable, source: Source, build: Callable[[Derived | None], Derived]) -> Derived:
        """Return the value for `key`, if it was derived from this very `source` object; otherwise build it.

        `build` is called with the value that was cached for the key before, or None. It runs outside the lock, so two
        threads may build the same value. The cache keeps `source` alive.
        """
        with self._lock:
            entry = self._entries.get(key)
        if entry is not None and entry[0] is source:
            return entry[1]
        derived = build(entry and entry[1])
        with self._lock:
            self._entries[key] = source, derived
        return derived
