"""Place somebody who has no rating among the computers, by their matches against these. It is no rating."""

from itertools import accumulate
from math import log, log10
from typing import NamedTuple

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from accounts.models import User
from boneyard.engine.records import LEVELS
from games.models import Match, Seat
from games.wording.options import level_name
from games.wording.personas import WIN_PERCENTAGES

MIN_MATCHES = 3
MAX_MATCHES = 20  # the latest ones
STEP_POINTS = 10


class Placement(NamedTuple):
    """How many matches against one computer each somebody has played and won, and where that places them."""

    matches: int
    won: int
    place: str


def find_placement(person: User) -> Placement | None:
    """Return the person's provisional place; None before the third match against a computer."""
    own = Seat.objects.filter(user=person, won__isnull=False, taken_over=False, left=False)
    duels = (
        Match.objects.filter(status=Match.Status.FINISHED, pk__in=own.values("match"), annulled_at=None)
        .annotate(seated=Count("seats"), computers=Count("seats", filter=Q(seats__kind=Seat.Kind.COMPUTER)))
        .filter(seated=2, computers=1)
        .order_by("-ended_at")[:MAX_MATCHES]
    )
    rows = Seat.objects.filter(match__in=list(duels.values_list("pk", flat=True)))
    levels = {row.match_id: row.level for row in rows if row.level}
    results = [(levels[row.match_id], bool(row.won)) for row in rows if row.user_id == person.pk]
    if len(results) < MIN_MATCHES:
        return None
    return Placement(len(results), sum(won for _level, won in results), _describe(_fit(results)))


def get_strengths() -> dict[str, float]:
    """Return how strong each level is in rating points, the weakest 0."""
    steps = [400 * log10(WIN_PERCENTAGES[level] / (100 - WIN_PERCENTAGES[level])) for level in LEVELS[1:]]
    return dict(zip(LEVELS, accumulate([0.0, *steps]), strict=True))


def _fit(results: list[tuple[str, bool]]) -> float:
    """Return the strength that explains these results best, with two wins and two defeats more in the middle."""
    strengths = get_strengths()
    games = [(strengths[level], won) for level, won in results]
    middle = sum(strength for strength, _won in games) / len(games)
    games += 2 * [(middle, True), (middle, False)]

    def likelihood(own: int) -> float:
        chances = [(1 / (1 + 10 ** ((strength - own) / 400)), won) for strength, won in games]
        return sum(log(chance if won else 1 - chance) for chance, won in chances)

    lowest, highest = -STEP_POINTS * 30, int(max(strengths.values())) + STEP_POINTS * 30
    return max(range(lowest, highest, STEP_POINTS), key=likelihood)


def _describe(own: float) -> str:
    """Return *like casual*, *between casual and club*, *below beginner* or *above master*."""
    strengths = get_strengths()
    below = [level for level in LEVELS if strengths[level] <= own]
    above = [level for level in LEVELS if strengths[level] > own]
    if not below:
        return _("below %(level)s") % {"level": level_name(above[0])}
    if not above:
        return _("above %(level)s") % {"level": level_name(below[-1])}
    return _("between %(level)s and %(next)s") % {
        "level": level_name(below[-1]),
        "next": level_name(above[0]),
    }
