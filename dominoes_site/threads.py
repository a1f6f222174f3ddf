"""The threads in which requests run."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest, HttpResponseBase

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[..., Awaitable[None]]

# Paths where a POST may hash a password, which occupies all cores for some 300 ms.
PASSWORD_PATHS = (
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/delete/",
    "/accounts/password/",
    "/accounts/reauthenticate/",
    "/admin/login/",
    "/admin/accounts/user/",
)


# Paths whose cost grows with what is stored (docs/deploy.md, "Costly addresses").
COSTLY_PATHS = ("/accounts/export/", "/fairness/chain.txt", "/fairness/seals.txt")
# Public pages that take up to 100 ms each, and of which a match has hundreds: pictures of boards, analyses, replays
# and the frames of an embedded one.
LARGE_PAGES = re.compile(r"\A/(?!static/).*(?:\.png|/frames\.json)\Z|/games/[^/]+/(?:analysis|replay/)")

# Keys of a scope: the CPU seconds of the request; whether somebody at a table asks for a page of a table or match.
COST, AT_TABLE = "cost", "at_table"


class Pages(ASGIHandler):
    """Django's handler with the middleware and the view in one call in a thread.

    Django's own returns to the event loop between the middleware and the view, since the view may be async.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        return await sync_to_async(self._answer)(request)

    def _answer(self, request: Any) -> HttpResponseBase:
        began_at = time.thread_time()
        try:
            return self.get_response(request)
        finally:
            request.scope[COST] = time.thread_time() - began_at


class BoundedThreads:
    """An ASGI application whose synchronous views share a fixed number of threads.

    Django alone starts a thread, and so opens a database connection, for each request. Here a request borrows one of
    `threads`, so that CONN_MAX_AGE keeps exactly that many connections. Not for streaming responses, which would keep
    their thread, and only with a server that waits for its threads at the stop (serving.py).
    """

    def __init__(self, app: App, threads: int, name: str = "web") -> None:
        self.app, self.threads, self.name = app, threads, name
        self.free: asyncio.LifoQueue[ThreadPoolExecutor] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        free = self.free = self.free or self._create_threads()
        thread = await free.get()
        try:
            async with ThreadSensitiveContext(executor=thread):
                await self.app(scope, receive, send)
        finally:
            free.put_nowait(thread)

    def _create_threads(self) -> asyncio.LifoQueue[ThreadPoolExecutor]:
        # Last in, first out: a few threads stay busy, and their connections and caches warm.
        free: asyncio.LifoQueue[ThreadPoolExecutor] = asyncio.LifoQueue()
        for number in range(self.threads):
            free.put_nowait(ThreadPoolExecutor(1, thread_name_prefix=f"{self.name}-{number}"))
        return free


class RequestThreads:
    """An ASGI application with separate threads for requests that must not wait for others, or delay them.

    Password hashing has one thread, so that log-ins wait only for each other; so have hints, exports and the chain
    of seals, and so have large public pages. Moves, and the pages of people at a table, do not wait for other pages
    or for forms of strangers, and /healthz is answered even if everything else hangs.
    """

    def __init__(self, app: App, threads: int) -> None:
        self.others = BoundedThreads(app, threads)
        self.passwords = BoundedThreads(app, 1, name="passwords")
        self.moves = BoundedThreads(app, max(1, threads // 2), name="moves")
        self.costly = BoundedThreads(app, 1, name="costly")
        self.large = BoundedThreads(app, 1, name="large")
        self.health = BoundedThreads(app, 1, name="health")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/healthz":
            threads = self.health
        elif scope["method"] == "POST" and scope["path"].startswith(PASSWORD_PATHS):
            threads = self.passwords
        elif (
            scope["method"] == "POST"
            and scope["path"].startswith("/games/")
            and scope["path"].endswith("/hint")
        ):
            threads = self.costly
        elif scope.get(AT_TABLE):
            threads = self.moves
        elif scope["path"] in COSTLY_PATHS:
            threads = self.costly
        elif LARGE_PAGES.search(scope["path"]):
            threads = self.large
        else:
            threads = self.others
        await threads(scope, receive, send)
