"""The Redis channel layer, which keeps working in this process while Redis is unavailable.

During an outage of Redis nothing fails and nothing waits for long: messages reach the sockets of this process only.
Every second all sockets get `messages.missed`, since messages of other processes may be lost. When Redis is back, all
channels and groups are subscribed to again. Sockets get `delivery.changed` when an outage begins and when it ends.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, cast

from channels_redis.pubsub import RedisPubSubChannelLayer, RedisPubSubLoopLayer, RedisSingleShardConnection
from channels_redis.utils import _wrap_close, decode_hosts
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

TIMEOUT_SECONDS = 1.0  # for one command
RETRY_SECONDS = 1.0
PROBE_CHANNEL = "probe"


class Shard(RedisSingleShardConnection):
    """The connection to one Redis server."""

    def __init__(self, host: Any, channel_layer: RedisPubSubLoopLayer) -> None:
        super().__init__(host, channel_layer)
        self.is_unavailable = False
        self._reconnect_task: asyncio.Task[None] | None = None
        self._probe_task: asyncio.Task[None] | None = None

    async def publish(self, channel: str, message: bytes) -> None:
        if not await self._try(super().publish, channel, message):
            self._receive_message({"channel": channel, "data": message})

    async def subscribe(self, channel: str) -> None:
        if self._probe_task is None:
            self._probe_task = asyncio.ensure_future(self._probe())
        await self._try(super().subscribe, channel)

    async def unsubscribe(self, channel: str) -> None:
        if not await self._try(super().unsubscribe, channel):
            self._subscribed_to.discard(channel)

    async def flush(self) -> None:
        for task in (self._reconnect_task, self._probe_task):
            if task is not None:
                task.cancel()
        self._reconnect_task = self._probe_task = None
        await super().flush()

    async def _probe(self) -> None:
        # A process that only listens sends no commands, and would not notice an outage.
        while True:
            await asyncio.sleep(RETRY_SECONDS)
            await self._try(super().publish, PROBE_CHANNEL, b"")

    async def _try(self, command: Callable[..., Awaitable[None]], *arguments: Any) -> bool:
        """Run a command; return whether it succeeded. During an outage return False at once."""
        if self.is_unavailable:
            return False
        if error := await _run(command, *arguments):
            self._begin_outage(error)
        else:
            self._layer.log_available()
        return error is None

    def _begin_outage(self, error: str) -> None:
        if self.is_unavailable:
            return
        self._layer.log_unavailable(error)
        self._reconnect_task = asyncio.ensure_future(self._reconnect())
        self._set_unavailable(True)

    async def _reconnect(self) -> None:
        error: str | None = "not tried yet"
        while error:
            await asyncio.sleep(RETRY_SECONDS)
            error = await _run(self._resubscribe)
            if error:
                self._notify_all("messages.missed")
        self._layer.log_available()
        self._set_unavailable(False)

    async def _resubscribe(self) -> None:
        await super().publish(PROBE_CHANNEL, b"")
        channels = {*self.channel_layer.channels, *self.channel_layer.groups}
        for channel in channels - self._subscribed_to:
            await super().subscribe(channel)

    @property
    def _layer(self) -> "ChannelLayer":
        layer: ChannelLayer = self.channel_layer.channel_layer
        return layer

    def _set_unavailable(self, is_unavailable: bool) -> None:
        self.is_unavailable = is_unavailable
        self._notify_all("delivery.changed")

    def _notify_all(self, message_type: str) -> None:
        data = self._layer.serialize({"type": message_type})
        for channel in self.channel_layer.channels:
            self._receive_message({"channel": channel, "data": data})


class LoopLayer(RedisPubSubLoopLayer):
    """The layer of one event loop."""

    def __init__(self, hosts: Any = None, **options: Any) -> None:
        super().__init__(hosts, **options)
        self._shards = [Shard(host, self) for host in decode_hosts(hosts)]

    @property
    def is_unavailable(self) -> bool:
        return any(shard.is_unavailable for shard in self._shards)


class ChannelLayer(RedisPubSubChannelLayer):
    """The layer of a process. It logs for all its event loops: each request for /healthz has a new one."""

    _outage_logged = False

    def log_unavailable(self, error: str) -> None:
        if not self._outage_logged:
            log.warning("Redis does not answer (%s): news is slow until it does", error)
        self._outage_logged = True

    def log_available(self) -> None:
        if self._outage_logged:
            log.warning("Redis answers again")
        self._outage_logged = False

    def _get_layer(self) -> LoopLayer:
        loop = asyncio.get_running_loop()
        layer: LoopLayer | None = self._layers.get(loop)
        if layer is None:
            layer = self._layers[loop] = LoopLayer(*self._args, **self._kwargs, channel_layer=self)
            _wrap_close(self, loop)
        return layer


async def _run(command: Callable[..., Awaitable[None]], *arguments: Any) -> str | None:
    """Run a command with a timeout; return why it failed, None if it succeeded."""
    task = cast("asyncio.Task[Any]", asyncio.current_task())
    cancellations, error = task.cancelling(), None
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await command(*arguments)
    except TimeoutError:
        error = f"nothing within {TIMEOUT_SECONDS:.0f} s"
    except (RedisError, OSError) as failure:
        error = str(failure)
    # `asyncio.wait_for`, which redis-py uses, loses a cancellation that comes as the command ends (before Python 3.12).
    if task.cancelling() > cancellations:
        raise asyncio.CancelledError
    return error
