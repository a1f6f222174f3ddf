"""The prepared position on the front page: a hand of which one tile scores."""

from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from boneyard.engine.tiles import parse
from games.drawing.tiles import draw_hand_tile
from games.wording import cached_by_language

# By tile: the count that it would make, or None if it does not fit. The ends are 4, and 5-5 which counts 10.
HAND = {"4-3": "3 + 10 = 13", "6-5": "4 + 6 = 10", "6-1": None, "5-3": "4 + 3 = 7", "2-1": None}
SCORING = "6-5"


class TrialTile(NamedTuple):
    """A tile of the hand; `said` answers its press."""

    name: str
    art: SafeString
    fits: bool
    scores: bool
    said: str


# Cache: key the language; bound their number; invalidated by nothing.
@cached_by_language
def build_hand() -> tuple[TrialTile, ...]:
    return tuple(
        TrialTile(name, draw_hand_tile(parse(name)), bool(count), name == SCORING, _answer(name, count))
        for name, count in HAND.items()
    )


def _answer(name: str, count: str | None) -> str:
    if count is None:
        return _("%(tile)s fits neither end: they are 4 and 5.") % {"tile": name}
    if name == SCORING:
        return ""
    return _("%(tile)s would make %(count)s: no points. Look for a multiple of five.") % {
        "tile": name,
        "count": count,
    }
