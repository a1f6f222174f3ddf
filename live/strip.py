"""The strip of a page: its user's running matches and tables, kept current over the page's socket.

The page's presence at these matches is recorded with it. The lobby app registers both functions.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from django.utils import translation

from live.database_thread import run_in_database_thread
from live.local_delivery import follow, unfollow

log = logging.getLogger(__name__)

IGNORED_TOPICS = frozenset({"presence", "talk", "emotes"})  # of a match; the strip shows none of them


class StripState(NamedTuple):
    """What a strip shows. `groups` are those of the matches and tables that it depends on.

    A match with a clock of days has an entry but no group: its players are notified of its moves as users.
    """

    html: str
    groups: frozenset[str]
    has_entry: bool


# Takes the user, the page's channel, and the code of the match or table that it is about.
Update = Callable[[Any, str, str], StripState]
Close = Callable[..., None]  # takes `user`, `channel` and `clean`

_update: Update | None = None
_close: Close | None = None


def register(update: Update, close: Close) -> None:
    """Register how to render a page's strip and record its presence, and how to record that it closed."""
    global _update, _close
    _update, _close = update, close


def record_close(user: Any, channel: str, clean: bool) -> None:
    """Record that a page of `user` closed; `clean` if its reader closed it."""
    if _close is not None:
        _close(user=user, channel=channel, clean=clean)


class Page(Protocol):
    """What a strip needs of its page's consumer."""

    channel_name: str
    scope: Any
    has_disconnected: bool

    @property
    def code(self) -> str: ...
    @property
    def language(self) -> str: ...
    async def send(self, text_data: str | None = None) -> None: ...
    async def join_group(self, group: str) -> None: ...
    async def leave_group(self, group: str) -> None: ...


class Strip:
    """The strip of one page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.groups: frozenset[str] = frozenset()
        self._html: str | None = None
        self._requested = False
        self._task: asyncio.Task[None] | None = None

    def handle_message(self, message: dict[str, Any]) -> None:
        """Handle a message that does not concern the page itself."""
        is_ignored = message["type"] == "spectators.changed" or message.get("topic") in IGNORED_TOPICS
        if message["group"] in self.groups and not is_ignored:
            self.request()

    def request(self) -> None:
        """Update the strip soon. Calls during an update are combined into one more."""
        self._requested = True
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._update_while_requested())

    async def _update_while_requested(self) -> None:
        while self._requested:
            self._requested = False
            try:
                await self._push()
            except Exception:
                log.exception("The strip of a page could not be updated")  # it polls
        self._task = None

    async def _push(self) -> None:
        state = await run_in_database_thread(self._render)
        if state is None:
            return
        joined, left = state.groups - self.groups, self.groups - state.groups
        self._follow(state.groups)
        for group in joined:
            await self._page.join_group(group)
        for group in left:
            await self._page.leave_group(group)
        if joined:
            self._requested = True  # something may have changed before the group was joined
        # As the page was rendered. An entry may have come since.
        is_first_and_empty = self._html is None and not state.groups and not state.has_entry
        if state.html != self._html and not is_first_and_empty:
            await self._page.send(state.html)
        self._html = state.html

    def _render(self) -> StripState | None:
        page = self._page
        # The page's rows were closed in this thread: add none.
        if _update is None or page.has_disconnected or not page.scope["user"].is_authenticated:
            return None
        with translation.override(page.language):
            return _update(page.scope["user"], page.channel_name, page.code)

    def _follow(self, groups: frozenset[str]) -> None:
        follow(groups - self.groups)
        unfollow(self.groups - groups)
        self.groups = groups

    def close(self) -> None:
        self._follow(frozenset())
        if self._task is not None:
            self._task.cancel()
