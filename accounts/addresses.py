"""IP addresses as stored: hashed, so that they can be compared but not read."""

import hmac
import re
from functools import cache
from hashlib import sha256
from ipaddress import IPv6Address, IPv6Network, ip_address

from allauth.core.internal import httpkit  # the adapter's `get_client_ip` refuses requests without an address
from django.conf import settings
from django.http import HttpRequest

from operators import shared_networks

DELETED_ADDRESS = "::"
MAX_LENGTH = 39  # characters of an IPv6 address
IPV6_PREFIX_LENGTH = 64  # the network that one customer gets
WIDE_IPV6_PREFIX_LENGTH = 56  # what many providers let a customer divide
WITH_PORT = re.compile(r"(?:(?P<four>[0-9.]+):[0-9]+|\[(?P<six>[^\]]+)\](?::[0-9]+)?)")


def normalize_address(address: str, prefix_length: int = IPV6_PREFIX_LENGTH) -> str:
    """Return the address by which a connection counts: its IPv4 address, or the /64 network of an IPv6 address.

    Some proxies forward the port as well: `203.0.113.7:1234`, `[2001:db8::1]:1234`.
    """
    found = WITH_PORT.fullmatch(address)
    try:
        parsed = ip_address(found["four"] or found["six"] if found else address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    if parsed.is_loopback:
        return str(parsed)
    return str(IPv6Network((parsed, prefix_length), strict=False).network_address)


def hash_address(address: str) -> str:
    """Return the keyed hash of an address, as an IPv6 address of the private range fd00::/8."""
    digest = hmac.new(settings.SECRET_KEY.encode(), b"address:" + address.encode(), sha256).digest()
    return str(IPv6Address(b"\xfd" + digest[:15]))


@cache
def loopback_addresses() -> frozenset[str]:
    """Return the hashed loopback addresses; such a request may come from a proxy that forwards no address."""
    return frozenset(hash_address(normalize_address(address)) for address in ("127.0.0.1", "::1"))


def hash_network(address: str) -> str:
    """Return the hash of the network of a Daily Deal's player, by /56, or "" (`hash_seat_address`)."""
    return hash_seat_address(address, WIDE_IPV6_PREFIX_LENGTH)


def hash_seat_address(address: str, prefix_length: int = IPV6_PREFIX_LENGTH) -> str:
    """Return the hash of a player's address for comparison with others, or "" for one that never counts as shared.

    Loopback never does, as a proxy may forward no address, nor do the networks of clubs that the operator lists.
    """
    normalized = normalize_address(address, prefix_length)
    try:
        parsed = ip_address(normalized)
    except ValueError:
        return ""
    if parsed.is_loopback or shared_networks.is_shared(parsed):
        return ""
    return hash_address(normalized)


def network_of(request: HttpRequest) -> str:
    """Return the hashed network of a request, or "" (`hash_network`)."""
    return hash_network(httpkit.get_client_ip(request) or "")


def address_of(request: HttpRequest) -> str:
    """Return the hashed (forwarded) address of a request, or "" (`hash_seat_address`)."""
    return hash_seat_address(httpkit.get_client_ip(request) or "")
