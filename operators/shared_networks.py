"""The networks of clubs and schools at which sharing an address is expected, as the operator lists them.

Each process caches them for `TTL_SECONDS`, so all take a change over by then.
"""

import time
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network

from django.conf import settings
from django.db import transaction
from django.db.models.signals import post_delete, post_save

from core.database import WRITE_ERRORS
from operators.models import SharedNetwork

TTL_SECONDS = 2.0
Network = IPv4Network | IPv6Network

# Cache: the listed networks; invalidated by saving a row in this process, else after TTL_SECONDS.
_cached: tuple[Network, ...] = ()
_valid_until = 0.0


def is_shared(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address belongs to a listed network, or to one of `SHARED_NETWORKS`."""
    return any(address in network for network in (*settings.SHARED_NETWORKS, *get_listed()))


def get_listed() -> tuple[Network, ...]:
    """Return the listed networks, at most `TTL_SECONDS` old; the last ones known while the database is away."""
    global _valid_until
    if time.monotonic() >= _valid_until:
        _valid_until = time.monotonic() + TTL_SECONDS  # set first: other threads go on with the cached ones
        try:
            cache(load())
        except WRITE_ERRORS:
            pass
    return _cached


def load() -> list[Network]:
    """Return the listed networks as they are in the database."""
    rows = SharedNetwork.objects.filter(is_listed=True).values_list("network", flat=True)
    return [ip_network(network) for network in rows]


def cache(networks: Iterable[Network], ttl_seconds: float = TTL_SECONDS) -> None:
    """Use these networks for `ttl_seconds`."""
    global _cached, _valid_until
    _cached, _valid_until = tuple(networks), time.monotonic() + ttl_seconds


def _cache_after_commit(**kwargs: object) -> None:
    transaction.on_commit(lambda: cache(load()))


post_save.connect(_cache_after_commit, sender=SharedNetwork)
post_delete.connect(_cache_after_commit, sender=SharedNetwork)
