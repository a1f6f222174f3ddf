"""The match's socket: the same parts as the page, rendered for its own viewer whenever something changed; and the form
for a move, with the refusals that a POST has."""

import asyncio
import json
import logging
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import DatabaseError, InterfaceError
from django.template.loader import render_to_string
from django.utils import translation

from core.database import get_outage_reason
from games import repository, wording
from games.board import Shape
from games.drawing.line import SHAPES, shapes_named
from games.forms import SentMove
from games.models import Match
from games.services import MoveRefused, connections
from games.table.page_state import Shown, told
from games.table.snapshot_cache import reading
from live.consumers import SESSION_ENDED, PageConsumer
from live.database_thread import run_in_database_thread
from live.local_delivery import hold_back_changes

log = logging.getLogger(__name__)

CLEAN = frozenset({1000, 1001})  # the page was closed, or left for another
RESTART = 1012
TOGETHER = 0.25  # seconds
AROUND = frozenset({"presence", "talk"})  # topics that change no row of a match or its seats
LONGEST = 1000  # characters of a message


class Room:
    """The pages of one match that are open in this process. What is due to all of them is made in one go; moves and
    pushes take turns."""

    def __init__(self) -> None:
        self.pages: set[MatchConsumer] = set()
        self.turn = asyncio.Lock()
        self.under_way: set[asyncio.Task[None]] = set()

    @property
    def following(self) -> list["MatchConsumer"]:
        """Those that show something already; a page that has just come will soon be shown everything."""
        return [page for page in self.pages if page.shows_something]

    async def send(self, made: Iterable[tuple["MatchConsumer", str | None]]) -> None:
        for page, html in made:
            if page in self.pages:
                await page.send_made(html)


_rooms: dict[str, Room] = {}


