"""Where bots sit: by challenge, among themselves, or where the link of a private table was given to them.

They are rated among bots alone, and at most so often a day.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.utils import timezone

from accounts.models import User
from games.models import Seat
from lobbies.models import Sitting, Table
from lobbies.refusals import TableRefused

MAX_RATED_PER_DAY = 100  # of one bot, from midnight to midnight UTC


def may_be_rated(people: Sequence[User], *, by_days: bool) -> bool:
    """Return whether a match of these people may be rated: all of them are bots, or none is."""
    bots = sum(user.is_bot for user in people)
    return not bots or (bots == len(people) and not by_days)


def refuse_host(host: User, *, rated: bool, private: bool) -> None:
    """Raise `TableRefused` if a bot may not make this table."""
    if not host.is_bot:
        return
    if not private:
        raise TableRefused("bots_are_private", 403)
    if rated:
        refuse_excess_rated(host)


def refuse_quick_play(user: User) -> None:
    """Raise `TableRefused` for a bot: who plays quickly meets people."""
    if user.is_bot:
        raise TableRefused("bots_by_challenge", 403)


def refuse_challenge(host: User, other: User) -> None:
    """Raise `TableRefused` if a bot challenges a person: people ask bots, not the other way about."""
    if host.is_bot and not other.is_bot:
        raise TableRefused("bots_challenge_bots", 403)


def refuse_seat(user: User, table: Table) -> None:
    """Raise `TableRefused` if a bot may not sit down at this table, or not once more today."""
    if not user.is_bot:
        return
    is_asked = table.kept_for_id == user.pk or table.rematch_of or table.host.is_bot
    if not is_asked and (table.rated or not table.private):
        raise TableRefused("no_bots", 403)
    if table.rated:
        refuse_excess_rated(user)


def refuse_excess_rated(user: User) -> None:
    """Raise `TableRefused` for a bot that has played all its rated matches of the day."""
    now = timezone.now()
    if user.is_bot and _count_rated(user, now) >= MAX_RATED_PER_DAY:
        raise TableRefused("rated_enough", 429, wait=_get_midnight(now) + timedelta(days=1) - now)


def make_casual_if_mixed(row: Table, user: User) -> None:
    """Make a locked table of bots casual because a person sits down there."""
    if row.rated and row.private and not user.is_bot and row.host.is_bot:
        row.rated = False
        row.save(update_fields=["rated"])
        Sitting.objects.filter(table=row).update(rating=None, completion=None)


def may_start_rated(row: Table, sittings: Sequence[Sitting]) -> bool:
    """Return whether the people at a table that starts may be rated together, as far as bots are concerned."""
    people = [sitting.user for sitting in sittings if sitting.user is not None]
    now = timezone.now()
    return may_be_rated(people, by_days=row.days is not None) and not any(
        user.is_bot and _count_rated(user, now) >= MAX_RATED_PER_DAY for user in people
    )


def _count_rated(user: User, now: datetime) -> int:
    return Seat.objects.filter(
        user=user, match__rated=True, match__started_at__gte=_get_midnight(now)
    ).count()


def _get_midnight(now: datetime) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0)
