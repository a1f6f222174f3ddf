"""The leaderboard: pages by key, ranks from the histogram. The cost of a page does not grow with the players."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite

from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from accounts import ranking
from accounts.drawing import STEP, histogram, name_tile, won_marks
from accounts.models import Rating, User
from accounts.names import label
from accounts.pools import Family, list_families
from core.numbers import display_rating

PAGE = 50
ROWS_ABOVE_OWN = 10
ROW_FIELDS = [
    "pool",
    "value",
    "matches",
    "wins",
    "ranked",
    "established",
    "recent",
    "user__username",
    "user__avatar",
    "user__is_bot",
]


@dataclass(frozen=True)
class Table:
    """The match that somebody plays: its page and its score, their own points first."""

    address: str
    score: str


FindTables = Callable[[Sequence[int]], Mapping[int, Table]]
_find_tables: list[FindTables] = []


def register_tables(find: FindTables) -> None:
    """Register how to find the matches that people play, by user id."""
    _find_tables[:] = [find]


@dataclass(frozen=True)
class Row:
    """A line of the leaderboard: exactly what it shows, so that equal rows look alike and are rendered once."""

    key: int
    rank: int | None
    name: str
    avatar: str
    value: int
    provisional: bool
    recent: tuple[int, ...]  # shown ratings, the latest last; ten matches have eleven
    matches: int
    wins: int
    mine: bool
    table: Table | None = None
    is_bot: bool = False

    @property
    def public_name(self) -> str:
        return label(self.name, is_bot=self.is_bot)

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
        podium = self.rank is not None and self.rank < 4 and not self.provisional
        return " ".join(name for name, holds in (("mine", self.mine), ("podium", podium)) if holds)

    @property
    def won(self) -> int:
        """Matches won of a hundred."""
        return round(100 * self.wins / self.matches) if self.matches else 0

    @property
    def tile(self) -> SafeString:
        return name_tile(self.name, self.avatar)

    @property
    def marks(self) -> SafeString:
        return won_marks(
            tuple(after > before for before, after in zip(self.recent, self.recent[1:], strict=False))
        )

    @property
    def html(self) -> SafeString:
        return _html(self, get_language() or "")


@dataclass(frozen=True)
class Page:
    pool: str
    rows: list[Row]
    following: str  # the key after which the next page begins; empty on the last
    preceding: str
    established: bool  # whether it lists established ratings only
    mine: "Mine | None"
    bands: Mapping[int, int]  # the numbers of ranked players of the pool, by displayed rating

    @property
    def filter(self) -> str:
        """Return the end of the query string of links to other pages of this list."""
        return "&established=on" if self.established else ""

    @property
    def is_own_row_elsewhere(self) -> bool:
        """Return whether the viewer is on another page of this list."""
        if self.mine is None or self.mine.row.rank is None or any(row.mine for row in self.rows):
            return False
        return self.mine.rating.established or not self.established


@dataclass(frozen=True)
class Mine:
    """The viewer's own rating and its line."""

    rating: Rating
    row: Row


@dataclass(frozen=True)
class Standing:
    """The viewer's place among the players of a pool, and where it lies among their ratings."""

    place: int
    players: int
    picture: SafeString


def page(pool: str, viewer: User | None, keys: Mapping[str, str]) -> Page:
    """Return the players of a pool, best first: from the start, `after` or `before` a key, or around the viewer (`me`).

    `established` lists only those whose rating is.
    """
    everybody = Rating.objects.filter(pool=pool).select_related("user").only(*ROW_FIELDS)
    own = next(iter(everybody.filter(user=viewer, matches__gt=0)), None) if viewer else None
    established = bool(keys.get("established"))
    listed = everybody.filter(ranked=True, established=True) if established else everybody.filter(ranked=True)
    ratings, following, preceding = _slice(listed, keys, own)
    if not ratings and any(keys.get(name) for name in ("after", "before", "me")):
        # Past the end, or of a time when there were more players.
        return page(pool, viewer, {"established": "on"} if established else {})
    bands = ranking.read_bands(pool)
    everyone = [*ratings, own] if own else ratings
    ranks = ranking.rank_values(bands, [display_rating(rating.value) for rating in everyone])
    tables = _tables_of([rating.user_id for rating in ratings])
    own_pk = own.pk if own else None
    return Page(
        pool,
        [
            _row(rating, ranks[display_rating(rating.value)], rating.pk == own_pk, tables.get(rating.user_id))
            for rating in ratings
        ],
        following,
        preceding,
        established,
        Mine(own, _row(own, ranks[display_rating(own.value)] if own.ranked else None, True)) if own else None,
        bands,
    )


