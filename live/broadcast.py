"""Telling open pages that something has changed: a nudge after the commit, never the content.

A nudge may be lost (a restarted Redis, a full queue): pages carry versions, ask by themselves every 20 seconds,
and get the present state whenever they connect. So a nudge that cannot be sent is logged and nothing fails.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.db import transaction

from live.database_thread import get_calling_loop
from live.local_delivery import hold_back

log = logging.getLogger(__name__)

_loop: asyncio.AbstractEventLoop | None = None
_ended = False


def set_delivery_loop(loop: asyncio.AbstractEventLoop | None) -> None:
    """From now on, send from every thread of this process through `loop`, the one that its sockets run on.

    The in-memory layer needs this: what another loop puts into its queues wakes nobody for seconds.
    """
    global _loop
    _loop = loop


def stop_delivery() -> None:
    """The server's loop ends, and with it the pages of this process. What a thread still changes is stored; to wait for
    the loop to tell of it would be to wait for ever."""
    global _ended
    _ended = True


GATHERED = 0.5  # seconds

_gathering: set[str] = set()
_thread = ThreadPoolExecutor(1, thread_name_prefix="gathered")


def broadcast_throttled(group: str, message: Callable[[], dict[str, Any]]) -> None:
    """Like `broadcast`, for what happens in crowds: at most twice a second, with the message as it is by then.

    `message` asks the database, in a thread.
    """
    transaction.on_commit(partial(_gather, group, message))


def broadcast(group: str, message: dict[str, Any]) -> None:
    """Send `message` (with its `type`, such as "match.changed") to the pages in `group` after the commit.

    From synchronous code on any thread: views, the referee, management commands, other processes.
    """
    transaction.on_commit(partial(_send, group, message))


def broadcast_page_changed(group: str, topic: str) -> None:
    """Tell the pages in `group` that `topic` ("lobby", "talk", …) has changed.

    A topic that a consumer does not know says that anything may have changed, and its page is made from rows read anew.
    Those that it knows cost less: of a match those that change none of its rows (`games.consumers.AROUND`), of lists
    *lobby*, of every page *mine* (`live.notices`).

    The nudge's `stamp` is the moment of the change in microseconds since 1970: it tells this change from every other
    one, so that a process renders once what all its pages show alike. Stamps have no order that one may rely on.
    """
    broadcast(group, {"type": "page.changed", "topic": topic, "stamp": time.time_ns() // 1000})


def broadcast_session_ended(user_id: int) -> None:
    """Tell a person's open pages that one of their sessions has ended; each page checks its own."""
    broadcast(f"user.{user_id}", {"type": "session.ended"})


def _send(group: str, message: dict[str, Any]) -> None:
    if _ended:
        return
    if message["type"] == "match.changed" and _is_alone():
        if hold_back(group, partial(_send, group, message)):
            return
    loop = get_calling_loop() or _loop
    if loop is not None and loop.is_running():
        # Not awaited: the answer to a move need not wait until the last page has been told.
        asyncio.run_coroutine_threadsafe(_deliver(group, message), loop)
    else:
        async_to_sync(_deliver)(group, message)


def _is_alone() -> bool:
    return isinstance(get_channel_layer(), InMemoryChannelLayer)


def _gather(group: str, message: Callable[[], dict[str, Any]]) -> None:
    if _loop is None or not _loop.is_running():
        _send(group, message())
    elif group not in _gathering:
        _gathering.add(group)
        asyncio.run_coroutine_threadsafe(_deliver_later(group, message), _loop)


async def _deliver_later(group: str, message: Callable[[], dict[str, Any]]) -> None:
    await asyncio.sleep(GATHERED)
    _gathering.discard(group)
    try:
        # In a thread of its own: the one that asked for it may be waiting for this loop.
        fresh = await database_sync_to_async(message, thread_sensitive=False, executor=_thread)()
    except Exception:
        log.warning("Nobody in %s was told how many they are", group, exc_info=True)
        return
    await _deliver(group, fresh)


async def _deliver(group: str, message: dict[str, Any]) -> None:
    layer = get_channel_layer()
    try:
        await layer.group_send(group, message)
    except Exception:
        log.warning("Nobody in %s was told of %s", group, message["type"], exc_info=True)
