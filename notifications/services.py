"""Subscribe browsers, and store what people choose."""

import base64
import binascii
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from cryptography.hazmat.primitives.asymmetric import ec
from django.db import transaction
from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import User
from core.languages import get_supported_language
from core.time_zones import UTC_NAME, list_zones
from games.models import Match
from games.time.outages import carry_over
from notifications import vapid
from notifications.endpoints import InvalidEndpoint, check_endpoint
from notifications.models import (
    WAITING_KINDS,
    Choices,
    EndpointFailures,
    Kind,
    Notice,
    Subscription,
    digest_endpoint,
    make_token,
)

MAX_SUBSCRIPTIONS = 8  # of a person; the oldest ones are deleted
KEY_BYTES, SECRET_BYTES = 65, 16
TEST_INTERVAL = timedelta(seconds=20)  # between two test notices to a device
# In this order: a User-Agent header also names the browsers that its own resembles.
BROWSERS = ("Firefox", "SamsungBrowser", "Edg", "OPR", "Chrome", "Safari")
SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Mac OS X", "CrOS", "Linux")


class InvalidSubscription(Exception):
    """Raised for keys or an address that no browser makes."""


class OutdatedKey(Exception):
    """Raised for a subscription with a key that the site has no more: its push service would refuse every notice."""


def subscribe(
    user: User, sent: Mapping[str, str], language: str, device: str = "", session: str = ""
) -> Subscription:
    """Store the subscription of a browser, for as long as this session lasts; take it over from another person.

    Raise `InvalidSubscription` or `OutdatedKey`. `replaces` in `sent` names the endpoint that the browser had before;
    one that its owner has removed stays removed.
    """
    if sent.get("server_key", vapid.get_public_key()) != vapid.get_public_key():
        raise OutdatedKey
    endpoint, key, secret = (sent.get(name, "") for name in ("endpoint", "key", "secret"))
    try:
        check_endpoint(endpoint)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decode(key, KEY_BYTES))
        _decode(secret, SECRET_BYTES)
    except (InvalidEndpoint, ValueError) as error:
        raise InvalidSubscription(str(error)) from error
    with transaction.atomic():
        list(User.objects.select_for_update(no_key=True).filter(pk=user.pk))
        if replaced := sent.get("replaces"):
            before = find_browser(user, replaced).exclude(endpoint=endpoint)
            if before.exclude(removed_at=None).update(endpoint=_hash(endpoint)):
                return user.push_subscriptions.get(endpoint=_hash(endpoint))  # stays removed
            before.delete()
        find_browser(user, endpoint).exclude(removed_at=None).delete()
        if session:  # of one browser, which has lost its earlier subscription
            user.push_subscriptions.filter(session=session, removed_at=None).exclude(
                endpoint=endpoint
            ).delete()
        row, _created = Subscription.objects.update_or_create(
            endpoint=endpoint,
            defaults={
                "user": user,
                "key": key,
                "secret": secret,
                "language": get_supported_language(language) or "en",
                "device": device,
                "failures": _count_failures(endpoint),
                "session": session,
                "server_key": vapid.get_public_key(),
                "seen_at": timezone.now(),
            },
        )
        newest = user.push_subscriptions.order_by("-pk").values_list("pk", flat=True)
        user.push_subscriptions.filter(pk__in=list(newest[MAX_SUBSCRIPTIONS:])).delete()
        _adopt_zone(user, sent.get("time_zone", ""))
    return row


def _count_failures(endpoint: str) -> int:
    """Return how often deliveries to the endpoint have failed: to subscribe anew does not make it answer."""
    row = EndpointFailures.objects.filter(digest=digest_endpoint(endpoint)).first()
    return row.failures if row is not None else 0


def _adopt_zone(user: User, zone: str) -> None:
    """Let quiet hours be those of the browser's time zone unless one is stored.

    UTC is what browsers that hide their zone send: another one may still name it.
    """
    if zone == UTC_NAME or zone not in list_zones():
        return
    Choices.objects.get_or_create(user=user)
    if Choices.objects.filter(user=user, time_zone="").update(time_zone=zone):
        _recompute_quiet(user.pk)


@transaction.atomic
def store_choices(choices: Choices) -> None:
    """Store choices; notices that wait for the end of the earlier quiet hours wait for the end of these."""
    choices.save()
    _recompute_quiet(choices.user_id)


def _recompute_quiet(user: int) -> None:
    """Let the outbox look again at the notices that wait for the end of quiet hours."""
    now = timezone.now()
    # Those that a process has leased have an attempt.
    held = Notice.objects.unread().filter(user=user, sent_at=None, attempts=0, due_at__gt=now)
    held.update(due_at=now)


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


