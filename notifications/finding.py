"""Find the notices that are due. All is read from rows that exist anyway, so no move does more work for it."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from threading import Lock

from cachetools import LRUCache, cached
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.urls import reverse

from accounts.models import User
from events.models import Entry
from games import repository
from games.models import Connection, Match, Seat
from games.time.presence import PAGE_PRESENCE_TTL
from lobbies.models import NightFollower, Sitting, Table
from notifications.models import Choices, Kind, Notice, Subscription

TURN_DELAY = timedelta(seconds=5)  # a page that loads closes the socket of the one before
BEGINNING_PERIOD = timedelta(minutes=15)  # later it is a turn like any other
REMATCH_PERIOD = timedelta(hours=1)
CHALLENGES_PERIOD = timedelta(minutes=10)  # in which the challenges of one person give one notice
NIGHT_LEAD_TIME, NIGHT_PERIOD = timedelta(minutes=10), timedelta(minutes=30)
MAX_CACHED_TURNS = 20_000
STREAK_HOUR = 18  # UTC; the day's deal closes at midnight


def find_new(now: datetime) -> Iterator[Notice]:
    """Yield the notices that are due and have no row yet, without saving them."""
    yield from _find_turns(now)
    yield from _find_challenges(now)
    yield from _find_rematches(now)
    yield from _find_nights(now)
    if now.hour >= STREAK_HOUR:
        yield from _find_streaks(now)


def _find_people(*kinds: Kind) -> QuerySet[User]:
    """Return the people with subscriptions who want notices of any of these kinds."""
    wanted = Q(notice_choices=None)
    for kind in kinds:
        wanted |= Q(**{f"notice_choices__{kind.value}": True})
    people = User.objects.filter(wanted, is_active=True, banned_at=None)
    return people.filter(Exists(Subscription.objects.filter(user=OuterRef("pk"))))


def _build(kind: Kind, user: int, key: str, target: str, now: datetime, seat: Seat | None = None) -> Notice:
    return Notice(kind=kind, user_id=user, key=key, target=target, created_at=now, due_at=now, seat=seat)


def _has_notice(key_prefix: str, user: int, number: int | str) -> bool:
    return Notice.objects.filter(user=user, key=f"{key_prefix}:{number}").exists()


def find_absent_seats(now: datetime) -> QuerySet[Seat]:
    """Return the seats of running matches whose players have no page of the site open."""
    sockets = Connection.objects.open_at(now).filter(seat=OuterRef("pk"))
    seats = Seat.objects.filter(match__status=Match.Status.PLAYING, score__isnull=True, left=False)
    recent_page = Q(page_at__gt=now - PAGE_PRESENCE_TTL)
    return seats.filter(taken_over=False).exclude(recent_page).exclude(Exists(sockets))


def _find_turns(now: datetime) -> Iterator[Notice]:
    people = _find_people(Kind.TURN, Kind.BEGINNING)
    notified = Notice.objects.filter(seat=OuterRef("pk"))
    seats = find_absent_seats(now).filter(user__in=people, match__turn_began_at__lte=now - TURN_DELAY)
    for seat in seats.exclude(Exists(notified)).select_related("match", "user__notice_choices"):
        kind = _kind_of_turn(seat, now)
        if kind is not None and seat.user_id is not None and seat.user is not None:
            choices: Choices | None = getattr(seat.user, "notice_choices", None)
            if choices is None or getattr(choices, kind.value):
                target = seat.match.get_absolute_url()
                yield _build(kind, seat.user_id, f"match:{seat.match_id}", target, now, seat)


def _kind_of_turn(seat: Seat, now: datetime) -> Kind | None:
    match = seat.match
    if seat.hand_seen_at is None and match.started_at > now - BEGINNING_PERIOD:
        return Kind.BEGINNING
    return Kind.TURN if is_on_turn(seat) else None


def is_on_turn(seat: Seat) -> bool:
    """Return whether the seat's match waits for it."""
    match = seat.match
    return match.playing and match.left_at is None and _get_turn(match) == seat.position


# Not in the cache of values, which matches with a clock of days would fill. Cache: bound MAX_CACHED_TURNS; a move
# changes the key.
@cached(LRUCache(MAX_CACHED_TURNS), key=lambda match: (match.pk, match.version), lock=Lock())
def _get_turn(match: Match) -> int | None:
    return repository.get_value(match).turn


