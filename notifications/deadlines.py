"""Find matches of days whose time runs out while their player is away, those that ended meanwhile, and who stays away.

`Match.next_action_at` is the deadline of the turn: vacations and outages have moved it already.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse

from accounts.models import User
from core.faults import contain
from games.models import Match, Seat
from games.time.day_clocks import DAY_SECONDS
from notifications.models import WARNING_KINDS, Choices, Kind, Notice
from notifications.people import find_dormant, find_people, find_told_of_ends, find_warned
from notifications.quiet_hours import find_last_before_quiet
from notifications.turns import (
    build_for_match,
    find_absent_seats,
    find_pages_in_view,
    find_seats_in_play,
    is_chosen,
    is_on_turn,
    log,
)

DAY_LEAD_TIME, HOURS_LEAD_TIME = timedelta(hours=24), timedelta(hours=2)
MIN_DAYS_FOR_DAY_LEFT = 3
LONGEST_LEAD_TIME = timedelta(hours=26)  # two hours, before quiet hours of 23
ENDED_PERIOD = timedelta(days=1)


def find_warnings(now: datetime) -> Iterator[Notice]:
    """Yield a warning a day before the end of a turn, and one two hours before it, unless their player has come to the
    site since it was due or has the match in view. Pages that were left open, or poll, do not count.
    """
    seats = list(
        find_ending_turns(now).filter(user__in=find_warned()).select_related("match", "user__notice_choices")
    )
    warned = _find_warned(seats)
    for seat in seats:
        kind = None
        with contain(log, f"The warning of match {seat.match_id}"):
            kind = _kind_of_warning(seat, now)
        if kind is not None and not warned.get(seat.pk, frozenset()) & {kind, Kind.HOURS_LEFT}:
            yield build_for_match(kind, seat, now)


def _find_warned(seats: Sequence[Seat]) -> dict[int, set[str]]:
    """Return by seat the kinds of warnings that it has had in this turn."""
    began_at = {seat.pk: seat.match.turn_began_at for seat in seats}
    rows = Notice.objects.filter(seat__in=began_at, kind__in=WARNING_KINDS)
    warned: dict[int, set[str]] = {}
    for seat, kind, created_at in rows.values_list("seat", "kind", "created_at"):
        if created_at >= began_at[seat]:
            warned.setdefault(seat, set()).add(kind)
    return warned


def find_ending_turns(now: datetime) -> QuerySet[Seat]:
    """Return the seats in matches of days in which a turn ends soon, of whichever seat, without those whose players
    have the match in view.
    """
    ending = Q(match__next_action_at__gt=now, match__next_action_at__lte=now + LONGEST_LEAD_TIME)
    seats = find_seats_in_play().filter(ending, match__clock_seconds__gte=DAY_SECONDS, match__left_at=None)
    return seats.exclude(Exists(find_pages_in_view(now).filter(seat=OuterRef("pk"))))


def _kind_of_warning(seat: Seat, now: datetime) -> Kind | None:
    match, choices = seat.match, getattr(seat.user, "notice_choices", None) or Choices()
    if match.next_action_at is None or not is_on_turn(seat):
        return None
    dues = {Kind.HOURS_LEFT: find_last_before_quiet(choices, match.next_action_at - HOURS_LEAD_TIME)}
    if (match.days or 0) >= MIN_DAYS_FOR_DAY_LEFT:
        dues[Kind.DAY_LEFT] = match.next_action_at - DAY_LEAD_TIME
    for kind, due in dues.items():
        if now >= due and is_chosen(kind, seat):
            seen_at = seat.user.seen_at if seat.user is not None else None
            return kind if seen_at is None or seen_at < due else None
    return None


def find_endings(now: datetime) -> Iterator[Notice]:
    """Yield a notice for each player of a match of days that has ended; already read for who saw it or came since.

    So whoever saw the end is not told of it when they leave.
    """
    seats = Seat.objects.filter(
        match__status=Match.Status.FINISHED,
        match__ended_at__gt=now - ENDED_PERIOD,
        match__clock_seconds__gte=DAY_SECONDS,
        match__concealed=False,
        taken_over=False,
        user__in=find_told_of_ends(),
    )
    warned = Notice.objects.filter(seat=OuterRef("pk"), kind__in=WARNING_KINDS)
    seats = seats.filter(Q(user__in=find_people(Kind.ENDED)) | Exists(warned))
    notified = Notice.objects.filter(seat=OuterRef("pk"), kind=Kind.ENDED)
    for seat in seats.exclude(Exists(notified)).select_related("match", "user"):
        with contain(log, f"The end of match {seat.match_id}"):
            notice = build_for_match(Kind.ENDED, seat, now)
            if _has_seen_end(seat, now):
                notice.read_at = now
            yield notice


def _has_seen_end(seat: Seat, now: datetime) -> bool:
    """Return whether the player has the match in view, or has come to the site since the end."""
    seen_at = seat.user.seen_at if seat.user is not None else None
    if seen_at is not None and seen_at >= seat.match.end:
        return True
    return find_pages_in_view(now).filter(seat=seat).exists()


def find_summaries(now: datetime) -> Iterator[Notice]:
    """Yield one notice for each person for whom a match waits and who has not come for a week."""
    told = Notice.objects.filter(
        user=OuterRef("user"), kind=Kind.SUMMARY, created_at__gt=OuterRef("user__seen_at")
    )
    seats = find_absent_seats(now).filter(user__in=find_dormant(now)).exclude(Exists(told))
    found: set[int] = set()
    for seat in seats.select_related("match", "user"):
        user = seat.user
        with contain(log, f"The summary of match {seat.match_id}"):
            if user is not None and user.pk not in found and is_on_turn(seat):
                found.add(user.pk)
                key = f"summary:{user.seen_at:%Y%m%d}"
                yield Notice(
                    kind=Kind.SUMMARY, user=user, key=key, target=reverse("lobby"), created_at=now, due_at=now
                )


def count_ended(user: User, since: datetime | None) -> int:
    """Return how many of the person's matches of days have ended since."""
    if since is None:
        return 0
    seats = user.seats.filter(match__ended_at__gt=since, match__clock_seconds__gte=DAY_SECONDS)
    return seats.filter(match__concealed=False).count()
