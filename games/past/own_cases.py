"""Leave out what a moderator may not judge: themselves, their own matches and their recent opponents."""

from datetime import timedelta
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import CharField, Q, QuerySet
from django.db.models.functions import Cast
from django.utils import timezone

from accounts.models import Note, Rating, Sanction, User
from games.models import Match, Report, Seat, Talk

CONFLICT_PERIOD = timedelta(days=30)  # after the end of a match


def own_matches(moderator: User) -> QuerySet[Seat, Any]:
    """Return a subquery of the keys of the matches in which the moderator has a seat."""
    return Seat.objects.filter(user=moderator).values("match")


def find_opponents(moderator: User) -> QuerySet[Seat, Any]:
    """Return a subquery of the users with whom the moderator shares a recent rated match.

    Recent: it is being played or ended within `CONFLICT_PERIOD`. The subquery is empty if no other staff member could
    decide. Casual matches, and rated ones that were called off, do not count: otherwise somebody could begin one with
    every moderator to be out of reach.
    """
    others = User.objects.filter(is_staff=True, is_active=True).exclude(pk=moderator.pk)
    if not others.exists():
        return Seat.objects.none().values("user")
    ongoing = Q(match__ended_at=None) | Q(match__ended_at__gt=timezone.now() - CONFLICT_PERIOD)
    seats = Seat.objects.filter(ongoing, match__rated=True, match__in=own_matches(moderator))
    seats = seats.exclude(match__result_how="aborted")
    return seats.exclude(user=moderator).exclude(user=None).values("user")


def have_played_recently(moderator: User, person: User) -> bool:
    return find_opponents(moderator).filter(user=person).exists()


def exclude_matches_of_opponents(matches: QuerySet[Match], moderator: User) -> QuerySet[Match]:
    """Leave out the matches that a moderator does not decide about: their own, and those of `find_opponents`."""
    of_opponents = Seat.objects.filter(user__in=find_opponents(moderator)).values("match")
    return exclude_own_matches(matches, moderator).exclude(pk__in=of_opponents)


def exclude_reports_of_opponents(reports: QuerySet[Report], moderator: User) -> QuerySet[Report]:
    """Leave out the reports that a moderator does not decide about: their own, and those on `find_opponents`."""
    opponents = find_opponents(moderator)
    of_opponents = Seat.objects.filter(user__in=opponents).values("match")
    return exclude_own_reports(reports, moderator).exclude(
        Q(person__in=opponents)
        | Q(talk__user__in=opponents)
        | Q(person=None, talk=None, match__in=of_opponents)
    )


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


def exclude_own_log(entries: QuerySet[LogEntry], moderator: User) -> QuerySet[LogEntry]:
    """Leave out what staff did about the moderator: to their account, rows, matches, talk and reports."""
    reports, lines = Report.objects.all(), Talk.objects.all()
    concerned: list[QuerySet[Any]] = [
        User.objects.filter(pk=moderator.pk),
        Sanction.objects.filter(person=moderator),
        Note.objects.filter(person=moderator),
        Rating.objects.filter(user=moderator),
        Match.objects.filter(pk__in=own_matches(moderator)),
        Talk.objects.exclude(pk__in=exclude_own_talk(lines, moderator).values("pk")),
        Report.objects.exclude(pk__in=exclude_own_reports(reports, moderator).values("pk")),
    ]
    for rows in concerned:
        kind = ContentType.objects.get_for_model(rows.model)
        keys = rows.values_list(Cast("pk", CharField()), flat=True)
        entries = entries.exclude(content_type=kind, object_id__in=keys)
    return entries
