"""The page of all leaderboards: the pools in which people play, and the week's best."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from threading import Lock

from cachetools import TTLCache, cached
from django.db.models import Count
from django.utils import timezone
from django.utils.safestring import SafeString

from accounts import ranking
from accounts.drawing import name_tile
from accounts.models import Rating, RatingChange, User
from accounts.names import label
from accounts.pools import family_of, pool_name
from core.numbers import display_rating

ACTIVE = timedelta(days=30)
WEEK = timedelta(days=7)
PODIUM = 3
MIN_STREAK = 2
CACHE_TTL_SECONDS = 10


@dataclass(frozen=True)
class Standing:
    """A player among the first of a pool."""

    rank: int
    name: str
    avatar: str
    value: int
    provisional: bool
    is_bot: bool = False

    @property
    def public_name(self) -> str:
        return label(self.name, is_bot=self.is_bot)

    @property
    def tile(self) -> SafeString:
        return name_tile(self.name, self.avatar)


@dataclass(frozen=True)
class Leaderboard:
    """A pool in which people play."""

    pool: str
    matches: int  # rated within `ACTIVE`
    podium: tuple[Standing, ...]

    @property
    def family(self) -> str:
        return family_of(self.pool)

    @property
    def name(self) -> str:
        return pool_name(self.pool)


@dataclass(frozen=True)
class Best:
    """The first of the week in something, with how much."""

    name: str
    avatar: str
    count: int

    @property
    def tile(self) -> SafeString:
        return name_tile(self.name, self.avatar)


@dataclass(frozen=True)
class WeeksBest:
    """The people who played most, gained most and won most matches in a row this week; None without any."""

    most_played: Best | None
    biggest_gain: Best | None
    longest_streak: Best | None


# Cache: key none; bound 1; stale for ten seconds: pages say what happened within days.
@cached(TTLCache(1, CACHE_TTL_SECONDS), lock=Lock())
def active_leaderboards() -> list[Leaderboard]:
    """Return the pools with a rated match within `ACTIVE`, most active first."""
    recent = RatingChange.objects.filter(at__gt=timezone.now() - ACTIVE)
    rows = recent.values("rating__pool").annotate(n=Count("match_code", distinct=True))
    counts = {row["rating__pool"]: row["n"] for row in rows}
    leaderboards = [Leaderboard(pool, n, _podium(pool)) for pool, n in counts.items()]
    return sorted(
        (leaderboard for leaderboard in leaderboards if leaderboard.podium),
        key=lambda each: (-each.matches, each.pool),
    )


def _podium(pool: str) -> tuple[Standing, ...]:
    first = (
        Rating.objects.filter(pool=pool, ranked=True).select_related("user").order_by("-value", "id")[:PODIUM]
    )
    ratings = list(first)
    bands = ranking.read_bands(pool)
    ranks = ranking.rank_values(bands, (display_rating(rating.value) for rating in ratings))
    return tuple(
        Standing(
            ranks[value],
            rating.user.username,
            rating.user.avatar,
            value,
            rating.provisional,
            rating.user.is_bot,
        )
        for rating in ratings
        for value in [display_rating(rating.value)]
    )


# Cache: as above.
@cached(TTLCache(1, CACHE_TTL_SECONDS), lock=Lock())
def weeks_best() -> WeeksBest:
    """Return the week's best over all pools of people, of those who may be on a leaderboard."""
    played: Counter[int] = Counter()
    gains: defaultdict[int, float] = defaultdict(float)
    streaks: Counter[int] = Counter()
    running: Counter[int] = Counter()
    changes = RatingChange.objects.filter(at__gt=timezone.now() - WEEK, rating__user__is_bot=False)
    changes = changes.order_by("at", "order")
    for user_id, before, after in changes.values_list("rating__user", "before", "after").iterator():
        played[user_id] += 1
        gains[user_id] += after - before
        running[user_id] = running[user_id] + 1 if after > before else 0
        streaks[user_id] = max(streaks[user_id], running[user_id])
    welcome = User.objects.filter(pk__in=ranking.find_welcome(played))
    people = {pk: (name, avatar) for pk, name, avatar in welcome.values_list("pk", "username", "avatar")}
    return WeeksBest(
        _best(played.items(), people, 1),
        _best(((pk, display_rating(gain)) for pk, gain in gains.items()), people, 1),
        _best(streaks.items(), people, MIN_STREAK),
    )


def _best(counts: Iterable[tuple[int, int]], people: dict[int, tuple[str, str]], least: int) -> Best | None:
    found = [(count, *people[pk]) for pk, count in counts if count >= least and pk in people]
    if not found:
        return None
    count, name, avatar = min(found, key=lambda each: (-each[0], each[1]))
    return Best(name, avatar, count)
