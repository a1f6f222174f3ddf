"""Ranks, computed from a stored histogram of displayed ratings: the cost does not grow with the number of players.

Players with equal displayed ratings share a rank, so no row of a player is counted.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Case, F, Q, Sum, When
from django.utils import timezone

from accounts.models import Rating, RatingBand, User
from core.faults import contain
from core.numbers import display_rating

log = logging.getLogger(__name__)

# Whose rating is established (docs/ratings.md, "The leaderboard").
MIN_MATCHES = 30  # rated
MIN_OPPONENTS = 10
MAX_IDLE = timedelta(days=90)  # on the leaderboard, since the last rated match
RETIRED_PER_QUERY = 100


def update_bands(pool: str, changes: Mapping[int, int]) -> None:
    """Add to a pool's histogram; `changes` maps a displayed rating to the change of its number of ranked players.

    Call in a transaction that has locked the changed ratings.
    """
    changed = {band: players for band, players in changes.items() if players}
    if not changed:
        return
    # Locked in order, so that two matches that end at the same time cannot deadlock on each other's bands.
    rows = RatingBand.objects.filter(pool=pool, band__in=changed)
    stored = set(rows.select_for_update().order_by("band").values_list("band", flat=True))
    if missing := sorted(changed.keys() - stored):
        RatingBand.objects.bulk_create(
            (RatingBand(pool=pool, band=band) for band in missing), ignore_conflicts=True
        )
    cases = [When(band=band, then=F("players") + players) for band, players in changed.items()]
    rows.update(players=Case(*cases, default=F("players")))


def rebuild_bands(pool: str) -> None:
    """Recount a pool's histogram."""
    RatingBand.objects.filter(pool=pool).delete()
    values = Rating.objects.filter(pool=pool, ranked=True).values_list("value", flat=True)
    counts = Counter(display_rating(value) for value in values.iterator(chunk_size=2000))
    RatingBand.objects.bulk_create(
        (RatingBand(pool=pool, band=band, players=players) for band, players in sorted(counts.items())),
        batch_size=500,
    )


def find_welcome(user_ids: Iterable[int]) -> set[int]:
    """Return those of these people who may be on a leaderboard: not banned, not deleted."""
    free = Q(banned_at=None) | Q(banned_until__lte=timezone.now())
    people = User.objects.filter(free, pk__in=user_ids, deleted_at=None)
    return set(people.values_list("pk", flat=True))


def may_be_ranked(rating: Rating, now: datetime) -> bool:
    """Return whether a rating has a rated match within `MAX_IDLE`."""
    return rating.matches > 0 and rating.updated_at > now - MAX_IDLE


def is_established(rating: Rating) -> bool:
    """Return whether a rating comes from enough rated matches against enough different opponents."""
    return rating.matches >= MIN_MATCHES and len(rating.opponents) >= MIN_OPPONENTS


def retire_idle(now: datetime) -> None:
    """Remove players from the leaderboards who have not played for `MAX_IDLE`."""
    idle = Rating.objects.filter(ranked=True, updated_at__lte=now - MAX_IDLE).order_by("pk")
    last = 0
    while some := list(idle.filter(pk__gt=last).values_list("pk", "user")[:RETIRED_PER_QUERY]):
        last = some[-1][0]
        for person in User.objects.filter(pk__in=[user for _rating, user in some]):
            with contain(log, f"The retirement of person {person.pk}"):
                update_person(person)


def update_person(person: User) -> None:
    """Add a person's ratings to the leaderboards, or remove them after a ban, a deletion or a long pause."""
    with transaction.atomic():
        ratings = list(Rating.objects.select_for_update().filter(user=person).order_by("pk"))
        on, now = bool(find_welcome([person.pk])), timezone.now()
        for rating in ratings:
            ranked = on and may_be_ranked(rating, now)
            update_bands(rating.pool, {display_rating(rating.value): ranked - rating.ranked})
            rating.ranked = ranked
        Rating.objects.bulk_update(ratings, ["ranked"])


def count_ranked() -> dict[str, int]:
    """Return the number of ranked players by pool."""
    pools = RatingBand.objects.values("pool").annotate(players=Sum("players")).order_by("pool")
    return {row["pool"]: row["players"] for row in pools}


def read_bands(pool: str) -> dict[int, int]:
    """Return the numbers of ranked players of a pool by displayed rating."""
    return dict(RatingBand.objects.filter(pool=pool, players__gt=0).values_list("band", "players"))


def get_rank(rating: Rating) -> int | None:
    """Return the rank of a rating in its pool, from 1, or None if it is not ranked."""
    value = display_rating(rating.value)
    return rank_values(read_bands(rating.pool), [value])[value] if rating.ranked else None


def rank_values(bands: Mapping[int, int], values: Iterable[int]) -> dict[int, int]:
    """Return the ranks of some displayed ratings of a pool."""
    ranks, rank, lower = {}, 1, sorted(bands)
    for value in sorted(set(values), reverse=True):
        while lower and lower[-1] > value:
            rank += bands[lower.pop()]
        ranks[value] = rank
    return ranks


def get_histogram(bands: Mapping[int, int], width: int) -> list[tuple[int, int]]:
    """Return the histogram in steps of `width` as (lowest rating, players), lowest first, without the empty ends."""
    steps: Counter[int] = Counter()
    for band, players in bands.items():
        steps[band // width * width] += players
    return sorted(steps.items())
