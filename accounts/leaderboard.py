"""The leaderboard: pages by key, ranks from the histogram. The cost of a page does not grow with the players."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite

from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from accounts import ranking
from accounts.drawing import STEP, histogram, spark_line
from accounts.models import Rating, User
from accounts.pools import POOLS, family_of
from core.numbers import display_rating

PAGE = 50
NEWCOMERS = 20
SHOWN = ["pool", "value", "matches", "wins", "ranked", "completed", "called_off", "recent", "user__username"]


@dataclass(frozen=True)
class Row:
    """A line of the leaderboard: exactly what it shows, so that equal rows look alike and are rendered once."""

    rank: int | None
    name: str
    value: int
    provisional: bool
    recent: tuple[int, ...]  # shown ratings, the latest last; ten matches have eleven
    matches: int
    wins: int
    completion: int | None
    mine: bool

    @property
    def change(self) -> int:
        """Over the last ten matches."""
        return self.recent[-1] - self.recent[0] if self.recent else 0

    @property
    def changed_by(self) -> int:
        return abs(self.change)

    @property
    def trend(self) -> str:
        """The class that gives the change its sign and colour."""
        return "upward" if self.change > 0 else "downward" if self.change < 0 else "unchanged"

    @property
    def classes(self) -> str:
        return "mine" if self.mine else "podium" if self.rank and self.rank < 4 else ""

    @property
    def won(self) -> int:
        """Matches won of a hundred."""
        return round(100 * self.wins / self.matches) if self.matches else 0

    @property
    def line(self) -> SafeString:
        return spark_line(self.recent)

    @property
    def html(self) -> SafeString:
        return _html(self, get_language() or "")


@dataclass(frozen=True)
class Page:
    pool: str
    rows: list[Row]
    following: str  # the key after which the next page begins; empty on the last
    preceding: str
    newcomers: list[Row]  # on the first page: recent players who are not ranked yet
    mine: "Mine | None"

    @property
    def own_row(self) -> Row | None:
        """The viewer's row, if it is not on this page anyway."""
        return None if self.mine is None or any(row.mine for row in self.rows) else self.mine.row


@dataclass(frozen=True)
class Mine:
    """The viewer's own rating and its line."""

    rating: Rating
    row: Row


@dataclass(frozen=True)
class PoolLink:
    """The way to the leaderboard of a pool."""

    pool: str
    family: str
    label: str
    players: int


@dataclass(frozen=True)
class Percentile:
    """How many of a hundred ranked players of a pool one is above."""

    above: int
    picture: SafeString


def page(pool: str, viewer: User | None, keys: Mapping[str, str]) -> Page:
    """The ranked players of a pool, best first: from the start, `after` a key or `before` one; the viewer's own row."""
    everybody = Rating.objects.filter(pool=pool).select_related("user").only(*SHOWN)
    ratings, following, preceding = _slice(everybody.filter(ranked=True), keys)
    if keys and not ratings:  # past the end, or of a time when there were more players
        return page(pool, viewer, {})
    ranks = ranking.get_ranks(pool, (display_rating(rating.value) for rating in ratings))
    own = next(iter(everybody.filter(user=viewer, matches__gt=0)), None) if viewer else None
    own_pk = own.pk if own else None
    return Page(
        pool,
        [_row(rating, ranks[display_rating(rating.value)], rating.pk == own_pk) for rating in ratings],
        following,
        preceding,
        [] if preceding else _newcomers(everybody, own_pk),
        Mine(own, _row(own, ranking.get_rank(own), True)) if own else None,
    )


def pools() -> list[PoolLink]:
    players = ranking.count_ranked()
    return [PoolLink(pool, family_of(pool), str(label), players.get(pool, 0)) for pool, label in POOLS]


def percentile(mine: Mine | None) -> Percentile | None:
    """The viewer's among the ranked players; None for somebody who is not ranked."""
    if mine is None or mine.row.rank is None:
        return None
    pool = mine.rating.pool
    steps = ranking.get_histogram(pool, STEP)
    players = sum(players for _, players in steps)
    above = 100 * ranking.count_below(pool, mine.row.value) // players if players else 0
    return Percentile(above, histogram(tuple(steps), mine.row.value))


def _slice(ranked: QuerySet[Rating], keys: Mapping[str, str]) -> tuple[list[Rating], str, str]:
    """A page of ratings, and the keys of the pages after and before it."""
    if key := _key(keys.get("before", "")):
        value, pk = key
        # Written this way, not as "greater, or equal and", so that the databases start at this point of the index.
        rest = ranked.filter(Q(value__gte=value) & (Q(value__gt=value) | Q(pk__lt=pk)))
        found = list(rest.order_by("value", "-id")[: PAGE + 1])
        ratings = found[:PAGE][::-1]
        return ratings, _key_of(ratings[-1:]), _key_of(ratings[:1]) if len(found) > PAGE else ""
    rest, key = ranked, _key(keys.get("after", ""))
    if key:
        value, pk = key
        rest = ranked.filter(Q(value__lte=value) & (Q(value__lt=value) | Q(pk__gt=pk)))
    found = list(rest.order_by("-value", "id")[: PAGE + 1])
    ratings = found[:PAGE]
    return ratings, _key_of(ratings[-1:]) if len(found) > PAGE else "", _key_of(ratings[:1]) if key else ""


def _key(text: str) -> tuple[float, int] | None:
    value, _, pk = text.partition(":")
    try:
        key = float(value), int(pk)
    except ValueError:
        return None
    return key if isfinite(key[0]) and 0 <= key[1] < 1 << 63 else None


def _key_of(ratings: list[Rating]) -> str:
    return f"{ratings[0].value!r}:{ratings[0].pk}" if ratings else ""


def _newcomers(everybody: QuerySet[Rating], own_pk: int | None) -> list[Row]:
    unranked = everybody.filter(ranked=False, matches__gt=0, user__banned_at=None, user__deleted_at=None)
    others = unranked.exclude(pk=own_pk) if own_pk else unranked
    return [_row(rating, None, False) for rating in others.order_by("-updated_at")[:NEWCOMERS]]


def _row(rating: Rating, rank: int | None, mine: bool) -> Row:
    return Row(
        rank,
        rating.user.username,
        display_rating(rating.value),
        rating.provisional,
        tuple(display_rating(value) for value in rating.recent),
        rating.matches,
        rating.wins,
        rating.completion,
        mine,
    )


@lru_cache(maxsize=4096)
def _html(row: Row, language: str) -> SafeString:
    # A match changes two lines; the other forty-eight, on every open page, are reused as they are.
    return render_to_string("accounts/_rank.html", {"row": row})
