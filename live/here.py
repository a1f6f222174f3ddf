"""Pages of this process that somebody tells a match's new version by hand."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import local

_by_hand = local()


@contextmanager
def told_here(group: str) -> Iterator[None]:
    """The new version that this thread announces to `group` in this block, the caller tells the pages in this process:
    where there is no other process, nobody else need hear of it. All other news goes its way."""
    _by_hand.group = group
    try:
        yield
    finally:
        _by_hand.group = None


def is_told(group: str) -> bool:
    return getattr(_by_hand, "group", None) == group
