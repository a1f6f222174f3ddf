"""Store new notices, and send those that are due.

Several servers may do so at once. A row is unique for a person and a subject, so it is stored once. A process leases a
notice by setting a later `due_at` in a guarded update; if it dies, another one continues after the lease. Each delivery
is stored at once, so at most the browsers that it was sending to get a notice twice, under the same tag, which replaces
the first one on their screens.
"""

import json
import logging
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import Case, Exists, F, OuterRef, Value, When
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import override

from accounts.models import User
from core.faults import contain
from notifications import delivery, devices, evenings, finding, services, turns, wording
from notifications.delivery import Outcome, Parcel
from notifications.models import (
    URGENT_KINDS,
    WARNING_KINDS,
    EndpointFailures,
    Kind,
    Notice,
    Subscription,
    digest_endpoint,
    find_choices,
)
from notifications.quiet_hours import find_end_of_quiet

log = logging.getLogger(__name__)

LEASE_TTL = timedelta(seconds=60)  # longer than `delivery.RUN_SECONDS` and the last delivery
MAX_NOTICES_PER_RUN = 40
MAX_FAILING_PER_RUN = delivery.MAX_AT_ONCE  # browsers whose last delivery failed or took long
MAX_ATTEMPTS = 4
MAX_FAILURES = 20  # in a row; then the subscription is deleted
RETENTION_PERIOD = timedelta(days=14)
GONE_STATUSES = (404, 410)
KEY_STATUSES = (401, 403)  # not the key that the browser subscribed with
RETRY_STATUSES = (*KEY_STATUSES, 429, 500, 502, 503, 504)
TAG_LENGTH = 32  # of a topic, at most (RFC 8030)
MAX_OPEN_TAGS = 40  # a payload has 4 KB
# How long a push service keeps what it cannot deliver; see `_get_ttl`.
TTL_SECONDS = {
    Kind.TURN: 86_400,
    Kind.DAY_LEFT: 86_400,
    Kind.HOURS_LEFT: 7200,
    Kind.ENDED: 86_400,
    Kind.CHALLENGE: 300,
    Kind.REMATCH: 1800,
    Kind.BEGINNING: 900,
    Kind.NIGHT: 1800,
    Kind.STREAK: 14_400,
    Kind.SUMMARY: 86_400,
    Kind.TEST: 60,
}
DAY_SECONDS_KEPT = 86_400  # at least, of what is about a match or table of days
WEEK_SECONDS_KEPT = 7 * DAY_SECONDS_KEPT  # as long as a challenge by days waits
LEAST_SECONDS_KEPT = 60
# Of these, several to one person at once are displayed as one.
GROUPED_KINDS = (Kind.TURN, Kind.DAY_LEFT, Kind.HOURS_LEFT, Kind.ENDED)
SEVERAL = "several"  # in the address of a notice that leads others
LESS_URGENT_KINDS = (Kind.NIGHT, Kind.STREAK, Kind.ENDED, Kind.SUMMARY)  # may wait until a phone is awake


class Addressed(NamedTuple):
    """A leased notice and the browsers to send it to."""

    notice: Notice
    targets: list[Subscription]


def run(now: datetime) -> None:
    """Mark the notices that were looked at, store new ones, and send those that are due."""
    if not Subscription.objects.exists():
        return
    services.mark_read(turns.find_read(now), now)
    old = Notice.objects.filter(created_at__lt=now - RETENTION_PERIOD)
    if old.exists():  # a DELETE takes SQLite's write lock even if there is nothing to delete
        old.delete()
    services.store(finding.find_new(now))
    groups: dict[object, list[Addressed]] = {}
    for due in _choose_next(now):
        with contain(log, f"Notice {due.pk}"):  # its lease spaces the attempts
            if addressed := prepare(due, timezone.now()):
                groups.setdefault(_get_group(addressed), []).append(addressed)
    parcels: list[Parcel] = []
    for group in groups.values():
        with contain(log, f"Notice {group[0].notice.pk}"):
            parcels += pack(group)
    deliver(parcels)


def _get_group(addressed: Addressed) -> object:
    """Return what notices that are displayed as one have in common."""
    notice, targets = addressed
    if notice.kind not in GROUPED_KINDS:
        return notice.pk
    return notice.user_id, notice.kind, tuple(target.pk for target in targets)