def unsubscribe(user: User, endpoint: str) -> None:
    """Forget the browser that has unsubscribed."""
    find_browser(user, endpoint).delete()


def note_visit(browser: Subscription, now: datetime) -> None:
    """Store that a page of this browser has been here."""
    Subscription.objects.filter(pk=browser.pk).update(seen_at=now)


def find_browser(user: User, endpoint: str) -> QuerySet[Subscription]:
    """Return the person's browser with this endpoint, also if it was removed."""
    return user.push_subscriptions.filter(endpoint__in=[endpoint, _hash(endpoint)])


def remove(user: User, pk: int) -> None:
    """Forget where to push to for one of the person's browsers, which learns so at its next page.

    Only a hash of the endpoint stays, or that page would take the subscription for a lost one.
    """
    for row in user.push_subscriptions.filter(pk=pk, removed_at=None):
        row.endpoint, row.key, row.secret, row.device = _hash(row.endpoint), "", "", ""
        row.seen_at, row.removed_at = None, timezone.now()
        row.save(update_fields=["endpoint", "key", "secret", "device", "seen_at", "removed_at"])


def _hash(endpoint: str) -> str:
    return salted_hmac("notifications.removed", endpoint, algorithm="sha256").hexdigest()


def send_test(user: User, pk: int) -> bool:
    """Let the outbox send a notice to one of the person's browsers, whatever the quiet hours and choices.

    Return whether it does: not to a browser that was removed, or that was sent one a moment ago.
    """
    now = timezone.now()
    if not user.push_subscriptions.filter(pk=pk, removed_at=None).exists():
        return False
    last = user.notices.filter(key=f"test:{pk}")
    if last.filter(created_at__gt=now - TEST_INTERVAL).exists():
        return False
    last.delete()
    Notice.objects.bulk_create(
        [
            Notice(
                user=user,
                kind=Kind.TEST,
                key=f"test:{pk}",
                target=reverse("notifications"),
                created_at=now,
                due_at=now,
            )
        ],
        ignore_conflicts=True,
    )
    return True


def store(notices: Iterable[Notice]) -> None:
    """Store new notices. One about a match takes the row of an unread one that comes before it in `WAITING_KINDS`."""
    # A warning follows the notice of the turn itself, where both are due.
    latest = {(notice.user_id, notice.key): notice for notice in notices}
    if new := [notice for notice in latest.values() if not _replace_earlier(notice)]:
        Notice.objects.bulk_create(new, ignore_conflicts=True)


def _replace_earlier(notice: Notice) -> bool:
    """Let a turn or a warning take the row of an earlier notice about the same match, to be sent again; return whether
    one was there. Guarded by its kind, so that one process does so.
    """
    if notice.kind not in WAITING_KINDS:
        return False
    earlier = WAITING_KINDS[: WAITING_KINDS.index(Kind(notice.kind))]
    row = Notice.objects.unread().filter(user=notice.user_id, key=notice.key, kind__in=earlier)
    changes = {"kind": notice.kind, "created_at": notice.created_at, "due_at": notice.due_at}
    return row.update(**changes, attempts=0, delivered=[], sent_at=None) == 1


def mark_read(notices: QuerySet[Notice], now: datetime) -> None:
    """Mark notices as read on all devices, and let the next turn of a match have one of its own."""
    keys = list(notices.filter(read_at=None).values_list("pk", flat=True))
    if not keys:
        return  # a transaction would take SQLite's write lock, every other second
    rows = Notice.objects.filter(pk__in=keys)
    read_key = Concat(Value("read:"), Cast("pk", CharField()))
    with transaction.atomic():
        rows.filter(kind__in=WAITING_KINDS).update(read_at=now, key=read_key)
        rows.exclude(kind__in=WAITING_KINDS).update(read_at=now)


def shift(last: datetime, now: datetime) -> None:
    """Carry over, after an outage, when notices about waiting matches were found: their turns and pages move, too."""
    rows = Notice.objects.filter(kind__in=WAITING_KINDS, seat__match__status=Match.Status.PLAYING)
    rows.update(created_at=carry_over("created_at", last, now))


def renew_calendar(user: User, on: bool, language: str) -> None:
    """Give the person's calendar a new secret address, or, unless `on`, none; store the language to write it in."""
    changes = {"calendar_token": make_token() if on else "", "language": get_supported_language(language)}
    Choices.objects.update_or_create(user=user, defaults=changes)
