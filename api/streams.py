"""Streams of JSON lines: a match for its viewer, and what concerns an account (docs/http.md, "The API").

A stream is an ASGI application beside Django's: while nothing happens it takes no thread. The server drops a reader
that takes nothing (`dominoes_site.serving`).
"""

import asyncio
import json
import re
from collections import Counter
from datetime import datetime
from threading import Lock
from typing import Any

from cachetools import TTLCache, cached
from channels.consumer import AsyncConsumer, get_handler_name
from channels.exceptions import StopConsumer
from django.utils import timezone

from api import tokens
from api.events import OwnEvents
from api.models import Token
from api.scopes import SCOPES
from core.http import read_bearer_token
from games import repository
from games.models import Match
from games.services import connections
from games.table.state_json import build_state
from live.database_thread import run_in_database_thread
from lobbies import services as tables
from lobbies.models import Sitting

KEEP_ALIVE_SECONDS = 7.0  # between two empty lines
CHECK_BEATS = 8  # empty lines between two looks for what a lost message would have told
WAKE_MARGIN_SECONDS = 0.05  # after the end of a wait
SEAT_BEATS = 3  # between two signs that the account waits at its tables
MAX_PUBLIC_STATES, PUBLIC_STATE_TTL_SECONDS = 64, 1.0
MAX_STREAMS = 8  # of an account, in one process
# A code names a group of the channel layer, which takes ASCII letters alone, and not many.
PATH = re.compile(r"/games/(?P<code>[0-9a-z]{10})/stream|/events")

INVALID_TOKEN = (b"WWW-Authenticate", b'Bearer error="invalid_token"')

# Of changes of pages, those that a stream tells; "rematch" and "leaving" are of a match.
TOPICS = frozenset({"mine", "rematch", "leaving"})

# For programs, in English; the same reasons as in `api.middleware`.
REFUSALS = {
    "bad_token": "This token is unknown, has ended or was revoked.",
    "missing_scope": "Your token lacks one of these scopes.",
    "too_many_streams": f"Your account has {MAX_STREAMS} streams open.",
    "not_found": "There is no such match, or it is not yet yours to see.",
}

# Open streams by the account's primary key.
_open_streams: Counter[int] = Counter()


