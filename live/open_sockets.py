"""Count the open sockets of each person or address; find who has one in any process of this `serve`.

Each process tells its siblings once a second who has a page open in it, and the number of sockets of owners that have
more than `MAX_UNSHARED_SOCKETS`. So a limit holds for all processes together, except for the sockets of the last second
and `MAX_UNSHARED_SOCKETS` in each other process.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from live.bus import BEAT_SECONDS, BUS
from live.metrics import SOCKETS
from live.rate_limits import NETWORK, get_client_address

# By the first word of an owner. One address may be that of a school, or of a carrier.
MAX_SOCKETS = {"user": 20, "address": 100, "network": 400}
MAX_UNSHARED_SOCKETS = 10  # of one owner in one process
MAX_SHARED_OWNERS = 500  # in one message to the siblings

_IN_VIEW = "view "  # before an owner, in a beat: one of their pages is in view
_open_sockets: Counter[str] = Counter()
_pages_in_view: Counter[str] = Counter()


def get_owner(scope: Mapping[str, Any]) -> str:
    """Return "user PK", or "address IP" for a visitor who is not signed in."""
    user = scope["user"]
    if user.is_authenticated:
        return f"user {user.pk}"
    return f"address {scope.get(NETWORK) or get_client_address(scope)}"


def get_network(scope: Mapping[str, Any]) -> str:
    """Return "network IP", or "" for a socket that does not count for one."""
    network = scope.get(NETWORK, "")
    return f"network {network}" if network else ""


async def share() -> None:
    """Send this process's beats to its siblings and parent until cancelled."""
    while True:
        largest = _open_sockets.most_common(MAX_SHARED_OWNERS)
        shared = {owner: number for owner, number in largest if number > MAX_UNSHARED_SOCKETS}
        in_view = [f"{_IN_VIEW}{owner}" for owner in list(_pages_in_view)]
        BUS.beat([*_get_people(), *in_view], shared)
        await asyncio.sleep(BEAT_SECONDS)


def count_people_here() -> int | None:
    """Return how many people and addresses have a page open, or None where Redis connects other servers."""
    people = set(_get_people()).union(*BUS.get_owners())
    return None if settings.REDIS_URL else sum(not owner.startswith(_IN_VIEW) for owner in people)


def has_page_here(user_key: int) -> bool:
    """Return whether a user has a page open in this process or in one of its siblings."""
    owner = f"user {user_key}"
    return owner in _open_sockets or any(owner in owners for owners in BUS.get_owners())


def has_page_in_view(user_key: int) -> bool:
    """Return whether a user has a page in view, as it told this process or one of its siblings."""
    owner = f"user {user_key}"
    return owner in _pages_in_view or any(f"{_IN_VIEW}{owner}" in owners for owners in BUS.get_owners())


def note_view(owner: str, is_in_view: bool) -> None:
    """Count one more or one less page of `owner` that is in view."""
    _pages_in_view[owner] += 1 if is_in_view else -1
    if not _pages_in_view[owner]:
        del _pages_in_view[owner]


def register(owner: str, network: str = "") -> bool:
    """Count one more socket of `owner`, and of the network, if it counts; return whether that is within the limits."""
    SOCKETS.inc()
    names = list(filter(None, (owner, network)))
    _open_sockets.update(names)
    return all(map(_is_within_limit, names)) or not settings.LIMITS


def unregister(owner: str, network: str = "") -> None:
    SOCKETS.dec()
    for name in filter(None, (owner, network)):
        _open_sockets[name] -= 1
        if not _open_sockets[name]:
            del _open_sockets[name]


def _is_within_limit(name: str) -> bool:
    limit = MAX_SOCKETS[name.partition(" ")[0]]
    return _open_sockets[name] + BUS.count_pages(name) <= limit


def _get_people() -> list[str]:
    return [owner for owner in _open_sockets if not owner.startswith("network ")]
