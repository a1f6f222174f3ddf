"""The socket of a match's page: it pushes the page's fragments to its viewer, and accepts the viewer's moves.

A move passes through here once: `MatchConsumer.handle_text`, `MatchPages.play`, and in the database thread
`_play_and_render`, which plays it and renders all open pages of the match.
"""

import asyncio
import json
import logging
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from operator import attrgetter
from typing import Any

from autobahn.exception import Disconnected
from django.db import DatabaseError, InterfaceError
from django.template.loader import render_to_string
from django.utils import translation

from accounts.addresses import hash_network, hash_seat_address
from boneyard.board import Shape
from core.database import get_outage_reason
from games import repository, wording
from games.drawing.line import SHAPES, parse_shapes
from games.models import Match
from games.move_requests import MoveRequest
from games.services import MoveRefused, connections, note_network, record_address
from games.table.page_state import MatchPageState, render_refusal
from games.table.snapshot_cache import get_snapshot_view
from live import seated
from live.consumers import CLOSE_SESSION_ENDED, PageConsumer
from live.database_thread import run_in_database_thread
from live.local_delivery import hold_back_changes
from live.rate_limits import get_client_address

log = logging.getLogger(__name__)

FIRST_PUSH_INTERVAL_SECONDS = 0.25
# Topics that change no row of a match or its seats.
AUDIENCE_TOPICS = frozenset({"presence", "talk", "emotes"})
MAX_MESSAGE_LENGTH = 1000  # characters

Frames = list[tuple["MatchConsumer", str | None]]


class MatchPages:
    """The pages of one match that are open in this process.

    They are rendered together, in one call in the database thread. Moves and pushes take turns.
    """

    def __init__(self) -> None:
        self.pages: set[MatchConsumer] = set()
        self._lock = asyncio.Lock()
        self._push_tasks: set[asyncio.Task[None]] = set()

    async def play(self, page: "MatchConsumer", asked: MoveRequest) -> int | None:
        """Play a move sent by `page` and push it to all pages, that of the mover last.

        Return the match's new version; None if the session of `page` has ended. Raise `MoveRefused`.
        """
        async with self._lock:
            others = [other for other in self._get_rendered_pages() if other is not page]
            version, frames = await run_in_database_thread(
                _play_and_render, page, asked, [*others, page], page.session_is_trusted()
            )
            await self._send(frames)
        return version

    async def push(self, page: "MatchConsumer") -> None:
        """Push to `page`, and to all others that are outdated.

        Runs to its end even if `page` disconnects meanwhile, which cancels its tasks.
        """
        task = asyncio.create_task(self._push(page))
        self._push_tasks.add(task)
        task.add_done_callback(self._push_tasks.discard)
        await asyncio.shield(task)

    async def _push(self, page: "MatchConsumer") -> None:
        async with self._lock:
            if page.is_outdated:
                pages = {page, *self._get_rendered_pages()}
                await self._send(await run_in_database_thread(_render_pages, pages))

    def _get_rendered_pages(self) -> list["MatchConsumer"]:
        """Return the pages that have had their first frame; the others will soon get one."""
        return [page for page in self.pages if page.is_rendered]

    async def _send(self, frames: Frames) -> None:
        for page, html in frames:
            if page in self.pages:
                await page.send_rendered(html)


_match_pages: dict[str, MatchPages] = {}


