"""Challenging somebody by name: a private table with a seat kept for them, for five minutes."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from accounts import relations
from accounts.models import User
from lobbies.game import Game
from lobbies.models import Table
from lobbies.refusals import TableRefused

from . import rows
from .tables import make_table

OPEN_FOR = timedelta(minutes=5)


def challenge(host: User, other: User, game: Game, levels: Sequence[str] = ()) -> Table:
    """A table for both, of which the other is told. Casual if one of them is a guest."""
    if host == other:
        raise TableRefused("yourself")
    if relations.blocked_among(host, [other.pk]) or other.banned:
        raise TableRefused("takes_no_challenge", 403)
    rated = game.rated and not other.is_guest
    others = [*levels[: rows.KEPT], "", *levels[rows.KEPT + 1 :]]
    table = make_table(host, game.replace(rated=rated), levels=others, private=True, kept_for=other)
    with transaction.atomic():
        rows.tell_people([other.pk])
    return table


def decline(table: Table, user: User) -> None:
    """The table closes; its host reads that on its page."""
    with transaction.atomic():
        row = rows.locked(table)
        if row.kept_for_id != user.pk:
            raise TableRefused("not_challenged", 403)
        rows.close(row)


def expired(now: datetime) -> QuerySet[Table]:
    """Challenges that were not accepted in time."""
    asked = Table.objects.filter(status=Table.Status.OPEN, kept_for__isnull=False, full_at=None)
    return asked.filter(created_at__lt=now - OPEN_FOR)


def expire(table: Table, now: datetime) -> None:
    with transaction.atomic():
        row = rows.locked(table)
        if row.full_at is None and not row.sittings.filter(user=row.kept_for_id).exists():
            rows.close(row)
