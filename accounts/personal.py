"""One's own data: taken along, or taken out. Other apps contribute what they hold (AppConfig.ready)."""

from collections.abc import Callable

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.preferences import FIELDS
from live.announce import announce

Exporter = Callable[[User], dict]
Forgetter = Callable[[User], None]

_exporters: dict[str, Exporter] = {}
_forgetters: list[Forgetter] = []


def contribute(name: str, export: Exporter, forget: Forgetter) -> None:
    """Have `export` answer the part `name` of a person's data, and `forget` take it out on deletion."""
    _exporters[name] = export
    _forgetters.append(forget)


def everything_of(user: User) -> dict:
    """All that is stored about a person, ready for JSON."""
    return {
        "name": user.username,
        "email": user.email,
        "guest": user.is_guest,
        "joined": user.date_joined.isoformat(),
        "last_login": user.last_login.isoformat() if user.last_login else None,
        "preferences": {name: getattr(user, name) for name in FIELDS},
        "ratings": [
            {
                "pool": rating.pool,
                "value": rating.value,
                "matches": rating.matches,
                "wins": rating.wins,
                "changes": [
                    {
                        "match": change.match_code,
                        "before": change.before,
                        "after": change.after,
                        "at": change.at.isoformat(),
                    }
                    for change in rating.changes.order_by("order")
                ],
            }
            for rating in user.ratings.order_by("pool")
        ],
        **{name: export(user) for name, export in _exporters.items()},
    }


def delete(user: User) -> None:
    """Take a person out. A nameless row stays, so that the others' matches and ratings still add up."""
    with transaction.atomic():
        for forget in _forgetters:
            forget(user)
        user.emailaddress_set.all().delete()
        user.authenticator_set.all().delete()
        user.usersession_set.all().delete()
        user.groups.clear()
        user.username = f"deleted-{user.pk}"
        user.email = user.first_name = user.last_name = ""
        user.is_active = user.is_staff = user.is_superuser = False
        user.deleted_at = timezone.now()
        user.set_unusable_password()
        user.save()
        announce(f"user.{user.pk}", {"type": "session.ended"})
