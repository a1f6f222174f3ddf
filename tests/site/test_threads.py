"""Requests share a few threads; password hashing has its own."""

import asyncio
import threading
import time

import pytest
from asgiref.sync import sync_to_async
from django.http import HttpResponse
from django.urls import URLPattern
from django.urls.resolvers import RoutePattern

from dominoes_site.threads import BoundedThreads, Pages, RequestThreads
from tests.waiting import attempts

PASSWORD = "POST", "/accounts/login/"
TIMEOUT_SECONDS = 20  # seconds; a busy machine may take some


class SleepingApp:
    """An application that sleeps in a thread, or for a password until `passwords_go` is set, and notes the threads."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.passwords_go = threading.Event()
        self.threads: set[int] = set()
        self.running = self.max_running = 0
        self._lock = threading.Lock()

    async def __call__(self, scope, receive, send) -> None:
        await sync_to_async(self._work)(scope)

    def _work(self, scope) -> None:
        with self._lock:
            self.threads.add(threading.get_ident())
            self.running += 1
            self.max_running = max(self.max_running, self.running)
        if (scope["method"], scope["path"]) == PASSWORD:
            self.passwords_go.wait(TIMEOUT_SECONDS)
        time.sleep(self.seconds)
        with self._lock:
            self.running -= 1


async def until_running(busy: SleepingApp) -> None:
    for _ in attempts("a request in a thread", seconds=TIMEOUT_SECONDS):
        if busy.running:
            break
        await asyncio.sleep(0.01)


def request(app, path: str = "/", method: str = "GET"):
    return app({"type": "http", "method": method, "path": path}, None, None)


async def test_requests_share_the_threads():
    busy = SleepingApp(0.01)
    app = BoundedThreads(busy, 3)
    await asyncio.gather(*(request(app) for _ in range(20)))
    assert len(busy.threads) == busy.max_running == 3


async def test_sequential_requests_use_one_thread():
    busy = SleepingApp(0)
    app = BoundedThreads(busy, 4)
    for _ in range(10):
        await request(app)
    assert len(busy.threads) == 1


async def test_thread_is_returned_after_an_error():
    async def fail(scope, receive, send):
        raise ValueError

    app = BoundedThreads(fail, 1)
    for _ in range(3):
        try:
            async with asyncio.timeout(1):
                await request(app)
        except ValueError:
            pass


async def test_pages_do_not_wait_for_passwords():
    busy = SleepingApp(0)
    app = RequestThreads(busy, 2)
    logins = [asyncio.create_task(request(app, "/accounts/login/", "POST")) for _ in range(4)]
    await until_running(busy)

    async with asyncio.timeout(TIMEOUT_SECONDS / 2):
        await request(app, "/games/abc/move", "POST")

    assert not any(login.done() for login in logins)
    busy.passwords_go.set()
    await asyncio.gather(*logins)
    assert busy.max_running == 2  # one password and one page


async def test_moves_and_pages_do_not_wait_for_costly_addresses(monkeypatch):
    busy = SleepingApp(0)
    app = RequestThreads(busy, 2)
    hold = threading.Event()

    def work(scope) -> None:
        if scope["path"].endswith("/hint"):
            hold.wait(TIMEOUT_SECONDS)

    monkeypatch.setattr(busy, "_work", work)
    hints = [asyncio.create_task(request(app, f"/games/{code}/hint", "POST")) for code in range(8)]
    await asyncio.sleep(0)
    for _ in range(4):
        await asyncio.wait_for(request(app, "/games/x/move", "POST"), TIMEOUT_SECONDS)
        await asyncio.wait_for(request(app, "/games/x/"), TIMEOUT_SECONDS)
    exported = asyncio.create_task(request(app, "/accounts/export/"))
    await asyncio.sleep(0)
    assert not any(hint.done() for hint in [*hints, exported])
    hold.set()
    await asyncio.gather(*hints, exported)


@pytest.mark.parametrize(
    "path",
    ["/games/x/board.png", "/daily/2026-11-26/card.png", "/games/x/analysis/", "/embed/games/x/frames.json"],
)
async def test_pages_do_not_wait_for_large_ones(monkeypatch, path):
    busy = SleepingApp(0)
    app = RequestThreads(busy, 2)
    hold = threading.Event()
    monkeypatch.setattr(busy, "_work", lambda scope: scope["path"] == path and hold.wait(TIMEOUT_SECONDS))
    large = [asyncio.create_task(request(app, path)) for _ in range(8)]
    await asyncio.sleep(0)
    for other in ("/games/x/state.json", "/games/x/", "/"):
        await asyncio.wait_for(request(app, other), TIMEOUT_SECONDS)
    assert not any(each.done() for each in large)
    hold.set()
    await asyncio.gather(*large)


async def test_log_in_form_does_not_wait_for_passwords():
    busy = SleepingApp(0)
    app = RequestThreads(busy, 2)
    login = asyncio.create_task(request(app, "/accounts/login/", "POST"))
    await until_running(busy)

    async with asyncio.timeout(TIMEOUT_SECONDS / 2):
        await request(app, "/accounts/login/", "GET")

    assert not login.done()
    busy.passwords_go.set()
    await login


async def test_page_is_resolved_and_rendered_in_one_thread(settings):
    resolved_in, rendered_in = [], []

    class Route(RoutePattern):
        def match(self, path):
            resolved_in.append(threading.get_ident())
            return super().match(path)

    def page(request):
        rendered_in.append(threading.get_ident())
        return HttpResponse("a page")

    class Addresses:
        urlpatterns = (URLPattern(Route("page/", is_endpoint=True), page),)

    settings.ROOT_URLCONF = Addresses
    settings.MIDDLEWARE = ["django.middleware.security.SecurityMiddleware"]
    messages: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    sent = []
    messages.put_nowait({"type": "http.request"})

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/page/", "headers": []}
    await BoundedThreads(Pages(), 1)(scope, messages.get, send)
    assert sent[-1]["body"] == b"a page"
    assert resolved_in == rendered_in != [threading.get_ident()]
