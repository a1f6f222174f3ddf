"""Wait for what happens elsewhere: in a server, a page, another thread. Every wait has a deadline and says what for."""

import asyncio
import time
from collections.abc import Callable, Iterator
from inspect import getsource
from typing import TypeVar

TIMEOUT_SECONDS = 60.0  # a busy machine is slow, not wrong
INTERVAL_SECONDS = 0.03

Value = TypeVar("Value")


def until(
    condition: Callable[[], Value],
    what: str = "",
    *,
    seconds: float = TIMEOUT_SECONDS,
    interval: float = INTERVAL_SECONDS,
    sleep: Callable[[float], object] = time.sleep,
    status: Callable[[], object] | None = None,
) -> Value:
    """Return the first true value of `condition`, asked every `interval` seconds.

    Raise `AssertionError` after `seconds`: it says `what` was waited for (by default the condition's source), the last
    value and, if given, the `status`.
    """
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() >= deadline:
            details = f"; status: {status()}" if status else ""
            raise AssertionError(
                f"waited {seconds:g} seconds for {what or source_of(condition)}: got {value!r}{details}"
            )
        sleep(interval)
    return value


async def until_async(
    condition: Callable[[], Value],
    what: str = "",
    *,
    seconds: float = TIMEOUT_SECONDS,
    interval: float = INTERVAL_SECONDS,
) -> Value:
    """Return the first true value of `condition`, and let other tasks run meanwhile; otherwise as `until`."""
    for _ in attempts(what or source_of(condition), seconds=seconds):
        if value := condition():
            return value
        await asyncio.sleep(interval)
    raise AssertionError  # by `attempts`, before


def attempts(
    what: str,
    *,
    seconds: float = TIMEOUT_SECONDS,
    interval: float = 0.0,
    sleep: Callable[[float], object] = time.sleep,
) -> Iterator[int]:
    """Count attempts from 0 for `seconds`; the caller leaves the loop when `what` has come about.

    Raise `AssertionError` when the time is over.

    >>> for number in attempts("the third attempt", seconds=1):
    ...     if number == 2:
    ...         break
    """
    deadline = time.monotonic() + seconds
    number = 0
    while time.monotonic() < deadline or number == 0:
        yield number
        number += 1
        if interval:
            sleep(interval)
    raise AssertionError(f"waited {seconds:g} seconds for {what}")


def source_of(condition: Callable[..., object]) -> str:
    """Return the source of a function on one line, for a message."""
    try:
        return " ".join(getsource(condition).split())
    except (OSError, TypeError):
        return repr(condition)
