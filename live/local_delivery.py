"""Pages of this process that somebody tells a match's new version by hand."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import local

_by_hand = local()


@contextmanager
def hold_back_changes(group: str) -> Iterator[None]:
    """The new versions that this thread announces to `group` in this block, the caller tells the pages in this process:
    where there is no other process, nobody else need hear of them. All other news goes its way. If the block fails, as
    a move does that is refused because of what time had decided before it, they go their way, too."""
    untold: list[Callable[[], None]] = []
    _by_hand.group, _by_hand.untold = group, untold
    try:
        yield
        untold.clear()
    finally:
        _by_hand.group = None
        for announce in untold:
            announce()


def hold_back(group: str, announce: Callable[[], None]) -> bool:
    """Leave what `announce` would tell `group` to whoever tells it by hand; False if nobody does."""
    if getattr(_by_hand, "group", None) != group:
        return False
    _by_hand.untold.append(announce)
    return True
