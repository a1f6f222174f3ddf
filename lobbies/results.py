"""Find the last results and the best rating gains of a day, for a lobby in which nobody plays."""

from datetime import timedelta
from typing import NamedTuple

from django.db.models import F, Sum, prefetch_related_objects
from django.utils import timezone

from core.numbers import display_rating, format_change
from core.prepared import PreparedQuery
from games.models import Match, Seat
from games.past.results import Side, sides_of
from games.seats import seats_with_users
from games.wording import game_title

MAX_RESULTS = 5
MAX_GAINS = 5
DAY = timedelta(days=1)

_last = PreparedQuery(  # for every lobby
    lambda finished: (
        Match.objects.filter(status=finished, private=False, annulled_at=None)
        .filter(concealed=False)
        .order_by("-ended_at")[:MAX_RESULTS]
    )
)


class Ended(NamedTuple):
    """The result of a match, the winners first."""

    code: str
    game: str
    sides: tuple[Side, ...]


class Gain(NamedTuple):
    name: str
    points: str


def find_last_results() -> tuple[Ended, ...]:
    """Return the results of the public matches that ended last."""
    rows = _last.rows(Match.Status.FINISHED)
    prefetch_related_objects(rows, seats_with_users())
    return tuple(map(_ended, rows))


def _ended(row: Match) -> Ended:
    sides = sorted(sides_of(row), key=lambda side: not side.won)
    return Ended(
        row.code, game_title(row.preset, row.rules, len(row.seats.all()), row.base_preset), tuple(sides)
    )


def find_best_gains() -> tuple[Gain, ...]:
    """Return who gained most rating in the matches of the last 24 hours, over all games."""
    rated = Seat.objects.filter(
        match__status=Match.Status.FINISHED,
        match__ended_at__gte=timezone.now() - DAY,
        match__annulled_at=None,
        rating_after__isnull=False,
        user__is_active=True,
        is_bot=False,
    )
    gained = rated.values("user__username").annotate(points=Sum(F("rating_after") - F("rating_before")))
    best = gained.filter(points__gte=1).order_by("-points")[:MAX_GAINS]
    return tuple(Gain(row["user__username"], format_change(display_rating(row["points"]))) for row in best)
