"""Who lets most of the clock run in one turn, again and again: they are told, and quick play pairs them alike."""

from datetime import timedelta

from django.utils.translation import gettext as _

from accounts.models import User
from games.models import Match, Seat

MOST = 0.5  # of the clock at the match's start
LATEST = 10  # matches with a clock among people
FREE = 2  # such turns in them


def is_slow_turn(match: Match, used: timedelta) -> bool:
    """Whether a turn of this length let most of the match's clock run."""
    return match.clock_seconds is not None and used > MOST * timedelta(seconds=match.clock_seconds)


def told(user: User) -> str:
    """What somebody reads who does so too often; "" of others."""
    if not is_slow_player(user):
        return ""
    return _(
        "More than twice in your last ten matches you let most of the clock run in one turn. Until that changes, "
        "quick play finds you people who do the same."
    )


def is_slow_player(user: User) -> bool:
    """Whether the person did so more than twice in their last ten matches with a clock."""
    finished = Seat.objects.filter(
        user=user, match__clock_seconds__isnull=False, match__status=Match.Status.FINISHED
    )
    recent = finished.exclude(match__seats__kind=Seat.Kind.COMPUTER).order_by("-match__ended_at")
    return sum(recent.values_list("slow_turns", flat=True)[:LATEST]) > FREE
