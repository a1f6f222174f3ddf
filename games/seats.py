"""Find the seats of users."""

from collections.abc import Sequence

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from accounts.leaderboard import Table
from accounts.models import User
from core.prepared import PreparedQuery
from games.models import Match, Seat
from games.time.day_clocks import DAY_SECONDS

Viewer = User | AnonymousUser
MAX_LATEST_SEATS = 4

_running = PreparedQuery(
    lambda user, status: (
        Seat.objects.filter(user=user)
        .filter(score__isnull=True, left=False, taken_over=False)
        .filter(match__status=status)
        .select_related("match")
        .defer("match__rules", "match__entropy")
        .order_by("match")
    )
)

_latest = PreparedQuery(
    lambda user: (
        Seat.objects.filter(user=user)
        .select_related("match")
        .defer("match__rules", "match__entropy")
        .order_by("-pk")[:MAX_LATEST_SEATS]
    )
)


def seats_with_users() -> "Prefetch[str, QuerySet[Seat], str]":
    """Return the argument of `prefetch_related` that reads the seats of matches with their users, in one query."""
    return Prefetch("seats", Seat.objects.select_related("user"))


def find_running_seats(user: Viewer) -> list[Seat]:
    """Return the seats, with their matches, of which this user is playing; in one query, for every page and socket."""
    return _running.rows(user.pk, Match.Status.PLAYING) if user.is_authenticated else []


def find_latest_seats(user: Viewer) -> list[Seat]:
    """Return the user's seats in their latest matches, with the matches."""
    return _latest.rows(user.pk) if user.is_authenticated else []


def find_tables(user_ids: Sequence[int]) -> dict[int, Table]:
    """Return the public matches that these people play, the latest of each, by user id; none with a clock of days."""
    playing = Seat.objects.filter(user__in=user_ids, score__isnull=True, left=False, taken_over=False).filter(
        match__status=Match.Status.PLAYING, match__private=False
    )
    seats = (
        playing.exclude(match__clock_seconds__gte=DAY_SECONDS)
        .select_related("match")
        .only("position", "user", "match__code", "match__scores")
        .order_by()
    )
    latest_last = sorted(seats, key=lambda seat: seat.match_id)
    return {seat.user_id: _table_of(seat) for seat in latest_last if seat.user_id is not None}


def _table_of(seat: Seat) -> Table:
    scores = seat.match.scores
    own = seat.position % len(scores)
    others = [score for side, score in enumerate(scores) if side != own]
    return Table(seat.match.get_absolute_url(), " – ".join(map(str, [scores[own], *others])))


def get_visible_match(code: str, user: Viewer) -> Match:
    """Return the match with this code. Raise `Http404` if this user may not know of it."""
    match = get_object_or_404(Match, code=code)
    if match.concealed and seat_of(match, user) is None:
        raise Http404
    return match


def get_disclosed_match(code: str) -> Match:
    """Return the match with this code. Raise `Http404` while its set of deals is open, also to its player."""
    return get_object_or_404(Match, code=code, concealed=False)


def get_ended_match(code: str) -> Match:
    """Return the match with this code. Raise `Http404` also while it is being played."""
    match = get_disclosed_match(code)
    if match.playing:
        raise Http404
    return match


def seat_of(match: Match, user: Viewer) -> Seat | None:
    """Return the seat of `user`, or None for a spectator or a player whose seat a computer has taken over."""
    if not user.is_authenticated:
        return None
    return match.seats.filter(user=user, taken_over=False).first()
