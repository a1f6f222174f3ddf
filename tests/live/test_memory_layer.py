"""The in-memory channel layer: constant cost per message, expiry, capacity."""

import asyncio
import time

import pytest
from channels.exceptions import ChannelFull

from live.layers.memory import CLEAN_INTERVAL_SECONDS, ChannelLayer


class CountingDict(dict):
    """A dictionary that counts the iterations over its items."""

    iterations = 0

    def items(self):
        self.iterations += 1
        return super().items()


async def test_expired_entries_are_searched_once_per_interval():
    layer = ChannelLayer()
    layer.channels = CountingDict()
    name = await layer.new_channel()
    await layer.group_add("match.abc", name)
    for number in range(100):
        await layer.group_send("match.abc", {"type": "match.changed", "version": number})
        assert (await layer.receive(name))["version"] == number
    assert layer.channels.iterations == 1


async def test_expired_message_is_dropped(monkeypatch):
    layer = ChannelLayer(expiry=60)
    gone, here = await layer.new_channel(), await layer.new_channel()
    await layer.group_add("match.abc", gone)
    await layer.group_send("match.abc", {"type": "match.changed", "version": 1})
    now, began = time.time(), time.monotonic()
    monkeypatch.setattr(time, "time", lambda: now + 61)
    monkeypatch.setattr(time, "monotonic", lambda: began + CLEAN_INTERVAL_SECONDS)
    await layer.send(here, {"type": "match.changed", "version": 2})
    await layer.receive(here)
    assert gone not in layer.channels
    assert gone not in layer.groups.get("match.abc", {})


async def test_full_channel_keeps_first_messages():
    layer = ChannelLayer(capacity=2)
    full, other = await layer.new_channel(), await layer.new_channel()
    for name in (full, other):
        await layer.group_add("match.abc", name)
    for number in range(2):
        await layer.send(full, {"type": "match.changed", "version": number})
    with pytest.raises(ChannelFull):
        await layer.send(full, {"type": "match.changed", "version": 2})
    await layer.group_send("match.abc", {"type": "match.changed", "version": 3})
    assert [(await layer.receive(full))["version"] for _ in range(2)] == [0, 1]
    assert (await layer.receive(other))["version"] == 3


async def test_each_receiver_gets_its_own_copy():
    layer = ChannelLayer()
    one, other = await layer.new_channel(), await layer.new_channel()
    for name in (one, other):
        await layer.group_add("match.abc", name)
    await layer.group_send("match.abc", {"type": "page.changed", "about": ["talk"]})
    (await layer.receive(one))["about"].append("mine")
    assert (await layer.receive(other))["about"] == ["talk"]


async def test_unused_channel_is_deleted():
    layer = ChannelLayer()
    name = await layer.new_channel()
    await layer.send(name, {"type": "page.changed"})
    await layer.receive(name)
    reader = asyncio.create_task(layer.receive(name))
    await asyncio.sleep(0)
    assert name in layer.channels
    reader.cancel()
    await asyncio.wait([reader])
    assert not layer.channels
