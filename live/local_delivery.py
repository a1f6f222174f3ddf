"""Delivery of a match's new version by the caller itself, without the channel layer."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import local

_held_back = local()


@contextmanager
def hold_back_changes(group: str) -> Iterator[None]:
    """Hold back `match.changed` for `group`: the caller updates this process's pages itself.

    Applies to this thread, and only where there is no other process to notify. If the block raises, send what was
    held back: a refused move may follow a change that time brought about, which is committed.
    """
    sends: list[Callable[[], None]] = []
    _held_back.group, _held_back.sends = group, sends
    try:
        yield
        sends.clear()
    finally:
        _held_back.group = None
        for send in sends:
            send()


def hold_back(group: str, send: Callable[[], None]) -> bool:
    """Hold back `send` if this thread is in `hold_back_changes` for `group`; return whether it is."""
    if getattr(_held_back, "group", None) != group:
        return False
    _held_back.sends.append(send)
    return True
