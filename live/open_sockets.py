"""Count the open sockets of each person or address in this process; find who has one in any process of this `serve`."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from live.bus import BEAT_SECONDS, BUS
from live.metrics import SOCKETS
from live.rate_limits import get_client_address

MAX_SOCKETS_PER_USER = 20
MAX_SOCKETS_PER_ADDRESS = 100  # for visitors who are not signed in

_open_sockets: Counter[str] = Counter()


def get_owner(scope: Mapping[str, Any]) -> str:
    """Return "user PK", or "address IP" for a visitor who is not signed in."""
    user = scope["user"]
    return f"user {user.pk}" if user.is_authenticated else f"address {get_client_address(scope)}"


async def share() -> None:
    """Send this process's beats to its siblings and parent until cancelled."""
    while True:
        BUS.beat(list(_open_sockets))
        await asyncio.sleep(BEAT_SECONDS)


def count_people_here() -> int | None:
    """Return how many people and addresses have a page open, or None where Redis connects other servers."""
    return None if settings.REDIS_URL else len(set(_open_sockets).union(*BUS.get_owners()))


def has_page_here(user_key: int) -> bool:
    """Return whether a user has a page open in this process or in one of its siblings."""
    owner = f"user {user_key}"
    return owner in _open_sockets or any(owner in owners for owners in BUS.get_owners())


def register(owner: str) -> bool:
    """Count one more socket of `owner`; return whether that is within the limit."""
    _open_sockets[owner] += 1
    SOCKETS.inc()
    limit = MAX_SOCKETS_PER_USER if owner.startswith("user ") else MAX_SOCKETS_PER_ADDRESS
    return _open_sockets[owner] <= limit or not settings.LIMITS


def unregister(owner: str) -> None:
    SOCKETS.dec()
    _open_sockets[owner] -= 1
    if not _open_sockets[owner]:
        del _open_sockets[owner]
