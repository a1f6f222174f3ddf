"""The browsers of a person that notices may reach: those that are still logged in, with the site's present key."""

from datetime import datetime, timedelta

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.models import User
from notifications import vapid
from notifications.models import Kind, Notice, Subscription

REMOVED_TTL = timedelta(days=60)  # a browser that has not come back by then has no session any more


def find_live(user: User) -> list[Subscription]:
    """Return the browsers to push to, and delete those whose session has ended: no log-out, ban or new password is
    missed, wherever it happened.
    """
    if not user.is_active or user.banned:
        return []
    rows = list(user.push_subscriptions.filter(removed_at=None))
    valid = _find_valid_sessions(user, {row.session for row in rows})
    live = [row for row in rows if row.session in valid and row.server_key in ("", vapid.get_public_key())]
    if dead := {row.pk for row in rows} - {row.pk for row in live}:
        Subscription.objects.filter(pk__in=dead).delete()
    return live


def find_targets(notice: Notice) -> list[Subscription]:
    """Return the browsers that the notice has not reached, the newest first; of a test, the one that it tries."""
    live = [row for row in reversed(find_live(notice.user)) if row.pk not in notice.delivered]
    return [row for row in live if notice.kind != Kind.TEST or str(row.pk) == notice.subject]


def _find_valid_sessions(user: User, keys: set[str]) -> set[str]:
    """Return those of these sessions that have not ended and were opened with the person's present password."""
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    stored = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    sessions = {row.session_key: row.get_decoded() for row in stored}
    return {
        key
        for key, values in sessions.items()
        if values.get(SESSION_KEY) == str(user.pk)
        and any(constant_time_compare(values.get(HASH_SESSION_KEY, ""), each) for each in hashes)
    }


def follow_session(old: str, new: str) -> None:
    """Let the browser of a session keep its notices under the session's new key; "": it has ended."""
    rows = Subscription.objects.filter(session=old)
    if not old or not rows.exists():
        return
    if new:
        rows.update(session=new)
    else:
        rows.delete()


def delete_ended(now: datetime) -> int:
    """Delete the subscriptions of sessions that are not stored any more, and those that were removed long ago."""
    ended = Subscription.objects.exclude(session__in=Session.objects.values("session_key"))
    removed = Subscription.objects.filter(removed_at__lt=now - REMOVED_TTL)
    return ended.delete()[0] + removed.delete()[0]
