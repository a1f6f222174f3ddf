"""Ranks from a histogram of shown ratings, kept as ratings change: what a rank costs does not grow with the players."""

from math import floor

from django.db.models import Count, F, Sum

from accounts.models import Rating, RatingBand

RANKED = 10  # rated matches
WIDTH = 10


def shown(value: float) -> int:
    return floor(value + 0.5)


def band_of(value: float) -> int:
    return floor(value / WIDTH) * WIDTH


def move(pool: str, before: float, matches_before: int, after: float, matches_after: int) -> None:
    """A rating went from one value to another; only ranked ones are counted."""
    if matches_before >= RANKED:
        _add(pool, band_of(before), -1)
    if matches_after >= RANKED:
        _add(pool, band_of(after), 1)


def _add(pool: str, band: int, players: int) -> None:
    RatingBand.objects.get_or_create(pool=pool, band=band)
    RatingBand.objects.filter(pool=pool, band=band).update(players=F("players") + players)


def rebuild(pool: str) -> None:
    """Count a pool's histogram anew."""
    RatingBand.objects.filter(pool=pool).delete()
    counts: dict[int, int] = {}
    values = Rating.objects.filter(pool=pool, matches__gte=RANKED).values_list("value", flat=True)
    for value in values.iterator(chunk_size=2000):
        counts[band_of(value)] = counts.get(band_of(value), 0) + 1
    RatingBand.objects.bulk_create(RatingBand(pool=pool, band=b, players=n) for b, n in counts.items())


def ranked(pool: str) -> int:
    """How many players of the pool are ranked."""
    return RatingBand.objects.filter(pool=pool).aggregate(n=Sum("players"))["n"] or 0


def rank_of(rating: Rating) -> int | None:
    """The place of a ranked rating: one more than those above it; equals by the order of the list share nothing."""
    if rating.matches < RANKED:
        return None
    band = band_of(rating.value)
    above = RatingBand.objects.filter(pool=rating.pool, band__gt=band).aggregate(n=Sum("players"))["n"] or 0
    # Within the band the rows themselves are counted, by the index.
    inside = Rating.objects.filter(
        pool=rating.pool, matches__gte=RANKED, value__gt=rating.value, value__lt=band + WIDTH
    ).aggregate(n=Count("pk"))["n"]
    return 1 + above + inside
