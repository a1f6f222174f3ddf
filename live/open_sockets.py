"""How many sockets each person or address has open in this process."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from live.metrics import SOCKETS
from live.rate_limits import get_client_address

MAX_SOCKETS_PER_USER = 20
MAX_SOCKETS_PER_ADDRESS = 100  # for visitors who are not signed in

_open_sockets: Counter[str] = Counter()


def get_owner(scope: Mapping[str, Any]) -> str:
    """Return "user PK", or "address IP" for a visitor who is not signed in."""
    user = scope["user"]
    return f"user {user.pk}" if user.is_authenticated else f"address {get_client_address(scope)}"


def count_people_here() -> int | None:
    """Return how many people and addresses have a page open, or None if other processes have pages, too."""
    return None if settings.REDIS_URL else len(_open_sockets)


def has_page_here(user_key: int) -> bool:
    """Return whether a user has a page open in this process."""
    return f"user {user_key}" in _open_sockets


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
