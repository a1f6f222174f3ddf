"""Rate results without playing matches, and create players with many matches."""

from datetime import UTC, datetime, time, timedelta

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from accounts import ranking, ratings
from accounts.models import Rating
from accounts.ratings import Player
from core.numbers import display_rating

NOON = datetime.combine(datetime.now(UTC), time(12), tzinfo=UTC)


def rated(order, *people, ranks=None, left=(), young=(), by_chance=(), pool="muggins", pairs=False):
    """Return the result of a match, by default of single players placed in the order given."""
    players = [
        Player(
            person.pk,
            person in left,
            person in young,
            finished=person not in left,
            by_chance=person in by_chance,
        )
        for person in people
    ]
    sides = [players[0::2], players[1::2]] if pairs else [[player] for player in players]
    return dict(
        pool=pool,
        order=order,
        match_code=f"match{order:05}",
        sides=sides,
        ranks=ranks or list(range(1, len(sides) + 1)),
        at=NOON + timedelta(minutes=order),
    )


def rate(order, *people, **said):
    with transaction.atomic():
        return ratings.rate(**rated(order, *people, **said))


def _seasoned(person, value, matches=40, pool="muggins", **fields) -> Rating:
    established = matches >= 30
    return Rating(
        user=person,
        pool=pool,
        value=value,
        matches=matches,
        ranked=True,
        established=established,
        opponents=list(range(-10, 0)) if established else [],
        updated_at=timezone.now(),
        wins=matches // 2,
        completed=(1 << min(30, matches)) - 1,
        recent=[value - 10, value],
        **fields,
    )


def seasoned(name, value, matches=40, pool="muggins", **fields) -> Rating:
    """Create a player with a rating that the histogram counts."""
    rating = _seasoned(get_user_model().objects.create_user(name), value, matches, pool, **fields)
    with transaction.atomic():
        rating.save()
        ranking.update_bands(pool, {display_rating(value): int(rating.ranked)})
    return rating


def crowd(values: dict[str, float], pool="muggins") -> list[Rating]:
    """Create such players at once from ratings by name."""
    users = get_user_model().objects
    people = users.bulk_create(users.model(username=name) for name in values)
    people_rated = [_seasoned(person, values[person.username], pool=pool) for person in people]
    Rating.objects.bulk_create(people_rated)
    ranking.rebuild_bands(pool)
    return people_rated


def proven(*people, pool="muggins"):
    """Give people ratings that are established with their next match."""
    for person in people:
        Rating.objects.create(
            user=person, pool=pool, matches=30, opponents=list(range(-10, 0)), completed=(1 << 30) - 1
        )
