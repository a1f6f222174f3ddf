"""Notify open pages, after the commit, that something has changed. Messages carry no content, only their group.

A message may be lost (Redis restarts, a queue is full): pages have versions, poll every 20 seconds, and get the full
current state when they connect. So a message that cannot be sent is logged, and nothing fails.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from typing import Any

from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.db import transaction

from core.siblings import SIBLINGS
from live.bus import BUS, OnConnection
from live.database_thread import get_calling_loop
from live.layers.local import ChannelLayer as LocalLayer
from live.local_delivery import hold_back

log = logging.getLogger(__name__)

THROTTLE_SECONDS = 0.5

_delivery_loop: asyncio.AbstractEventLoop | None = None
_stopped = False
_throttled_groups: set[str] = set()  # with a delivery pending
_throttle_thread = ThreadPoolExecutor(1, thread_name_prefix="throttled")


def set_delivery_loop(loop: asyncio.AbstractEventLoop | None) -> None:
    """Send from all threads of this process through `loop`, on which its sockets run.

    Required by the in-memory layer: a message sent from another loop wakes no receiver for seconds.
    """
    global _delivery_loop
    _delivery_loop = loop


def receive_from_siblings(on_connection: OnConnection) -> None:
    """Deliver what the siblings of this process broadcast to its pages; call in the delivery loop.

    With Redis, which brings the broadcasts, they still tell who has pages open and what budgets have left.
    """
    layer = get_channel_layer()
    if isinstance(layer, LocalLayer):
        BUS.read(layer.deliver_from_sibling, layer.deliver_missed, on_connection)
    else:
        BUS.read(lambda _group, _message: None, lambda: None, on_connection)


def stop_delivery() -> None:
    """Call at shutdown. Later changes are stored but not broadcast; waiting for the stopped loop would deadlock."""
    global _stopped
    _stopped = True


def broadcast_throttled(group: str, build_message: Callable[[], dict[str, Any]]) -> None:
    """Like `broadcast`, at most once in `THROTTLE_SECONDS` per group.

    `build_message` is called just before sending, in a thread that may query the database.
    """
    transaction.on_commit(partial(_send_throttled, group, build_message))


def broadcast(group: str, message: dict[str, Any]) -> None:
    """Send `message` (with its `type`, such as "match.changed") to the pages in `group` after the commit.

    Call from synchronous code in any thread: views, the referee, management commands.
    """
    transaction.on_commit(partial(_send, group, message))


def broadcast_page_changed(group: str, topic: str) -> None:
    """Notify the pages in `group` that `topic` ("lobby", "talk", …) has changed.

    A consumer that does not know the topic reads all its rows again. Known topics cost less: "presence", "talk" and
    "emotes" of a match (`games.consumers.AUDIENCE_TOPICS`), "lobby" of lists, "mine" of every page (`live.notices`).

    The message's `changed_at_us` (microseconds since 1970) identifies the change, so that a process renders shared
    content once per change. Do not compare two of them: clocks differ between processes.
    """
    broadcast(group, _page_changed(topic))


def _page_changed(topic: str) -> dict[str, Any]:
    return {"type": "page.changed", "topic": topic, "changed_at_us": time.time_ns() // 1000}


def broadcast_later(group: str, topic: str, delay: timedelta) -> None:
    """Like `broadcast_page_changed`, some time after the commit. Without a running loop pages learn it by polling."""
    transaction.on_commit(partial(_send_later, group, topic, delay))


def broadcast_session_ended(user_id: int) -> None:
    """Notify a user's open pages that one of their sessions has ended; each page checks its own."""
    broadcast(f"user.{user_id}", {"type": "session.ended"})


def _send(group: str, message: dict[str, Any]) -> None:
    if _stopped:
        return
    if message["type"] == "match.changed" and _is_only_process():
        if hold_back(group, partial(_send, group, message)):
            return
    loop = get_calling_loop() or _delivery_loop
    if loop is not None and loop.is_running():
        # Not awaited: the response to a move need not wait until all pages are notified.
        asyncio.run_coroutine_threadsafe(_deliver(group, message), loop)
    else:
        async_to_sync(_deliver)(group, message)


def _send_later(group: str, topic: str, delay: timedelta) -> None:
    loop = get_calling_loop() or _delivery_loop
    if loop is not None and loop.is_running():
        asyncio.run_coroutine_threadsafe(_deliver_after(delay.total_seconds(), group, topic), loop)


def _is_only_process() -> bool:
    return SIBLINGS.count == 1 and isinstance(get_channel_layer(), InMemoryChannelLayer)


def _send_throttled(group: str, build_message: Callable[[], dict[str, Any]]) -> None:
    if _delivery_loop is None or not _delivery_loop.is_running():
        _send(group, build_message())
    elif group not in _throttled_groups:
        _throttled_groups.add(group)
        asyncio.run_coroutine_threadsafe(_deliver_later(group, build_message), _delivery_loop)


async def _deliver_later(group: str, build_message: Callable[[], dict[str, Any]]) -> None:
    await asyncio.sleep(THROTTLE_SECONDS)
    _throttled_groups.discard(group)
    try:
        # In a thread of its own: the calling thread may be waiting for this loop.
        message = await database_sync_to_async(
            build_message, thread_sensitive=False, executor=_throttle_thread
        )()
    except Exception:
        log.warning("A throttled message to %s could not be built", group, exc_info=True)
        return
    await _deliver(group, message)


async def _deliver_after(seconds: float, group: str, topic: str) -> None:
    await asyncio.sleep(seconds)
    await _deliver(group, _page_changed(topic))


async def _deliver(group: str, message: dict[str, Any]) -> None:
    layer = get_channel_layer()
    try:
        await layer.group_send(group, message | {"group": group})
    except Exception:
        log.warning("%s could not be sent to %s", message["type"], group, exc_info=True)
