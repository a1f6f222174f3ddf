"""A nudge reaches the pages from wherever it is given, after the commit and not without one."""

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
NUDGE = {"type": "page.changed", "topic": "lobby", "changed_at_us": 1}


@pytest.fixture
async def listener():
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add("lobby", channel)
    yield lambda: asyncio.wait_for(layer.receive(channel), 1)
    await layer.group_discard("lobby", channel)


async def silence(listener) -> bool:
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(listener(), 0.1)
    return True


async def test_from_synchronous_code_under_the_loop(listener):
    await sync_to_async(broadcast)("lobby", NUDGE)
    assert await listener() == NUDGE


async def test_each_change_of_a_page_has_a_stamp_of_its_own(listener):
    before = time.time()
    await sync_to_async(broadcast_page_changed)("lobby", "lobby")
    await sync_to_async(broadcast_page_changed)("lobby", "mine")
    first, second = await listener(), await listener()
    assert [(nudge["type"], nudge["topic"]) for nudge in (first, second)] == [
        ("page.changed", "lobby"),
        ("page.changed", "mine"),
    ]
    assert before <= first["changed_at_us"] / 1_000_000 <= second["changed_at_us"] / 1_000_000 <= time.time()
    assert first["changed_at_us"] != second["changed_at_us"]


async def test_only_after_the_commit(listener):
    told_inside = []

    def change() -> None:
        with transaction.atomic():
            broadcast("lobby", NUDGE)
            told_inside.append(threading.get_ident())

    await sync_to_async(change)()
    assert told_inside
    assert await listener() == NUDGE


async def test_not_after_a_rollback(listener):
    def change_and_fail() -> None:
        with transaction.atomic():
            broadcast("lobby", NUDGE)
            transaction.set_rollback(True)

    await sync_to_async(change_and_fail)()
    assert await silence(listener)


async def test_at_once_from_a_plain_thread_of_the_server(listener):
    # The in-memory layer delivers seconds late what another loop sends: hence set_delivery_loop.
    set_delivery_loop(asyncio.get_running_loop())
    try:
        began = asyncio.get_running_loop().time()
        thread = threading.Thread(target=module._send, args=("lobby", NUDGE))
        thread.start()
        assert await listener() == NUDGE
        assert asyncio.get_running_loop().time() - began < 0.2
        thread.join()
    finally:
        set_delivery_loop(None)


async def test_a_thread_that_outlives_the_server_tells_nobody_and_waits_for_nothing(listener, monkeypatch):
    monkeypatch.setattr(module, "_stopped", False)
    stop_delivery()
    thread = threading.Thread(target=module._send, args=("lobby", NUDGE))
    thread.start()
    thread.join(10)  # while this loop, like one that has ended, does nothing
    assert not thread.is_alive()
    assert await silence(listener)


async def test_a_layer_that_is_down_fails_nothing(listener, monkeypatch, caplog):
    async def refuse(group, message):
        raise ConnectionError("Redis is gone")

    monkeypatch.setattr(get_channel_layer(), "group_send", refuse, raising=False)
    await sync_to_async(broadcast)("lobby", NUDGE)
    assert "page.changed could not be sent to lobby" in caplog.text


async def test_what_happens_in_crowds_is_gathered_and_told_as_it_is_by_then(listener, monkeypatch):
    monkeypatch.setattr(module, "THROTTLE_SECONDS", 0.3)
    set_delivery_loop(asyncio.get_running_loop())
    here: list[int] = []

    def a_crowd_comes():
        for number in range(50):
            here.append(number)
            broadcast_throttled("lobby", lambda: NUDGE | {"changed_at_us": len(here)})

    try:
        await sync_to_async(a_crowd_comes)()
        assert await listener() == NUDGE | {"changed_at_us": 50}
        assert await silence(listener)
        here.append(50)
        await sync_to_async(broadcast_throttled)("lobby", lambda: NUDGE | {"changed_at_us": len(here)})
        assert await listener() == NUDGE | {"changed_at_us": 51}
    finally:
        set_delivery_loop(None)
