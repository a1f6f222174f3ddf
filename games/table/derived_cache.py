"""What is made from a match as it stands, and kept until it is made from another value: which may go on from it."""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from cachetools import LRUCache

KEPT = 400  # a process carries about a hundred tables (docs/deploy.md), some in several languages or shapes

Source = TypeVar("Source")
Made = TypeVar("Made")


class Latest(Generic[Source, Made]):
    """By key, what was made last and the very object it was made from."""

    def __init__(self, most: int = KEPT) -> None:
        self._kept: LRUCache[Hashable, tuple[Source, Made]] = LRUCache(most)
        self._lock = Lock()

    def of(self, key: Hashable, source: Source, make: Callable[[Made | None], Made]) -> Made:
        """What `make` makes of `source`, given what was kept before; kept for `key` while it is asked for from the
        same."""
        with self._lock:
            kept = self._kept.get(key)
        if kept is not None and kept[0] is source:
            return kept[1]
        made = make(kept and kept[1])
        with self._lock:
            self._kept[key] = source, made
        return made
