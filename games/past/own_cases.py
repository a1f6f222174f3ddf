"""What a moderator may not judge: what concerns themselves, their own matches and their recent opponents."""

from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from games.models import Match, Report, Seat, Talk

CONFLICT_PERIOD = timedelta(days=30)  # after the end of a match


def own_matches(moderator: User) -> QuerySet[Seat, Any]:
    """Return a subquery of the keys of the matches in which the moderator has a seat."""
    return Seat.objects.filter(user=moderator).values("match")


def have_played_recently(moderator: User, person: User) -> bool:
    """Return whether the two share a match that is being played or ended within `CONFLICT_PERIOD`."""
    ongoing = Q(match__ended_at=None) | Q(match__ended_at__gt=timezone.now() - CONFLICT_PERIOD)
    return Seat.objects.filter(ongoing, user=person, match__in=own_matches(moderator)).exists()


def exclude_own_matches(matches: QuerySet[Match], moderator: User) -> QuerySet[Match]:
    return matches.exclude(pk__in=own_matches(moderator))


def exclude_own_talk(lines: QuerySet[Talk], moderator: User) -> QuerySet[Talk]:
    """Leave out the moderator's own lines and those of their matches."""
    return lines.exclude(Q(user=moderator) | Q(match__in=own_matches(moderator)))


def exclude_own_reports(reports: QuerySet[Report], moderator: User) -> QuerySet[Report]:
    """Leave out reports about or by the moderator, and about their matches."""
    matches = own_matches(moderator)
    return reports.exclude(
        Q(person=moderator)
        | Q(reporter=moderator)
        | Q(talk__user=moderator)
        | Q(match__in=matches)
        | Q(talk__match__in=matches)
    )