class Stream(AsyncConsumer):
    """A response of JSON lines that ends when its token is revoked or its reader goes.

    Changes that come during a rendering are combined into one more.
    """

    address_name = ""  # in `SCOPES`

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.token: Token | None = None
        self._is_counted = self._has_ended = False
        self._groups: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._wake: asyncio.TimerHandle | None = None
        self._beats = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:  # also after a fault: a stream that is counted for ever would refuse another one
            self._has_ended = True
            for timer in (self._timer, self._wake):
                if timer is not None:
                    timer.cancel()
            if self._is_counted and self.token is not None:
                _open_streams[self.token.user_id] -= 1
            for group in self._groups:
                await self.channel_layer.group_discard(group, self.channel_name)

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Pass over messages that concern pages alone, such as the number of spectators."""
        if hasattr(self, get_handler_name(message)):
            await super().dispatch(message)

    # Hooks for subclasses

    def find_groups(self) -> set[str]:
        """Return the groups whose messages concern the stream. Called in the database thread, as `build_lines`."""
        raise NotImplementedError

    def build_lines(self) -> list[dict[str, Any]] | None:
        """Return what is new as lines, or None if there is nothing to stream (404 before the first line)."""
        raise NotImplementedError

    @property
    def is_complete(self) -> bool:
        """Return whether nothing will follow."""
        return False

    def keep_seats(self) -> None:
        """Note that the account is here; called in the database thread."""

    def find_next_at(self) -> datetime | None:
        """Return when there will be news without a message, or None."""
        return None

    # Messages of the server and of the channel layer

    async def http_request(self, message: dict[str, Any]) -> None:
        if message.get("more_body"):
            return
        self.token = await self._find_token()
        if self.token is None:
            await self._refuse(401, "bad_token", INVALID_TOKEN)
        elif not self.token.allows(SCOPES[self.address_name]):
            await self._refuse(403, "missing_scope", scopes=sorted(SCOPES[self.address_name]))
        elif _open_streams[self.token.user_id] >= MAX_STREAMS:
            await self._refuse(429, "too_many_streams", (b"Retry-After", b"60"))
        else:
            await self._open()

    async def http_disconnect(self, message: dict[str, Any]) -> None:
        await self._end()

    async def match_changed(self, message: dict[str, Any]) -> None:
        await self._send_news()

    async def page_changed(self, message: dict[str, Any]) -> None:
        if message["topic"] in TOPICS:
            await self._send_news()

    async def news_due(self, message: dict[str, Any]) -> None:
        """Look for news that no message has told: a moment that has come, or what was lost."""
        await self._send_news()

    async def seats_due(self, message: dict[str, Any]) -> None:
        await run_in_database_thread(self.keep_seats)

    async def token_revoked(self, message: dict[str, Any]) -> None:
        await self._end()

    async def session_ended(self, message: dict[str, Any]) -> None:
        """End if the account may do nothing any more; its sessions are not the token's."""
        if await self._find_token() is None:
            await self._end()

    async def messages_missed(self, message: dict[str, Any]) -> None:
        await self._send_news()

    async def delivery_changed(self, message: dict[str, Any]) -> None:
        await self._send_news()

    # Sending

    async def _open(self) -> None:
        assert self.token is not None
        _open_streams[self.token.user_id] += 1
        self._is_counted = True
        await self._join(await run_in_database_thread(self.find_groups))
        if await self._find_token() is None:  # revoked before the group told it
            await self._refuse(401, "bad_token", INVALID_TOKEN)
        lines = await run_in_database_thread(self.build_lines)
        if lines is None:
            await self._refuse(404, "not_found")
            return
        headers = [
            (b"Content-Type", b"application/x-ndjson"),
            (b"Cache-Control", b"no-store"),
            (b"X-Accel-Buffering", b"no"),
        ]
        await self.send({"type": "http.response.start", "status": 200, "headers": headers})
        if not lines:
            # The headers go out with the first bytes: without any the reader would wait for seven seconds.
            await self.send({"type": "http.response.body", "body": b"\n", "more_body": True})
        await self._write(lines)
        self._keep_alive()
        self._wake_at_next()

    async def _send_news(self) -> None:
        if self._has_ended or not self._timer:
            return
        await self._join(await run_in_database_thread(self.find_groups))
        lines = await run_in_database_thread(self.build_lines)
        await self._write(lines or [])
        self._wake_at_next()

    def _wake_at_next(self) -> None:
        if self._wake is not None:
            self._wake.cancel()
        moment = self.find_next_at()
        if moment is not None and not self._has_ended:
            seconds = max(0.0, (moment - timezone.now()).total_seconds()) + WAKE_MARGIN_SECONDS
            self._wake = asyncio.get_running_loop().call_later(seconds, self._tell_oneself, "news.due")

    def _tell_oneself(self, kind: str) -> None:
        asyncio.get_running_loop().create_task(self.channel_layer.send(self.channel_name, {"type": kind}))

    async def _write(self, lines: list[dict[str, Any]]) -> None:
        text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
        if text:
            await self.send({"type": "http.response.body", "body": text.encode(), "more_body": True})
        if self.is_complete:
            await self._end()

    def _keep_alive(self) -> None:
        loop = asyncio.get_running_loop()
        if self.token is not None and not self.token.is_valid(timezone.now()):
            self._tell_oneself("token.revoked")
            return
        self._beats += 1
        if self._beats % SEAT_BEATS == 0:
            self._tell_oneself("seats.due")
        if self._beats % CHECK_BEATS == 0:
            self._tell_oneself("news.due")
        if self._timer is not None:
            loop.create_task(self.send({"type": "http.response.body", "body": b"\n", "more_body": True}))
        if not self._has_ended:
            self._timer = loop.call_later(KEEP_ALIVE_SECONDS, self._keep_alive)

    async def _join(self, groups: set[str]) -> None:
        """Be in these groups, and in those of the token and the account, and in no others."""
        assert self.token is not None
        wanted = groups | {self.token.group, f"user.{self.token.user_id}"}
        for group in wanted - self._groups:
            await self.channel_layer.group_add(group, self.channel_name)
        for group in self._groups - wanted:
            await self.channel_layer.group_discard(group, self.channel_name)
        self._groups = wanted

    async def _refuse(self, status: int, reason: str, *headers: tuple[bytes, bytes], **more: Any) -> None:
        start = [(b"Content-Type", b"application/json"), *headers]
        await self.send({"type": "http.response.start", "status": status, "headers": start})
        await self._end(json.dumps({"error": REFUSALS[reason], "reason": reason, **more}).encode())

    async def _end(self, last: bytes = b"") -> None:
        """Finish the response, leave the groups, and stop."""
        if not self._has_ended:
            self._has_ended = True
            await self.send({"type": "http.response.body", "body": last})
        raise StopConsumer

    async def _find_token(self) -> Token | None:
        return await run_in_database_thread(tokens.find, _read_token(self.scope))


