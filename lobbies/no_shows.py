"""People who sat down at a public table and did not reveal their nonce, so that the match could not begin.

From the second time within an hour quick play is closed to them: for 2 minutes, then for twice as long each time, up to
a day. Those who waited do not meet them again for a day.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Q

from accounts.models import User
from core.prepared import PreparedQuery
from lobbies.models import NoShow, Table

HABIT_PERIOD = timedelta(hours=1)  # after the last one, and after the time in which quick play was closed
FIRST_CLOSURE = timedelta(minutes=2)
MAX_CLOSURE = timedelta(days=1)
APART_PERIOD = timedelta(days=1)
TTL = 2 * MAX_CLOSURE

_kept = PreparedQuery(  # for everybody who sits down, and every lobby
    lambda user, other: NoShow.objects.filter(Q(user=user) | Q(other=other)).order_by("-at")
)


class Consequences(NamedTuple):
    """Until when quick play is closed to a person, or None; and whom they do not meet today."""

    closed_until: datetime | None
    apart: frozenset[int]


def find_consequences(user: int, now: datetime) -> Consequences:
    rows = [row for row in _kept.rows(user, user) if row.at > now - APART_PERIOD]
    own = [row.closed_until for row in rows if row.user_id == user]
    apart = frozenset(row.other_id if row.user_id == user else row.user_id for row in rows)
    return Consequences(own[0] if own and own[0] > now else None, apart)


def compute_closure(user: int, now: datetime) -> timedelta:
    """Return for how long quick play is closed to a person who has just not begun a match."""
    before = NoShow.objects.filter(user=user).order_by("-at").first()
    if before is None or now - max(before.at, before.closed_until) > HABIT_PERIOD:
        return timedelta()
    return min(MAX_CLOSURE, max(FIRST_CLOSURE, 2 * (before.closed_until - before.at)))


def find_absent(table: Table, user: User) -> str:
    """Return the name of the person who last did not begin the match of this table with this person, or ""."""
    rows = NoShow.objects.filter(table=table.code, other=user).order_by("-at")
    return rows.values_list("user__username", flat=True).first() or ""
