"""Rate limit for the messages that browsers send over sockets."""

import time
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from core.latest import LatestDict

MAX_MESSAGES = 30  # from one sender to one page in WINDOW_SECONDS
WINDOW_SECONDS = 10.0
NETWORK = "network"  # key of a socket's scope: the address that it counts for; "" for none, as for people at a table

# Times of recent messages by sender and page path. Closed sockets count too, so reconnecting does not reset the limit.
# Cache: key (sender, path); bound 10,000 keys, those of the latest messages; times older than WINDOW_SECONDS count for
# nothing.
_recent: LatestDict[tuple[str, str], list[float]] = LatestDict(10_000)


def exceeds_limit(sender: str, path: str) -> bool:
    """Count a message; return whether it is over the limit."""
    now, times = time.monotonic(), _recent.get((sender, path), [])
    _recent[sender, path] = [*times[1 - MAX_MESSAGES :], now]
    return len(times) == MAX_MESSAGES and now - times[0] < WINDOW_SECONDS


def get_client_address(scope: Mapping[str, Any]) -> str:
    """Return the client's IP address, from X-Forwarded-For behind proxies; "" if unknown."""
    proxies = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    if proxies:
        forwarded = dict(scope["headers"]).get(b"x-forwarded-for", b"").decode("latin-1").split(",")
        return forwarded[-proxies].strip() if len(forwarded) >= proxies else ""
    host: str = (scope.get("client") or [""])[0]
    return host
