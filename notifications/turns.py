"""Find matches that wait for somebody who is away. All is read from rows that exist anyway: moves do no work for it."""

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from threading import Lock

from cachetools import LRUCache, cached
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from accounts.models import User
from core.faults import contain
from games import repository
from games.models import Connection, Match, Seat
from games.time.presence import PAGE_PRESENCE_TTL
from notifications.models import TURN_KINDS, WAITING_KINDS, WARNING_KINDS, Choices, Kind, Notice
from notifications.people import find_people

log = logging.getLogger(__name__)

TURN_DELAY = timedelta(seconds=5)  # a page that loads closes the socket of the one before
BEGINNING_PERIOD = timedelta(minutes=15)  # later it is a turn like any other
MAX_CACHED_TURNS = 20_000


def find_absent_seats(now: datetime) -> QuerySet[Seat]:
    """Return the seats of running matches whose players have no page of the site open."""
    sockets = Connection.objects.open_at(now).filter(seat=OuterRef("pk"))
    recent_page = Q(page_at__gt=now - PAGE_PRESENCE_TTL)
    return find_seats_in_play().exclude(recent_page).exclude(Exists(sockets))


def find_seats_in_play() -> QuerySet[Seat]:
    seats = Seat.objects.filter(match__status=Match.Status.PLAYING, score__isnull=True, left=False)
    return seats.filter(taken_over=False)


def find_pages_in_view(now: datetime) -> QuerySet[Connection]:
    """Return the pages of matches of days that their players have in view."""
    return Connection.objects.open_at(now).filter(visible=True)


def find_turns(now: datetime) -> Iterator[Notice]:
    """Yield a notice for each match that waits, unless one is unread or its player has been here since the turn began:
    every page of the site says so. That it has begun is told once, and says nothing of a later turn.
    """
    people = find_people(Kind.TURN, Kind.BEGINNING)
    is_unread = Q(read_at=None) & ~Q(kind=Kind.BEGINNING)
    of_this_turn = is_unread | Q(created_at__gte=OuterRef("match__turn_began_at"))
    notified = Notice.objects.filter(of_this_turn, seat=OuterRef("pk"))
    not_here_since = Q(page_at=None) | Q(page_at__lt=F("match__turn_began_at"))
    seats = find_absent_seats(now).filter(
        not_here_since, user__in=people, match__turn_began_at__lte=now - TURN_DELAY
    )
    begun = Exists(Notice.objects.filter(seat=OuterRef("pk"), kind=Kind.BEGINNING))
    waiting = seats.exclude(Exists(notified)).annotate(is_told_of_beginning=begun)
    for seat in waiting.select_related("match", "user__notice_choices"):
        kind = None
        with contain(log, f"The notice of match {seat.match_id}"):
            kind = _kind_of_turn(seat, now, seat.is_told_of_beginning)
        if kind is not None and is_chosen(kind, seat):
            yield build_for_match(kind, seat, now)


def is_chosen(kind: Kind, seat: Seat) -> bool:
    """Return whether the seat's player wants this kind; the row has been read with their choices."""
    choices: Choices | None = getattr(seat.user, "notice_choices", None)
    return choices is None or choices.wants(kind)


def build_for_match(kind: Kind, seat: Seat, now: datetime) -> Notice:
    """Return a notice, not saved. All about one match have the same key, so there is one at a time."""
    return Notice(
        kind=kind,
        user_id=seat.player_id,
        key=f"match:{seat.match_id}",
        target=seat.match.get_absolute_url(),
        seat=seat,
        created_at=now,
        due_at=now,
    )


def _kind_of_turn(seat: Seat, now: datetime, is_told_of_beginning: bool) -> Kind | None:
    match = seat.match
    begins = seat.hand_seen_at is None and match.started_at > now - BEGINNING_PERIOD
    if begins and not is_told_of_beginning:
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


def clear_cache() -> None:
    _get_turn.cache_clear()


def find_waiting(user: User) -> list[Seat]:
    """Return the seats of the matches that wait for the person's move."""
    seats = user.seats.filter(
        match__status=Match.Status.PLAYING, score__isnull=True, left=False, taken_over=False
    )
    waiting = []
    for seat in seats.select_related("match"):
        with contain(log, f"The turn of match {seat.match_id}"):
            if is_on_turn(seat):
                waiting.append(seat)
    return waiting


def find_read(now: datetime) -> QuerySet[Notice]:
    """Return the unread notices that are read by now, other than tests.

    Those of waiting matches: the match has ended or has an open page, or a page of the site was loaded or asked for
    something since, as every page names the matches that wait. Those of time that runs out: the match has ended or is
    in view, or its player has come to the site since; a page that was left open reads none. All others: their person
    has come since, as every page names challenges and nights, and the front page what has ended.
    """
    sockets = Connection.objects.open_at(now).filter(seat=OuterRef("seat"))
    has_come = Q(user__seen_at__gt=F("created_at"))
    is_at_hand = Q(Exists(sockets)) | Q(seat__page_at__gt=F("created_at"))
    is_over = ~Q(seat__match__status=Match.Status.PLAYING)
    turns = Q(kind__in=TURN_KINDS) & (is_at_hand | is_over)
    in_view = Exists(find_pages_in_view(now).filter(seat=OuterRef("seat")))
    warnings = Q(kind__in=WARNING_KINDS) & (has_come | in_view | is_over)
    others = ~Q(kind__in=[*WAITING_KINDS, Kind.TEST]) & has_come
    return Notice.objects.unread().filter(turns | warnings | others)
