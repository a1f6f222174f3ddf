"""Find the notices that are due. All is read from rows that exist anyway, so no move does more work for it."""

import logging
from collections.abc import Iterator
from datetime import date, datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse

from core.faults import contain
from events.models import Entry
from events.streaks import find_last_days
from games.models import Connection, Seat
from games.time.day_clocks import DAY_SECONDS
from live.open_sockets import has_page_in_view
from lobbies.models import Sitting, Table
from nights.models import Night
from nights.open_models import Follower
from notifications import deadlines, evenings, turns
from notifications.models import TURN_KINDS, WAITING_KINDS, Kind, Notice
from notifications.people import find_people

log = logging.getLogger(__name__)

REMATCH_PERIOD = timedelta(hours=1)
CHALLENGES_PERIOD = timedelta(minutes=10)  # in which the challenges of one person give one notice
NIGHT_LEAD_TIME, NIGHT_PERIOD = timedelta(minutes=10), timedelta(minutes=30)
TEST_PERIOD = timedelta(minutes=5)
STREAK_HOUR = 18  # UTC; the day's deal closes at midnight


def find_new(now: datetime) -> list[Notice]:
    """Return the notices that are due and have no row yet, not saved. What fails to be found holds up nothing else."""
    found: list[Notice] = []
    for find in FINDERS:
        with contain(log, find.__name__):
            found += find(now)
    return found


def _build(kind: Kind, user: int, key: str, target: str, now: datetime) -> Notice:
    return Notice(kind=kind, user_id=user, key=key, target=target, created_at=now, due_at=now)


def _has_notice(key_prefix: str, user: int, number: int | str) -> bool:
    return Notice.objects.filter(user=user, key=f"{key_prefix}:{number}").exists()


def _find_challenges(now: datetime) -> Iterator[Notice]:
    tables = Table.objects.filter(
        status=Table.Status.OPEN, full_at=None, kept_for__in=find_people(Kind.CHALLENGE)
    )
    for table in tables:
        if table.kept_for_id is not None and not _has_notice_of_challenge(table, now):
            target = table.get_absolute_url()
            notice = _build(Kind.CHALLENGE, table.kept_for_id, f"table:{table.pk}", target, now)
            if has_page_in_view(table.kept_for_id):  # which names it
                notice.read_at = now
            yield notice


def _has_notice_of_challenge(table: Table, now: datetime) -> bool:
    """Return whether the person had a notice of it, or of one by the same challenger shortly before."""
    before = Table.objects.filter(
        host=table.host_id, kept_for=table.kept_for_id, created_at__gt=now - CHALLENGES_PERIOD
    )
    keys = [f"table:{pk}" for pk in {table.pk, *before.values_list("pk", flat=True)}]
    return Notice.objects.filter(user=table.kept_for_id, key__in=keys).exists()


def _find_rematches(now: datetime) -> Iterator[Notice]:
    tables = Table.objects.filter(status=Table.Status.OPEN, full_at=None, created_at__gt=now - REMATCH_PERIOD)
    people = find_people(Kind.REMATCH)
    for table in tables.exclude(rematch_of=""):
        sitting = Sitting.objects.filter(table=table, user__isnull=False).values("user")
        seats = Seat.objects.filter(match__code=table.rematch_of, user__in=people).exclude(user__in=sitting)
        pages = Connection.objects.open_at(now).filter(seat=OuterRef("pk"))
        for seat in seats.exclude(Exists(pages)).select_related("match"):
            if seat.user_id is not None and not _has_notice("table", seat.user_id, table.pk):
                target = seat.match.get_absolute_url()
                yield _build(Kind.REMATCH, seat.user_id, f"table:{table.pk}", target, now)


def _find_nights(now: datetime) -> Iterator[Notice]:
    """Yield the reminders of open nights, to followers and to members of their clubs."""
    has_people = Exists(Follower.objects.filter(night=OuterRef("pk"))) | Q(club__isnull=False)
    for night in Night.objects.filter(has_people, format="open", status=Night.Status.OPEN):
        with contain(log, f"The reminder of night {night.code}"):
            start = night.find_start(now)
            if start is not None and is_night_near(start, now):
                yield from _build_reminders(night, start, now)


