"""A real Redis that is stopped, frozen and started again under the channel layer and the cache."""

import asyncio
import time

import pytest

from live.cache import Cache
from live.redis import ChannelLayer

HELLO = {"type": "page.changed", "topic": "hello"}


@pytest.fixture
async def layers(redis):
    """Two of them, as two processes have."""
    layers = [ChannelLayer(hosts=[redis.url]) for _ in range(2)]
    yield layers
    for layer in layers:
        await layer.flush()


async def next_of(layer: ChannelLayer, channel: str, kind: str = "page.changed", seconds: float = 5) -> dict:
    async with asyncio.timeout(seconds):
        while True:
            message = await layer.receive(channel)
            if message["type"] == kind:
                return message


async def joined(layer: ChannelLayer) -> str:
    channel = await layer.new_channel()
    await layer.group_add("match.x", channel)
    return channel


async def until_back(layer: ChannelLayer) -> None:
    async with asyncio.timeout(20):
        while layer.away:
            await asyncio.sleep(0.05)


async def test_a_socket_that_comes_while_redis_is_away_hears_its_own_process(layers):
    channel = await joined(layers[0])
    await layers[0].group_send("match.x", HELLO)
    assert await next_of(layers[0], channel) == HELLO


async def test_a_socket_that_came_meanwhile_hears_the_others_once_redis_is_there(redis, layers):
    one, two = layers
    channel = await joined(one)
    assert one.away
    redis.start()
    await until_back(one)
    await asyncio.sleep(0.5)
    await two.group_send("match.x", HELLO)
    assert await next_of(one, channel) == HELLO


async def test_after_a_restart_of_redis_news_goes_on(redis, layers):
    redis.start()
    one, two = layers
    channel = await joined(one)
    redis.stop()
    await one.group_send("match.x", HELLO)
    assert await next_of(one, channel) == HELLO
    redis.start()
    await until_back(one)
    await asyncio.sleep(2.5)
    await two.group_send("match.x", HELLO)
    await until_back(two)
    await two.group_send("match.x", HELLO)
    assert await next_of(one, channel) == HELLO


def test_the_log_says_once_that_redis_is_away_however_often_anybody_asks(redis, caplog):
    layer = ChannelLayer(hosts=[redis.url])
    for _ in range(3):  # in a loop of its own each time, as /healthz does
        asyncio.run(layer.group_send("healthz", HELLO))
    redis.start()
    for _ in range(2):
        asyncio.run(layer.group_send("healthz", HELLO))
    said = [record.getMessage() for record in caplog.records if record.name == "live.redis"]
    assert [line.split(" (")[0] for line in said] == ["Redis does not answer", "Redis answers again"]


async def test_sockets_are_told_that_news_is_slow_and_that_it_is_not(redis, layers):
    redis.start()
    channel = await joined(layers[0])
    redis.stop()
    await layers[0].group_send("match.x", HELLO)
    await next_of(layers[0], channel, "pace.changed")
    assert layers[0].away
    redis.start()
    await next_of(layers[0], channel, "pace.changed", 20)
    assert not layers[0].away


async def test_a_process_in_which_nobody_acts_hears_that_redis_is_gone_and_looks_for_news(redis, layers):
    redis.start()
    channel = await joined(layers[0])
    await layers[0].group_send("match.x", HELLO)
    await next_of(layers[0], channel)
    redis.freeze()
    await next_of(layers[0], channel, "pace.changed", 10)
    await next_of(layers[0], channel, "news.missed", 10)
    redis.thaw()
    await until_back(layers[0])


async def test_a_frozen_redis_holds_nobody_up(redis, layers):
    redis.start()
    channel = await joined(layers[0])
    redis.freeze()
    began = time.monotonic()
    await asyncio.gather(*(layers[0].group_send("match.x", HELLO) for _ in range(50)))
    assert time.monotonic() - began < 25  # one after the other they would wait 50
    assert await next_of(layers[0], channel) == HELLO
    redis.thaw()
    await until_back(layers[0])


def test_limits_that_cannot_be_counted_let_in(redis):
    cache = Cache(redis.url, {})
    assert cache.add("guests", 1)
    assert cache.incr("guests") == 1
    assert cache.get("guests", []) == []
    cache.set("guests", 5)


def test_limits_are_counted_again_when_redis_is_back(redis, monkeypatch):
    cache = Cache(redis.url, {})
    assert cache.add("guests", 1)
    redis.start()
    monkeypatch.setattr("live.cache.AGAIN", 0)
    time.sleep(2.1)
    assert cache.add("guests", 1)
    assert cache.incr("guests") == 2


def test_a_frozen_redis_is_waited_for_once(redis):
    redis.start()
    cache = Cache(redis.url, {})
    cache.set("guests", 5)
    redis.freeze()
    began = time.monotonic()
    assert [cache.get("guests", 0) for _ in range(20)] == [0] * 20
    assert time.monotonic() - began < 1.9
    redis.thaw()
