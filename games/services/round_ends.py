"""Notify other apps, inside the transaction of the move, when a round of shared deals has ended."""

from collections.abc import Callable

from games.repository import Snapshot

RoundEndHandler = Callable[[Snapshot], None]

_handlers: list[RoundEndHandler] = []


def register(handler: RoundEndHandler) -> None:
    """Call `handler` after each round of shared deals, with the match after it."""
    _handlers.append(handler)


def notify(snapshot: Snapshot) -> None:
    """Call the registered handlers; the round that has ended is the last one of `snapshot.value.ended`."""
    for handler in _handlers:
        handler(snapshot)
