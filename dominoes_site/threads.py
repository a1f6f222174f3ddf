"""How many threads the site uses, and for what."""

import asyncio
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

# Where a password may be hashed or checked, which occupies all cores for some 300 ms.
HASHING = (
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/delete/",
    "/accounts/password/",
    "/accounts/reauthenticate/",
    "/admin/login/",
    "/admin/accounts/user/",
)


class Pages(ASGIHandler):
    """Django's pages with all of the middleware and the view in one visit to the thread. Django itself goes from the
    middleware back to the loop, finds out the view there, as it might be async, and goes to the thread with it."""

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        return await sync_to_async(self.get_response)(request)


class BoundedThreads:
    """An ASGI application whose synchronous views share a fixed set of threads.

    Django alone makes a thread, and so a database connection, for every request. Here a request borrows one of
    `threads` and gives it back, so that CONN_MAX_AGE keeps exactly that many connections. Not for answers that
    stay open (a stream would keep its thread), and only together with a stop that waits for the threads (serving.py).
    """

    def __init__(self, app: App, threads: int, name: str = "web") -> None:
        self.app, self.threads, self.name = app, threads, name
        self.free: asyncio.LifoQueue[ThreadPoolExecutor] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        free = self.free = self.free or self._threads()
        thread = await free.get()
        try:
            async with ThreadSensitiveContext(executor=thread):
                await self.app(scope, receive, send)
        finally:
            free.put_nowait(thread)

    def _threads(self) -> asyncio.LifoQueue[ThreadPoolExecutor]:
        # Last in, first out keeps a few threads and their caches hot.
        free: asyncio.LifoQueue[ThreadPoolExecutor] = asyncio.LifoQueue()
        for number in range(self.threads):
            free.put_nowait(ThreadPoolExecutor(1, thread_name_prefix=f"{self.name}-{number}"))
        return free


class ThreadsByPurpose:
    """Gives threads of their own to requests that must not hold up others, or wait for them: password hashing has one,
    so that log-ins only wait for each other; moves do not queue behind a crowd's pages; and /healthz is answered even
    when everything else hangs."""

    def __init__(self, app: App, threads: int) -> None:
        self.others = BoundedThreads(app, threads)
        self.passwords = BoundedThreads(app, 1, name="passwords")
        self.moves = BoundedThreads(app, max(1, threads // 2), name="moves")
        self.health = BoundedThreads(app, 1, name="health")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/healthz":
            threads = self.health
        elif scope["method"] == "POST" and scope["path"].startswith(HASHING):
            threads = self.passwords
        elif scope["method"] == "POST" and scope["path"].startswith("/games/"):
            threads = self.moves
        else:
            threads = self.others
        await threads(scope, receive, send)
