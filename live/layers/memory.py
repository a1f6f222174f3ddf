"""The channel layer of one process alone, whose messages cost the same however many sockets are open."""

import asyncio
import time
from contextlib import suppress
from copy import deepcopy
from typing import Any

from channels.exceptions import ChannelFull
from channels.layers import InMemoryChannelLayer

from live.layers.mailbox import Mailbox

EVERY = 5.0  # seconds between two looks for what has expired


class ChannelLayer(InMemoryChannelLayer):
    """Channels' own goes through all channels and groups for what has expired whenever a message is sent or waited for:
    3 ms a message with 2,000 sockets. Messages may wait a minute and memberships last a day; a few seconds more do not
    matter. And it makes a task for each channel of a group, though putting into a queue never waits, and keeps and
    makes queues of 3 KB."""

    _looked_at = 0.0
    channels: dict[str, Mailbox]

    async def send(self, channel: str, message: dict[str, Any]) -> None:
        self.require_valid_channel_name(channel)
        mailbox = self._mailbox(channel)
        try:
            mailbox.put_nowait((time.time() + self.expiry, deepcopy(message)))
        except asyncio.QueueFull:
            raise ChannelFull(channel) from None

    async def receive(self, channel: str) -> dict[str, Any]:
        """One consumer alone may wait at a channel."""
        self.require_valid_channel_name(channel)
        self._clean_expired()
        mailbox = self._mailbox(channel)
        try:
            _expires, message = await mailbox.get()
        finally:
            if mailbox.empty():
                self.channels.pop(channel, None)
        return message

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        self._clean_expired()
        for channel in list(self.groups.get(group, ())):
            with suppress(ChannelFull):
                await self.send(channel, message)

    def _mailbox(self, channel: str) -> Mailbox:
        mailbox = self.channels.get(channel)
        if mailbox is None:
            mailbox = self.channels[channel] = Mailbox(self.get_capacity(channel))
        return mailbox

    def _clean_expired(self) -> None:
        now = time.monotonic()
        if now - self._looked_at < EVERY:
            return
        self._looked_at = now
        super()._clean_expired()
