"""Who lets most of the clock run in one turn, again and again: they are told, and quick play pairs them alike."""

from datetime import timedelta

from django.utils.translation import gettext as _

from accounts.models import User
from core.prepared import PreparedQuery
from games.models import Match, Seat

MOST = 0.5  # of the clock at the match's start
LATEST = 10  # matches with a clock among people
FREE = 2  # such turns in them


# Whoever sits down at a table is asked about. The 1 is what Django selects of the seats that there must not be.
_latest = PreparedQuery(
    lambda finished, user, _one, computer: (
        Seat.objects.filter(user=user, match__clock_seconds__isnull=False, match__status=finished)
        .exclude(match__seats__kind=computer)
        .order_by("-match__ended_at")
        .only("slow_turns")[:LATEST]
    )
)


def is_slow(match: Match, used: timedelta) -> bool:
    """Whether a turn of this length let most of the match's clock run."""
    return match.clock_seconds is not None and used > MOST * timedelta(seconds=match.clock_seconds)


def told(user: User) -> str:
    """What somebody reads who does so too often; "" of others."""
    if not lets_time_run(user):
        return ""
    return _(
        "More than twice in your last ten matches you let most of the clock run in one turn. Until that changes, "
        "quick play finds you people who do the same."
    )


def lets_time_run(user: User) -> bool:
    """Whether the person did so more than twice in their last ten matches with a clock."""
    turns = _latest.rows(Match.Status.FINISHED.value, user.pk, 1, Seat.Kind.COMPUTER.value)
    return sum(seat.slow_turns for seat in turns) > FREE
