"""Recompute ratings from the finished matches, after an annulment or to verify them.

An annulment marks its pools as pending; a separate process (`recompute_ratings --waiting`, started by the referee's
duties) recomputes them.
"""

import os
import secrets
import socket
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts import limits, replaying
from accounts.models import Rating, RatingChange
from accounts.pools import POOLS
from accounts.predictions import LogLoss, compute_log_loss
from accounts.ratings import Rated
from boneyard.engine.rules import Rules
from core.numbers import display_rating
from games import repository
from games.models import Match, RatingOrder, Rerating, Seat
from games.services import endings

BATCH_SIZE = 200  # matches
LEASE_TTL = timedelta(seconds=30)  # without progress; another process then takes over
PROGRESS_INTERVAL = timedelta(seconds=1)
MAX_REPLAYED_MATCHES = 2000  # of a pool, for a preview; beyond, the changes of the matches are added up

Progress = Callable[[str, int, int], None]  # pool, matches done, matches in total
ReadResult = Callable[[Match, list[Seat]], Rated]


def recompute(progress: Progress = lambda pool, done, total: None) -> list[str]:
    """Rebuild all ratings from the moves, in rating order; return a sentence for each difference."""
    differences: list[str] = []
    # Some limits span all pools (accounts.limits), so a corrected pool may change another one.
    for _round in POOLS:
        differences_of_round: list[str] = []
        for pool, _label in POOLS:
            differences_of_round += replaying.replay(
                pool, partial(_iter_results, pool, _read_from_moves, progress), _last_order
            )
        differences += differences_of_round
        if not differences_of_round:
            break
    return differences


def annul(match: Match) -> None:
    """Exclude a finished match from the ratings and mark its pools as pending."""
    now = timezone.now()
    with transaction.atomic():
        row = Match.objects.select_for_update().get(pk=match.pk)
        row.annulled_at = now
        row.save(update_fields=["annulled_at"])
        row.seats.update(rating_after=None)
        if row.rating_order is not None:
            _mark_pending({row.pool, *limits.find_limited_pools(row.seats.values("user"))}, now)


def restore(match: Match) -> None:
    """Include an annulled match in the ratings again and mark its pools as pending."""
    now = timezone.now()
    with transaction.atomic():
        row = Match.objects.select_for_update().get(pk=match.pk)
        row.annulled_at = None
        row.save(update_fields=["annulled_at"])
        if row.rating_order is not None:
            _mark_pending({row.pool, *limits.find_limited_pools(row.seats.values("user"))}, now)


class RatingPreview(NamedTuple):
    """A displayed rating now and after an annulment."""

    user_id: int
    pool: str
    now: int
    then: int

    @property
    def game(self) -> str:
        return str(dict(POOLS)[self.pool])


def preview_annulment(matches: Iterable[Match]) -> list[RatingPreview]:
    """Return the ratings that annulling these matches would change, the largest change first; nothing is stored.

    Limits that span pools are left out, so the recomputation may differ by a few points.
    """
    codes: dict[str, set[str]] = defaultdict(set)
    for match in matches:
        if match.rating_order is not None and match.annulled_at is None:
            codes[match.pool].add(match.code)
    previews = [
        RatingPreview(rating.user_id, pool, display_rating(rating.value), display_rating(value))
        for pool, left_out in codes.items()
        for rating, value in _predict_without(pool, left_out)
    ]
    changed = [preview for preview in previews if preview.now != preview.then]
    return sorted(changed, key=lambda preview: -abs(preview.then - preview.now))


def _predict_without(pool: str, left_out: set[str]) -> list[tuple[Rating, float]]:
    stored = Rating.objects.filter(pool=pool)
    if Match.objects.filter(pool=pool, rating_order__isnull=False).count() > MAX_REPLAYED_MATCHES:
        lost: dict[int, float] = defaultdict(float)
        for change in RatingChange.objects.filter(rating__pool=pool, match_code__in=left_out):
            lost[change.rating_id] += change.after - change.before
        return [(rating, rating.value - lost[rating.pk]) for rating in stored.filter(pk__in=lost)]
    results = partial(_iter_results, pool, _read_stored, lambda pool, done, total: None)
    replayed = replaying.Replay(
        pool,
        lambda after: (rated for rated in results(after) if rated.match_code not in left_out),
        _last_order,
    )
    replayed.advance()
    return [(rating, replayed.get_value(rating.user_id)) for rating in stored]


class LeaseLost(Exception):
    """Raised when another process has taken a pool over."""


def _mark_pending(pools: set[str], now: datetime) -> None:
    for pool in pools:
        pending, first = Rerating.objects.get_or_create(pool=pool, defaults={"asked_at": now})
        if not first:
            Rerating.objects.filter(pk=pending.pk).update(asked_at=now)


def has_pending(now: datetime) -> bool:
    """Return whether a pool is pending and no process is at work on it."""
    return _find_pending(now).exists()


def recompute_pending(progress: Progress = lambda pool, done, total: None) -> list[str]:
    """Recompute the pending pools from the stored results; return a sentence for each difference."""
    differences: list[str] = []
    for pending in _find_pending(timezone.now()):
        lease = Lease(pending, progress)
        if lease.acquire():
            with suppress(LeaseLost):
                differences += _recompute_leased(pending, lease)
    return differences


