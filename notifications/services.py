"""Subscribe browsers, and store what people choose."""

import base64
import binascii
from collections.abc import Mapping
from zoneinfo import available_timezones

from cryptography.hazmat.primitives.asymmetric import ec
from django.db import transaction

from accounts.models import User
from core.languages import get_supported_language
from notifications.endpoints import InvalidEndpoint, check_endpoint
from notifications.models import Choices, EndpointFailures, Subscription, digest_endpoint, make_token

MAX_SUBSCRIPTIONS = 8  # of a person; the oldest ones are deleted
KEY_BYTES, SECRET_BYTES = 65, 16
UNCHOSEN_ZONE = "UTC"  # of choices that nobody has saved
# In this order: a User-Agent header also names the browsers that its own resembles.
BROWSERS = ("Firefox", "SamsungBrowser", "Edg", "OPR", "Chrome", "Safari")
SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Mac OS X", "CrOS", "Linux")


class InvalidSubscription(Exception):
    """Raised for keys or an address that no browser makes."""


def subscribe(user: User, sent: Mapping[str, str], language: str, device: str = "") -> Subscription:
    """Store the subscription of a browser; take it over from another person. Raise `InvalidSubscription`."""
    endpoint, key, secret = (sent.get(name, "") for name in ("endpoint", "key", "secret"))
    try:
        check_endpoint(endpoint)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decode(key, KEY_BYTES))
        _decode(secret, SECRET_BYTES)
    except (InvalidEndpoint, ValueError) as error:
        raise InvalidSubscription(str(error)) from error
    with transaction.atomic():
        list(User.objects.select_for_update(no_key=True).filter(pk=user.pk))
        row, _created = Subscription.objects.update_or_create(
            endpoint=endpoint,
            defaults={
                "user": user,
                "key": key,
                "secret": secret,
                "language": get_supported_language(language) or "en",
                "device": device,
                "failures": _count_failures(endpoint),
            },
        )
        newest = user.push_subscriptions.order_by("-pk").values_list("pk", flat=True)
        user.push_subscriptions.filter(pk__in=list(newest[MAX_SUBSCRIPTIONS:])).delete()
        if sent.get("time_zone") in available_timezones():
            _adopt_zone(user, sent["time_zone"])
    return row


def _count_failures(endpoint: str) -> int:
    """Return how often deliveries to the endpoint have failed: to subscribe anew does not make it answer."""
    row = EndpointFailures.objects.filter(digest=digest_endpoint(endpoint)).first()
    return row.failures if row is not None else 0


def _adopt_zone(user: User, zone: str) -> None:
    """Let quiet hours be those of the browser's time zone unless the person has chosen one."""
    choices, _created = Choices.objects.get_or_create(user=user, defaults={"time_zone": zone})
    if choices.time_zone == UNCHOSEN_ZONE:
        choices.time_zone = zone
        choices.save(update_fields=["time_zone"])


def describe_device(user_agent: str) -> str:
    """Return browser and system, as *Firefox, Android*."""
    names = (next((name for name in known if name in user_agent), "") for known in (BROWSERS, SYSTEMS))
    return ", ".join(filter(None, names))


def _decode(text: str, length: int) -> bytes:
    try:
        decoded = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("not base64url") from error
    if len(decoded) != length:
        raise ValueError("of another length")
    return decoded


def unsubscribe(user: User, *, pk: int | None = None, endpoint: str = "") -> None:
    """Stop pushing to one of the person's browsers."""
    if pk is not None:
        user.push_subscriptions.filter(pk=pk).delete()
    else:
        user.push_subscriptions.filter(endpoint=endpoint).delete()


def renew_calendar(user: User, on: bool, language: str) -> None:
    """Give the person's calendar a new secret address, or, unless `on`, none; store the language to write it in."""
    changes = {"calendar_token": make_token() if on else "", "language": get_supported_language(language)}
    Choices.objects.update_or_create(user=user, defaults=changes)
