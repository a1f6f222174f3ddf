"""Notify other apps, inside the transaction of the move, when a round of shared deals has ended."""

from collections.abc import Callable
from datetime import datetime

from games.repository import Snapshot

RoundEndHandler = Callable[[Snapshot, datetime], bool]

_handlers: list[RoundEndHandler] = []


def register(handler: RoundEndHandler) -> None:
    """Call `handler` after each round of shared deals, with the match after it and the time of the move.

    It returns whether another round may be played.
    """
    _handlers.append(handler)


def notify(snapshot: Snapshot, now: datetime) -> bool:
    """Call the registered handlers; return whether another round may be played.

    The round that has ended is the last one of `snapshot.value.ended`.
    """
    return all([handler(snapshot, now) for handler in _handlers])