def _choose_next(now: datetime) -> list[Notice]:
    """Return the notices to send in this run: what comes too late otherwise first, then the oldest.

    People with failed deliveries come last, but a few of them in each run, however many others wait.
    """
    failing = Exists(Subscription.objects.filter(user=OuterRef("user"), failures__gt=0, removed_at=None))
    is_later = Case(When(kind__in=URGENT_KINDS, then=Value(0)), default=Value(1))
    due = Notice.objects.due_at(now).order_by(is_later, "due_at")
    healthy = list(due.exclude(failing)[:MAX_NOTICES_PER_RUN])
    places = max(MAX_FAILING_PER_RUN, MAX_NOTICES_PER_RUN - len(healthy))
    return [*healthy, *due.filter(failing)[:places]]


def prepare(due: Notice, now: datetime) -> Addressed | None:
    """Return a due notice with the browsers that have not got it, unless another process has leased it.

    Drop it if it no longer holds or is not wanted any more; move it to the end of the quiet hours during them.
    """
    if not _lease(due, now):
        return None
    notice = Notice.objects.select_related("user", "seat__match").filter(pk=due.pk).first()
    if notice is None or notice.read_at is not None:  # looked at just now
        return None
    choices = find_choices(notice.user)
    if not choices.wants(Kind(notice.kind)) or not finding.is_current(notice, now):
        _drop(notice, now)
        return None
    quiet_until = find_end_of_quiet(choices, now)
    if quiet_until > now and notice.kind != Kind.TEST and not _comes_too_late(notice, quiet_until):
        Notice.objects.filter(pk=notice.pk).update(due_at=quiet_until, attempts=0)
        return None
    targets = list(devices.find_targets(notice))
    if not targets:
        _record_sent([notice])  # the row keeps the same notice from being found again
        return None
    return Addressed(notice, targets)


def pack(group: Sequence[Addressed]) -> list[Parcel]:
    """Return what to send of notices that are displayed as one; the first to run out leads."""
    notices = sorted((each.notice for each in group), key=_get_time_out)
    return [_pack(notices, subscription) for subscription in group[0].targets]


def _get_time_out(notice: Notice) -> datetime:
    ends_at = notice.seat.match.next_action_at if notice.seat is not None else None
    return ends_at or notice.created_at


def _comes_too_late(notice: Notice, moment: datetime) -> bool:
    """Return whether the time that the notice warns of will have run out by then."""
    if notice.kind not in WARNING_KINDS or notice.seat is None:
        return False
    ends_at = notice.seat.match.next_action_at
    return ends_at is not None and ends_at <= moment


def _pack(notices: Sequence[Notice], subscription: Subscription) -> Parcel:
    notice = notices[0]
    kind = Kind(notice.kind)
    with override(notice.user.language or subscription.language):
        payload = json.dumps(build_payload(notice, len(notices)), ensure_ascii=False)
    urgency = "normal" if kind in LESS_URGENT_KINDS else "high"
    headers = {"topic": get_tag(notice), "urgency": urgency}
    return Parcel(notices, subscription, payload, _get_ttl(notice), headers)


def _get_ttl(notice: Notice) -> int:
    """Return for how many seconds the notice is worth displaying: a warning until the time has run out."""
    kind = Kind(notice.kind)
    seconds = TTL_SECONDS[kind]
    if kind in WARNING_KINDS and notice.seat is not None and notice.seat.match.next_action_at is not None:
        left = notice.seat.match.next_action_at - timezone.now()
        return max(LEAST_SECONDS_KEPT, int(left.total_seconds()))
    if evening := evenings.find_evening(notice):
        return max(LEAST_SECONDS_KEPT, int((evening.starts_at - timezone.now()).total_seconds()))
    if finding.is_of_days(notice):
        return max(seconds, WEEK_SECONDS_KEPT if kind == Kind.CHALLENGE else DAY_SECONDS_KEPT)
    return seconds


def deliver(parcels: Iterable[Parcel]) -> None:
    """Push to browsers, and store each outcome at once.

    First comes one browser of everybody, then their others, and last, a few in each run, those that failed before:
    a service that does not answer takes the whole time of a delivery.
    """
    waiting: dict[int, list[Parcel]] = {}
    for parcel in parcels:
        waiting.setdefault(parcel.notice.pk, []).append(parcel)
    places = [
        (parcel.subscription.failures > 0, place, parcel)
        for of_notice in waiting.values()
        for place, parcel in enumerate(of_notice)
    ]
    places.sort(key=lambda place: place[:2])
    healthy = [parcel for is_failing, _place, parcel in places if not is_failing]
    failing = [parcel for is_failing, _place, parcel in places if is_failing]
    for parcel, outcome in delivery.post_all([*healthy, *failing[:MAX_FAILING_PER_RUN]]):
        with contain(log, f"The outcome of notice {parcel.notice.pk}"):
            if _record_outcome(parcel, outcome):
                waiting[parcel.notice.pk].remove(parcel)
                if not waiting[parcel.notice.pk]:
                    _record_sent(parcel.notices)
    for parcel in (unreached[0] for unreached in waiting.values() if unreached):
        if parcel.notice.attempts >= MAX_ATTEMPTS:
            _record_sent(parcel.notices)


