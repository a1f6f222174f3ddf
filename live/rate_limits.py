"""Who sends too much too fast to a page, over one socket or one after the other."""

import time
from collections.abc import Mapping, MutableMapping
from typing import Any

from cachetools import TTLCache
from django.conf import settings

MESSAGES, MESSAGES_TIME = 30, 10.0  # from one person to one page at most this many in this many seconds

# When the latest messages came, by whose they are and to which page: also of the sockets that have closed since.
_heard: MutableMapping[tuple[str, str], list[float]] = TTLCache(10_000, MESSAGES_TIME)


def is_too_much(whose: tuple[str, str]) -> bool:
    """Count a message that comes now; whether it is one too many."""
    now, heard = time.monotonic(), _heard.get(whose, [])
    _heard[whose] = [*heard[1 - MESSAGES :], now]
    return len(heard) == MESSAGES and now - heard[0] < MESSAGES_TIME


def opened_from(scope: Mapping[str, Any]) -> str:
    """The address that a socket was opened from, as the proxies tell it where there are any; "" if they do not."""
    proxies = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    if proxies:
        forwarded = dict(scope["headers"]).get(b"x-forwarded-for", b"").decode("latin-1").split(",")
        return forwarded[-proxies].strip() if len(forwarded) >= proxies else ""
    return (scope.get("client") or [""])[0]
