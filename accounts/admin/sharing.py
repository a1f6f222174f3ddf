"""Find accounts by what they share: the address or the browser of a log-in. For superusers."""

from collections.abc import Callable, Iterable
from ipaddress import ip_address
from typing import Any, NamedTuple

from allauth.usersessions.models import UserSession
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Max, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from accounts.addresses import DELETED_ADDRESS, hash_address, loopback_addresses, normalize_address
from accounts.models import KnownBrowser, User

ADDRESS_COLUMN = "ip"
MAX_GROUPS = 50
MAX_PEOPLE = 30  # of a group


class Group(NamedTuple):
    """People who logged in from one address or with one browser; `number` counts those beyond `MAX_PEOPLE`, too."""

    shared: str
    people: list[User]
    number: int
    last: Any


class Trace(NamedTuple):
    """What log-ins leave behind: its name, its rows, the column that people share, and that of the time."""

    name: Callable[[], str]
    rows: Callable[[], QuerySet[Any]]
    column: str
    time: str


def _load_sessions() -> QuerySet[UserSession]:
    return UserSession.objects.exclude(ip__in=[DELETED_ADDRESS, *loopback_addresses()])


TRACES = (
    Trace(lambda: _("address"), _load_sessions, ADDRESS_COLUMN, "last_seen_at"),
    Trace(lambda: _("browser"), KnownBrowser.objects.all, "key", "seen_at"),
)


def find_groups(asked: str, reader: User) -> list[Group]:
    """Return the largest groups of accounts, or those of a person's name or of an address; without the reader."""
    groups = [group for trace in TRACES for group in _find_groups_of(trace, asked, reader)]
    return sorted(groups, key=lambda group: -group.number)[:MAX_GROUPS]


def _find_groups_of(trace: Trace, asked: str, reader: User) -> Iterable[Group]:
    rows = trace.rows().exclude(user=reader)
    chosen = rows
    if asked:
        named = rows.filter(user__username__iexact=asked).values(trace.column)
        shared = [asked] if trace.column != ADDRESS_COLUMN else _find_hashes(asked)
        chosen = rows.filter(**{f"{trace.column}__in": named}) | rows.filter(
            **{f"{trace.column}__in": shared}
        )
    least = 1 if asked else 2
    counted = chosen.values(trace.column).annotate(people=Count("user", distinct=True), last=Max(trace.time))
    for found in counted.filter(people__gte=least).order_by("-people", "-last")[:MAX_GROUPS]:
        users = rows.filter(**{trace.column: found[trace.column]}).values("user")
        people = list(User.objects.filter(pk__in=users).order_by("username")[:MAX_PEOPLE])
        yield Group(trace.name(), people, found["people"], found["last"])


def _find_hashes(asked: str) -> list[str]:
    """Return the stored forms of what was asked for: as the list of devices shows it, or as typed.

    PostgreSQL compares the column with addresses only.
    """
    return [found for found in (asked, hash_address(normalize_address(asked))) if _is_address(found)]


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return "%" not in text  # a zone, which PostgreSQL does not know


def show(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    """Show superusers the groups of accounts, or with `?q=` those of a person or an address."""
    if not request.user.is_superuser:
        raise PermissionDenied
    asked = request.GET.get("q", "").strip()
    groups = find_groups(asked, request.user)
    shown = context | {
        "title": _("Accounts that share an address or a browser"),
        "groups": groups,
        "asked": asked,
    }
    return render(request, "admin/accounts/sharing.html", shown)
