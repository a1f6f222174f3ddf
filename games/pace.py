"""Detect players who repeatedly use most of their clock in one turn."""

from datetime import timedelta

from django.utils.translation import gettext as _

from accounts.models import User
from games.day_clocks import DAY_SECONDS
from games.models import Match, Seat

SLOW_TURN_SHARE = 0.5  # of the initial clock
RECENT_MATCHES = 10  # matches with a clock of minutes and no computer
ALLOWED_SLOW_TURNS = 2  # in RECENT_MATCHES together


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
    finished = Seat.objects.filter(
        user=user, match__clock_seconds__lt=DAY_SECONDS, match__status=Match.Status.FINISHED
    )
    recent = finished.exclude(match__seats__kind=Seat.Kind.COMPUTER).order_by("-match__ended_at")
    return sum(recent.values_list("slow_turns", flat=True)[:RECENT_MATCHES]) > ALLOWED_SLOW_TURNS
