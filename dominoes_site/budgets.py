"""How many pages one address may ask for.

Each has a burst and a rate of costly pages; cheaper ones take their share of one. The budgets are those of one process.
People at a table have a budget of their own, for the pages of tables and matches, so that nobody at the same address
can use it up, and threads that others do not fill (threads.py).
"""

import re
import time
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import Any, NamedTuple

from django.conf import settings

from accounts.addresses import normalize_address
from core.latest import LatestDict
from dominoes_site.threads import AT_TABLE, COST, App, Receive, Scope, Send
from live import seated
from live.rate_limits import get_client_address

BURST = 30.0  # costly pages at once
PAGES_PER_SECOND = 10.0  # costly pages afterwards
COSTLY_SECONDS = 0.010  # of CPU; a page that takes less takes as much less of the budget
MAX_BUDGETS = 10_000
RETRY_SECONDS = 1
FREE_PATHS = ("/static/", "/healthz", "/metrics", "/favicon.ico", "/robots.txt")
# What a proxy adds, if only the address of its client.
FORWARDING_HEADERS = frozenset(
    {
        "forwarded",
        "via",
        "x-forwarded-for",
        "x-forwarded-host",
        "x-forwarded-proto",
        "x-real-ip",
        "x-client-ip",
    }
    | {
        "true-client-ip",
        "cf-connecting-ip",
        "fastly-client-ip",
        "x-cluster-client-ip",
        "x-original-forwarded-for",
    }
)
SENTENCE = b"Too many requests from your address. Try again in a second.\n"

_TABLE_PATH = re.compile(r"/(?:games|tables)/[0-9a-z]{10}/(?:state\.json|sync)?\Z")


class Budget(NamedTuple):
    """What is left of a budget, in costly pages, at a time (time.monotonic)."""

    pages: float
    at: float

    def refill(self, now: float) -> float:
        return min(BURST, self.pages + (now - self.at) * PAGES_PER_SECOND)


class Budgets:
    """An ASGI application that refuses GET requests over their budget with 429, before they take a thread."""

    def __init__(self, app: App) -> None:
        self.app = app
        # Cache: key an address, or the session of somebody at a table; bound MAX_BUDGETS; an absent one is full.
        self._budgets: LatestDict[str, Budget] = LatestDict(MAX_BUDGETS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        session = _find_seated_session(scope)
        scope[AT_TABLE] = session is not None
        payer = session or _find_address(scope)
        if not settings.LIMITS or not payer or scope["method"] not in ("GET", "HEAD"):
            await self.app(scope, receive, send)
        elif scope["path"].startswith(FREE_PATHS):
            await self.app(scope, receive, send)
        elif self._pay(payer, 1.0):
            try:
                await self.app(scope, receive, send)
            finally:  # a page whose cost is unknown was given up, but its thread works on
                self._give_back(payer, max(0.0, 1.0 - scope.get(COST, COSTLY_SECONDS) / COSTLY_SECONDS))
        else:
            await _refuse(send)

    def _pay(self, payer: str, pages: float) -> bool:
        now = time.monotonic()
        left = self._budgets.get(payer, Budget(BURST, now)).refill(now)
        if left < pages:
            return False
        self._budgets[payer] = Budget(left - pages, now)
        return True

    def _give_back(self, payer: str, pages: float) -> None:
        now = time.monotonic()
        left = self._budgets.get(payer, Budget(BURST, now)).refill(now)
        self._budgets[payer] = Budget(min(BURST, left + pages), now)


def _find_seated_session(scope: Scope) -> str | None:
    """Return the session of a request for a table's or match's page by somebody who sits there, or None."""
    if not _TABLE_PATH.match(scope["path"]):
        return None
    for name, value in scope["headers"]:
        if name == b"cookie":
            key = _read_session_key(value.decode("latin-1"))
            if key and seated.is_noted(key):
                return key
    return None


def _read_session_key(cookies: str) -> str:
    try:
        found = SimpleCookie(cookies).get(settings.SESSION_COOKIE_NAME)
    except CookieError:
        return ""
    return found.value if found else ""


def _find_address(scope: Scope) -> str:
    """Return the address that pays for a request, or "" if it is not known whose it is.

    A proxy that is not trusted (`TRUSTED_PROXY_COUNT`) asks for everybody; only one on this machine or its private
    network is believed to be one.
    """
    address = normalize_address(get_client_address(scope))
    if not settings.ALLAUTH_TRUSTED_PROXY_COUNT and is_forwarded(dict(scope["headers"])):
        try:
            return "" if ip_address(address).is_private else address
        except ValueError:
            return ""
    return address


def is_forwarded(headers: Mapping[Any, Any]) -> bool:
    """Return whether a proxy has forwarded the request; names of headers may be bytes."""
    names = (name.decode("latin-1") if isinstance(name, bytes) else name for name in headers)
    return not FORWARDING_HEADERS.isdisjoint(name.lower() for name in names)


async def _refuse(send: Send) -> None:
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(SENTENCE)).encode()),
        (b"retry-after", str(RETRY_SECONDS).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": 429, "headers": headers})
    await send({"type": "http.response.body", "body": SENTENCE})
