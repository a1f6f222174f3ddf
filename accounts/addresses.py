"""Addresses of computers, as they are stored: hashed, so that they can be compared and not be read."""

import hmac
from functools import cache
from hashlib import sha256
from ipaddress import IPv6Address

from allauth.account.adapter import get_adapter
from allauth.core.internal import ratelimit
from django.conf import settings
from django.http import HttpRequest

FORGOTTEN = "::"
LONGEST = 39  # characters of an IPv6 address


def hashed(address: str) -> str:
    """An address as an IPv6 address of the private range fd00::/8, made with the site's key: equal for equal ones."""
    digest = hmac.new(settings.SECRET_KEY.encode(), b"address:" + address.encode(), sha256).digest()
    return str(IPv6Address(b"\xfd" + digest[:15]))


@cache
def of_this_machine() -> frozenset[str]:
    """This machine's own addresses, hashed. A request from one may be anybody's, by a proxy that does not say whose."""
    return frozenset(hashed(ratelimit.truncate_ip(address)) for address in ("127.0.0.1", "::1"))


def address_of(request: HttpRequest) -> str:
    """The hashed address of a request, behind a proxy the forwarded one; "" for this machine's own."""
    address = get_adapter().get_client_ip(request)
    return "" if address in of_this_machine() else address