class MatchConsumer(PageConsumer):
    _page_state: MatchPageState | None = None  # what the page displays, as far as this socket knows

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.audience_changed_since = (
            0.0  # time of the last notification of presence or talk (time.monotonic)
        )
        self._match_pages = MatchPages()  # replaced by the shared one of the match on connect
        self._rendered_at = 0.0
        self._shapes: Sequence[Shape] = SHAPES  # of the board that the page displays
        self._is_compressible = False  # the last rendering

    # Connecting

    def groups(self) -> list[str]:
        return [f"match.{self.code}"]

    def authorize(self) -> bool:
        try:
            snapshot = repository.get_snapshot(code=self.code)
        except Match.DoesNotExist:
            return False
        seat = snapshot.seat_of(self.scope["user"])
        if snapshot.match.concealed and seat is None:
            return False
        connections.record_open(match=snapshot.match, seat=seat, channel=self.channel_name)
        if seat is not None:
            address = hash_seat_address(get_client_address(self.scope))
            record_address(code=self.code, user=self.scope["user"], address=address)
            seated.note(getattr(self.scope.get("session"), "session_key", None), self.code)
            if snapshot.match.concealed:
                note_network(self.code, self.scope["user"], hash_network(get_client_address(self.scope)))
        return True

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        self._match_pages = _match_pages.setdefault(self.code, MatchPages())
        self._match_pages.pages.add(self)
        await super().websocket_connect(message)

    def get_first_push_delay(self) -> float:
        """Return the time to the next quarter of a second, so that pages that connect together share a reading."""
        return -time.monotonic() % FIRST_PUSH_INTERVAL_SECONDS

    async def _release(self) -> None:
        self._match_pages.pages.discard(self)
        if not self._match_pages.pages and _match_pages.get(self.code) is self._match_pages:
            del _match_pages[self.code]
        await super()._release()

    # Messages from the channel layer

    async def page_changed(self, message: dict[str, Any]) -> None:
        if message.get("topic") in AUDIENCE_TOPICS:
            self.audience_changed_since = time.monotonic()
            self.schedule_push()
        else:
            await super().page_changed(message)

    async def spectators_changed(self, message: dict[str, Any]) -> None:
        """Send the new number of spectators, without a query."""
        with translation.override(self.language):
            await self.send(
                render_to_string("games/_spectators.html", {"spectators": message["number"], "oob": True})
            )

    async def messages_missed(self, message: dict[str, Any]) -> None:
        self.request_push()

    # Pushing

    def request_push(self, delay: float = 0.0) -> None:
        self.audience_changed_since = time.monotonic()
        super().request_push(delay)

    async def push(self) -> None:
        await self._match_pages.push(self)

    @property
    def is_rendered(self) -> bool:
        return self._page_state is not None

    @property
    def is_outdated(self) -> bool:
        """Return whether something may have changed since the last rendering."""
        changed_since = max(self.changed_since, self.audience_changed_since)
        return (
            self.full_requests > self.full_answers
            or self.notified_version > self.rendered_version
            or changed_since >= self._rendered_at
        )

    def render(self) -> str | None:
        """Return what has changed for this viewer; everything for the first frame and for a page that asked for it.

        The viewer's seat is looked up each time: a computer may have taken it over. A page that does not display the
        state that a frame is based on asks for everything (match.js).
        """
        self._rendered_at = time.monotonic()
        full_requests = self.full_requests
        view = get_snapshot_view(
            self.code,
            version=self.notified_version,
            since=self.changed_since,
            audience_since=self.audience_changed_since,
        )
        state = view.page_state_for(self.scope["user"], self._shapes)
        self.rendered_version = state.version
        before = self._page_state
        if before is not None and state.version < before.version:
            return None
        is_full, self.full_answers = full_requests > self.full_answers, full_requests
        self._page_state = state
        base = None if is_full else before
        # Others' words and the hand must not share a compression window; spectators go without one, to save memory
        # (docs/decisions/0007).
        self._is_compressible = state.is_seated and not state.carries_talk(base)
        return state.full_html() if base is None else state.diff_from(base)

    async def send_frame(self, html: str) -> None:
        """Send a frame, compressed if this is safe and the browser supports it."""
        if not self._is_compressible:
            await self.send(html)
            return
        with suppress(Disconnected):
            await self.base_send({"type": "websocket.send", "text": html, "compress": True})

    # Messages from the browser

    async def handle_text(self, text: str) -> None:
        """Handle "shape …", the shape of the page's board, or a move: the fields of its form as JSON."""
        word, _, shape = text.partition(" ")
        if word == "shape":
            self._shapes = parse_shapes(shape)
            if self.is_rendered:
                self.request_push()
        elif (fields := _parse_fields(text)) is not None:
            await self._play(fields)

    async def set_visibility(self, is_in_view: bool) -> None:
        await super().set_visibility(is_in_view)
        await run_in_database_thread(
            connections.record_visibility, channel=self.channel_name, visible=is_in_view
        )

    async def _play(self, fields: dict[str, Any]) -> None:
        """Play a move; send why it was refused, if it was."""
        try:
            version = await self._match_pages.play(self, MoveRequest.parse(fields))
        except MoveRefused as error:
            if error.reason == "stale":
                # Push first: with a new version the page removes an older refusal.
                self.request_push()
                await self.push()
            if error.code == "repeated":
                return  # the move that was sent before has been played
            await self._send_refusal(error.reason, error.code, error.params)
            return
        except (DatabaseError, InterfaceError) as error:
            log.exception("A move in %s could not be stored", self.code)
            if get_outage_reason(error):
                await self._send_refusal("unavailable")
            return  # without an answer the page posts the form, and displays the error
        if version is None:
            await self.close(CLOSE_SESSION_ENDED)
            return
        for page in list(self._match_pages.pages):
            if page.notified_version < version:  # connected while the move was played
                await page.match_changed({"version": version})

    async def _send_refusal(
        self, reason: str, code: str = "", params: Mapping[str, object] | None = None
    ) -> None:
        # Why matches stand still may be queried.
        await self.send(await run_in_database_thread(self._render_refusal, reason, code, params))

    def _render_refusal(self, reason: str, code: str, params: Mapping[str, object] | None) -> str:
        with translation.override(self.language):
            return render_refusal(wording.refusal_sentence(reason, code, params))


def _play_and_render(
    page: MatchConsumer, asked: MoveRequest, pages: Sequence[MatchConsumer], session_is_trusted: bool
) -> tuple[int | None, Frames]:
    """Play a move sent by `page`; return the match's new version and the frames for `pages`.

    Return (None, []) if the session has ended. Raise `MoveRefused`.
    """
    if not session_is_trusted and not page.session.is_valid():
        return None, []
    with hold_back_changes(f"match.{page.code}"):
        snapshot = asked.play(code=page.code, user=page.scope["user"])
    version = snapshot.match.version
    for each in pages:
        each.notified_version = max(each.notified_version, version)
    return version, _render_pages(pages)


def _render_pages(pages: Iterable[MatchConsumer]) -> Frames:
    """Return the frames for the outdated ones of `pages`. A page whose rendering fails is left out: it polls."""
    frames: Frames = []
    for language, group in groupby(sorted(pages, key=attrgetter("language")), attrgetter("language")):
        with wording.in_language(language):
            for page in group:
                try:
                    if page.is_outdated:
                        frames.append((page, page.render()))
                except Exception:
                    log.exception("A page of match %s could not be rendered", page.code)
    return frames


def _parse_fields(text: str) -> dict[str, Any] | None:
    """Return the fields of a move; None for any other message."""
    try:
        fields = json.loads(text) if len(text) <= MAX_MESSAGE_LENGTH else None
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) and "move" in fields else None