def _record_sent(notices: Iterable[Notice]) -> None:
    Notice.objects.filter(pk__in=[notice.pk for notice in notices]).update(sent_at=timezone.now())


def _drop(notice: Notice, now: datetime) -> None:
    """Delete a notice that nobody got; keep the row of the others for the link on their screens."""
    if notice.delivered:
        services.mark_read(Notice.objects.filter(pk=notice.pk), now)
    else:
        notice.delete()


def _lease(notice: Notice, now: datetime) -> bool:
    """Reserve the notice for this process. Each attempt reserves it for longer, which spaces retries."""
    until = now + LEASE_TTL * (notice.attempts + 1)
    rows = Notice.objects.filter(pk=notice.pk, due_at=notice.due_at, sent_at=None)
    return rows.update(due_at=until, attempts=F("attempts") + 1) == 1


def _record_outcome(parcel: Parcel, outcome: Outcome) -> bool:
    """Store what became of a delivery. Return False if it is to be tried again."""
    subscription, status = parcel.subscription, outcome.status
    if not outcome.is_tried:
        return False
    if status is not None and status < 300:
        _record_delivery(parcel.notices, subscription)
        _record_failures(subscription, 1 if outcome.is_slow else 0)  # a slow one stays among the last
        return True
    if (
        status in GONE_STATUSES
        or subscription.failures >= MAX_FAILURES
        or _has_other_key(subscription, status)
    ):
        subscription.delete()
        return True
    _record_failures(subscription, subscription.failures + 1)
    return status is not None and status not in RETRY_STATUSES


def _has_other_key(subscription: Subscription, status: int | None) -> bool:
    """Return whether a browser of an earlier release has subscribed with a key that the site has no more.

    Deleted, it subscribes again at its next page. With the site's own key a refusal passes.
    """
    return status in KEY_STATUSES and not subscription.server_key


def _record_delivery(notices: Iterable[Notice], subscription: Subscription) -> None:
    keys = [notice.pk for notice in notices]
    with transaction.atomic():
        for row in Notice.objects.select_for_update().filter(pk__in=keys).order_by("pk"):
            row.delivered = [*row.delivered, subscription.pk]
            row.save(update_fields=["delivered"])


def _record_failures(subscription: Subscription, failures: int) -> None:
    """Store how often in a row deliveries failed; by the endpoint, too, which may be subscribed anew."""
    if failures == subscription.failures == 0:
        return
    Subscription.objects.filter(pk=subscription.pk).update(failures=failures)
    digest = digest_endpoint(subscription.endpoint)
    if failures:
        changes = {"failures": failures, "at": timezone.now()}
        EndpointFailures.objects.update_or_create(changes, digest=digest)
    else:
        EndpointFailures.objects.filter(digest=digest).delete()


def build_payload(notice: Notice, number: int = 1) -> dict[str, str | int | list[str]]:
    """Return what the browser displays: the notice, or that it leads several of its kind.

    The address is the notice's own, as codes of tables do not leave the site.
    `open` names what is unread: the browser takes the rest off its screen, which was read on another device.
    """
    words = wording.describe(notice) if number == 1 else wording.describe_several(notice, number)
    address = reverse("notice", args=[notice.pk])
    return {
        "title": words.title,
        "body": words.body,
        "url": address if number == 1 else f"{address}?{SEVERAL}",
        "tag": get_tag(notice),
        **build_state(notice.user),
    }


def build_state(user: User) -> dict[str, int | list[str]]:
    """Return the number on the app's icon, and the tags of the person's unread notices."""
    unread = user.notices.filter(read_at=None).order_by("-pk")[:MAX_OPEN_TAGS]
    return {"badge": len(turns.find_waiting(user)), "open": [get_tag(notice) for notice in unread]}


def get_tag(notice: Notice) -> str:
    """Return the name under which a later notice about the same thing replaces this one."""
    return salted_hmac("notifications.tag", f"{notice.user_id}:{notice.key}").hexdigest()[:TAG_LENGTH]
