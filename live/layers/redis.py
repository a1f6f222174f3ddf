"""The channel layer over Redis, for which Redis may be away: nothing fails, nothing waits for long.

Meanwhile news goes to the sockets of this process alone; those of others are told every moment that they may have
missed some (`news.missed`), and look. What was joined is subscribed to when Redis is back. Sockets are told of both
ends of it (`pace.changed`).
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from channels_redis.pubsub import RedisPubSubChannelLayer, RedisPubSubLoopLayer, RedisSingleShardConnection
from channels_redis.utils import _wrap_close, decode_hosts
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

PATIENCE = 1.0  # seconds for one word with Redis
AGAIN = 1.0  # seconds between two looks whether it is back


class Shard(RedisSingleShardConnection):
    """The connection to one Redis."""

    def __init__(self, host: Any, channel_layer: RedisPubSubLoopLayer) -> None:
        super().__init__(host, channel_layer)
        self.away = False
        self._looking: asyncio.Task[None] | None = None
        self._watching: asyncio.Task[None] | None = None

    async def publish(self, channel: str, message: bytes) -> None:
        if not await self._done(super().publish, channel, message):
            self._receive_message({"channel": channel, "data": message})

    async def subscribe(self, channel: str) -> None:
        if self._watching is None:
            self._watching = asyncio.ensure_future(self._watch())
        await self._done(super().subscribe, channel)

    async def unsubscribe(self, channel: str) -> None:
        if not await self._done(super().unsubscribe, channel):
            self._subscribed_to.discard(channel)

    async def flush(self) -> None:
        for task in (self._looking, self._watching):
            if task is not None:
                task.cancel()
        self._looking = self._watching = None
        await super().flush()

    async def _watch(self) -> None:
        # A process in which nobody acts says nothing to Redis, and would not learn that it hears nothing either.
        while True:
            await asyncio.sleep(AGAIN)
            await self._done(super().publish, "pace", b"")

    async def _done(self, deed: Callable[..., Awaitable[None]], *arguments: Any) -> bool:
        """Whether Redis did it; once it did not, it is not asked until it answers again."""
        if self.away:
            return False
        if failure := await _failure(deed, *arguments):
            self._lose(failure)
        else:
            self._process.note_answer()
        return failure is None

    def _lose(self, failure: str) -> None:
        if self.away:
            return
        self._process.note_silence(failure)
        self._looking = asyncio.ensure_future(self._look())
        self._set_pace(away=True)

    async def _look(self) -> None:
        failure: str | None = "not asked yet"
        while failure:
            await asyncio.sleep(AGAIN)
            failure = await _failure(self._return)
            if failure:
                self._tell("news.missed")
        self._process.note_answer()
        self._set_pace(away=False)

    async def _return(self) -> None:
        await super().publish("pace", b"")
        wanted = {*self.channel_layer.channels, *self.channel_layer.groups}
        for channel in wanted - self._subscribed_to:
            await super().subscribe(channel)

    @property
    def _process(self) -> "ChannelLayer":
        layer: ChannelLayer = self.channel_layer.channel_layer
        return layer

    def _set_pace(self, *, away: bool) -> None:
        self.away = away
        self._tell("pace.changed")

    def _tell(self, kind: str) -> None:
        told = self._process.serialize({"type": kind})
        for channel in self.channel_layer.channels:
            self._receive_message({"channel": channel, "data": told})


class LoopLayer(RedisPubSubLoopLayer):
    """The layer of one event loop."""

    def __init__(self, hosts: Any = None, **options: Any) -> None:
        super().__init__(hosts, **options)
        self._shards = [Shard(host, self) for host in decode_hosts(hosts)]

    @property
    def away(self) -> bool:
        return any(shard.away for shard in self._shards)


class ChannelLayer(RedisPubSubChannelLayer):
    """The layer of a process. It logs for all its loops: /healthz has a new one for every question."""

    _silent = False

    def note_silence(self, failure: str) -> None:
        if not self._silent:
            log.warning("Redis does not answer (%s): news is slow until it does", failure)
        self._silent = True

    def note_answer(self) -> None:
        if self._silent:
            log.warning("Redis answers again")
        self._silent = False

    def _get_layer(self) -> LoopLayer:
        loop = asyncio.get_running_loop()
        if loop not in self._layers:
            self._layers[loop] = LoopLayer(*self._args, **self._kwargs, channel_layer=self)
            _wrap_close(self, loop)
        return self._layers[loop]


async def _failure(deed: Callable[..., Awaitable[None]], *arguments: Any) -> str | None:
    """Why Redis did not do it in time; None if it did."""
    try:
        async with asyncio.timeout(PATIENCE):
            await deed(*arguments)
    except TimeoutError:
        return f"nothing within {PATIENCE:.0f} s"
    except (RedisError, OSError) as error:
        return str(error)
    return None
