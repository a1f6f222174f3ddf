"""The leaderboard: pages by key, a rank from the histogram. What a page costs does not grow with the players."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.db.models import Q
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.models import Rating, User
from accounts.standings import RANKED, rank_of, shown

PAGE = 50


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
    unranked: list[Row]  # on the first page: those with too few matches, the best first

    @property
    def own_row_is_apart(self) -> bool:
        """Whether the viewer is ranked, on another page than this."""
        return self.mine is not None and self.mine.rank is not None and not any(row.mine for row in self.rows)


def page(pool: str, viewer: User | None, key: str = "") -> Page:
    """The ranked players of a pool after `key`, best first, with the viewer's own row."""
    standing = Rating.objects.filter(pool=pool, user__deleted_at=None).select_related("user")
    ranked = standing.filter(matches__gte=RANKED).order_by("-value", "id")
    rows = list(ranked.filter(_after(key))[: PAGE + 1])
    following = f"{rows[PAGE - 1].value!r}:{rows[PAGE - 1].pk}" if len(rows) > PAGE else ""
    rows = rows[:PAGE]
    first = rank_of(rows[0]) if rows else 1
    own = standing.filter(user=viewer, matches__gt=0).first() if viewer else None
    newcomers = (
        [] if key else list(standing.filter(matches__range=(1, RANKED - 1)).order_by("-value", "id")[:PAGE])
    )
    return Page(
        pool,
        [Row(rating, first + i, rating == own) for i, rating in enumerate(rows)],
        Row(own, rank_of(own), True) if own else None,
        following,
        [Row(rating, None, rating == own) for rating in newcomers],
    )


def _after(key: str) -> Q:
    value, _, pk = key.partition(":")
    try:
        last, number = float(value), int(pk)
    except ValueError:
        return Q()
    return Q(value__lt=last) | Q(value=last, pk__gt=number)


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
