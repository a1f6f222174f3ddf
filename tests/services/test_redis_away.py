"""The channel layer and the cache while Redis is stopped, frozen or restarted."""

import asyncio
import time
from contextlib import suppress

import pytest

from core.redis_cache import Cache
from live.layers.redis import ChannelLayer
from tests.waiting import attempts

MESSAGE = {"type": "page.changed", "topic": "hello"}


@pytest.fixture
async def layers(redis):
    """Yield the layers of two processes."""
    layers = [ChannelLayer(hosts=[redis.url]) for _ in range(2)]
    yield layers
    for layer in layers:
        await layer.flush()


async def receive(layer: ChannelLayer, channel: str, kind: str = "page.changed", seconds: float = 5) -> dict:
    async with asyncio.timeout(seconds):
        for _ in attempts(f"a message {kind}"):
            message = await layer.receive(channel)
            if message["type"] == kind:
                break
    return message


async def join(layer: ChannelLayer) -> str:
    channel = await layer.new_channel()
    await layer.group_add("match.x", channel)
    return channel


async def wait_until_available(layer: ChannelLayer) -> None:
    for _ in attempts("Redis"):
        if not layer.is_unavailable:
            break
        await asyncio.sleep(0.05)


async def send_until_received(sender: ChannelLayer, layer: ChannelLayer, channel: str) -> None:
    """Send until a message arrives in another process's channel, which is subscribed to again within seconds."""
    for _ in attempts("the message"):
        await sender.group_send("match.x", MESSAGE)
        with suppress(TimeoutError):
            assert await receive(layer, channel, seconds=0.2) == MESSAGE
            break


async def test_socket_opened_in_outage_gets_local_messages(layers):
    channel = await join(layers[0])
    await layers[0].group_send("match.x", MESSAGE)
    assert await receive(layers[0], channel) == MESSAGE


async def test_socket_opened_in_outage_is_subscribed_later(redis, layers):
    one, two = layers
    channel = await join(one)
    assert one.is_unavailable
    redis.start()
    await wait_until_available(one)
    await send_until_received(two, one, channel)


async def test_messages_continue_after_redis_restart(redis, layers):
    redis.start()
    one, two = layers
    channel = await join(one)
    redis.stop()
    await one.group_send("match.x", MESSAGE)
    assert await receive(one, channel) == MESSAGE
    redis.start()
    await wait_until_available(one)
    await send_until_received(two, one, channel)


def test_redis_outage_is_logged_once(redis, caplog):
    layer = ChannelLayer(hosts=[redis.url])
    for _ in range(3):  # each in a new event loop, like /healthz
        asyncio.run(layer.group_send("healthz", MESSAGE))
    redis.start()
    for _ in range(2):
        asyncio.run(layer.group_send("healthz", MESSAGE))
    said = [record.getMessage() for record in caplog.records if record.name == "live.layers.redis"]
    assert [line.split(" (")[0] for line in said] == ["Redis does not answer", "Redis answers again"]


async def test_sockets_are_notified_of_redis_outage(redis, layers):
    redis.start()
    channel = await join(layers[0])
    redis.stop()
    await layers[0].group_send("match.x", MESSAGE)
    await receive(layers[0], channel, "delivery.changed")
    assert layers[0].is_unavailable
    redis.start()
    await receive(layers[0], channel, "delivery.changed", 20)
    assert not layers[0].is_unavailable


async def test_idle_process_notices_redis_outage(redis, layers):
    redis.start()
    channel = await join(layers[0])
    await layers[0].group_send("match.x", MESSAGE)
    await receive(layers[0], channel)
    redis.freeze()
    await receive(layers[0], channel, "delivery.changed", 10)
    await receive(layers[0], channel, "messages.missed", 10)
    redis.thaw()
    await wait_until_available(layers[0])


async def test_frozen_redis_does_not_block(redis, layers):
    redis.start()
    channel = await join(layers[0])
    redis.freeze()
    began = time.monotonic()
    await asyncio.gather(*(layers[0].group_send("match.x", MESSAGE) for _ in range(50)))
    assert time.monotonic() - began < 25  # waiting for each would take 50
    assert await receive(layers[0], channel) == MESSAGE
    redis.thaw()
    await wait_until_available(layers[0])


def test_rate_limits_pass_without_redis(redis):
    cache = Cache(redis.url, {})
    assert cache.add("guests", 1)
    assert cache.incr("guests") == 1
    assert cache.get("guests", []) == []
    cache.set("guests", 5)


def test_rate_limits_work_after_redis_returns(redis, monkeypatch):
    monkeypatch.setattr("core.redis_cache.RETRY_SECONDS", 0)
    cache = Cache(redis.url, {})
    assert cache.add("guests", 1)
    redis.start()
    assert cache.add("guests", 1)
    assert cache.incr("guests") == 2


def test_cache_waits_once_for_frozen_redis(redis):
    redis.start()
    cache = Cache(redis.url, {})
    cache.set("guests", 5)
    redis.freeze()
    began = time.monotonic()
    assert [cache.get("guests", 0) for _ in range(20)] == [0] * 20
    assert time.monotonic() - began < 8  # waiting for each would take 10
    redis.thaw()