def _recompute_leased(pending: Rerating, lease: "Lease") -> list[str]:
    results = partial(_iter_results, pending.pool, _read_stored, lease.report)
    differences = replaying.replay(pending.pool, results, _last_order, lease.write)
    _write_restored_changes(pending.pool)
    lease.renew()
    # If it was requested again in the meantime, it stays pending.
    own = Rerating.objects.filter(pk=pending.pk, owner=lease.owner)
    own.filter(asked_at=pending.asked_at).delete()
    own.update(taken_at=None, owner="", phase=Rerating.Phase.WAITING, done=0, total=0)
    return differences


class Lease:
    """One process's right to recompute a pool, renewed while it computes and writes; its progress never goes back."""

    def __init__(self, pending: Rerating, progress: Progress) -> None:
        self._pending, self._progress = pending, progress
        self._seen_at = pending.taken_at
        self._renewed_at: datetime | None = None
        self.owner = f"{socket.gethostname()[:40]} {os.getpid()} {secrets.token_hex(8)}"

    def acquire(self) -> bool:
        """Take the pool, if no process has renewed its lease since the row was read."""
        now = timezone.now()
        unchanged = Rerating.objects.filter(pk=self._pending.pk, taken_at=self._seen_at)
        phase = Rerating.Phase.COMPUTING
        return bool(unchanged.update(taken_at=now, owner=self.owner, phase=phase))

    def report(self, pool: str, done: int, total: int) -> None:
        """Record how many matches of the round have been read."""
        self._progress(pool, done, total)
        pending = self._pending
        pending.total = max(pending.total, total)
        pending.done = max(pending.done, min(done, pending.total))
        self.renew(Rerating.Phase.COMPUTING)

    def write(self) -> None:
        self.renew(Rerating.Phase.WRITING)

    def renew(self, phase: Rerating.Phase = Rerating.Phase.WRITING) -> None:
        """Renew the lease once a second. Raise `LeaseLost` if another process has it."""
        now, pending = timezone.now(), self._pending
        if self._renewed_at is not None and now - self._renewed_at < PROGRESS_INTERVAL:
            return
        self._renewed_at = now
        own = Rerating.objects.filter(pk=pending.pk, owner=self.owner)
        if not own.update(taken_at=now, done=pending.done, total=pending.total, phase=phase):
            raise LeaseLost(pending.pool)


def compare_predictions() -> dict[str, tuple[LogLoss, LogLoss]]:
    """Return, by pool with rated matches, the log-loss of predictions without and with the scale of length."""
    losses = {}
    for pool, _label in POOLS:
        results = partial(_iter_results, pool, _read_stored, lambda pool, done, total: None, 0)
        plain, scaled = (
            compute_log_loss(pool, results(), is_scaled=is_scaled) for is_scaled in (False, True)
        )
        if plain.predictions:
            losses[pool] = (plain, scaled)
    return losses


def _write_restored_changes(pool: str) -> None:
    """Write the rating changes into the seats of restored matches."""
    restored = Seat.objects.filter(
        rating_after=None, match__pool=pool, match__rating_order__isnull=False, match__annulled_at=None
    )
    for seat in restored.select_related("match"):
        change = RatingChange.objects.filter(match_code=seat.match.code, rating__user=seat.user_id).first()
        if change is not None:
            seat.rating_before, seat.rating_after = change.before, change.after
            seat.save(update_fields=["rating_before", "rating_after"])


def _find_pending(now: datetime) -> QuerySet[Rerating]:
    return Rerating.objects.filter(Q(taken_at=None) | Q(taken_at__lt=now - LEASE_TTL))


def _last_order() -> int:
    return RatingOrder.objects.filter(pk=1).values_list("last", flat=True).first() or 0


def _iter_results(pool: str, read: ReadResult, progress: Progress, after: int) -> Iterator[Rated]:
    rated = Match.objects.filter(pool=pool, rating_order__isnull=False, annulled_at__isnull=True)
    total, done = rated.filter(rating_order__gt=after).count(), 0
    while page := list(
        rated.filter(rating_order__gt=after)
        .order_by("rating_order")
        .prefetch_related("seats__user")[:BATCH_SIZE]
    ):
        for match in page:
            seats = list(match.seats.all())
            if all(seat.user_id is not None for seat in seats):
                yield read(match, seats)
        after, done = page[-1].rating_order or 0, done + len(page)
        progress(pool, done, total)


def _read_from_moves(match: Match, seats: list[Seat]) -> Rated:
    """Return the result computed from the moves; nothing of it is saved."""
    value = repository.get_value(match)
    result = endings.get_result(value)
    match.winners, match.scores = list(result.winners), list(value.scores)
    for seat in seats:
        seat.left = seat.position in value.gone or seat.taken_over
    return endings.build_rated(match, seats, value.rules)


def _read_stored(match: Match, seats: list[Seat]) -> Rated:
    """Return the result stored when the match ended."""
    return endings.build_rated(match, seats, Rules.from_dict(match.rules))
