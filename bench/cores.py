"""A core for what is measured and another for what measures it, where the system lets a process choose."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

SERVERS, PLAYERS = 0, 1


@contextmanager
def on_core(which: int) -> Iterator[None]:
    """Within the block this process is on one core, and those that it starts there stay on it; on the first again after
    the last. Changes nothing where there are not two, or the system does not let it."""
    mine = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    if len(mine) < 2:
        yield
        return
    os.sched_setaffinity(0, {sorted(mine)[which % len(mine)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, mine)
