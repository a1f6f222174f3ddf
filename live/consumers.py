"""The WebSocket consumer of an open page: it pushes the page's fragments again whenever they change."""

import asyncio
import logging
import random
import time
from functools import cached_property
from typing import Any, cast
from urllib.parse import parse_qsl

from autobahn.exception import Disconnected
from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import get_channel_layer
from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext

from core import languages
from live import notices, open_sockets, rate_limits
from live.database_thread import run_in_database_thread
from live.metrics import PUSHES
from live.session_check import SessionCheck, build_csrf_token
from live.strip import Strip, record_close

log = logging.getLogger(__name__)

SESSION_CHECK_SECONDS = 60.0  # between two checks of the session
LOGOUT_SETTLE_SECONDS = 1.0  # a log-out is broadcast as it begins and is committed within this time

VISIBILITY = {"visible": True, "hidden": False}  # of a page, as it tells
CLEAN_CLOSE_CODES = frozenset({1000, 1001})  # the page was closed or left
CLOSE_RATE_LIMITED = 1008  # policy violation; the page reconnects after a moment
CLOSE_INTERNAL_ERROR = 1011
CLOSE_RESTART = 1012
CLOSE_SESSION_ENDED = 4401
CLOSE_REFUSED = 4403


class PageConsumer(AsyncWebsocketConsumer):
    """The socket of one open page. Subclasses define its groups and what it renders for its viewer.

    The first frame is the full current state. It is sent after the groups are joined, so that a change in between is
    either in it or arrives as a notification. Notifications that arrive during a rendering cause one more frame.
    `authorize` and `render` run in the database thread that all sockets share: keep them short.
    """

    refusal_code = CLOSE_REFUSED
    renders_notices = True  # push `live.notices`; False if the page displays them itself

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.notified_version = -1  # the highest version this page was notified of
        self.changed_since = 0.0  # time of the last notification without a version (time.monotonic)
        self.rendered_version = -1  # of the last rendering
        self.sent_version = -1  # the highest version sent
        self.full_requests, self.full_answers = 1, 0  # of the full state; the first frame is a request
        self._push_requested = False
        self._push_task: asyncio.Task[None] | None = None
        self._session_timer: asyncio.TimerHandle | asyncio.Task[None] | None = None
        self._dispatch_lock = asyncio.Lock()  # for messages from the browser and from the channel layer
        self._joined_groups: list[str] = []
        self._own_groups: frozenset[str] = frozenset()  # without those of the strip
        self.has_disconnected = False
        self.strip = Strip(self)
        self._rate_limit_key = "", ""
        self._is_rate_limited = self._is_in_view = False
        self._owner = self._network = ""

    # Hooks for subclasses

    def authorize(self) -> bool:
        """Return whether the viewer may have this page; if not, the socket is closed with `refusal_code`."""
        return True

    def groups(self) -> list[str]:  # a fixed list in Channels; here it depends on the address
        """Return the groups whose messages concern this page. The viewer's own group is added."""
        raise NotImplementedError

    def render(self) -> str | None:
        """Return the page's fragments for this viewer, in the active language; None if there is nothing to send.

        Set `rendered_version` if the page has versions. Rows that were read for another page may be used if they were
        read after `changed_since` and are not older than `notified_version`.
        """
        raise NotImplementedError

    def get_first_push_delay(self) -> float:
        """Return the seconds until the first frame; the page itself was just rendered."""
        return 0.0

    async def handle_text(self, text: str) -> None:
        """Handle a text message other than "ping", "look" and those of `VISIBILITY`; ignored by default."""

    # What subclasses use

    @property
    def code(self) -> str:
        """Return the code of the table or match that the page is about, or ""."""
        code: str = self.scope["url_route"]["kwargs"].get("code", "")
        return code

    @property
    def query(self) -> dict[str, str]:
        """Return the query parameters. Not a QueryDict, which raises for more than 1,000 fields."""
        return dict(parse_qsl(self.scope["query_string"].decode("latin-1")))

    @property
    def csrf_token(self) -> str:
        """Return a token for fragments with forms; "" without a valid CSRF cookie."""
        return build_csrf_token(self.scope)

    @property
    def language(self) -> str:
        page_language, browser_language = self._languages
        return page_language or getattr(self.scope["user"], "language", "") or browser_language

    @cached_property
    def _languages(self) -> tuple[str, str]:
        return languages.get_page_language(self.query), languages.get_browser_language(self.scope)

    def session_is_trusted(self) -> bool:
        """Return whether checking the session can be skipped. Call in the event loop, like the channel layer.

        False while messages may be lost: one of them may say that the session has ended.
        """
        return self.session.is_trusted() and not self._delivery_is_delayed()

    # Messages from the channel layer

    async def match_changed(self, message: dict[str, Any]) -> None:
        if message["version"] > max(self.notified_version, self.sent_version):
            self.notified_version = message["version"]
            self.schedule_push()

    async def page_changed(self, message: dict[str, Any]) -> None:
        if message["topic"] == "mine":
            self.strip.request()
            if self.renders_notices and self.scope["user"].is_authenticated:
                await self.send(await run_in_database_thread(self._render_notices))
        self.request_push()

    async def session_ended(self, message: dict[str, Any]) -> None:
        # Sent to all pages of the user when a log-out begins. A session in another browser may be valid, and the
        # log-out may not be committed yet: serve the page until the next check.
        self.session.distrust(LOGOUT_SETTLE_SECONDS)
        if not await run_in_database_thread(self.session.is_valid):
            await self.close(CLOSE_SESSION_ENDED)
            return
        self._cancel_session_check()
        self._schedule_session_check(LOGOUT_SETTLE_SECONDS)

    async def delivery_changed(self, message: dict[str, Any]) -> None:
        """Handle the start or end of an outage of Redis."""
        await self._send_delivery_notice()
        self.request_push()

    async def messages_missed(self, message: dict[str, Any]) -> None:
        """Handle a possible loss of messages (live.layers). Most pages rely on polling."""

    def _render_notices(self) -> str:
        with translation.override(self.language):
            return notices.render_notices(self.scope["user"], self.csrf_token, self.code)

    async def _send_delivery_notice(self) -> None:
        with translation.override(self.language):
            sentence = gettext("Updates are delayed just now. Your moves still count.")
        text = sentence if self._delivery_is_delayed() else ""
        await self.send(f'<span id="pace" hx-swap-oob="true">{text}</span>')

    def _delivery_is_delayed(self) -> bool:
        return getattr(self.channel_layer, "is_unavailable", False)

    # Pushing

    def request_push(self, delay: float = 0.0) -> None:
        """Push soon, with data read after this call. Calls before the push are combined into one."""
        self.changed_since = time.monotonic()
        self.schedule_push(delay)

    def request_full(self) -> None:
        """Push the full state, even if nothing has changed."""
        self.full_requests += 1
        self.request_push()

    def schedule_push(self, delay: float = 0.0) -> None:
        """Render and push once more. Calls during a rendering are combined into one more."""
        self._push_requested = True
        if self._push_task is None or self._push_task.done():
            self._push_task = asyncio.create_task(self._push_while_requested(delay))

    async def _push_while_requested(self, delay: float) -> None:
        await asyncio.sleep(delay)
        while self._push_requested:
            self._push_requested = False
            try:
                await self.push()
            except Exception:
                # The page polls; closing the socket would only make it reconnect and fail again.
                log.exception("A page at %s could not be pushed", self.scope["path"])
        self._push_task = None

    async def push(self) -> None:
        """Render and send. Subclasses that render several pages together override this."""
        await self.send_rendered(await run_in_database_thread(self.render_translated))

    def render_translated(self) -> str | None:
        with translation.override(self.language):
            return self.render()

    async def send_rendered(self, html: str | None) -> None:
        """Send a rendering of this page, unless a later version was sent."""
        if html is not None and self.rendered_version >= self.sent_version:
            self.sent_version = self.rendered_version
            await self.send_frame(html)
            PUSHES.inc()

    async def send_frame(self, html: str) -> None:
        await self.send(html)

    async def send(
        self, text_data: str | None = None, bytes_data: bytes | None = None, close: bool = False
    ) -> None:
        """Send to the browser; drop the data if it has disconnected, which the server notices only after a moment."""
        try:
            await super().send(text_data, bytes_data, close)
        except Disconnected:
            log.debug("The page at %s has gone", self.scope["path"])

    # Messages from the browser

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        # Accept first: a browser cannot read why a handshake failed, and would retry forever.
        await self.accept()
        if getattr(user := self.scope["user"], "banned", False):
            await self.close(CLOSE_SESSION_ENDED)
            return
        if not self._register() or not await run_in_database_thread(self.authorize):
            await self.close(self.refusal_code)
            return
        self._joined_groups = self.groups()
        if user.is_authenticated:
            self._joined_groups.append(f"user.{user.pk}")
        self._own_groups = frozenset(self._joined_groups)
        await self._join_groups()
        # At a random time: after a restart all pages connect at once.
        self._schedule_session_check(random.uniform(0.3, 1) * SESSION_CHECK_SECONDS)  # noqa: S311
        self.strip.request()
        if self._delivery_is_delayed():
            await self._send_delivery_notice()
        self.request_push(self.get_first_push_delay())

    async def websocket_receive(self, message: dict[str, Any]) -> None:
        if self._is_rate_limited:
            return  # received before the close
        if rate_limits.exceeds_limit(*self._rate_limit_key) and settings.LIMITS:
            self._is_rate_limited = True
            await self.close(CLOSE_RATE_LIMITED)
            return
        text = message.get("text") or ""
        if text == "ping":
            await self.send("pong")
        elif not self._joined_groups:
            return  # refused
        elif text == "look":
            self.request_full()
            self.strip.request()
        elif text in VISIBILITY:
            await self.set_visibility(VISIBILITY[text])
        else:
            await self.handle_text(text)

    async def set_visibility(self, is_in_view: bool) -> None:
        """Note whether the page is in view."""
        if is_in_view != self._is_in_view:
            self._is_in_view = is_in_view
            open_sockets.note_view(self._owner, is_in_view)

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        await self._disconnect(message["code"])
        raise StopConsumer()

    def _register(self) -> bool:
        self._owner = open_sockets.get_owner(self.scope)
        self._network = open_sockets.get_network(self.scope)
        # Many visitors without an account may share an address, so each of their sockets has its own rate limit.
        sender = self._owner if self.scope["user"].is_authenticated else self.channel_name
        self._rate_limit_key = sender, self.scope["path"]
        return open_sockets.register(self._owner, self._network)

    async def join_group(self, group: str) -> None:
        self._joined_groups.append(group)
        await self.channel_layer.group_add(group, self.channel_name)

    async def leave_group(self, group: str) -> None:
        self._joined_groups.remove(group)
        await self.channel_layer.group_discard(group, self.channel_name)

    async def _join_groups(self) -> None:
        for group in list(self._joined_groups):
            await self.channel_layer.group_add(group, self.channel_name)

    async def _disconnect(self, code: int) -> None:
        if not self._joined_groups or self.has_disconnected:
            return
        self.has_disconnected = True  # set first: do not repeat it if it fails
        # When the server stops, its presence rows expire as after a kill: the others see that it restarted.
        if code != CLOSE_RESTART:
            is_clean = code in CLEAN_CLOSE_CODES
            await run_in_database_thread(record_close, self.scope["user"], self.channel_name, is_clean)

    # The consumer's lifetime

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        # Like Channels' own, with one additional task instead of two: this one reads from the browser.
        self.scope, self.base_send = scope, send
        self.session = SessionCheck(scope)
        self.channel_layer = get_channel_layer(self.channel_layer_alias)
        self.channel_name = await self.channel_layer.new_channel()
        this_task = cast("asyncio.Task[None]", asyncio.current_task())
        layer_task = asyncio.create_task(self._receive_from_layer(this_task))
        try:
            try:
                while True:
                    message = await receive()
                    async with self._dispatch_lock:
                        await self.dispatch(message)
            except asyncio.CancelledError:
                if not layer_task.done() or layer_task.cancelled():
                    raise
                this_task.uncancel()
                layer_task.result()  # raises its exception
        except StopConsumer:
            pass
        except Exception:
            await self._disconnect(CLOSE_INTERNAL_ERROR)  # the server closes without sending a disconnect
            raise
        finally:  # also at shutdown
            self._cancel_session_check()  # first: it joins groups, which must not happen after they are left
            layer_task.cancel()
            try:
                await asyncio.wait([layer_task])
            finally:
                await self._release()

    async def _receive_from_layer(self, browser_task: "asyncio.Task[None]") -> None:
        """Dispatch messages of the channel layer; cancel `browser_task` if a handler fails."""
        try:
            while True:
                message = await self.channel_layer.receive(self.channel_name)
                async with self._dispatch_lock:
                    await self.dispatch(message)
        except Exception:
            browser_task.cancel()
            raise

    async def dispatch(self, message: dict[str, Any]) -> None:
        if "group" in message and message["group"] not in self._own_groups:
            self.strip.handle_message(message)
            return
        # Channels closes old connections in another thread before each message; the database thread does that itself.
        await getattr(self, get_handler_name(message))(message)

    async def _release(self) -> None:
        """Cancel tasks, leave groups and unregister; subclasses extend this."""
        if self._push_task is not None:
            self._push_task.cancel()
        self.strip.close()
        if self._is_in_view:
            open_sockets.note_view(self._owner, False)
        if self._owner:
            open_sockets.unregister(self._owner, self._network)
        for group in self._joined_groups:
            await self.channel_layer.group_discard(group, self.channel_name)

    # Session checks

    def _schedule_session_check(self, seconds: float) -> None:
        # A timer takes a tenth of the memory of a sleeping task.
        self._session_timer = asyncio.get_running_loop().call_later(seconds, self._start_session_check)

    def _cancel_session_check(self) -> None:
        if self._session_timer is not None:
            self._session_timer.cancel()

    def _start_session_check(self) -> None:
        self._session_timer = asyncio.create_task(self._check_session())

    async def _check_session(self) -> None:
        try:
            if not await run_in_database_thread(self.session.is_valid):
                await self.close(CLOSE_SESSION_ENDED)
                return
            # The in-memory layer drops members whose queue was full once, and all members after a day.
            await self._join_groups()
        except Exception:
            log.exception("A session could not be checked; it is checked again in a minute")
        self._schedule_session_check(SESSION_CHECK_SECONDS)