def families() -> list[Family]:
    """Return the families with their pools and numbers of players."""
    return list_families(ranking.count_ranked())


def find_standing(page: Page) -> Standing | None:
    """Return the viewer's place among the players of a pool, or None for somebody who is not on its leaderboard."""
    if page.mine is None or page.mine.row.rank is None:
        return None
    value, players = page.mine.row.value, sum(page.bands.values())
    picture = histogram(tuple(ranking.get_histogram(page.bands, STEP)), value)
    return Standing(page.mine.row.rank, players, picture)


def _tables_of(user_ids: Sequence[int]) -> Mapping[int, Table]:
    return _find_tables[0](user_ids) if _find_tables and user_ids else {}


def _slice(
    ranked: QuerySet[Rating], keys: Mapping[str, str], own: Rating | None
) -> tuple[list[Rating], str, str]:
    """Return a page of ratings, and the keys of the pages after and before it."""
    if keys.get("me") and own and own.ranked:
        above = list(_above(ranked, own.value, own.pk)[:ROWS_ABOVE_OWN])
        start = above[-1] if above else own
        return _from(ranked, start.value, start.pk - 1, has_preceding=bool(above))
    if key := _key(keys.get("before", "")):
        found = list(_above(ranked, *key)[: PAGE + 1])
        ratings = found[:PAGE][::-1]
        return ratings, _key_of(ratings[-1:]), _key_of(ratings[:1]) if len(found) > PAGE else ""
    if key := _key(keys.get("after", "")):
        return _from(ranked, *key, has_preceding=True)
    found = list(ranked.order_by("-value", "id")[: PAGE + 1])
    return found[:PAGE], _key_of(found[PAGE - 1 : PAGE]) if len(found) > PAGE else "", ""


def _above(ranked: QuerySet[Rating], value: float, pk: int) -> QuerySet[Rating]:
    """Return the ratings above a key, the nearest first."""
    # Written this way, not as "greater, or equal and", so that the databases start at this point of the index.
    rest = ranked.filter(Q(value__gte=value) & (Q(value__gt=value) | Q(pk__lt=pk)))
    return rest.order_by("value", "-id")


def _from(
    ranked: QuerySet[Rating], value: float, pk: int, *, has_preceding: bool
) -> tuple[list[Rating], str, str]:
    """Return the page that begins after a key."""
    rest = ranked.filter(Q(value__lte=value) & (Q(value__lt=value) | Q(pk__gt=pk)))
    found = list(rest.order_by("-value", "id")[: PAGE + 1])
    ratings = found[:PAGE]
    following = _key_of(ratings[-1:]) if len(found) > PAGE else ""
    return ratings, following, _key_of(ratings[:1]) if has_preceding else ""


def _key(text: str) -> tuple[float, int] | None:
    value, _, pk = text.partition(":")
    try:
        key = float(value), int(pk)
    except ValueError:
        return None
    return key if isfinite(key[0]) and 0 <= key[1] < 1 << 63 else None


def _key_of(ratings: list[Rating]) -> str:
    return f"{ratings[0].value!r}:{ratings[0].pk}" if ratings else ""


def _row(rating: Rating, rank: int | None, mine: bool, table: Table | None = None) -> Row:
    return Row(
        rating.pk,
        rank,
        rating.user.username,
        rating.user.avatar,
        display_rating(rating.value),
        rating.provisional,
        tuple(display_rating(value) for value in rating.recent),
        rating.matches,
        rating.wins,
        mine,
        table,
        rating.user.is_bot,
    )


@lru_cache(maxsize=4096)
def _html(row: Row, language: str) -> SafeString:
    # A match changes two lines; the other forty-eight, on every open page, are reused as they are.
    return render_to_string("accounts/_rank.html", {"row": row})
