"""The sockets of the lobby and of waiting tables."""

import asyncio
from typing import Any

from channels.db import database_sync_to_async
from django.template.loader import render_to_string

from live.consumers import PageConsumer
from lobbies import lobby, services
from lobbies.models import Table
from lobbies.table import table_context

SEEN_EVERY = 20.0  # seconds; a table without its maker vanishes after a minute


class LobbyConsumer(PageConsumer):
    def groups(self) -> list[str]:
        return ["lobby"]

    def render(self) -> str:
        return render_to_string(
            "lobbies/_live.html",
            {
                "tables": lobby.open_tables(),
                "watched": lobby.watched(),
                "user": self.scope["user"],
                "swap": True,
            },
        )


class TableConsumer(PageConsumer):
    _seeing: asyncio.Task[None] | None = None

    @property
    def code(self) -> str:
        return self.scope["url_route"]["kwargs"]["code"]

    def groups(self) -> list[str]:
        return [f"table.{self.code}"]

    def arrive(self) -> bool:
        return Table.objects.filter(code=self.code).exists()

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        await super().websocket_connect(message)
        if self.scope["user"].is_authenticated:
            self._seeing = asyncio.create_task(self._say_seen())

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        if self._seeing is not None:
            self._seeing.cancel()
        await super().websocket_disconnect(message)

    async def _say_seen(self) -> None:
        while True:
            await database_sync_to_async(self._seen)()
            await asyncio.sleep(SEEN_EVERY)

    def _seen(self) -> None:
        if table := Table.objects.filter(code=self.code).first():
            services.seen(table, self.scope["user"])

    def render(self) -> str:
        table = Table.objects.get(code=self.code)
        context = table_context(table, self.scope["user"]) | {"swap": True, "user": self.scope["user"]}
        return render_to_string("lobbies/_table.html", context)
