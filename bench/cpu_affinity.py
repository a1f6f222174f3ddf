"""Pin the measured server and the players to different CPU cores, where the system supports it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

SERVERS, PLAYERS = 0, 1


@contextmanager
def pinned_to_core(core: int) -> Iterator[None]:
    """Pin this process to one core within the block; processes that it starts there stay pinned.

    Core numbers wrap around. Does nothing with a single core or without system support.
    """
    allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    if len(allowed) < 2:
        yield
        return
    os.sched_setaffinity(0, {sorted(allowed)[core % len(allowed)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)
