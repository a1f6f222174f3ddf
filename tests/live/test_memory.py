"""The channel layer of one process: a message costs the same with any number of sockets, and nothing lies for ever."""

import time

from live.memory import EVERY, ChannelLayer


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
    monkeypatch.setattr(time, "monotonic", lambda: began + EVERY)
    await layer.send(here, {"type": "match.changed", "version": 2})
    await layer.receive(here)
    assert gone not in layer.channels
    assert gone not in layer.groups.get("match.abc", {})
