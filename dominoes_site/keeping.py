"""Delete expired data (docs/deploy.md and /privacy/ list the periods)."""

from datetime import datetime, timedelta
from typing import Any

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import QuerySet

from accounts.addresses import DELETED_ADDRESS
from accounts.models import KnownBrowser, RetiredName, User
from accounts.retired_names import RETIREMENT
from dominoes_site.backups import delete_old_copies
from events.services import delete_networks_before
from games.services import delete_addresses_before, delete_exhibitions_before, talk
from nights.services import shorten_names_before
from notifications.devices import delete_ended
from notifications.models import EndpointFailures

EXHIBITION_TTL = timedelta(days=1)
FAILURES_TTL = timedelta(days=14)
NIGHT_NAMES_KEPT = timedelta(days=90)  # of people without an account
BATCH_SIZE = 500  # rows per transaction, so that moves do not wait long


def purge(now: datetime) -> dict[str, int]:
    """Delete what is older than the settings allow; return the number of rows or files by kind."""
    devices = UserSession.objects.exclude(ip=DELETED_ADDRESS)
    long_ago = now - timedelta(days=settings.ADDRESSES_KEPT_DAYS)
    old = devices.filter(last_seen_at__lt=long_ago)
    return {
        "guests": _delete(idle_guests(now)),
        "sessions": _delete(Session.objects.filter(expire_date__lt=now)),
        "devices": _delete(
            UserSession.objects.filter(last_seen_at__lt=now - timedelta(seconds=settings.SESSION_COOKIE_AGE))
        ),
        "addresses": old.update(ip=DELETED_ADDRESS, user_agent="") if old.exists() else 0,
        "addresses at tables": delete_addresses_before(long_ago),
        "networks of entries": delete_networks_before(long_ago),
        "exhibition matches": delete_exhibitions_before(now - EXHIBITION_TTL),
        "names": _delete(RetiredName.objects.filter(at__lt=now - RETIREMENT)),
        "notified browsers": delete_ended(now),
        "failures of endpoints": _delete(EndpointFailures.objects.filter(at__lt=now - FAILURES_TTL)),
        "browsers": _delete(KnownBrowser.objects.filter(seen_at__lt=long_ago)),
        "names of nights": shorten_names_before(now - NIGHT_NAMES_KEPT),
        "lines of talk": talk.delete_lines_before(now - timedelta(days=settings.TALK_KEPT_DAYS)),
        "copies from before a restore": delete_old_copies(now),
    }


def idle_guests(now: datetime) -> QuerySet[User]:
    """Return guests who never sat down and were last seen GUESTS_KEPT_DAYS ago."""
    before = now - timedelta(days=settings.GUESTS_KEPT_DAYS)
    guests = User.objects.filter(is_guest=True, last_login__lt=before, date_joined__lt=before)
    return guests.filter(seats=None, sittings=None, tables=None, hosted_nights=None, night_entries=None)


def _delete(rows: QuerySet[Any]) -> int:
    deleted = 0
    while keys := list(rows.values_list("pk", flat=True)[:BATCH_SIZE]):
        rows.model.objects.filter(pk__in=keys).delete()
        deleted += len(keys)
    return deleted