class MatchStream(Stream):
    """A match: first its whole state.json for the token's account, then again at each later version."""

    address_name = "match-stream"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._sent_version = -1
        self._has_finished = False

    @property
    def is_complete(self) -> bool:
        return self._has_finished

    def find_groups(self) -> set[str]:
        return {f"match.{self.scope['stream_code']}"}

    def build_lines(self) -> list[dict[str, Any]] | None:
        assert self.token is not None
        try:
            snapshot = repository.get_snapshot(self.scope["stream_code"])
        except Match.DoesNotExist:
            return None
        match, seat = snapshot.match, snapshot.seat_of(self.token.user)
        if match.concealed and seat is None:
            return None
        if match.version <= self._sent_version:
            return []
        self._sent_version, self._has_finished = match.version, not match.playing
        if seat is None:
            return [_build_public_state(match)]
        connections.record_hand_sent(seat)
        return [build_state(match, seat, timezone.now())]


@cached(
    TTLCache(MAX_PUBLIC_STATES, PUBLIC_STATE_TTL_SECONDS),
    key=lambda match: (match.code, match.version),
    lock=Lock(),
)
def _build_public_state(match: Match) -> dict[str, Any]:
    """Return what a spectator sees, made once for all who follow a match.

    Cache: key code and version; bound MAX_PUBLIC_STATES; outdated after PUBLIC_STATE_TTL_SECONDS, for its clocks.
    """
    return build_state(match, None, timezone.now())


class EventStream(Stream):
    """What concerns the token's account: own matches that begin, wait for a move or end, and challenges."""

    address_name = "events"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._events: OwnEvents | None = None

    def find_groups(self) -> set[str]:
        assert self.token is not None
        self._events = self._events or OwnEvents(self.token.user)
        return self._events.find_groups()

    def build_lines(self) -> list[dict[str, Any]]:
        assert self._events is not None
        return self._events.find_news()

    def find_next_at(self) -> datetime | None:
        return None if self._events is None else self._events.next_at

    def keep_seats(self) -> None:
        """Keep the seats where the account waits, as an open page does."""
        if self._events is not None and self._events.sittings:
            tables.keep_seats(Sitting.objects.waiting(self._events.user.pk))


class Streams:
    """An ASGI application that answers the addresses of streams, and leaves all others to `app`."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.match_stream, self.event_stream = MatchStream.as_asgi(), EventStream.as_asgi()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        found = PATH.fullmatch(scope["path"]) if scope["method"] == "GET" else None
        if found is None:
            await self.app(scope, receive, send)
        elif (code := found["code"]) is None:
            await self.event_stream(scope, receive, send)
        else:
            await self.match_stream(scope | {"stream_code": code}, receive, send)


def _read_token(scope: Any) -> str:
    return read_bearer_token(dict(scope["headers"]).get(b"authorization", b"").decode("latin-1"))
