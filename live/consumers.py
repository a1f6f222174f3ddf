"""A page's socket: it is sent the page's fragments again whenever something shown on it has changed."""

import asyncio
import logging
import random
import re
import time
from collections import Counter
from functools import cached_property
from importlib import import_module
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import parse_qsl

from autobahn.exception import Disconnected
from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import get_channel_layer
from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.utils import translation
from django.utils.translation import gettext

from core import languages
from live import rate_limits
from live.database_thread import run_in_database_thread
from live.metrics import PUSHES, SOCKETS
from live.notices import notices_for

log = logging.getLogger(__name__)

CHECK_EVERY = 60.0  # seconds between two checks of the session
SETTLING = 1.0  # seconds after which a log-out, announced as it begins, is certainly complete
KNOWN_FOR = 5.0  # seconds for which a session found good is trusted, unless there is word of its end
OF_ONE_PERSON = 20  # open sockets in this process
OF_ONE_ADDRESS = 100  # by people who are not signed in

WELL_FORMED = re.compile(r"[A-Za-z0-9]{32}")  # the secret in the CSRF cookie

TOO_MANY = 1008  # policy violation; the page comes back after a moment
FAILED = 1011
SESSION_ENDED = 4401
REFUSED = 4403

_open: Counter[str] = Counter()


