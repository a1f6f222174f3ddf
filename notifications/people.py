"""Find the people to notify: with a browser that is subscribed, wanting a kind of notice, and seen within a week.

Somebody who has not come for a week gets one summary, by mail or else by push, and then nothing until they come back
but the warnings of matches that end by time, and the ends of those they were warned of.
"""

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from notifications.models import CHOSEN_KINDS, WARNING_KINDS, Kind, Subscription

DORMANT_AFTER = timedelta(days=7)
SUMMARY_PERIOD = timedelta(days=7)  # after that; a site that was away for longer sends none


def find_people(*kinds: Kind) -> QuerySet[User]:
    """Return the people with subscriptions who want notices of any of these kinds."""
    seen = Q(seen_at=None) | Q(seen_at__gt=timezone.now() - DORMANT_AFTER)
    return _find_subscribed(*kinds).filter(seen)


def find_told_of_ends() -> QuerySet[User]:
    """Return the people who want the ends of their matches, also dormant ones: only those warned of a match are told of
    its end (`deadlines.find_endings`).
    """
    return _find_subscribed(Kind.ENDED)


def find_warned() -> QuerySet[User]:
    """Return the people who want warnings, however long they have been away: a match would be lost without a word."""
    return _find_subscribed(*WARNING_KINDS)


def find_dormant(now: datetime) -> QuerySet[User]:
    """Return the people who have not come for a week, want any notices, and to whom no mail says so."""
    since = now - DORMANT_AFTER
    dormant = _find_subscribed(*CHOSEN_KINDS).filter(seen_at__lte=since, seen_at__gt=since - SUMMARY_PERIOD)
    return dormant.exclude(Exists(confirmed_addresses("pk")), notice_choices__mails=True)


def is_dormant(user: User, now: datetime) -> bool:
    return user.seen_at is not None and user.seen_at <= now - DORMANT_AFTER


def confirmed_addresses(user: str) -> QuerySet[EmailAddress]:
    """Return the address that mails go to, for a subquery; `user` is the outer column."""
    return EmailAddress.objects.filter(user=OuterRef(user), verified=True, primary=True)


def _find_subscribed(*kinds: Kind) -> QuerySet[User]:
    wanted = Q(notice_choices=None)
    for kind in kinds:
        wanted |= Q(**{f"notice_choices__{kind.value}": True})
    people = User.objects.filter(wanted, is_active=True, banned_at=None)
    return people.filter(Exists(Subscription.objects.filter(user=OuterRef("pk"), removed_at=None)))
