"""Hints for the seat on turn in a casual match against computers only, computed in a worker process."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.core.cache import cache

from accounts.models import User
from boneyard.computer.players import choose_move
from boneyard.computer.pool import NoAnswer, hint_worker
from boneyard.engine import moves as notation
from boneyard.engine.moves import Move
from boneyard.engine.perspective import View, perspective
from core import counters
from games import repository
from games.models import Match, Seat
from study.refusals import StudyRefused

MAX_HINTS_PER_MINUTE = 20  # for one person
MAX_REQUESTS_PER_MINUTE = 60  # of one person, for the same hint too
RATE_PERIOD_SECONDS = 60
LOCK_SECONDS = 15  # longer than a worker may take, should the process die meanwhile
CACHE_TTL_SECONDS = 300


_refusers: list[Callable[[str], bool]] = []


def register_refuser(refuses: Callable[[str], bool]) -> None:
    """Register a function that returns whether there are no hints in the match with this code."""
    _refusers.append(refuses)


def recommend_move(match: Match, view: View, user: User) -> tuple[Move, int | None]:
    """Return the move to recommend and the points to claim.

    Raise `StudyRefused` if the person waits for another hint, or has asked too often.
    """
    requests = f"hint_requests:of:{user.pk}"
    if settings.LIMITS and counters.count(requests, RATE_PERIOD_SECONDS) > MAX_REQUESTS_PER_MINUTE:
        raise StudyRefused("many_hints", 429)
    # Cache: key (match, version, seat); bound by CACHE_TTL_SECONDS; a new version has a new key.
    key = f"hint:{match.code}:{view.move_count}:{view.seat}"
    if (found := cache.get(key)) is None:
        with _one_at_a_time(user):
            found = _ask(view)
        cache.set(key, found, CACHE_TTL_SECONDS)
    move, claim = found
    return notation.parse(move), claim


def _ask(view: View) -> tuple[str, int | None]:
    try:
        move, claim = hint_worker.ask(view)
    except NoAnswer:
        fallback, claim = choose_move(view, "casual", 0)
        move = str(fallback)
    assert move is not None  # the view's seat is on turn
    return move, claim


@contextmanager
def _one_at_a_time(user: User) -> Iterator[None]:
    if not settings.LIMITS:
        yield
        return
    lock = f"hint:of:{user.pk}"
    if not cache.add(lock, 1, LOCK_SECONDS):
        raise StudyRefused("hint_waits", 429)
    try:
        if counters.count(f"hints:of:{user.pk}", RATE_PERIOD_SECONDS) > MAX_HINTS_PER_MINUTE:
            raise StudyRefused("many_hints", 429)
        yield
    finally:
        cache.delete(lock)


def hint_view(match: Match, seat: Seat | None) -> View:
    """Return the view to compute a hint from. Raise `StudyRefused` if the seat may not get one."""
    if seat is None:
        raise StudyRefused("not_seated", 403)
    if not match.playing:
        raise StudyRefused("over")
    if match.rated:
        raise StudyRefused("rated")
    if match.concealed:
        raise StudyRefused("deals_open")
    if any(refuses(match.code) for refuses in _refusers):
        raise StudyRefused("night")
    # `kind` stays PLAYER for a seat that a computer has taken over.
    if match.seats.exclude(pk=seat.pk).exclude(kind=Seat.Kind.COMPUTER).exists():
        raise StudyRefused("people")
    view = perspective(repository.get_value(match), seat.position)
    if view.turn != seat.position:
        raise StudyRefused("not_your_turn")
    return view
