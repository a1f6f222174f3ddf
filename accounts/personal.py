"""Export and delete a person's data. Other apps register their part in `AppConfig.ready`."""

import secrets
from collections.abc import Callable
from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import names, ranking, retired_names
from accounts.models import KnownBrowser, Rating, Relation, Sanction, User
from accounts.names import DELETED_PREFIX
from accounts.preferences import FIELDS
from live.broadcast import broadcast_session_ended

Export = Callable[[User], dict[str, Any]]
Forget = Callable[[User], None]

_exporters: dict[str, Export] = {}
_forgetters: list[Forget] = []
_renamers: list[Forget] = []


def register(name: str, export: Export, forget: Forget, rename: Forget | None = None) -> None:
    """Register an app's part `name`: how to export it, delete it and, for guests who sign up, rename it."""
    _exporters[name] = export
    _forgetters.append(forget)
    if rename is not None:
        _renamers.append(rename)


def rename_everywhere(user: User) -> None:
    """Write a changed name into the rows that keep it, such as the seats of past matches."""
    for rename in _renamers:
        rename(user)


def replace_name(user: User, name: str = "") -> str:
    """Give somebody another name everywhere, `player-N` without one; nobody may take the old one. Return the new one.

    Raise `ValidationError` for a name that is malformed, reserved or taken.
    """
    old, user.username = user.username, name or _find_free_name()
    if name and names.is_reserved(name):
        raise ValidationError(_("This name is reserved. Choose another."))
    user.clean_fields(exclude=[field.name for field in User._meta.fields if field.name != "username"])
    user.clean()
    with transaction.atomic():
        user.save(update_fields=["username"])
        rename_everywhere(user)
        retired_names.retire(old)
    return user.username


def _find_free_name() -> str:
    while True:
        name = f"player-{secrets.randbelow(10**6)}"
        if not User.objects.filter(look=names.look_of(name)).exists():
            return name


def export_data(user: User) -> dict[str, Any]:
    """Return all that is stored about a person, ready for JSON."""
    return {
        "name": user.username,
        "email": user.email,
        "addresses": list(EmailAddress.objects.filter(user=user).values("email", "verified", "primary")),
        "guest": user.is_guest,
        "bot": user.is_bot,
        "staff": user.is_staff,
        "superuser": user.is_superuser,
        "groups": [group.name for group in user.groups.order_by("name")],
        "permissions": [permission.codename for permission in user.user_permissions.order_by("codename")],
        "joined": _moment(user.date_joined),
        "last_login": _moment(user.last_login),
        "last_seen": _moment(user.seen_at),
        "unrevealed": user.unrevealed,
        "digest": user.digest,
        "digest_at": _moment(user.digest_at),
        "muted_until": _moment(user.muted_until),
        "unrated_until": _moment(user.unrated_until),
        "banned_at": _moment(user.banned_at),
        "banned_until": _moment(user.banned_until),
        "banned_reason": user.banned_reason,
        "sanctions": [
            {
                "kind": each.kind,
                "reason": each.reason,
                "appeal": each.appeal,
                "at": _moment(each.at),
                "until": _moment(each.until),
                "undone_at": _moment(each.undone_at),
            }
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
    """Delete a person's data. An anonymous row stays for other people's matches and ratings."""
    with transaction.atomic():
        for forget in _forgetters:
            forget(user)
        _anonymise_log(user)
        _end_sessions(user)
        for owned in (EmailAddress, Authenticator, UserSession, KnownBrowser):
            owned.objects.filter(user=user).delete()
        Relation.objects.filter(Q(person=user) | Q(other=user)).delete()
        if not user.is_guest:
            retired_names.retire(user.username)
        user.groups.clear()
        user.user_permissions.clear()
        anonymous = User(
            pk=user.pk,
            username=f"{DELETED_PREFIX}{user.pk}",
            is_guest=user.is_guest,
            is_bot=user.is_bot,
            is_active=False,
            date_joined=user.date_joined,
            deleted_at=timezone.now(),
        )
        anonymous.set_unusable_password()
        # Saves every column, so that fields added later are reset as well.
        anonymous.save(force_update=True)
        ranking.update_person(anonymous)
        broadcast_session_ended(user.pk)


def _anonymise_log(user: User) -> None:
    """Take the name and the addresses out of the admin's log; call before the rows that it names are deleted."""
    owned = {Sanction: "person", Rating: "user", EmailAddress: "user", Authenticator: "user"}
    about = Q(content_type=ContentType.objects.get_for_model(User), object_id=str(user.pk))
    for model, field in owned.items():
        keys = [str(key) for key in model.objects.filter(**{field: user}).values_list("pk", flat=True)]
        about |= Q(content_type=ContentType.objects.get_for_model(model), object_id__in=keys)
    LogEntry.objects.filter(about).update(object_repr=f"{DELETED_PREFIX}{user.pk}")


def _end_sessions(user: User) -> None:
    """Delete the stored sessions: they keep the name or address that was typed to log in."""
    keys = UserSession.objects.filter(user=user).values("session_key")
    Session.objects.filter(session_key__in=keys).delete()
