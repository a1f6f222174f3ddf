"""Broadcasts are sent from any thread, after the commit."""

import asyncio
import threading
import time

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.db import transaction

from live import broadcast as module
from live.broadcast import (
    broadcast,
    broadcast_page_changed,
    broadcast_throttled,
    set_delivery_loop,
    stop_delivery,
)

pytestmark = pytest.mark.django_db(transaction=True)
MESSAGE = {"type": "page.changed", "topic": "lobby", "changed_at_us": 1, "group": "lobby"}


@pytest.fixture
async def receive():
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add("lobby", channel)
    yield lambda: asyncio.wait_for(layer.receive(channel), 1)
    await layer.group_discard("lobby", channel)


async def receives_nothing(receive) -> bool:
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(receive(), 0.1)
    return True


async def test_broadcast_from_synchronous_code(receive):
    await sync_to_async(broadcast)("lobby", MESSAGE)
    assert await receive() == MESSAGE


async def test_each_page_change_has_its_own_time(receive):
    before = time.time()
    await sync_to_async(broadcast_page_changed)("lobby", "lobby")
    await sync_to_async(broadcast_page_changed)("lobby", "mine")
    first, second = await receive(), await receive()
    assert [(message["type"], message["topic"]) for message in (first, second)] == [
        ("page.changed", "lobby"),
        ("page.changed", "mine"),
    ]
    assert before <= first["changed_at_us"] / 1_000_000 <= second["changed_at_us"] / 1_000_000 <= time.time()
    assert first["changed_at_us"] != second["changed_at_us"]


async def test_broadcast_is_sent_after_commit(receive):
    calls = []

    def change() -> None:
        with transaction.atomic():
            broadcast("lobby", MESSAGE)
            calls.append(threading.get_ident())

    await sync_to_async(change)()
    assert calls
    assert await receive() == MESSAGE


async def test_broadcast_is_dropped_on_rollback(receive):
    def change_and_fail() -> None:
        with transaction.atomic():
            broadcast("lobby", MESSAGE)
            transaction.set_rollback(True)

    await sync_to_async(change_and_fail)()
    assert await receives_nothing(receive)


async def test_broadcast_from_another_thread_is_immediate(receive):
    # Without set_delivery_loop the in-memory layer would deliver seconds late.
    set_delivery_loop(asyncio.get_running_loop())
    try:
        began = asyncio.get_running_loop().time()
        thread = threading.Thread(target=module._send, args=("lobby", MESSAGE))
        thread.start()
        assert await receive() == MESSAGE
        assert asyncio.get_running_loop().time() - began < 1  # from another loop it takes seconds
        thread.join()
    finally:
        set_delivery_loop(None)


async def test_broadcast_after_stop_is_dropped(receive, monkeypatch):
    monkeypatch.setattr(module, "_stopped", False)
    stop_delivery()
    thread = threading.Thread(target=module._send, args=("lobby", MESSAGE))
    thread.start()
    thread.join(10)  # blocks this loop, like one that has stopped
    assert not thread.is_alive()
    assert await receives_nothing(receive)


async def test_channel_layer_error_is_logged(receive, monkeypatch, caplog):
    async def refuse(group, message):
        raise ConnectionError("Redis is gone")

    monkeypatch.setattr(get_channel_layer(), "group_send", refuse, raising=False)
    await sync_to_async(broadcast)("lobby", MESSAGE)
    assert "page.changed could not be sent to lobby" in caplog.text


async def test_throttled_broadcast_sends_latest_message_once(receive, monkeypatch):
    monkeypatch.setattr(module, "THROTTLE_SECONDS", 0.3)
    set_delivery_loop(asyncio.get_running_loop())
    arrivals: list[int] = []

    def broadcast_often():
        for number in range(50):
            arrivals.append(number)
            broadcast_throttled("lobby", lambda: MESSAGE | {"changed_at_us": len(arrivals)})

    try:
        await sync_to_async(broadcast_often)()
        assert await receive() == MESSAGE | {"changed_at_us": 50}
        assert await receives_nothing(receive)
        arrivals.append(50)
        await sync_to_async(broadcast_throttled)("lobby", lambda: MESSAGE | {"changed_at_us": len(arrivals)})
        assert await receive() == MESSAGE | {"changed_at_us": 51}
    finally:
        set_delivery_loop(None)
