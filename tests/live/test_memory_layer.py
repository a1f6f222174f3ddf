"""The channel layer of one process: a message costs the same with any number of sockets, and nothing lies for ever."""

import asyncio
import time

import pytest
from channels.exceptions import ChannelFull

from live.layers.memory import CLEAN_INTERVAL_SECONDS, ChannelLayer


class Counted(dict):
    """A dictionary that knows how often somebody went through it."""

    gone_through = 0

    def items(self):
        self.gone_through += 1
        return super().items()


async def test_a_hundred_messages_go_through_all_channels_once():
    layer = ChannelLayer()
    layer.channels = Counted()
    name = await layer.new_channel()
    await layer.group_add("match.abc", name)
    for number in range(100):
        await layer.group_send("match.abc", {"type": "match.changed", "version": number})
        assert (await layer.receive(name))["version"] == number
    assert layer.channels.gone_through == 1


async def test_what_nobody_took_in_time_is_gone(monkeypatch):
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


async def test_a_channel_keeps_as_many_as_it_may_and_the_first_come_first():
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


async def test_each_hears_a_message_of_its_own():
    layer = ChannelLayer()
    one, other = await layer.new_channel(), await layer.new_channel()
    for name in (one, other):
        await layer.group_add("match.abc", name)
    await layer.group_send("match.abc", {"type": "page.changed", "about": ["talk"]})
    (await layer.receive(one))["about"].append("mine")
    assert (await layer.receive(other))["about"] == ["talk"]


async def test_a_channel_without_a_message_or_a_reader_takes_no_memory():
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
