"""Ratings computed anew from the finished matches: after an annulment, or to prove that nothing was lost."""

from collections.abc import Iterator

from django.db import transaction
from django.utils import timezone

from accounts import ratings
from accounts.pools import POOLS
from games import values
from games.models import Match
from games.services import endings


def recompute() -> list[str]:
    """Rebuild every pool's ratings in the order in which matches were rated; a sentence for each difference."""
    differences: list[str] = []
    # What is gained from young accounts is limited in all pools together: one that was mended may change another.
    for _again in POOLS:
        found: list[str] = []
        for pool, _label in POOLS:
            with transaction.atomic():
                found += ratings.replay(pool, _results(pool))
        differences += found
        if not found:
            break
    return differences


def annul(match: Match) -> None:
    """Take a finished match out of the ratings and compute its pool's again from the start."""
    with transaction.atomic():
        row = Match.objects.select_for_update().get(pk=match.pk)
        row.annulled_at = timezone.now()
        row.save(update_fields=["annulled_at"])
        row.seats.update(rating_after=None)
        if row.rating_order is not None:
            ratings.replay(row.pool, _results(row.pool))


def _results(pool: str) -> Iterator[ratings.Rated]:
    rated = Match.objects.filter(pool=pool, rating_order__isnull=False, annulled_at__isnull=True)
    for match in rated.order_by("rating_order").prefetch_related("seats__user").iterator(chunk_size=200):
        value = values.value_of(match)
        seats = list(match.seats.all())
        if match.rating_order is None or any(seat.user_id is None for seat in seats):
            continue
        yield ratings.Rated(
            order=match.rating_order,
            match_code=match.code,
            sides=endings.rated_sides(value.sides, seats, match.end),
            ranks=endings.ranks(value),
            at=match.end,
        )
