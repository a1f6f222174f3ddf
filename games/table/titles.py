"""The title of a match's pages in the browser's tabs."""

from collections.abc import Sequence
from datetime import date

from django.utils.formats import date_format

from boneyard.engine.perspective import View
from games import wording
from games.models import Match
from games.wording import gettext as _

DAYS = "daily-"  # the sets of deals named after a day begin so


def name_sides(view: View, names: Sequence[str]) -> str:
    """Return *alice against bob*; `names` are by seat."""
    sides = wording.side_names(view.sides, names)
    return _("%(first)s against %(second)s") % {"first": sides[0], "second": ", ".join(sides[1:])}


def name_game(match: Match, view: View) -> str:
    """Return the game, without the number of rounds where the score says it as what ends the match."""
    return wording.game_title(
        match.preset, view.rules, view.seats, match.base_preset, with_rounds=view.rules.target is not None
    )


def build_tab_title(match: Match, view: View, names: Sequence[str]) -> str:
    """Return *alice against bob, All Fives*; of a match of a day first its name: *Daily Deal, November 28: …*."""
    title = f"{name_sides(view, names)}, {name_game(match, view)}"
    if not (match.deals or "").startswith(DAYS):
        return title
    day = date_format(date.fromisoformat(match.deals.removeprefix(DAYS)), "MONTH_DAY_FORMAT")
    return _("Daily Deal, %(day)s: %(title)s") % {"day": day, "title": title}