def _find_challenges(now: datetime) -> Iterator[Notice]:
    tables = Table.objects.filter(
        status=Table.Status.OPEN, full_at=None, kept_for__in=_find_people(Kind.CHALLENGE)
    )
    for table in tables:
        if table.kept_for_id is not None and not _has_notice_of_challenge(table, now):
            target = table.get_absolute_url()
            yield _build(Kind.CHALLENGE, table.kept_for_id, f"table:{table.pk}", target, now)


def _has_notice_of_challenge(table: Table, now: datetime) -> bool:
    """Return whether the person had a notice of it, or of one by the same challenger shortly before."""
    before = Table.objects.filter(
        host=table.host_id, kept_for=table.kept_for_id, created_at__gt=now - CHALLENGES_PERIOD
    )
    keys = [f"table:{pk}" for pk in {table.pk, *before.values_list("pk", flat=True)}]
    return Notice.objects.filter(user=table.kept_for_id, key__in=keys).exists()


def _find_rematches(now: datetime) -> Iterator[Notice]:
    tables = Table.objects.filter(status=Table.Status.OPEN, full_at=None, created_at__gt=now - REMATCH_PERIOD)
    people = _find_people(Kind.REMATCH)
    for table in tables.exclude(rematch_of=""):
        sitting = Sitting.objects.filter(table=table, user__isnull=False).values("user")
        seats = Seat.objects.filter(match__code=table.rematch_of, user__in=people).exclude(user__in=sitting)
        pages = Connection.objects.open_at(now).filter(seat=OuterRef("pk"))
        for seat in seats.exclude(Exists(pages)).select_related("match"):
            if seat.user_id is not None and not _has_notice("table", seat.user_id, table.pk):
                target = seat.match.get_absolute_url()
                yield _build(Kind.REMATCH, seat.user_id, f"table:{table.pk}", target, now)


def _find_nights(now: datetime) -> Iterator[Notice]:
    rows = NightFollower.objects.filter(user__in=_find_people(Kind.NIGHT)).select_related("night")
    for row in rows:
        start = row.night.find_start(now)
        name = f"{row.night_id}:{start:%Y%m%d%H}"
        if is_night_near(start, now) and not _has_notice("night", row.user_id, name):
            yield _build(Kind.NIGHT, row.user_id, f"night:{name}", reverse("lobby"), now)


def is_night_near(start: datetime, now: datetime) -> bool:
    return start - NIGHT_LEAD_TIME <= now < start + NIGHT_PERIOD


def _find_streaks(now: datetime) -> Iterator[Notice]:
    today = now.date()
    people = _finished_deals(today - timedelta(days=1)).filter(user__in=_find_people(Kind.STREAK))
    done = _finished_deals(today).values("user")
    notified = Notice.objects.filter(key=f"streak:{today}").values("user")
    for user in people.exclude(user__in=done).exclude(user__in=notified).values_list("user", flat=True):
        yield _build(Kind.STREAK, user, f"streak:{today}", reverse("daily"), now)


def _finished_deals(day: date, user: int | None = None) -> QuerySet[Entry]:
    finished = Entry.objects.filter(practice=False, finished_at__isnull=False, deals__day=day)
    # The NULL of a deleted person would exclude everybody from `exclude(user__in=...)`.
    entries = finished.filter(user__isnull=False)
    return entries if user is None else entries.filter(user=user)


def is_current(notice: Notice, now: datetime) -> bool:
    """Return whether the notice still holds."""
    match Kind(notice.kind):
        case Kind.TURN | Kind.BEGINNING:
            absent = find_absent_seats(now).filter(pk=notice.seat_id or 0).select_related("match").first()
            return absent is not None and (notice.kind == Kind.BEGINNING or is_on_turn(absent))
        case Kind.CHALLENGE | Kind.REMATCH:
            table = Table.objects.filter(pk=notice.subject, status=Table.Status.OPEN, full_at=None)
            return table.exists()
        case Kind.NIGHT:
            return now < notice.created_at + NIGHT_LEAD_TIME + NIGHT_PERIOD
        case Kind.STREAK:
            return notice.key == f"streak:{now.date()}" and not _finished_deals(now.date(), notice.user_id)
    return False


def find_seen(now: datetime) -> QuerySet[Notice]:
    """Return the notices about matches that have ended or that the person has looked at since."""
    about_matches = Notice.objects.filter(seat__isnull=False)
    sockets = Connection.objects.open_at(now).filter(seat=OuterRef("seat"))
    seen = Q(Exists(sockets)) | Q(seat__page_at__gt=F("created_at"))
    return about_matches.filter(seen | ~Q(seat__match__status=Match.Status.PLAYING))
