"""How many pages one address may ask for.

Each has a burst and a rate of costly pages; cheaper ones take their share of one. The budgets are those of one process.
People at a table have a budget of their own, for the pages of tables and matches, so that nobody at the same address
can use it up, and threads that others do not fill (threads.py).
"""

import os
import re
import time
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, NamedTuple

from django.conf import settings

from accounts.addresses import normalize_address
from core.http import is_loopback
from core.latest import LatestDict
from dominoes_site.threads import AT_TABLE, COST, App, Receive, Scope, Send
from live import seated
from live.rate_limits import get_client_address

BURST = 30.0  # costly pages at once
PAGES_PER_SECOND = 10.0  # costly pages afterwards
COSTLY_SECONDS = 0.010  # of CPU; a page that takes less takes as much less of the budget
MAX_BUDGETS = 10_000
RETRY_SECONDS = 1
MIN_PAGES_IN_BACKGROUND = BURST / 2  # left, for what nobody waits for
PAGE_METHODS = ("GET", "HEAD")
FORMS = 60.0  # at once; they have a budget beside that of pages, so that neither uses up the other
# Exactly these, which cost little: any other path may be a whole page that says that nothing is there.
FREE_PATHS = frozenset(
    {
        "/healthz",
        "/metrics",
        "/favicon.ico",
        "/robots.txt",
        "/sw.js",
        "/offline/plan.json",
        "/manifest.webmanifest",
    }
)
COMPRESSED = (".gz", ".br")  # files that have no address
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
PAGE = b"""<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>One moment</title><p>Too many requests from your address. This page loads by itself in a second.</p></html>
"""

# What people at a table ask for, and their forms.
_TABLE_PATHS = {
    "GET": re.compile(r"/(?:games|tables)/([0-9a-z]{10})/(?:state\.json|sync|go|still)?\Z"),
    "POST": re.compile(r"/(?:games|tables)/([0-9a-z]{10})/[a-z]+\Z"),
}

Payer = tuple[str, float]  # an address or session, and the size of its budget


class Budget(NamedTuple):
    """What is left of a budget, in costly pages, at a time (time.monotonic)."""

    pages: float
    at: float

    def refill(self, now: float, most: float) -> float:
        return min(most, self.pages + (now - self.at) * PAGES_PER_SECOND)


class Budgets:
    """An ASGI application that refuses requests over their budget with 429, before they take a thread."""

    def __init__(self, app: App) -> None:
        self.app = app
        # Cache: key an address, or the session of somebody at a table, and the size of the budget; bound MAX_BUDGETS;
        # an absent one is full.
        self._budgets: LatestDict[Payer, Budget] = LatestDict(MAX_BUDGETS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        session = _find_seated_session(scope)
        scope[AT_TABLE] = session is not None
        name = session or _find_address(scope)
        payer = name, BURST if scope["method"] in PAGE_METHODS else FORMS
        if not settings.LIMITS or not name or _is_free(scope):
            await self.app(scope, receive, send)
        elif self._pay(payer, 1.0, MIN_PAGES_IN_BACKGROUND if _is_in_background(scope) else 0.0):
            try:
                await self.app(scope, receive, send)
            finally:  # a page whose cost is unknown was given up, but its thread works on
                self._give_back(payer, max(0.0, 1.0 - scope.get(COST, COSTLY_SECONDS) / COSTLY_SECONDS))
        else:
            await _refuse(scope, send)

    def _pay(self, payer: Payer, pages: float, others: float) -> bool:
        """Take `pages` from a budget, unless that leaves less than `others` need; return whether it was enough."""
        now, most = time.monotonic(), payer[1]
        left = self._budgets.get(payer, Budget(most, now)).refill(now, most)
        if left < pages + others:
            return False
        self._budgets[payer] = Budget(left - pages, now)
        return True

    def _give_back(self, payer: Payer, pages: float) -> None:
        now, most = time.monotonic(), payer[1]
        left = self._budgets.get(payer, Budget(most, now)).refill(now, most)
        self._budgets[payer] = Budget(min(most, left + pages), now)


def _is_free(scope: Scope) -> bool:
    path = scope["path"]
    if scope["method"] not in PAGE_METHODS:
        return False
    if not path.startswith(settings.STATIC_URL):
        return path in FREE_PATHS
    if os.path.normpath(path) != path or path.endswith(COMPRESSED):
        return False
    try:
        return os.path.isfile(f"{settings.STATIC_ROOT}/{path.removeprefix(settings.STATIC_URL)}")
    except ValueError:  # NUL
        return False


def _is_in_background(scope: Scope) -> bool:
    """Return whether a page is only stored for later, as by the service worker."""
    return (b"purpose", b"prefetch") in scope["headers"]


def _find_seated_session(scope: Scope) -> str | None:
    """Return the session of a request for a table's or match's page by somebody who sits there, or None."""
    path = _TABLE_PATHS.get(scope["method"])
    asked = path and path.match(scope["path"])
    if not asked:
        return None
    for name, value in scope["headers"]:
        if name == b"cookie":
            key = _read_session_key(value.decode("latin-1"))
            if key and seated.is_noted(key, asked[1]):
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

    A proxy that is not trusted (`TRUSTED_PROXY_COUNT`) asks for everybody; only one on this machine is believed to be
    one, since anybody may send what proxies add.
    """
    address = normalize_address(get_client_address(scope))
    if not settings.ALLAUTH_TRUSTED_PROXY_COUNT and is_forwarded(dict(scope["headers"])):
        return "" if is_loopback(address) else address
    return address


def is_forwarded(headers: Mapping[Any, Any]) -> bool:
    """Return whether a proxy has forwarded the request; names of headers may be bytes."""
    names = (name.decode("latin-1") if isinstance(name, bytes) else name for name in headers)
    return not FORWARDING_HEADERS.isdisjoint(name.lower() for name in names)


async def _refuse(scope: Scope, send: Send) -> None:
    """Answer 429; a browser's page loads itself again, unless it is the answer to a form, which would be lost."""
    accepted = dict(scope["headers"]).get(b"accept", b"")
    is_page = scope["method"] == "GET" and b"text/html" in accepted
    kind, body = (b"html", PAGE) if is_page else (b"plain", SENTENCE)
    headers = [
        (b"content-type", b"text/%b; charset=utf-8" % kind),
        (b"content-length", str(len(body)).encode()),
        (b"retry-after", str(RETRY_SECONDS).encode()),
        (b"cache-control", b"no-store"),
    ]
    if is_page:
        headers.append((b"refresh", str(RETRY_SECONDS).encode()))
    await send({"type": "http.response.start", "status": 429, "headers": headers})
    await send({"type": "http.response.body", "body": body})
