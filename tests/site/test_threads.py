"""Pages share a few threads; passwords wait for each other and for nobody else."""

import asyncio
import threading
import time

from asgiref.sync import sync_to_async
from django.http import HttpResponse
from django.urls import URLPattern
from django.urls.resolvers import RoutePattern

from dominoes_site.threads import BoundedThreads, Pages, RequestThreads

PASSWORD = "POST", "/accounts/login/"
PATIENCE = 20  # seconds; a busy machine may take some


class Busy:
    """An application that works synchronously for a while, passwords until they are let go, and notes who did."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.passwords_go = threading.Event()
        self.threads: set[int] = set()
        self.at_once = self.most_at_once = 0
        self._lock = threading.Lock()

    async def __call__(self, scope, receive, send) -> None:
        await sync_to_async(self._work)(scope)

    def _work(self, scope) -> None:
        with self._lock:
            self.threads.add(threading.get_ident())
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        if (scope["method"], scope["path"]) == PASSWORD:
            self.passwords_go.wait(PATIENCE)
        time.sleep(self.seconds)
        with self._lock:
            self.at_once -= 1


def ask(app, path: str = "/", method: str = "GET"):
    return app({"type": "http", "method": method, "path": path}, None, None)


async def test_any_number_of_requests_share_the_threads():
    busy = Busy(0.01)
    app = BoundedThreads(busy, 3)
    await asyncio.gather(*(ask(app) for _ in range(20)))
    assert len(busy.threads) == busy.most_at_once == 3


async def test_one_after_the_other_they_keep_to_one_thread():
    busy = Busy(0)
    app = BoundedThreads(busy, 4)
    for _ in range(10):
        await ask(app)
    assert len(busy.threads) == 1


async def test_a_thread_comes_back_after_an_error():
    async def fail(scope, receive, send):
        raise ValueError

    app = BoundedThreads(fail, 1)
    for _ in range(3):
        try:
            async with asyncio.timeout(1):
                await ask(app)
        except ValueError:
            pass


async def test_no_page_waits_for_passwords():
    busy = Busy(0)
    app = RequestThreads(busy, 2)
    logins = [asyncio.create_task(ask(app, "/accounts/login/", "POST")) for _ in range(4)]
    while not busy.at_once:
        await asyncio.sleep(0.01)

    async with asyncio.timeout(PATIENCE / 2):
        await ask(app, "/games/abc/move", "POST")

    assert not any(login.done() for login in logins)
    busy.passwords_go.set()
    await asyncio.gather(*logins)
    assert busy.most_at_once == 2  # one password and one page


async def test_opening_the_log_in_form_is_a_page_like_others():
    busy = Busy(0)
    app = RequestThreads(busy, 2)
    login = asyncio.create_task(ask(app, "/accounts/login/", "POST"))
    while not busy.at_once:
        await asyncio.sleep(0.01)

    async with asyncio.timeout(PATIENCE / 2):
        await ask(app, "/accounts/login/", "GET")

    assert not login.done()
    busy.passwords_go.set()
    await login


async def test_a_page_is_looked_for_and_made_in_a_thread_while_the_loop_goes_on(settings):
    found_in, made_in = [], []

    class Route(RoutePattern):
        def match(self, path):
            found_in.append(threading.get_ident())
            return super().match(path)

    def page(request):
        made_in.append(threading.get_ident())
        return HttpResponse("a page")

    class Addresses:
        urlpatterns = (URLPattern(Route("page/", is_endpoint=True), page),)

    settings.ROOT_URLCONF = Addresses
    settings.MIDDLEWARE = ["django.middleware.security.SecurityMiddleware"]
    asked: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    answered = []
    asked.put_nowait({"type": "http.request"})

    async def send(message):
        answered.append(message)

    scope = {"type": "http", "method": "GET", "path": "/page/", "headers": []}
    await BoundedThreads(Pages(), 1)(scope, asked.get, send)
    assert answered[-1]["body"] == b"a page"
    assert found_in == made_in != [threading.get_ident()]
