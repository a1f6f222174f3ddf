"""The sockets of the lobby, the list of all matches, and waiting tables."""

import asyncio
import time
from functools import cached_property
from typing import Any

from channels.db import database_sync_to_async
from django.template.loader import render_to_string
from django.utils import timezone, translation

from accounts.addresses import hash_seat_address
from boneyard.engine.presets import PRESETS
from live.consumers import CLOSE_SESSION_ENDED, PageConsumer
from live.database_thread import run_in_database_thread
from live.fragments.page_state import PageState
from live.metrics import PUSHES
from live.rate_limits import get_client_address
from lobbies import services
from lobbies.felt import Choice, Reader, build_choice, load_reader
from lobbies.list_fragments import LobbyPage, WatchPage, build_lobby_page, build_watch_page
from lobbies.models import Table
from lobbies.notices import find_own_places
from lobbies.table import table_context
from lobbies.watching import MatchFilter, parse_filter

SEEN_INTERVAL_SECONDS = 20.0  # a person not seen for a minute is taken off the table
REFRESH_SECONDS = 2.0  # lists are not notified of the moves in the matches that they display
LISTS_TTL_SECONDS = 1.0
CHOICE_TTL_SECONDS = (
    10.0  # of what a press does while the same people wait: tables accept more ratings with time
)

# Cache: key (page, language); bound presets × 2 × languages; invalidated by a later change or LISTS_TTL_SECONDS.
_lists: dict[tuple[object, ...], tuple[float, int, asyncio.Future[PageState]]] = {}

MAX_CHOICES = 500
# Cache: key who sits where, the chosen game and the language; bound MAX_CHOICES; invalidated by CHOICE_TTL_SECONDS.
_choices: dict[tuple[object, ...], tuple[float, asyncio.Future[Choice]]] = {}


class ListsConsumer(PageConsumer):
    """A page of lists that are the same for all its viewers. Subclasses define the lists."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._changed_at_us = 0  # identifies the last change of the lists
        self._page_state: PageState | None = None
        self._own_part_changed = True
        self._refresh_task: asyncio.Task[None] | None = None

    @property
    def lists_key(self) -> tuple[object, ...]:
        """Return the cache key of the lists, without the language."""
        raise NotImplementedError

    def build_lists(self) -> PageState:
        raise NotImplementedError

    @property
    def is_still(self) -> bool:
        """Return whether the reader wants no motion, so that nothing is replayed."""
        return "still" in self.query

    def groups(self) -> list[str]:
        return ["lobby"]

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        await super().websocket_connect(message)
        if self._joined_groups:
            self._refresh_task = asyncio.create_task(self._refresh())

    async def page_changed(self, message: dict[str, Any]) -> None:
        if message["topic"] == "lobby":
            self._changed_at_us = message["changed_at_us"]
        elif message["topic"] == "mine":
            self._own_part_changed = True
        else:
            return
        await super().page_changed(message)

    async def push(self) -> None:
        """Push what has changed in the shared lists, and then the viewer's own part (`render`)."""
        full_requests = self.full_requests
        state = await self._get_lists()
        is_full = full_requests > self.full_answers
        before = None if is_full else self._page_state
        if html := state.full_html() if before is None else state.diff_from(before):
            await self.send(html)
            PUSHES.inc()
        self._page_state, self.full_answers = state, full_requests
        if (self._own_part_changed or is_full) and self.scope["user"].is_authenticated:
            await super().push()
        self._own_part_changed = False

    async def _get_lists(self) -> PageState:
        """Return the lists as of the last change, rendered once for all pages that ask within a second."""
        key = (*self.lists_key, self.language)
        started_at, changed_at_us, rendering = _lists.get(key, (0.0, 0, None))
        is_current = self._changed_at_us and changed_at_us == self._changed_at_us
        is_fresh = time.monotonic() - started_at <= LISTS_TTL_SECONDS
        if (
            rendering is None
            or not (is_current and is_fresh)
            or rendering.get_loop() is not asyncio.get_running_loop()
        ):
            rendering = asyncio.ensure_future(database_sync_to_async(self._render_lists)())
            _lists[key] = (time.monotonic(), self._changed_at_us, rendering)
        return await asyncio.shield(rendering)

    def _render_lists(self) -> PageState:
        with translation.override(self.language):
            return self.build_lists()

    async def _refresh(self) -> None:
        while True:
            await asyncio.sleep(REFRESH_SECONDS)
            # The same number for all pages, so that the lists are rendered once.
            self._changed_at_us = int(time.time() / REFRESH_SECONDS)
            self.request_push()

    async def _release(self) -> None:
        if self._refresh_task is not None:
            self._refresh_task.cancel()
        await super()._release()


