"""Ratings computed anew from the finished matches: after an annulment, or to prove that nothing was lost.

An annulment notes which pool it concerns; a process of its own (`recompute_ratings --waiting`, started by the referee's
duties) computes that pool while people play on.
"""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts import replaying
from accounts.models import RatingChange
from accounts.pools import POOLS
from accounts.ratings import Rated
from games import repository
from games.engine.rules import Rules
from games.engine.terms import terms
from games.models import Match, RatingOrder, Rerating, Seat
from games.services import endings

PAGE = 200  # matches read at once
DEAD_AFTER = timedelta(seconds=30)  # without a sign of progress another process takes over
SIGN_EVERY = timedelta(seconds=1)

Progress = Callable[[str, int, int], None]  # the pool, how many matches are done, and of how many
Read = Callable[[Match, list[Seat]], Rated]


def recompute(progress: Progress = lambda pool, done, total: None) -> list[str]:
    """Rebuild every pool's ratings from the moves, in the order in which matches were rated; a sentence for each
    difference."""
    differences: list[str] = []
    # What is gained from young accounts is limited in all pools together: one that was mended may change another.
    for _again in POOLS:
        found: list[str] = []
        for pool, _label in POOLS:
            found += replaying.replay(pool, partial(_results, pool, _played, progress), _latest)
        differences += found
        if not found:
            break
    return differences


def annul(match: Match) -> None:
    """Take a finished match out of the ratings; they are computed again as soon as somebody comes to it."""
    now = timezone.now()
    with transaction.atomic():
        row = Match.objects.select_for_update().get(pk=match.pk)
        row.annulled_at = now
        row.save(update_fields=["annulled_at"])
        row.seats.update(rating_after=None)
        if row.rating_order is not None:
            _ask_for(_concerned(row), now)


def restore(match: Match) -> None:
    """Let a match that was annulled count again; what it does to ratings is known once they are computed."""
    now = timezone.now()
    with transaction.atomic():
        row = Match.objects.select_for_update().get(pk=match.pk)
        row.annulled_at = None
        row.save(update_fields=["annulled_at"])
        if row.rating_order is not None:
            capped = RatingChange.objects.filter(rating__user__in=row.seats.values("user"), young=True)
            _ask_for({row.pool, *capped.values_list("rating__pool", flat=True)}, now)


def _ask_for(pools: set[str], now: datetime) -> None:
    for pool in pools:
        waiting, first = Rerating.objects.get_or_create(pool=pool, defaults={"asked_at": now})
        if not first:
            Rerating.objects.filter(pk=waiting.pk).update(asked_at=now)


def _concerned(match: Match) -> set[str]:
    """The match's pool; where it counted towards what may be gained from young accounts, its players' other ones."""
    gained = RatingChange.objects.filter(match_code=match.code, young=True)
    others = RatingChange.objects.filter(rating__user__in=gained.values("rating__user"), young=True)
    return {match.pool, *others.values_list("rating__pool", flat=True)}


def has_pending(now: datetime) -> bool:
    """Whether a pool is to be computed again and nobody is at it."""
    return _to_be_taken(now).exists()


def recompute_pending(progress: Progress = lambda pool, done, total: None) -> list[str]:
    """Compute the pools that annulments wait for, from the results as they are stored."""
    differences: list[str] = []
    for waiting in _to_be_taken(timezone.now()):
        if _take(waiting):
            signs = partial(_sign, waiting, progress)
            results = partial(_results, waiting.pool, _stored, signs)
            differences += replaying.replay(waiting.pool, results, _latest)
            _tell_restored(waiting.pool)
            # Asked for again meanwhile: that is for the next one.
            Rerating.objects.filter(pk=waiting.pk, asked_at=waiting.asked_at).delete()
            Rerating.objects.filter(pk=waiting.pk).update(taken_at=None)
    return differences


def _tell_restored(pool: str) -> None:
    """Write into the seats of matches that count again what they now did."""
    restored = Seat.objects.filter(
        rating_after=None, match__pool=pool, match__rating_order__isnull=False, match__annulled_at=None
    )
    for seat in restored.select_related("match"):
        change = RatingChange.objects.filter(match_code=seat.match.code, rating__user=seat.user_id).first()
        if change is not None:
            seat.rating_before, seat.rating_after = change.before, change.after
            seat.save(update_fields=["rating_before", "rating_after"])


def _to_be_taken(now: datetime) -> QuerySet[Rerating]:
    return Rerating.objects.filter(Q(taken_at=None) | Q(taken_at__lt=now - DEAD_AFTER))


def _take(waiting: Rerating) -> bool:
    unchanged = Rerating.objects.filter(pk=waiting.pk, taken_at=waiting.taken_at)
    waiting.taken_at = timezone.now()
    return bool(unchanged.update(taken_at=waiting.taken_at, done=0))


def _sign(waiting: Rerating, progress: Progress, pool: str, done: int, total: int) -> None:
    progress(pool, done, total)
    now = timezone.now()
    if waiting.taken_at is None or now - waiting.taken_at >= SIGN_EVERY:
        waiting.taken_at = now
        Rerating.objects.filter(pk=waiting.pk).update(taken_at=now, done=done, total=total)


def _latest() -> int:
    return RatingOrder.objects.filter(pk=1).values_list("last", flat=True).first() or 0


def _results(pool: str, read: Read, progress: Progress, after: int) -> Iterator[Rated]:
    rated = Match.objects.filter(pool=pool, rating_order__isnull=False, annulled_at__isnull=True)
    total, done = rated.filter(rating_order__gt=after).count(), 0
    while page := list(
        rated.filter(rating_order__gt=after).order_by("rating_order").prefetch_related("seats__user")[:PAGE]
    ):
        for match in page:
            seats = list(match.seats.all())
            if all(seat.user_id is not None for seat in seats):
                yield read(match, seats)
        after, done = page[-1].rating_order or 0, done + len(page)
        progress(pool, done, total)


def _played(match: Match, seats: list[Seat]) -> Rated:
    """What the moves made of the match."""
    value = repository.get_value(match)
    return endings.build_rated(match, seats, value.sides, endings.compute_ranks(value))


def _stored(match: Match, seats: list[Seat]) -> Rated:
    """What was written when the match ended."""
    rules = Rules.from_dict(match.rules)
    sides = terms(rules, len(seats)).sides
    left = {seat.position for seat in seats if seat.left and not seat.taken_over}
    ranks = endings.rank_sides(sides, match.winners or (), match.scores, left, rules.lowest_wins)
    return endings.build_rated(match, seats, sides, ranks)
