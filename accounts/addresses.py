"""IP addresses as stored: hashed, so that they can be compared but not read."""

import hmac
from functools import cache
from hashlib import sha256
from ipaddress import IPv6Address

from allauth.account.adapter import get_adapter
from allauth.core.internal import ratelimit
from django.conf import settings
from django.http import HttpRequest

DELETED_ADDRESS = "::"
MAX_LENGTH = 39  # characters of an IPv6 address


def hash_address(address: str) -> str:
    """Return the keyed hash of an address, as an IPv6 address of the private range fd00::/8."""
    digest = hmac.new(settings.SECRET_KEY.encode(), b"address:" + address.encode(), sha256).digest()
    return str(IPv6Address(b"\xfd" + digest[:15]))


@cache
def loopback_addresses() -> frozenset[str]:
    """Return the hashed loopback addresses; such a request may come from a proxy that forwards no address."""
    return frozenset(hash_address(ratelimit.truncate_ip(address)) for address in ("127.0.0.1", "::1"))


def address_of(request: HttpRequest) -> str:
    """Return the hashed (forwarded) address of a request; "" for loopback."""
    address = get_adapter().get_client_ip(request)
    return "" if address in loopback_addresses() else address
