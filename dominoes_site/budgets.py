"""How many pages, forms and sockets one address may ask for.

Each has a burst and a rate, in costly pages; cheaper pages take their share of one. People at a table have budgets of
their own, for the pages and sockets of tables and matches, so that nobody at the same address can use them up, and
threads that others do not fill (threads.py). All of one address together have a large budget: anybody may sit down,
with a new guest for each table. A seat that another process has noted is looked up only when the address has nothing
left.
"""

import os
from hashlib import sha256

from django.conf import settings

from core.http import read_bearer_token
from dominoes_site.balances import Balances, Payer
from dominoes_site.payers import Place, find_address, find_place
from dominoes_site.threads import AT_TABLE, COST, App, Receive, Scope, Send
from live.rate_limits import NETWORK

BURST = 30.0  # costly pages at once
COSTLY_SECONDS = 0.010  # of CPU; a page that takes less takes as much less of the budget
RETRY_SECONDS = 1
MIN_PAGES_IN_BACKGROUND = BURST / 2  # left, for what nobody waits for
PAGE_METHODS = ("GET", "HEAD")
FORMS = 60.0  # at once; they have a budget beside that of pages, so that neither uses up the other
HANDSHAKES = 60.0  # at once; each costs about a costly page: 6 to 18 ms, with its first frame and its end
REQUESTS_WITH_TOKEN, REQUESTS_WITH_TOKEN_PER_SECOND = 20.0, 5.0
AT_TABLES, AT_TABLES_PER_SECOND = 600.0, 50.0  # for all people at tables of one address: a club of fifty
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
REFUSAL = (
    b'{"error": "Too many requests from your address or with your token.", "reason": "too_many_requests"}'
)
SENTENCE = b"Too many requests from your address. Try again in a second.\n"
PAGE = b"""<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>One moment</title><p>Too many requests from your address. This page loads by itself in a second.</p></html>
"""


class Budgets:
    """An ASGI application that refuses requests over their budget with 429, before they take a thread."""

    def __init__(self, app: App, balances: Balances | None = None) -> None:
        self.app, self.balances = app, balances or Balances()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        place, address = find_place(scope), find_address(scope)
        scope[AT_TABLE] = place is not None and place.is_seated
        if not settings.LIMITS or not (address or scope[AT_TABLE]) or _is_free(scope):
            await self.app(scope, receive, send)
            return
        if (token := find_token(scope)) and not self.balances.pay([token], 1.0):
            await _refuse(scope, send)
            return
        purpose, most = ("pages", BURST) if scope["method"] in PAGE_METHODS else ("forms", FORMS)
        others = MIN_PAGES_IN_BACKGROUND if _is_in_background(scope) else 0.0
        payers = await _pay(self.balances, scope, place, address, Payer("", purpose, most), others)
        if not payers:
            await _refuse(scope, send)
            return
        try:
            await self.app(scope, receive, send)
        finally:  # a page whose cost is unknown was given up, but its thread works on
            share = scope.get(COST, COSTLY_SECONDS) / COSTLY_SECONDS
            self.balances.give_back(payers, max(0.0, 1.0 - share))


class SocketBudgets:
    """An ASGI application that refuses handshakes over their budget (403), before session and account are read.

    A page tries again by itself, every three seconds or less often, and meanwhile polls.
    """

    def __init__(self, app: App, balances: Balances | None = None) -> None:
        self.app, self.balances = app, balances or Balances()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        place, address = find_place(scope), find_address(scope)
        scope[AT_TABLE] = place is not None and place.is_seated
        if settings.LIMITS and (address or scope[AT_TABLE]):
            if not await _pay(self.balances, scope, place, address, Payer("", "sockets", HANDSHAKES)):
                await send({"type": "websocket.close"})
                return
        scope[NETWORK] = "" if scope[AT_TABLE] else address
        await self.app(scope, receive, send)


def find_token(scope: Scope) -> Payer | None:
    """Return the budget of a request's token, which it pays beside that of its address; None without one."""
    token = read_bearer_token(dict(scope["headers"]).get(b"authorization", b"").decode("latin-1"))
    if not token:
        return None
    name = sha256(token.encode()).hexdigest()
    return Payer(name, "token", REQUESTS_WITH_TOKEN, REQUESTS_WITH_TOKEN_PER_SECOND)


async def _pay(
    balances: Balances, scope: Scope, place: Place | None, address: str, budget: Payer, others: float = 0.0
) -> list[Payer]:
    """Return who has paid for a page or socket, or nobody: the place at the table, if it is seated, or the address."""
    at_table = [budget._replace(name=place.session_key)] if place else []
    if address:
        at_table.append(Payer(address, "tables", AT_TABLES, AT_TABLES_PER_SECOND))
    payers = at_table if scope[AT_TABLE] else [budget._replace(name=address)]
    if balances.pay(payers, 1.0, others):
        return payers
    if scope[AT_TABLE] or place is None or not await place.is_seated_elsewhere():
        return []
    scope[AT_TABLE] = True
    return at_table if balances.pay(at_table, 1.0, others) else []


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


async def _refuse(scope: Scope, send: Send) -> None:
    """Answer 429; a browser's page loads itself again, unless it is the answer to a form, which would be lost."""
    accepted = dict(scope["headers"]).get(b"accept", b"")
    is_page = scope["method"] == "GET" and b"text/html" in accepted
    kind, body = (b"text/html", PAGE) if is_page else (b"text/plain", SENTENCE)
    if not is_page and b"application/json" in accepted:
        kind, body = b"application/json", REFUSAL
    headers = [
        (b"content-type", b"%b; charset=utf-8" % kind),
        (b"content-length", str(len(body)).encode()),
        (b"retry-after", str(RETRY_SECONDS).encode()),
        (b"cache-control", b"no-store"),
    ]
    if is_page:
        headers.append((b"refresh", str(RETRY_SECONDS).encode()))
    await send({"type": "http.response.start", "status": 429, "headers": headers})
    await send({"type": "http.response.body", "body": body})
