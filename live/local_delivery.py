"""Delivery of a match's new version by the caller itself, without the channel layer."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import local

_held_back = local()
_followers: Counter[str] = Counter()  # by group: pages of this process that are not updated by the caller


def follow(groups: Iterable[str]) -> None:
    """Count one more page that depends on these matches without being theirs."""
    _followers.update(groups)


def unfollow(groups: Iterable[str]) -> None:
    """Undo `follow`."""
    for group in groups:
        _followers[group] -= 1
        if not _followers[group]:
            del _followers[group]


@contextmanager
def hold_back_changes(group: str) -> Iterator[None]:
    """Hold back `match.changed` for `group`: the caller updates the match's pages in this process itself.

    Applies to this thread, and only where there is no other process to notify. If the block raises, send what was
    held back: a refused move may follow a change that time brought about, which is committed. Send it too if any other
    page follows the match.
    """
    sends: list[Callable[[], None]] = []
    _held_back.group, _held_back.sends = group, sends
    try:
        yield
        if group not in _followers:
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
