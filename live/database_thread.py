"""The one thread in which the sockets of this process ask the database, whichever of them it is.

Two things would hold up the moves there and have threads of their own: the lists of the lobby, which take ten times as
long (lobbies.consumers), and how many are watching (live.broadcast)."""

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

Visit = tuple[Callable[[], Any], "asyncio.Future[Any]"]
Visits = SimpleQueue[Visit | None]  # None, and there are no more

_visit = local()


async def run_in_database_thread(deed: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """What `deed` returns or raises there, one after the other. Its caller cancelled, what has begun is done to its end
    and what has not is not done.

    Channels' `database_sync_to_async` carries the caller's context there and back, and chains three futures: half of
    what the loop did for a move. A pool of threads makes one more, with a lock, that nobody asks.
    """
    answer: asyncio.Future[R] = asyncio.get_running_loop().create_future()
    _visits().put((partial(deed, *args, **kwargs), answer))
    return await answer


def get_calling_loop() -> asyncio.AbstractEventLoop | None:
    """The loop whose visit this thread is at; None in every other thread."""
    return getattr(_visit, "loop", None)


@cache
def _visits() -> Visits:
    """The visits to the thread, which begins with the first; the process ends when all have been."""
    visits: Visits = SimpleQueue()
    # Python waits for one that is no daemon before it says that the process ends.
    thread = Thread(target=_receive, args=(visits,), name="sockets", daemon=True)
    thread.start()
    atexit.register(_end, visits, thread)
    return visits


register_at_fork(after_in_child=_visits.cache_clear)


def _receive(visits: Visits) -> None:
    while visit := visits.get():
        _visited(*visit)
        del visit  # and what hangs on it, until the next comes


def _end(visits: Visits, thread: Thread) -> None:
    visits.put(None)
    thread.join()


def _visited(deed: Callable[[], Any], answer: "asyncio.Future[Any]") -> None:
    if answer.cancelled():
        return
    _visit.loop = loop = answer.get_loop()
    found: Any = None
    failure: BaseException | None = None
    try:
        try:
            found = deed()
        finally:
            # The next visit begins with a good connection: what is kept is looked at when it is used again.
            close_old_connections()
    except BaseException as error:
        failure = error
    with suppress(RuntimeError):  # the loop has been closed, and nobody waits
        loop.call_soon_threadsafe(_settle, answer, found, failure)


def _settle(answer: "asyncio.Future[R]", found: R, failure: BaseException | None) -> None:
    if answer.done():  # cancelled meanwhile
        return
    if failure is None:
        answer.set_result(found)
    else:
        answer.set_exception(failure)