class LobbyConsumer(ListsConsumer):
    """The lobby: lists for everybody; and what a press does for this viewer, and where they sit."""

    renders_notices = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._reader: Reader | None = None
        self._chosen = ""  # the preset that the viewer has chosen
        self._choice: Choice | None = None
        self._choice_key: tuple[object, str] | None = None
        self._chosen_at = 0.0

    @property
    def lists_key(self) -> tuple[object, ...]:
        return ("lobby",)

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        self._chosen = self.query.get("preset", "")
        await super().websocket_connect(message)

    async def handle_text(self, text: str) -> None:
        """Handle `choose PRESET`: the viewer has chosen another game."""
        verb, _blank, preset = text.partition(" ")
        if verb == "choose" and (preset in PRESETS or not preset):
            self._chosen = preset
            self.request_push()

    def build_lists(self) -> LobbyPage:
        return build_lobby_page()

    async def _get_lists(self) -> PageState:
        page = await super()._get_lists()
        assert isinstance(page, LobbyPage)  # of `build_lists`
        if self.scope["user"].is_authenticated:
            return await self._build_own(page, await self._get_own_choice(page))
        return page.for_reader(await self._get_visitors_choice(page), None)

    async def _build_own(self, page: LobbyPage, choice: Choice) -> LobbyPage:
        reader = self.scope["user"].pk
        if not page.names(reader):
            return page.for_reader(choice, reader)

        def build() -> LobbyPage:
            with translation.override(self.language):
                return page.for_reader(choice, reader)

        return await run_in_database_thread(build)

    async def _get_own_choice(self, page: LobbyPage) -> Choice:
        if self._own_part_changed:
            self._reader = None
        before, key = self._choice, (page.seating, self._chosen)
        is_fresh = time.monotonic() - self._chosen_at < CHOICE_TTL_SECONDS
        if before is None or self._reader is None or key != self._choice_key or not is_fresh:
            self._choice_key, self._chosen_at = key, time.monotonic()
            before = self._choice = await run_in_database_thread(self._choose, page)
        return before

    async def _get_visitors_choice(self, page: LobbyPage) -> Choice:
        """Return the choice, made once for all visitors of a language who have chosen the same game."""
        key, loop = (page.seating, self._chosen, self.language), asyncio.get_running_loop()
        made_at, making = _choices.get(key, (0.0, None))
        is_fresh = time.monotonic() - made_at < CHOICE_TTL_SECONDS
        if making is None or not is_fresh or making.get_loop() is not loop:
            if len(_choices) >= MAX_CHOICES:
                _choices.clear()
            making = asyncio.ensure_future(run_in_database_thread(self._choose, page))
            _choices[key] = (time.monotonic(), making)
        return await asyncio.shield(making)

    def _choose(self, page: LobbyPage) -> Choice:
        now, user = timezone.now(), self.scope["user"]
        with translation.override(self.language):
            if self._reader is None:
                self._reader = load_reader(user if user.is_authenticated else None, now)
            return build_choice(self._reader, page.tables, self._chosen, now)

    def render(self) -> str:
        mine = find_own_places(self.scope["user"])
        return render_to_string("lobbies/_mine.html", {"mine": mine, "swap": True})


class WatchConsumer(ListsConsumer):
    """All matches in play, or those that match the page's filter."""

    @property
    def lists_key(self) -> tuple[object, ...]:
        return ("watch", self._filter, self.is_still)

    @cached_property
    def _filter(self) -> MatchFilter:
        return parse_filter(self.query)

    def build_lists(self) -> PageState:
        return build_watch_page(self._filter, self.is_still)

    async def _get_lists(self) -> PageState:
        page, user = await super()._get_lists(), self.scope["user"]
        assert isinstance(page, WatchPage)  # of `build_lists`
        if not user.is_authenticated or not page.names(user.pk):
            return page

        def build() -> WatchPage:
            with translation.override(self.language):
                return page.for_reader(user.pk)

        return await run_in_database_thread(build)

    def render(self) -> None:
        """Return nothing: no other part of the page is the viewer's own."""


class TableConsumer(PageConsumer):
    """The seats of a waiting table. While the page is open, its viewer counts as waiting."""

    _seen_task: asyncio.Task[None] | None = None

    def groups(self) -> list[str]:
        return [f"table.{self.code}"]

    def authorize(self) -> bool:
        if self.scope["user"].is_authenticated:
            address = hash_seat_address(get_client_address(self.scope))
            services.record_address(self.code, self.scope["user"], address)
        return Table.objects.filter(code=self.code).exists()

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        await super().websocket_connect(message)
        if self._joined_groups and self.scope["user"].is_authenticated:
            self._seen_task = asyncio.create_task(self._keep_seen())

    def render(self) -> str | None:
        table = Table.objects.get(code=self.code)
        context = table_context(table, self.scope["user"])
        if context["mine"] is not None:
            services.record_socket([context["mine"]])
        return render_to_string(
            "lobbies/_table.html", context | {"swap": True, "csrf_token": self.csrf_token}
        )

    async def _keep_seen(self) -> None:
        while True:
            await database_sync_to_async(self._note_seen)()
            await asyncio.sleep(SEEN_INTERVAL_SECONDS)

    def _note_seen(self) -> None:
        if table := Table.objects.filter(code=self.code).first():
            services.seen(table, self.scope["user"])

    async def _release(self) -> None:
        if self._seen_task is not None:
            self._seen_task.cancel()
        await super()._release()


class SiteConsumer(PageConsumer):
    """The socket of a page without one of its own. It carries only what every page shows of its user."""

    refusal_code = CLOSE_SESSION_ENDED  # the page opens it for users only

    def authorize(self) -> bool:
        return bool(self.scope["user"].is_authenticated)

    def groups(self) -> list[str]:
        return []

    def render(self) -> None:
        """Return nothing: the rest of the page does not change."""
