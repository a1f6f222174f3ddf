"""Ranks from a histogram of shown ratings, kept up to date: the cost of a rank does not grow with the players.

People whose ratings are shown alike share a rank, so that none of their rows need be counted.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q, Sum
from django.utils import timezone

from accounts.models import Rating, RatingBand, User
from core.numbers import display_rating

# What it takes to be ranked (docs/ratings.md, "The leaderboard").
RANKED = 30  # rated matches
OPPONENTS = 10  # different people
IDLE = timedelta(days=90)
RETIRED_AT_ONCE = 100


def keep(pool: str, changes: Mapping[int, int]) -> None:
    """Add to the histogram of a pool; `changes` maps a shown rating to how many more ranked players have it.

    In the caller's transaction, after it has locked the ratings that changed.
    """
    # In order, so that two matches that end at the same time cannot deadlock on each other's bands.
    for band, players in sorted(changes.items()):
        if not players:
            continue
        here = RatingBand.objects.filter(pool=pool, band=band)
        if not here.update(players=F("players") + players):
            RatingBand.objects.get_or_create(pool=pool, band=band)
            here.update(players=F("players") + players)


def rebuild(pool: str) -> None:
    """Recount a pool's histogram."""
    RatingBand.objects.filter(pool=pool).delete()
    values = Rating.objects.filter(pool=pool, ranked=True).values_list("value", flat=True)
    counts = Counter(display_rating(value) for value in values.iterator(chunk_size=2000))
    RatingBand.objects.bulk_create(
        (RatingBand(pool=pool, band=band, players=players) for band, players in sorted(counts.items())),
        batch_size=500,
    )


def welcome(user_ids: Iterable[int]) -> set[int]:
    """Those of these people who may be on a leaderboard."""
    free = Q(banned_at=None) | Q(banned_until__lte=timezone.now())
    people = User.objects.filter(free, pk__in=user_ids, deleted_at=None)
    return set(people.values_list("pk", flat=True))


def is_proven(rating: Rating, now: datetime) -> bool:
    """Whether it may be ranked: 30 rated matches against ten different people, the last within 90 days."""
    if rating.matches < RANKED or len(rating.opponents) < OPPONENTS:
        return False
    return rating.updated_at > now - IDLE


def retire(now: datetime) -> None:
    """Take off the leaderboards whoever has not played for 90 days."""
    idle = Rating.objects.filter(ranked=True, updated_at__lte=now - IDLE).order_by("pk")
    while some := list(idle.values_list("user", flat=True)[:RETIRED_AT_ONCE]):
        for person in User.objects.filter(pk__in=some):
            review(person)


def review(person: User) -> None:
    """Put a person's ratings on the leaderboards, or take them off: once they were banned, deleted or let back in, or
    have not played for long."""
    with transaction.atomic():
        ratings = list(Rating.objects.select_for_update().filter(user=person).order_by("pk"))
        on, now = bool(welcome([person.pk])), timezone.now()
        for rating in ratings:
            ranked = on and is_proven(rating, now)
            keep(rating.pool, {display_rating(rating.value): ranked - rating.ranked})
            rating.ranked = ranked
        Rating.objects.bulk_update(ratings, ["ranked"])


def ranked() -> dict[str, int]:
    """How many players are ranked, by pool."""
    pools = RatingBand.objects.values("pool").annotate(players=Sum("players")).order_by("pool")
    return {row["pool"]: row["players"] for row in pools}


def rank_of(rating: Rating) -> int | None:
    """The rank of a rating in its pool from 1; None while it is not ranked."""
    return 1 + _above(rating.pool, display_rating(rating.value)) if rating.ranked else None


def ranks_of(pool: str, values: Iterable[int]) -> dict[int, int]:
    """The ranks of some shown ratings of a pool."""
    bands = sorted(set(values), reverse=True)
    if not bands:
        return {}
    rows = RatingBand.objects.filter(pool=pool, band__range=(bands[-1], bands[0])).values_list(
        "band", "players"
    )
    players = dict(rows)
    ranks, rank = {}, 1 + _above(pool, bands[0])
    for band in range(bands[0], bands[-1] - 1, -1):
        ranks[band] = rank
        rank += players.get(band, 0)
    return {band: ranks[band] for band in bands}


def _above(pool: str, band: int) -> int:
    return RatingBand.objects.filter(pool=pool, band__gt=band).aggregate(n=Sum("players"))["n"] or 0


def below(pool: str, band: int) -> int:
    """How many ranked players of a pool have less than this shown rating."""
    return RatingBand.objects.filter(pool=pool, band__lt=band).aggregate(n=Sum("players"))["n"] or 0


def spread(pool: str, width: int) -> list[tuple[int, int]]:
    """The histogram in steps of `width`: (least rating, players), lowest first, without the empty ends."""
    steps = (
        RatingBand.objects.filter(pool=pool, players__gt=0)
        .values(step=F("band") / width)
        .annotate(n=Sum("players"))
        .order_by("step")
    )
    return [(row["step"] * width, row["n"]) for row in steps]
