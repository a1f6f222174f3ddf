"""The sockets of the lobby and of waiting tables."""

import asyncio
import time
from functools import cached_property
from typing import Any

from channels.db import database_sync_to_async
from django.template.loader import render_to_string
from django.utils import translation

from live.consumers import PageConsumer
from live.metrics import PUSHES
from lobbies import lists, services
from lobbies.list_fragments import Lists, lobby_lists, watch_lists
from lobbies.models import Table
from lobbies.table import table_context
from lobbies.watching import Wanted, wanted_in

SEEN_EVERY = 20.0  # seconds; after a minute without a sign somebody is gone
LOOK_EVERY = 2.0  # seconds; these pages are not told of every move in the matches that they show
FRESH = 1.0  # seconds

# What all viewers of a page share, by page and language: since when, after which change, and the lists.
_lists: dict[tuple[object, ...], tuple[float, int, asyncio.Future[Lists]]] = {}


class ListsConsumer(PageConsumer):
    """A page of lists that all its viewers share. A subclass says what they are."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._stamp = 0  # of the latest change
        self._shown: Lists | None = None
        self._mine = True
        self._looking: asyncio.Task[None] | None = None

    @property
    def page(self) -> tuple[object, ...]:
        """What the lists are made by: those of equal pages are equal."""
        raise NotImplementedError

    def lists(self) -> Lists:
        raise NotImplementedError

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
        asked = self.asked
        shared = await self._rendered()
        everything = asked > self.answered
        before = None if everything else self._shown
        if fragments := shared.whole() if before is None else shared.after(before):
            await self.send(fragments)
            PUSHES.inc()
        self._shown, self.answered = shared, asked
        if (self._mine or everything) and self.scope["user"].is_authenticated:
            await super().push()
        self._mine = False

    async def _rendered(self) -> Lists:
        """The lists as they are after the latest change, rendered once for all who ask in these seconds."""
        key = (*self.page, self._language())
        at, after, rendering = _lists.get(key, (0.0, 0, None))
        old = not self._stamp or after != self._stamp or time.monotonic() - at > FRESH
        if rendering is None or old or rendering.get_loop() is not asyncio.get_running_loop():
            rendering = asyncio.ensure_future(database_sync_to_async(self._render_lists)())
            _lists[key] = (time.monotonic(), self._stamp, rendering)
        return await asyncio.shield(rendering)

    def _render_lists(self) -> Lists:
        with translation.override(self._language()):
            return self.lists()

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            self._stamp = int(time.time() / LOOK_EVERY)  # the same for everybody, so that it is rendered once
            self.nudge()

    async def _clear_away(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
        await super()._clear_away()


class LobbyConsumer(ListsConsumer):
    """The lists for everybody, and where this viewer sits."""

    shows_notices = False

    @property
    def page(self) -> tuple[object, ...]:
        return ("lobby", self.scope["user"].is_authenticated)

    def lists(self) -> Lists:
        return lobby_lists(stranger=not self.scope["user"].is_authenticated)

    def render(self) -> str:
        mine = lists.mine(self.scope["user"])
        return render_to_string("lobbies/_mine.html", {"mine": mine, "swap": True})


class WatchConsumer(ListsConsumer):
    """All matches that are played, or those that were asked for."""

    @property
    def page(self) -> tuple[object, ...]:
        return ("watch", self._wanted)

    @cached_property
    def _wanted(self) -> Wanted:
        return wanted_in(self.query)

    def lists(self) -> Lists:
        return watch_lists(self._wanted)

    def render(self) -> None:
        """There is nothing of one's own on this page."""


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