class MatchConsumer(PageConsumer):
    _shown: Shown | None = None  # what the page shows, as far as this socket knows

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.around_since = 0.0  # when it was last told of presence or talk (time.monotonic)
        self._room = Room()  # until it has come to that of its match
        self._rendered_at = 0.0
        self._shapes: Sequence[Shape] = SHAPES  # of the board, that the page shows

    @property
    def code(self) -> str:
        return self.scope["url_route"]["kwargs"]["code"]

    def groups(self) -> list[str]:
        return [f"match.{self.code}"]

    def arrive(self) -> bool:
        try:
            found = repository.get_snapshot(code=self.code)
        except Match.DoesNotExist:
            return False
        seat = found.seat_of(self.scope["user"])
        connections.opened(match=found.match, seat=seat, channel=self.channel_name)
        return True

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        self._room = _rooms.setdefault(self.code, Room())
        self._room.pages.add(self)
        await super().websocket_connect(message)

    async def _clear_away(self) -> None:
        self._room.pages.discard(self)
        if not self._room.pages and _rooms.get(self.code) is self._room:
            del _rooms[self.code]
        await super()._clear_away()

    def leave(self, code: int) -> None:
        # When a server stops, its rows are left to lapse as if it had been killed: so the others know that it ended.
        if code != RESTART:
            connections.closed(channel=self.channel_name, clean=code in CLEAN)

    async def spectators_changed(self, message: dict[str, Any]) -> None:
        """A crowd comes and goes: the number alone is sent, and nothing is read for it."""
        with translation.override(self._language()):
            await self.send(
                render_to_string("games/_spectators.html", {"spectators": message["number"], "oob": True})
            )

    async def news_missed(self, message: dict[str, Any]) -> None:
        self.nudge()

    def first_push(self) -> float:
        """Those who come in the same moment are shown one reading."""
        return -time.monotonic() % TOGETHER

    def nudge(self, delay: float = 0.0) -> None:
        self.around_since = time.monotonic()
        super().nudge(delay)

    async def page_changed(self, message: dict[str, Any]) -> None:
        if message.get("topic") in AROUND:
            self.around_since = time.monotonic()
            self.push_soon()
        else:
            await super().page_changed(message)

    @property
    def shows_something(self) -> bool:
        return self._shown is not None

    @property
    def is_due(self) -> bool:
        """Whether something may have changed since this page was rendered last."""
        told_at = max(self.since, self.around_since)
        return self.asked > self.answered or self.told > self.version or told_at >= self._rendered_at

    async def push(self) -> None:
        """Send this page what is due, and with it all others of the match to which something is: one visit to the
        thread. What is made for the others is sent to them even if this page leaves meanwhile, which ends its tasks."""
        pushing = asyncio.create_task(self._push_to_all())
        self._room.under_way.add(pushing)
        pushing.add_done_callback(self._room.under_way.discard)
        await asyncio.shield(pushing)

    async def _push_to_all(self) -> None:
        async with self._room.turn:
            if self.is_due:
                pages = {self, *self._room.following}
                await self._room.send(await run_in_database_thread(_rendered, pages))

    def render(self) -> str | None:
        """What has changed for this viewer, whose seat is looked up each time, as it may have been taken over.

        The first frame is the whole, as is the answer to a page that asks. A page that does not show what a later one
        follows asks by itself (match.js).
        """
        self._rendered_at = time.monotonic()
        asked = self.asked
        latest = reading(self.code, version=self.told, since=self.since, around_since=self.around_since)
        shown = latest.shown_to(self.scope["user"], self._shapes)
        self.version = shown.version
        before = self._shown
        if before is not None and shown.version < before.version:
            return None
        everything, self.answered = asked > self.answered, asked
        self._shown = shown
        return shown.whole() if before is None or everything else shown.after(before)

    # A move

    async def hear(self, text: str) -> None:
        """A move as the page would post it, in JSON; or the shape of its board; or what every page may send."""
        word, _, shape = text.partition(" ")
        if word == "shape":
            self._shapes = shapes_named(shape)
            if self.shows_something:
                self.nudge()
            return
        # A refused viewer has joined nothing.
        sent = _read(text) if self._joined else None
        if sent is None:
            await super().hear(text)
            return
        await self._answer(sent)

    async def _answer(self, sent: dict[str, Any]) -> None:
        """The answer to a move that is made is the push that it brings. All pages are rendered in the same visit to the
        thread, and those of the others, who are waiting, are sent first."""
        try:
            async with self._room.turn:
                others = [page for page in self._room.following if page is not self]
                version, made = await run_in_database_thread(self._play, sent, [*others, self], self.is_known())
                await self._room.send(made)
        except MoveRefused as error:
            if error.reason == "stale":
                # What has changed comes first: with a new version the page drops what it was told before.
                self.nudge()
                await self.push()
            await self._tell_refusal(error.reason, error.code, error.params)
            return
        except (DatabaseError, InterfaceError) as error:
            log.exception("A move in %s could not be stored", self.code)
            if get_outage_reason(error):
                await self._tell_refusal("unavailable")
            return  # else the page posts it, and is told
        if version is None:
            await self.close(SESSION_ENDED)
            return
        for page in list(self._room.pages):
            if page.told < version:  # it has come while the move was made
                await page.match_changed({"version": version})

    async def _tell_refusal(
        self, reason: str, code: str = "", params: Mapping[str, object] | None = None
    ) -> None:
        with translation.override(self._language()):
            await self.send(told(wording.refused(reason, code, params)))

    def _play(
        self, sent: dict[str, Any], pages: Sequence["MatchConsumer"], known: bool
    ) -> tuple[int | None, "Made"]:
        """The version that the move has made, and what that brings to these pages; no version if the session is
        over."""
        if not known and not self.is_welcome():
            return None, []
        with hold_back_changes(f"match.{self.code}"):
            version = SentMove.read(sent).play(code=self.code, user=self.scope["user"]).match.version
        for page in pages:
            page.told = max(page.told, version)
        return version, _rendered(pages)


Made = list[tuple[MatchConsumer, str | None]]


def _rendered(pages: Iterable[MatchConsumer]) -> Made:
    """What is due to each of these pages. One that fails is left out: it will ask."""
    made: Made = []
    for page in pages:
        try:
            if page.is_due:
                made.append((page, page.render_in_language()))
        except Exception:
            log.exception("A page of match %s could not be rendered", page.code)
    return made


def _read(text: str) -> dict[str, Any] | None:
    """The fields of a move; None if it is something else that was sent."""
    try:
        sent = json.loads(text) if len(text) <= LONGEST else None
    except (ValueError, RecursionError):
        return None
    return sent if isinstance(sent, dict) and "move" in sent else None
