"""Whose budget a request or socket takes from: the session of somebody at a table, or the address."""

import asyncio
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.conf import settings
from django.http import parse_cookie

from accounts.addresses import normalize_address
from core.http import is_loopback
from dominoes_site.threads import Scope
from live import seated
from live.rate_limits import get_client_address

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

# What people at a table ask for, their forms and their sockets.
_TABLE_PATHS = {
    "GET": re.compile(r"/(?:games|tables)/([0-9a-z]{10})/(?:state\.json|sync|go|still)?\Z"),
    "POST": re.compile(r"/(?:games|tables)/([0-9a-z]{10})/[a-z]+\Z"),
    "socket": re.compile(r"/ws/(?:games|tables)/([0-9a-z]{10})/\Z"),
}


class Place(NamedTuple):
    """A session that may have a seat, and the code of the table or match that it asks for."""

    session_key: str
    code: str

    @property
    def is_seated(self) -> bool:
        """Return whether the session is known to have the seat in this process."""
        return seated.is_noted(*self)

    async def is_seated_elsewhere(self) -> bool:
        """Return whether another process has noted the seat; afterwards this one knows it, too."""
        return seated.IS_SHARED and await asyncio.to_thread(seated.find_shared, *self)


def find_place(scope: Scope) -> Place | None:
    """Return the place at a table that a request or socket names, if it names one and has a session."""
    path = _TABLE_PATHS.get(scope.get("method", "socket"))
    asked = path and path.match(scope["path"])
    if not asked:
        return None
    cookies = b"; ".join(value for name, value in scope["headers"] if name == b"cookie").decode("latin-1")
    # Django's own parser: another one may read another session, or none behind a cookie that it does not like.
    key = parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME)
    return Place(key, asked[1]) if key else None


def find_address(scope: Scope) -> str:
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
