"""Addresses of computers, as they are stored: hashed, so that they can be compared and not be read."""

import hmac
from hashlib import sha256
from ipaddress import IPv6Address

from django.conf import settings

FORGOTTEN = "::"


def hashed(address: str) -> str:
    """An address as an IPv6 address of the private range fd00::/8, made with the site's key: the same for the same."""
    digest = hmac.new(settings.SECRET_KEY.encode(), b"address:" + address.encode(), sha256).digest()
    return str(IPv6Address(b"\xfd" + digest[:15]))
