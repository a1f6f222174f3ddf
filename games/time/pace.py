"""Detect players who repeatedly use most of their clock in one turn."""

from datetime import timedelta

from django.utils.translation import gettext as _

from accounts.models import User
from core.prepared import PreparedQuery
from games.models import Match, Seat
from games.time.day_clocks import DAY_SECONDS

SLOW_TURN_SHARE = 0.5  # of the initial clock
RECENT_MATCHES = 10  # matches with a clock of minutes and no computer
ALLOWED_SLOW_TURNS = 2  # in RECENT_MATCHES together

_recent = PreparedQuery(  # for everybody who sits down, and every lobby; Django's EXISTS selects a parameter, 1
    lambda days, finished, user, _one, computer: (
        Seat.objects.filter(match__clock_seconds__lt=days, match__status=finished, user=user)
        .exclude(match__seats__kind=computer)
        .order_by("-match__ended_at")
        .only("slow_turns")[:RECENT_MATCHES]
    )
)


def is_slow_turn(match: Match, duration: timedelta) -> bool:
    """Return whether a turn of this duration used most of the match's clock."""
    if match.clock_seconds is None or match.days:
        return False
    return duration > SLOW_TURN_SHARE * timedelta(seconds=match.clock_seconds)


def slow_play_warning(user: User) -> str:
    """Return the warning for a player who plays too slowly, or an empty string."""
    if not is_slow_player(user):
        return ""
    return _(
        "More than twice in your last ten matches you let most of the clock run in one turn. Until that changes, "
        "quick play finds you people who do the same."
    )


def is_slow_player(user: User) -> bool:
    """Return whether the user had more than `ALLOWED_SLOW_TURNS` slow turns in their recent matches."""
    recent = _recent.rows(DAY_SECONDS, Match.Status.FINISHED, user.pk, 1, Seat.Kind.COMPUTER)
    return sum(seat.slow_turns for seat in recent) > ALLOWED_SLOW_TURNS
