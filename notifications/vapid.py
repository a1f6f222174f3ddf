"""The key by which push services know the site (VAPID, RFC 8292)."""

import base64
from functools import cache

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

from operators.site_settings import get_site


def get_public_key() -> str:
    """Return the key that browsers subscribe with, in base64url; "" before `manage.py setup` has made one."""
    return _encode_public_key(settings.VAPID_KEY) if settings.VAPID_KEY else ""


@cache
def _encode_public_key(secret: bytes) -> str:
    key = ec.derive_private_key(int.from_bytes(secret), ec.SECP256R1()).public_key()
    return _encode(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def get_private_key() -> str:
    """Return the key that signs, as `pywebpush` takes it."""
    return _encode(settings.VAPID_KEY)


def _encode(key: bytes) -> str:
    return base64.urlsafe_b64encode(key).rstrip(b"=").decode()


def get_contact() -> str:
    """Return how push services reach the operator: a mailto: or https: address."""
    contact = get_site().contact or settings.DEFAULT_FROM_EMAIL.rpartition("<")[2].rstrip(">")
    if "@" in contact and "://" not in contact:
        return f"mailto:{contact}"
    return contact if contact.startswith("https://") else settings.SITE_URL
