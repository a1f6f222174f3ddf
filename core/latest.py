"""A dict of a bounded size, for caches of values that are set again with each change."""

from collections import OrderedDict
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class LatestDict(OrderedDict[Key, Value]):
    """A dict of the `max_size` entries set last. Unlike in an LRU cache, a lookup makes no Python call."""

    def __init__(self, max_size: int) -> None:
        super().__init__()
        self._max_size = max_size

    def __setitem__(self, key: Key, value: Value) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self._max_size:
            self.popitem(last=False)
