"""A person's data: exporting and deleting it. Other apps contribute what they hold (AppConfig.ready)."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts import ranking
from accounts.models import KnownBrowser, Rating, Relation, User
from accounts.names import OF_THE_DELETED
from accounts.preferences import FIELDS
from live.broadcast import broadcast_session_ended

Exporter = Callable[[User], dict[str, Any]]
Forgetter = Callable[[User], None]

_exporters: dict[str, Exporter] = {}
_forgetters: list[Forgetter] = []
_renamers: list[Forgetter] = []


def contribute(name: str, export: Exporter, forget: Forgetter, rename: Forgetter | None = None) -> None:
    """Have `export` supply the part `name` of a person's data, `forget` remove it on deletion, and `rename` put a new
    name where the old one stands."""
    _exporters[name] = export
    _forgetters.append(forget)
    if rename is not None:
        _renamers.append(rename)


def renamed(user: User) -> None:
    """A guest has signed up: what they did before bears their name from now on."""
    for rename in _renamers:
        rename(user)


def everything_of(user: User) -> dict[str, Any]:
    """All that is stored about a person, ready for JSON."""
    return {
        "name": user.username,
        "email": user.email,
        "addresses": list(EmailAddress.objects.filter(user=user).values("email", "verified", "primary")),
        "guest": user.is_guest,
        "joined": _moment(user.date_joined),
        "last_login": _moment(user.last_login),
        "muted_until": _moment(user.muted_until),
        "sanctions": [
            {"kind": each.kind, "reason": each.reason, "at": _moment(each.at), "until": _moment(each.until)}
            for each in user.sanctions.all()
        ],
        "second_factors": [
            {"type": factor.type, "set_up": _moment(factor.created_at)}
            for factor in Authenticator.objects.filter(user=user)
        ],
        "devices": [
            {"since": _moment(device.created_at), "hashed_address": device.ip, "browser": device.user_agent}
            for device in UserSession.objects.filter(user=user).order_by("created_at")
        ],
        "known_browsers": [
            {"hashed_number": browser.key, "last_login": _moment(browser.seen_at)}
            for browser in KnownBrowser.objects.filter(user=user).order_by("pk")
        ],
        "preferences": {name: getattr(user, name) for name in FIELDS},
        "relations": [
            {"kind": row.kind, "name": row.other.username}
            for row in user.relations.select_related("other").order_by("pk")
        ],
        "ratings": [_rating(rating) for rating in user.ratings.order_by("pool")],
        **{name: export(user) for name, export in _exporters.items()},
    }


def _rating(rating: Rating) -> dict[str, Any]:
    changes = rating.changes.order_by("order")
    return {
        "pool": rating.pool,
        "value": rating.value,
        "matches": rating.matches,
        "wins": rating.wins,
        "changes": [
            {
                "match": change.match_code,
                "before": change.before,
                "after": change.after,
                "at": _moment(change.at),
            }
            for change in changes
        ],
    }


def _moment(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


def delete(user: User) -> None:
    """Delete a person's data. A nameless row stays, so that other people's matches and ratings still add up."""
    with transaction.atomic():
        for forget in _forgetters:
            forget(user)
        for owned in (EmailAddress, Authenticator, UserSession, KnownBrowser):
            owned.objects.filter(user=user).delete()
        Relation.objects.filter(Q(person=user) | Q(other=user)).delete()
        user.groups.clear()
        user.user_permissions.clear()
        nobody = User(
            pk=user.pk,
            username=f"{OF_THE_DELETED}{user.pk}",
            is_guest=user.is_guest,
            is_active=False,
            date_joined=user.date_joined,
            deleted_at=timezone.now(),
        )
        nobody.set_unusable_password()
        # Every column is reset, so that fields added later are covered as well.
        nobody.save(force_update=True)
        about = LogEntry.objects.filter(
            content_type=ContentType.objects.get_for_model(User), object_id=str(user.pk)
        )
        about.update(object_repr=nobody.username)
        ranking.review(nobody)
        broadcast_session_ended(user.pk)
