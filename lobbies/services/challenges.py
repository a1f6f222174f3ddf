"""Challenge somebody by name: a private table with a seat reserved for them."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts import relations
from accounts.models import User
from games.models import Seat
from games.time.day_clocks import DAY_SECONDS
from lobbies.game import Game
from lobbies.models import Table
from lobbies.refusals import TableRefused

from . import bots, rows
from .tables import make_table

CHALLENGE_TTL = timedelta(minutes=5)
STRANGERS_PERIOD = timedelta(hours=1)
MAX_STRANGERS = 10  # challenged by one person in STRANGERS_PERIOD
MAX_DECLINED = 3  # challenges by strangers that one person declines in STRANGERS_PERIOD before no more come


def challenge(
    host: User, other: User, game: Game, levels: Sequence[str] = (), commitment: str | None = None
) -> Table:
    """Create a table for both and notify the other; casual if one is a guest. Raise `TableRefused`.

    It replaces an earlier challenge. If the other has challenged this person, return that table instead. A person has
    one challenge by a stranger in `CHALLENGE_TTL`: somebody they do not follow and have never played with.
    """
    if host == other:
        raise TableRefused("yourself")
    if relations.blocked_among(host, [other.pk]) or other.banned:
        raise TableRefused("takes_no_challenge", 403)
    bots.refuse_challenge(host, other)
    rated = game.rated and not other.is_guest and bots.may_be_rated([host, other], by_days=bool(game.days))
    if rated:
        bots.refuse_excess_rated(other)  # it could never sit down
    others = [*levels[: rows.CHALLENGED_SEAT], "", *levels[rows.CHALLENGED_SEAT + 1 :]]
    with transaction.atomic():
        pair = {host.pk, other.pk}
        list(User.objects.select_for_update(no_key=True).filter(pk__in=pair).order_by("pk"))
        asked = Table.objects.filter(status=Table.Status.OPEN, kept_for__in=pair, host__in=pair)
        for row in rows.lock_all_open(asked).values():
            if row.host_id == other.pk or row.full_at is not None:
                return row  # the other has asked, too, or accepts just now
            rows.close(row)
        if not relations.takes_challenges(other, host):
            raise TableRefused("takes_no_challenge", 403)
        _refuse_strangers(host, other)
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


def _refuse_strangers(host: User, other: User) -> None:
    """Raise `TableRefused` if a stranger challenges too many people, or somebody whom another one challenges.

    So, too, if the other has declined several strangers. A challenge by days, which stands for a week, keeps others out
    no longer than any.
    """
    if not settings.LIMITS or not _find_strangers(host, [other.pk]):
        return
    now = timezone.now()
    since = now - STRANGERS_PERIOD
    made = Table.objects.filter(host=host, kept_for__isnull=False, created_at__gt=since)
    challenged = [key for key in made.values_list("kept_for", flat=True) if key is not None]
    strangers = _find_strangers(host, challenged)
    if sum(key in strangers for key in challenged) >= MAX_STRANGERS:
        raise TableRefused("too_many_strangers", 429)
    asked = Table.objects.filter(kept_for=other)
    declined = asked.filter(declined_at__gt=since)
    if _count_by_strangers(declined, other) >= MAX_DECLINED:
        raise TableRefused("strangers_declined", 429)
    waiting = asked.filter(status=Table.Status.OPEN, full_at=None, created_at__gt=now - CHALLENGE_TTL)
    if _count_by_strangers(waiting, other):
        raise TableRefused("challenged_already", 429)


def _count_by_strangers(tables: QuerySet[Table], other: User) -> int:
    return sum(bool(_find_strangers(table.host, [other.pk])) for table in tables.select_related("host"))


def _find_strangers(host: User, others: Collection[int]) -> set[int]:
    """Return those of the others who neither follow the host nor have played with them."""
    met = Seat.objects.filter(user__in=others, match__seats__user=host).values_list("user", flat=True)
    return {*others} - relations.follow_among(host, others) - {key for key in met if key is not None}


def decline(table: Table, user: User) -> None:
    """Close the table of a challenge. Raise `TableRefused`."""
    with transaction.atomic():
        row = rows.lock_open(table)
        if row.kept_for_id != user.pk:
            raise TableRefused("not_challenged", 403)
        if sitting := row.sittings.filter(user=user).first():
            rows.free_seat(row, sitting)
        row.declined_at = timezone.now()
        row.save(update_fields=["declined_at"])
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
