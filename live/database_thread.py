"""The thread in which all sockets of this process use the database.

Two slow queries have threads of their own, to keep moves fast: the lobby's lists (lobbies.consumers) and the count of
spectators (live.broadcast).
"""

import asyncio
import atexit
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from os import register_at_fork
from queue import SimpleQueue
from threading import Thread, local
from typing import Any, ParamSpec, TypeVar

from django.db import close_old_connections

P = ParamSpec("P")
R = TypeVar("R")

Task = tuple[Callable[[], Any], "asyncio.Future[Any]"]
TaskQueue = SimpleQueue[Task | None]  # None ends the thread

_running = local()


async def run_in_database_thread(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run `function` in the database thread, first in, first out; return its result or raise its exception.

    If the caller is cancelled, a function that has started runs to its end, and one that has not is skipped.

    Unlike Channels' `database_sync_to_async`, it copies no context and uses one future instead of three
    (docs/decisions/0003; `make bench ABLATE=1` measures it).
    """
    future: asyncio.Future[R] = asyncio.get_running_loop().create_future()
    _get_queue().put((partial(function, *args, **kwargs), future))
    return await future


def get_calling_loop() -> asyncio.AbstractEventLoop | None:
    """Return the event loop whose function this thread is running; None in any other thread."""
    return getattr(_running, "loop", None)


@cache
def _get_queue() -> TaskQueue:
    """Return the thread's queue. The first call starts the thread; at exit the process waits for the queue."""
    queue: TaskQueue = SimpleQueue()
    # A daemon: Python joins other threads before it runs the atexit functions.
    thread = Thread(target=_run_tasks, args=(queue,), name="sockets", daemon=True)
    thread.start()
    atexit.register(_stop, queue, thread)
    return queue


register_at_fork(after_in_child=_get_queue.cache_clear)


def _run_tasks(queue: TaskQueue) -> None:
    while task := queue.get():
        _run(*task)
        del task  # free its arguments before waiting for the next


def _stop(queue: TaskQueue, thread: Thread) -> None:
    queue.put(None)
    thread.join()


def _run(function: Callable[[], Any], future: "asyncio.Future[Any]") -> None:
    if future.cancelled():
        return
    _running.loop = loop = future.get_loop()
    result: Any = None
    error: BaseException | None = None
    try:
        try:
            result = function()
        finally:
            # Replaces a broken connection before the next task.
            close_old_connections()
    except BaseException as raised:
        error = raised
    with suppress(RuntimeError):  # the loop is closed
        loop.call_soon_threadsafe(_set_outcome, future, result, error)


def _set_outcome(future: "asyncio.Future[R]", result: R, error: BaseException | None) -> None:
    if future.done():  # cancelled meanwhile
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
