"""Store new notices, and send those that are due.

Every process does both. A row is unique for a person and a thing, so two processes store it once. A process that sends
one moves its `due_at` on in a guarded update, and so leases it; if it dies, another sends the rest after the lease. A
browser that was reached is written down at once, so at most the one being answered gets the notice again, under the
same tag, which replaces the first one on its screen.
"""

import http.client
import json
import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import override

from notifications import finding, vapid, wording
from notifications.endpoints import InvalidEndpoint, Session
from notifications.models import Kind, Notice, Subscription, find_choices
from notifications.quiet_hours import find_end_of_quiet

log = logging.getLogger(__name__)

LEASE_TTL = timedelta(seconds=60)  # longer than all browsers of a person take
MAX_NOTICES_PER_RUN = 20
MAX_ATTEMPTS = 4
MAX_FAILURES = 20  # in a row, after which a browser is forgotten
TIMEOUT_SECONDS = 5.0
KEEP_PERIOD = timedelta(days=14)
GONE_STATUSES = (404, 410)
RETRY_STATUSES = (429, 500, 502, 503, 504)
TAG_LENGTH = 32  # of a topic, at most (RFC 8030)
# How long a push service keeps what it cannot deliver.
TTL_SECONDS = {
    Kind.TURN: 86_400,
    Kind.CHALLENGE: 300,
    Kind.REMATCH: 1800,
    Kind.BEGINNING: 900,
    Kind.NIGHT: 1800,
    Kind.STREAK: 14_400,
}
PATIENT_KINDS = (Kind.NIGHT, Kind.STREAK)  # may wait until a phone is awake


def run(now: datetime) -> None:
    """Forget what was looked at, store what is new, and send what is due."""
    if not Subscription.objects.exists():
        return
    finding.find_seen(now).delete()
    Notice.objects.filter(created_at__lt=now - KEEP_PERIOD).delete()
    Notice.objects.bulk_create(list(finding.find_new(now)), ignore_conflicts=True)
    # A service that does not answer takes its whole time: whoever has such a browser comes last.
    failing = Exists(Subscription.objects.filter(user=OuterRef("user"), failures__gt=0))
    for notice in Notice.objects.due_at(now).order_by(failing, "due_at")[:MAX_NOTICES_PER_RUN]:
        send(notice, timezone.now())


def send(due: Notice, now: datetime) -> None:
    """Send a due notice to the browsers that have not got it, unless another process does or it no longer holds."""
    if not _lease(due, now):
        return
    notice = Notice.objects.select_related("user", "seat__match").filter(pk=due.pk).first()
    if notice is None:  # looked at just now
        return
    if not finding.is_current(notice, now):
        notice.delete()
        return
    quiet_until = find_end_of_quiet(find_choices(notice.user), now)
    if quiet_until > now:
        Notice.objects.filter(pk=notice.pk).update(due_at=quiet_until, attempts=0)
        return
    subscriptions = list(notice.user.push_subscriptions.exclude(pk__in=notice.delivered))
    unreached = [each for each in subscriptions if not _deliver(notice, each)]
    # Without any, the row only keeps the same notice from being found again.
    if not unreached or notice.attempts >= MAX_ATTEMPTS:
        Notice.objects.filter(pk=notice.pk).update(sent_at=timezone.now())


def _lease(notice: Notice, now: datetime) -> bool:
    """Reserve the notice for this process. Each attempt takes it for longer, which spaces retries."""
    until = now + LEASE_TTL * (notice.attempts + 1)
    rows = Notice.objects.filter(pk=notice.pk, due_at=notice.due_at, sent_at=None)
    return rows.update(due_at=until, attempts=F("attempts") + 1) == 1


def _deliver(notice: Notice, subscription: Subscription) -> bool:
    """Push to one browser. Return whether this is done with: delivered, or in vain for good."""
    status = _push(notice, subscription)
    if status in GONE_STATUSES or subscription.failures >= MAX_FAILURES:
        subscription.delete()
        return True
    if status is not None and status < 300:
        _record_delivery(notice, subscription)
        return True
    Subscription.objects.filter(pk=subscription.pk).update(failures=F("failures") + 1)
    return status is not None and status not in RETRY_STATUSES


def _record_delivery(notice: Notice, subscription: Subscription) -> None:
    with transaction.atomic():
        row = Notice.objects.select_for_update().filter(pk=notice.pk).first()
        if row is not None:
            row.delivered = [*row.delivered, subscription.pk]
            row.save(update_fields=["delivered"])
    if subscription.failures:
        Subscription.objects.filter(pk=subscription.pk).update(failures=0)


def build_payload(notice: Notice) -> dict[str, str | int]:
    """Return what the browser displays. The address names the notice: codes of tables do not leave the site."""
    words = wording.describe(notice)
    return {
        "title": words.title,
        "body": words.body,
        "url": reverse("notice", args=[notice.pk]),
        "tag": get_tag(notice),
        "badge": wording.count_waiting(notice.user),
    }


def get_tag(notice: Notice) -> str:
    """Return the name under which a later notice about the same thing replaces this one."""
    return salted_hmac("notifications.tag", f"{notice.user_id}:{notice.key}").hexdigest()[:TAG_LENGTH]


def _push(notice: Notice, subscription: Subscription) -> int | None:
    """Return the status of the push service, or None if it did not answer."""
    # 14 packages come with it, half a second to load: only where something is sent.
    from pywebpush import WebPushException, webpush

    kind = Kind(notice.kind)
    with override(notice.user.language or subscription.language):
        payload = json.dumps(build_payload(notice), ensure_ascii=False)
    try:
        response = webpush(
            {
                "endpoint": subscription.endpoint,
                "keys": {"p256dh": subscription.key, "auth": subscription.secret},
            },
            payload,
            vapid_private_key=vapid.get_private_key(),
            vapid_claims={"sub": vapid.get_contact()},
            ttl=TTL_SECONDS[kind],
            headers={"topic": get_tag(notice), "urgency": "normal" if kind in PATIENT_KINDS else "high"},
            timeout=TIMEOUT_SECONDS,
            requests_session=Session(),  # its one method that is used
        )
    except WebPushException as error:
        status = getattr(error.response, "status_code", None)
        log.warning("A push service answered %s", status)
        return status
    except InvalidEndpoint as error:
        log.warning("A push subscription was dropped: %s", error)
        return GONE_STATUSES[0]
    except (OSError, http.client.HTTPException) as error:
        log.warning("A push service did not answer: %s", type(error).__name__)
        return None
    return response.status_code if not isinstance(response, str) else None
