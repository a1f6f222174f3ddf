"""Addresses of computers, as they are stored: hashed, so that they can be compared and not be read."""

import hmac
from hashlib import sha256
from ipaddress import IPv6Address, ip_address

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.http import HttpRequest

FORGOTTEN = "::"
LONGEST = 39  # characters of an IPv6 address


def hashed(address: str) -> str:
    """An address as an IPv6 address of the private range fd00::/8, made with the site's key: the same for the same."""
    digest = hmac.new(settings.SECRET_KEY.encode(), b"address:" + address.encode(), sha256).digest()
    return str(IPv6Address(b"\xfd" + digest[:15]))


def address_of(request: HttpRequest) -> str:
    """The hashed address of a request, behind a proxy the forwarded one; "" for this machine's own."""
    text = get_adapter().get_client_ip(request)
    try:
        if ip_address(text).is_loopback:
            return ""
    except ValueError:
        return ""
    return hashed(text)