class PageConsumer(AsyncWebsocketConsumer):
    """One open page. A subclass says which groups concern it and what it shows to this viewer.

    The first frame is the present state, sent after joining the groups, so that a change in between is either in it
    or comes as a nudge. Nudges that come while a frame is rendered cost one more frame together.
    `arrive`, `render` and `leave` run in the thread that all sockets of the process share: keep them short.
    """

    shows_notices = True  # (live.notices) False: the page shows what concerns the person in its own way

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.told = -1  # the highest version this page has been told of
        self.since = 0.0  # when it was last told of anything else (time.monotonic)
        self.version = -1  # the one rendered last
        self._sent = -1  # the highest one the viewer was sent
        # How often the page was to be sent everything, as a new one is, and how many of these times it was.
        self.asked, self.answered = 1, 0
        self._stale = False
        self._pushing: asyncio.Task[None] | None = None
        self._watching: asyncio.TimerHandle | asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()  # of what the browser and what others say
        self._joined: list[str] = []
        self._left = False
        self._heard_as = "", ""
        self._flooded = False
        self._counted_as = ""
        self._welcome_at = 0.0  # when the session was last found good
        self._doubted_until = time.monotonic()

    # What a subclass supplies

    def arrive(self) -> bool:
        """Look up what the page is about, before anything is joined or sent; False refuses the viewer (4403)."""
        return True

    def groups(self) -> list[str]:  # Channels has a fixed list here; ours depends on the address
        """The groups whose nudges concern this page; the viewer's own group comes by itself."""
        raise NotImplementedError

    def render(self) -> str | None:
        """The page's fragments for this viewer as things stand now, in its language; None: nothing to send.
        If the page has versions, sets `self.version` to the one it shows. What was read for another page will do
        if it was read after `self.since` and is not older than version `self.told`."""
        raise NotImplementedError

    def first_push(self) -> float:
        """Seconds until the first frame; the page itself is fresh."""
        return 0.0

    async def hear(self, text: str) -> None:
        """Answer a page that asks whether the line is good, and send the present state to one whose reader has come
        back; ignore everything else."""
        match text:
            case "ping":
                await self.send("pong")
            case "look" if self._joined:  # a refused viewer has joined nothing
                self.look()

    def leave(self, code: int) -> None:
        """The socket has closed with `code` (1000 and 1001: the page went away by itself)."""

    @property
    def query(self) -> dict[str, str]:
        """The fields of the socket's address. Django's QueryDict would refuse a thousand."""
        return dict(parse_qsl(self.scope["query_string"].decode("latin-1")))

    @property
    def csrf_token(self) -> str:
        """For the context of a `render` whose fragments have forms, as there is no request to take it from."""
        secret = self.scope.get("cookies", {}).get(settings.CSRF_COOKIE_NAME, "")
        if not WELL_FORMED.fullmatch(secret):
            return ""
        request = HttpRequest()
        request.META["CSRF_COOKIE"] = secret
        return get_token(request)

    # Nudges

    async def match_changed(self, message: dict[str, Any]) -> None:
        if message["version"] > max(self.told, self._sent):
            self.told = message["version"]
            self.push_soon()

    async def page_changed(self, message: dict[str, Any]) -> None:
        if message["topic"] == "mine" and self.shows_notices and self.scope["user"].is_authenticated:
            await self._tell_notices()
        # Stamps of different topics do not compare, so none is dropped; bursts are pushed together.
        self.nudge()

    async def session_ended(self, message: dict[str, Any]) -> None:
        # Every page of this person gets this when a log-out begins; a session in another browser may well go on.
        self._doubted_until = time.monotonic() + SETTLING
        if not await self._welcome():
            await self.close(SESSION_ENDED)
            return
        # Until then the page is served: it may well be of the session that goes on.
        self._stop_watching()
        self._watch_in(SETTLING)

    async def pace_changed(self, message: dict[str, Any]) -> None:
        await self._tell_pace()
        self.nudge()

    async def news_missed(self, message: dict[str, Any]) -> None:
        """Others' news may not come (live/redis.py). A page where nothing runs out asks by itself."""

    async def _tell_notices(self) -> None:
        fragments = await run_in_database_thread(self._notices)
        await self.send(fragments)

    def _notices(self) -> str:
        with translation.override(self._language()):
            return notices_for(self.scope["user"], self.csrf_token)

    # Pushing

    def nudge(self, delay: float = 0.0) -> None:
        """Push soon, showing things as they are from now on. However often this is called meanwhile, it is one push."""
        self.since = time.monotonic()
        self.push_soon(delay)

    def look(self) -> None:
        """Push the present state because the page asks for it, even if nothing has changed."""
        self.asked += 1
        self.nudge()

    def push_soon(self, delay: float = 0.0) -> None:
        """Render once more; calls during a rendering cost one more together."""
        self._stale = True
        if self._pushing is None or self._pushing.done():
            self._pushing = asyncio.create_task(self._push_until_fresh(delay))

    async def push(self) -> None:
        """Send what this viewer may see now, unless they have been sent a later version."""
        await self.send_made(await run_in_database_thread(self.render_in_language))

    async def send_made(self, html: str | None) -> None:
        """Send what was rendered for this page, unless it has been sent a later version."""
        if html is not None and self.version >= self._sent:
            self._sent = self.version
            await self.send(html)
            PUSHES.inc()

    async def send(
        self, text_data: str | None = None, bytes_data: bytes | None = None, close: bool = False
    ) -> None:
        """As usual, but what is sent to a browser that has gone is dropped. It takes the server a moment to notice, and
        until then nothing done for somebody else, above all the mover, may fail because of it."""
        try:
            await super().send(text_data, bytes_data, close)
        except Disconnected:
            log.debug("The page at %s has gone", self.scope["path"])

    async def _tell_pace(self) -> None:
        with translation.override(self._language()):
            words = gettext("News is slow just now. What you do here counts as ever.")
        said = words if self._news_is_slow() else ""
        await self.send(f'<span id="pace" hx-swap-oob="true">{said}</span>')

    def _news_is_slow(self) -> bool:
        return getattr(self.channel_layer, "away", False)

    async def _push_until_fresh(self, delay: float) -> None:
        await asyncio.sleep(delay)
        while self._stale:
            self._stale = False
            try:
                await self.push()
            except Exception:
                # The page will ask again; a socket closed over one bad frame would only reconnect and hit it again.
                log.exception("A page at %s could not be pushed", self.scope["path"])
        self._pushing = None

    def render_in_language(self) -> str | None:
        with translation.override(self._language()):
            return self.render()

    def _language(self) -> str:
        of_page, of_browser = self._languages
        return of_page or getattr(self.scope["user"], "language", "") or of_browser

    @cached_property
    def _languages(self) -> tuple[str, str]:
        return languages.of_page(self.query), languages.of_browser(self.scope)

    # Coming and going

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        # As Channels', which makes two tasks beside this one: it waits for what the browser says by itself.
        self.scope, self.base_send = scope, send
        self.channel_layer = get_channel_layer(self.channel_layer_alias)
        self.channel_name = await self.channel_layer.new_channel()
        this = cast("asyncio.Task[None]", asyncio.current_task())
        hearing = asyncio.create_task(self._hear(this))
        try:
            try:
                while True:
                    message = await receive()
                    async with self._turn:
                        await self.dispatch(message)
            except asyncio.CancelledError:
                if not hearing.done() or hearing.cancelled():
                    raise
                this.uncancel()
                hearing.result()  # raises what it failed with
        except StopConsumer:
            pass
        except Exception:
            await self._leave(FAILED)  # the server closes it without another word to this
            raise
        finally:  # also when the server stops
            self._stop_watching()  # first: it joins groups again, which is refused once nobody hears for this page
            hearing.cancel()
            try:
                await asyncio.wait([hearing])
            finally:
                await self._clear_away()

    async def _hear(self, listening: "asyncio.Task[None]") -> None:
        """What others say, one handler at a time with what the browser says. A handler that fails ends `listening`."""
        try:
            while True:
                message = await self.channel_layer.receive(self.channel_name)
                async with self._turn:
                    await self.dispatch(message)
        except Exception:
            listening.cancel()
            raise

    async def dispatch(self, message: dict[str, Any]) -> None:
        # Channels would close old connections in the shared thread before each message; rendering does that already.
        await getattr(self, get_handler_name(message))(message)

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        # Before any refusal: a browser cannot read why a handshake failed, and would retry for ever.
        await self.accept()
        if getattr(self.scope["user"], "banned", False):
            await self.close(SESSION_ENDED)
            return
        if not self._count() or not await run_in_database_thread(self.arrive):
            await self.close(REFUSED)
            return
        self._joined = self.groups()
        if self.scope["user"].is_authenticated:
            self._joined.append(f"user.{self.scope['user'].pk}")
        await self._join()
        # The first check comes at a random time, since after a restart all pages connect at once.
        self._watch_in(random.uniform(0.3, 1) * CHECK_EVERY)  # noqa: S311
        if self._news_is_slow():
            await self._tell_pace()
        self.nudge(self.first_push())

    async def websocket_receive(self, message: dict[str, Any]) -> None:
        if self._flooded:
            return  # what came before the close was heard
        if rate_limits.is_too_much(self._heard_as) and settings.LIMITS:
            self._flooded = True
            await self.close(TOO_MANY)
            return
        await self.hear(message.get("text") or "")

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        await self._leave(message["code"])
        raise StopConsumer()

    async def _leave(self, code: int) -> None:
        if self._joined and not self._left:
            self._left = True  # first: what fails in it is not done again
            await run_in_database_thread(self.leave, code)

    async def _join(self) -> None:
        for group in self._joined:
            await self.channel_layer.group_add(group, self.channel_name)

    async def _clear_away(self) -> None:
        if self._pushing is not None:
            self._pushing.cancel()
        self._uncount()
        for group in self._joined:
            await self.channel_layer.group_discard(group, self.channel_name)

    def _watch_in(self, seconds: float) -> None:
        # A task that sleeps would take ten times the memory of a timer.
        self._watching = asyncio.get_running_loop().call_later(seconds, self._watch_now)

    def _stop_watching(self) -> None:
        if self._watching is not None:
            self._watching.cancel()

    def _watch_now(self) -> None:
        self._watching = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        try:
            if not await self._welcome():
                await self.close(SESSION_ENDED)
                return
            # The in-memory layer drops members that were slow once, and everybody after a day.
            await self._join()
        except Exception:
            log.exception("A session could not be looked at; it will be in a minute")
        self._watch_in(CHECK_EVERY)

    async def _welcome(self) -> bool:
        return await run_in_database_thread(self.is_welcome)

    def is_known(self) -> bool:
        """Whether the session was found good a moment ago and nothing was heard of its end since; never while such
        nudges may be lost. Asked in the event loop: the channel layer has no answer in a thread."""
        now = time.monotonic()
        fresh = self._welcome_at > max(self._doubted_until, now - KNOWN_FOR)
        return fresh and not self._news_is_slow()

    def is_welcome(self) -> bool:
        """Whether the session that opened this socket is still good for its person, looked at anew."""
        at = time.monotonic()
        if not self.scope["user"].is_authenticated:
            return True
        if "session" not in self.scope:
            return False
        sessions = import_module(settings.SESSION_ENGINE)
        session = sessions.SessionStore(session_key=self.scope["session"].session_key)
        user = get_user(cast(HttpRequest, SimpleNamespace(session=session)))
        if user.pk != self.scope["user"].pk or getattr(user, "banned", False):
            return False
        self.scope["user"] = user
        self._welcome_at = at
        return True

    def _count(self) -> bool:
        user = self.scope["user"]
        self._counted_as = (
            f"user {user.pk}" if user.is_authenticated else f"address {rate_limits.opened_from(self.scope)}"
        )
        # Many may look at a page from behind one address without signing in: each socket of these for itself.
        self._heard_as = self._counted_as if user.is_authenticated else self.channel_name, self.scope["path"]
        _open[self._counted_as] += 1
        SOCKETS.inc()
        limit = OF_ONE_PERSON if user.is_authenticated else OF_ONE_ADDRESS
        return _open[self._counted_as] <= limit or not settings.LIMITS

    def _uncount(self) -> None:
        if not self._counted_as:
            return
        SOCKETS.dec()
        _open[self._counted_as] -= 1
        if not _open[self._counted_as]:
            del _open[self._counted_as]
