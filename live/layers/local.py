"""The channel layer of the web processes that one `manage.py serve` starts (docs/decisions/0011)."""

from typing import Any

from live.bus import BUS
from live.layers import memory


class ChannelLayer(memory.ChannelLayer):
    """The in-memory layer, which also sends each message to a group to the siblings of this process."""

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        await super().group_send(group, message)
        BUS.send(group, message)

    def deliver_from_sibling(self, group: str, message: dict[str, Any]) -> None:
        self.deliver(message, self.groups.get(group, ()))

    def deliver_missed(self) -> None:
        """Notify all pages that messages of a sibling were lost."""
        channels = {channel for members in self.groups.values() for channel in members}
        self.deliver({"type": "messages.missed"}, channels)
