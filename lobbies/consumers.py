"""The sockets of the lobby and of waiting tables."""

import asyncio
import time
from typing import Any

from channels.db import database_sync_to_async
from django.template.loader import render_to_string
from django.utils import translation

from live.consumers import PageConsumer
from live.metrics import PUSHES
from lobbies import lists, services
from lobbies.models import Table
from lobbies.table import table_context

SEEN_EVERY = 20.0  # seconds; after a minute without a sign somebody is gone
LOOK_EVERY = 15.0  # seconds; the lobby is not told of every move in the matches that it shows
FRESH = 2.0  # seconds

# The lists that all viewers of the lobby share, by language: since when, after which change, and their rendering.
_lists: dict[str, tuple[float, int, asyncio.Future[str]]] = {}


class LobbyConsumer(PageConsumer):
    """The lists for everybody, and where this viewer sits."""

    shows_notices = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._stamp = 0  # of the latest change
        self._shown = ""
        self._mine = True
        self._looking: asyncio.Task[None] | None = None

    def groups(self) -> list[str]:
        return ["lobby"]

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        await super().websocket_connect(message)
        if self._joined:
            self._looking = asyncio.create_task(self._look())

    async def page_changed(self, message: dict[str, Any]) -> None:
        if message["topic"] == "lobby":
            self._stamp = message["stamp"]
        elif message["topic"] == "mine":
            self._mine = True
        else:
            return
        await super().page_changed(message)

    async def push(self) -> None:
        """The lists are rendered once for all; only what is one's own takes a thread for each."""
        shared = await _rendered_lists(self._language(), self._stamp)
        if shared != self._shown:
            self._shown = shared
            await self.send(shared)
            PUSHES.inc()
        if self._mine and self.scope["user"].is_authenticated:
            await super().push()
        self._mine = False

    def render(self) -> str:
        mine = lists.mine(self.scope["user"])
        return render_to_string("lobbies/_mine.html", {"mine": mine, "swap": True})

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            self._stamp = int(time.time() / LOOK_EVERY)  # the same for everybody, so that it is rendered once
            self.nudge()

    async def _clear_away(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
        await super()._clear_away()


async def _rendered_lists(language: str, stamp: int) -> str:
    """The lists as they are after the change `stamp`, rendered once for all who ask in these seconds."""
    at, after, rendering = _lists.get(language, (0.0, 0, None))
    old = not stamp or after != stamp or time.monotonic() - at > FRESH
    if rendering is None or old or rendering.get_loop() is not asyncio.get_running_loop():
        rendering = asyncio.ensure_future(database_sync_to_async(_render_lists)(language))
        _lists[language] = (time.monotonic(), stamp, rendering)
    return await asyncio.shield(rendering)


def _render_lists(language: str) -> str:
    with translation.override(language):
        return render_to_string("lobbies/_live.html", lists.shared() | {"swap": True})


class TableConsumer(PageConsumer):
    """The seats of a waiting table; while the page is open, its viewer counts as waiting."""

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
        if self._joined and self.scope["user"].is_authenticated:
            self._seeing = asyncio.create_task(self._say_seen())

    def render(self) -> str | None:
        table = Table.objects.get(code=self.code)
        context = table_context(table, self.scope["user"])
        return render_to_string(
            "lobbies/_table.html", context | {"swap": True, "csrf_token": self.csrf_token}
        )

    async def _say_seen(self) -> None:
        while True:
            await database_sync_to_async(self._seen)()
            await asyncio.sleep(SEEN_EVERY)

    def _seen(self) -> None:
        if table := Table.objects.filter(code=self.code).first():
            services.seen(table, self.scope["user"])

    async def _clear_away(self) -> None:
        if self._seeing is not None:
            self._seeing.cancel()
        await super()._clear_away()
