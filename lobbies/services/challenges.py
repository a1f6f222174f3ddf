"""Challenge somebody by name: a private table with a seat reserved for them."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts import relations
from accounts.models import User
from games.time.day_clocks import DAY_SECONDS
from lobbies.game import Game
from lobbies.models import Table
from lobbies.refusals import TableRefused

from . import rows
from .tables import make_table

CHALLENGE_TTL = timedelta(minutes=5)


def challenge(
    host: User, other: User, game: Game, levels: Sequence[str] = (), commitment: str | None = None
) -> Table:
    """Create a table for both and notify the other; casual if one is a guest. Raise `TableRefused`.

    It replaces an earlier challenge. If the other has challenged this person, return that table instead.
    """
    if host == other:
        raise TableRefused("yourself")
    if relations.blocked_among(host, [other.pk]) or other.banned:
        raise TableRefused("takes_no_challenge", 403)
    rated = game.rated and not other.is_guest
    others = [*levels[: rows.CHALLENGED_SEAT], "", *levels[rows.CHALLENGED_SEAT + 1 :]]
    with transaction.atomic():
        pair = {host.pk, other.pk}
        list(User.objects.select_for_update(no_key=True).filter(pk__in=pair).order_by("pk"))
        asked = Table.objects.filter(status=Table.Status.OPEN, kept_for__in=pair, host__in=pair)
        for row in rows.lock_all_open(asked).values():
            if row.host_id == other.pk or row.full_at is not None:
                return row  # the other has asked, too, or accepts just now
            rows.close(row)
        table = make_table(
            host,
            game.replace(rated=rated),
            levels=others,
            private=True,
            kept_for=other,
            commitment=commitment,
        )
        rows.notify_people([other.pk])
    return table


def decline(table: Table, user: User) -> None:
    """Close the table of a challenge. Raise `TableRefused`."""
    with transaction.atomic():
        row = rows.lock_open(table)
        if row.kept_for_id != user.pk:
            raise TableRefused("not_challenged", 403)
        if sitting := row.sittings.filter(user=user).first():
            rows.free_seat(row, sitting)
        rows.close(row)


def expired(now: datetime) -> QuerySet[Table]:
    """Return the challenges that were not accepted in time, and tables with a clock of days that waited too long."""
    by_days = Q(clock_seconds__gte=DAY_SECONDS)
    asked = Q(kept_for__isnull=False, created_at__lt=now - CHALLENGE_TTL) & ~by_days
    waited = by_days & Q(created_at__lt=now - rows.DAY_TABLE_TTL)
    return Table.objects.filter(asked | waited, status=Table.Status.OPEN, full_at=None)


def expire(table: Table, now: datetime) -> None:
    with transaction.atomic():
        row = rows.lock_open(table)
        seated = row.kept_for_id is not None and row.sittings.filter(user=row.kept_for_id).exists()
        if row.full_at is None and (row.days or not seated):
            rows.close(row)
