"""The one thread in which the sockets of this process ask the database, whichever of them it is."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import local
from typing import Any, ParamSpec, TypeVar

from django.db import close_old_connections

P = ParamSpec("P")
R = TypeVar("R")

_thread = ThreadPoolExecutor(1, thread_name_prefix="sockets")
_visit = local()


async def in_thread(deed: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """What `deed` returns or raises there, one after the other. Its caller cancelled, what has begun is done to its end
    and what has not is not done.

    Channels' `database_sync_to_async` carries the caller's context there and back, and chains three futures: half of
    what the loop did for a move.
    """
    answer: asyncio.Future[R] = asyncio.get_running_loop().create_future()
    _thread.submit(_visited, partial(deed, *args, **kwargs), answer)
    return await answer


def asked_by() -> asyncio.AbstractEventLoop | None:
    """The loop whose visit this thread is at; None in every other thread."""
    return getattr(_visit, "loop", None)


def _visited(deed: Callable[[], R], answer: "asyncio.Future[R]") -> None:
    if answer.cancelled():
        return
    _visit.loop = loop = answer.get_loop()
    found: Any = None
    failure: BaseException | None = None
    close_old_connections()
    try:
        found = deed()
    except BaseException as error:
        failure = error
    finally:
        close_old_connections()
    loop.call_soon_threadsafe(_settle, answer, found, failure)


def _settle(answer: "asyncio.Future[R]", found: R, failure: BaseException | None) -> None:
    if answer.done():  # cancelled meanwhile
        return
    if failure is None:
        answer.set_result(found)
    else:
        answer.set_exception(failure)
