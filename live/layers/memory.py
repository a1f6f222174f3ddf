"""The channel layer for a single process."""

import asyncio
import time
from collections.abc import Iterable
from contextlib import suppress
from copy import deepcopy
from typing import Any

from channels.exceptions import ChannelFull
from channels.layers import InMemoryChannelLayer

from live.layers.mailbox import Mailbox

CLEAN_INTERVAL_SECONDS = 5.0


class ChannelLayer(InMemoryChannelLayer):
    """Channels' in-memory layer with a constant cost per message.

    Channels' own searches all channels and groups for expired entries with each message sent or awaited: 3 ms with
    2,000 sockets. Here that is done every few seconds; messages expire after a minute, memberships after a day.
    It also starts a task for each channel of a group, although putting into a queue never waits, and its queues take
    3 KB each.
    """

    channels: dict[str, Mailbox]
    _cleaned_at = 0.0

    async def send(self, channel: str, message: dict[str, Any]) -> None:
        self.require_valid_channel_name(channel)
        try:
            self._put(channel, message)
        except asyncio.QueueFull:
            raise ChannelFull(channel) from None

    async def receive(self, channel: str) -> dict[str, Any]:
        """Wait for the next message of a channel. A channel has one reader."""
        self.require_valid_channel_name(channel)
        self._clean_expired()
        mailbox = self._get_mailbox(channel)
        message: dict[str, Any]
        try:
            _expires, message = await mailbox.get()
        finally:
            if mailbox.empty():
                self.channels.pop(channel, None)
        return message

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        self.deliver(message, self.groups.get(group, ()))

    def deliver(self, message: dict[str, Any], channels: Iterable[str]) -> None:
        """Put a message into the queues of these channels, except those that are full."""
        self._clean_expired()
        for channel in list(channels):
            with suppress(asyncio.QueueFull):
                self._put(channel, message)

    def _put(self, channel: str, message: dict[str, Any]) -> None:
        self._get_mailbox(channel).put_nowait((time.time() + self.expiry, deepcopy(message)))

    def _get_mailbox(self, channel: str) -> Mailbox:
        mailbox = self.channels.get(channel)
        if mailbox is None:
            mailbox = self.channels[channel] = Mailbox(self.get_capacity(channel))
        return mailbox

    def _clean_expired(self) -> None:
        now = time.monotonic()
        if now - self._cleaned_at < CLEAN_INTERVAL_SECONDS:
            return
        self._cleaned_at = now
        super()._clean_expired()