def _build_reminders(night: Night, start: datetime, now: datetime) -> Iterator[Notice]:
    expected = Q(pk__in=Follower.objects.filter(night=night).values("user"))
    if night.club_id is not None:
        expected |= Q(club_memberships__club=night.club_id)
    people = find_people(Kind.NIGHT).filter(expected)
    key = f"night:{night.code}:{start:%Y%m%d%H%M}"
    told = Notice.objects.filter(key=key).values("user")
    for user in people.exclude(pk__in=told).order_by().values_list("pk", flat=True).distinct():
        yield _build(Kind.NIGHT, user, key, reverse("lobby"), now)


def is_night_near(start: datetime, now: datetime) -> bool:
    return start - NIGHT_LEAD_TIME <= now < start + NIGHT_PERIOD


def _find_streaks(now: datetime) -> Iterator[Notice]:
    if now.hour < STREAK_HOUR:
        return
    today = now.date()
    people = _finished_deals(*find_last_days(today)).filter(user__in=find_people(Kind.STREAK))
    done = _finished_deals(today).values("user")
    notified = Notice.objects.filter(key=f"streak:{today}").values("user")
    waiting = people.exclude(user__in=done).exclude(user__in=notified)
    for user in waiting.order_by().values_list("user", flat=True).distinct():
        yield _build(Kind.STREAK, user, f"streak:{today}", reverse("daily"), now)


def _finished_deals(*days: date, user: int | None = None) -> QuerySet[Entry]:
    finished = Entry.objects.filter(practice=False, finished_at__isnull=False, deals__day__in=days)
    # The NULL of a deleted person would exclude everybody from `exclude(user__in=...)`.
    entries = finished.filter(user__isnull=False)
    return entries if user is None else entries.filter(user=user)


FINDERS = (
    turns.find_turns,
    deadlines.find_warnings,
    deadlines.find_endings,
    _find_challenges,
    _find_rematches,
    _find_nights,
    evenings.find_reminders,
    _find_streaks,
    deadlines.find_summaries,
)


def is_of_days(notice: Notice) -> bool:
    """Return whether the notice is about a match or a table with a clock of days."""
    if notice.kind in (Kind.CHALLENGE, Kind.REMATCH):
        return Table.objects.filter(pk=notice.subject, clock_seconds__gte=DAY_SECONDS).exists()
    return notice.seat is not None and notice.seat.match.days is not None


def is_current(notice: Notice, now: datetime) -> bool:
    """Return whether the notice still holds."""
    kind = Kind(notice.kind)
    if kind in WAITING_KINDS:
        seats = turns.find_absent_seats(now) if kind in TURN_KINDS else deadlines.find_ending_turns(now)
        seat = seats.filter(pk=notice.seat_id or 0).select_related("match").first()
        return seat is not None and (kind == Kind.BEGINNING or turns.is_on_turn(seat))
    match kind:
        case Kind.ENDED:
            return notice.user.seen_at is None or notice.user.seen_at <= notice.created_at
        case Kind.CHALLENGE | Kind.REMATCH:
            table = Table.objects.filter(pk=notice.subject, status=Table.Status.OPEN, full_at=None)
            return table.exists()
        case Kind.NIGHT if evenings.is_evening(notice):
            return evenings.is_to_come(notice, now)
        case Kind.NIGHT:
            return now < notice.created_at + NIGHT_LEAD_TIME + NIGHT_PERIOD
        case Kind.STREAK:
            return notice.key == f"streak:{now.date()}" and not _finished_deals(
                now.date(), user=notice.user_id
            )
        case Kind.SUMMARY:
            return bool(turns.find_waiting(notice.user))
        case Kind.TEST:
            return now < notice.created_at + TEST_PERIOD
    return False
