"""The leaderboard: pages by key, a rank from the histogram. What a page costs does not grow with the players."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.db.models import Q
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.models import Rating, User
from accounts.standings import rank_of, ranks_of, shown

PAGE = 50
NEWCOMERS = 20


@dataclass(frozen=True)
class Row:
    rating: Rating
    rank: int | None
    mine: bool

    @property
    def value(self) -> int:
        return shown(self.rating.value)

    @property
    def change(self) -> int:
        """Over the last ten matches, as shown."""
        recent = self.rating.recent
        return shown(recent[-1]) - shown(recent[0]) if recent else 0

    @property
    def fall(self) -> int:
        return -self.change

    @property
    def line(self) -> SafeString:
        return spark_line(tuple(shown(value) for value in self.rating.recent))


@dataclass(frozen=True)
class Page:
    pool: str
    rows: list[Row]
    mine: Row | None
    following: str
    unranked: list[Row]  # on the first page: the latest of those with too few matches

    @property
    def own_row_is_apart(self) -> bool:
        """Whether the viewer is ranked, on another page than this."""
        return self.mine is not None and self.mine.rank is not None and not any(row.mine for row in self.rows)


def page(pool: str, viewer: User | None, key: str = "") -> Page:
    """The ranked players of a pool after `key`, best first, with the viewer's own row."""
    standing = Rating.objects.filter(pool=pool).select_related("user")
    rows = list(standing.filter(_after(key), ranked=True).order_by("-value", "id")[: PAGE + 1])
    following = f"{rows[PAGE - 1].value!r}:{rows[PAGE - 1].pk}" if len(rows) > PAGE else ""
    rows = rows[:PAGE]
    ranks = ranks_of(pool, (shown(rating.value) for rating in rows))
    own = standing.filter(user=viewer).first() if viewer else None
    return Page(
        pool,
        [Row(rating, ranks[shown(rating.value)], rating == own) for rating in rows],
        Row(own, rank_of(own), True) if own else None,
        following,
        [] if key else [Row(rating, None, rating == own) for rating in _newcomers(pool)],
    )


def _newcomers(pool: str) -> Iterable[Rating]:
    unranked = Rating.objects.filter(pool=pool, ranked=False, user__banned_at=None, user__deleted_at=None)
    return unranked.select_related("user").order_by("-updated_at")[:NEWCOMERS]


def _after(key: str) -> Q:
    value, _, pk = key.partition(":")
    try:
        last, number = float(value), int(pk)
    except ValueError:
        return Q()
    # So, and not as "less, or equal and": the databases then begin at this place of the index.
    return Q(value__lte=last) & (Q(value__lt=last) | Q(pk__gt=number))


@lru_cache(maxsize=4096)
def spark_line(values: Sequence[int]) -> SafeString:
    """A small line through the last ratings; says nothing that the numbers beside it do not."""
    if len(values) < 2:
        return SafeString("")
    low, high = min(values), max(values)
    step = 72 / (len(values) - 1)
    points = " ".join(
        f"{round(4 + i * step, 1)},{round(20 - 16 * (v - low) / max(1, high - low), 1)}"
        for i, v in enumerate(values)
    )
    x, y = points.rsplit(" ", 1)[1].split(",")
    return format_html(
        '<svg class="spark" viewBox="0 0 80 24" aria-hidden="true">'
        '<polyline points="{}"/><circle cx="{}" cy="{}" r="2.5"/></svg>',
        points,
        x,
        y,
    )
