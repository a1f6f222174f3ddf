"""Tables in lists: their game, clock and changed rules."""

from django import template
from django.utils.translation import gettext as _

from accounts.standings import shown
from games import wording
from games.engine.presets import PRESETS
from games.engine.rules import Rules
from games.models import Match
from lobbies.forms import clock_name, parse_clock
from lobbies.models import Sitting, Table

register = template.Library()

register.filter("preset_title", wording.preset_title)


@register.filter
def quick_facts(game) -> str:
    """The target of a quick game: *to 100*."""
    return _("to %(target)s") % {"target": PRESETS[game.preset].rules.target}


@register.filter
def clock(row: Table | Match | str) -> str:
    if isinstance(row, str):
        return clock_name(parse_clock(row))
    if row.clock_seconds is None:
        return clock_name(None)
    return clock_name((row.clock_seconds, row.clock_increment or 0))


@register.filter
def house(table: Table) -> list[str]:
    """The names of the options in which a table differs from its preset."""
    if not table.changed:
        return []
    return wording.house_rules(Rules.from_dict(table.rules), PRESETS[table.preset].rules, table.seats)


@register.filter
def places(table: Table) -> list[bool]:
    """Seat by seat, whether somebody sits there."""
    taken = {sitting.position for sitting in table.sittings.all()}
    return [position in taken for position in range(table.seats)]


@register.filter
def rating(sitting: Sitting) -> str:
    return "" if sitting.rating is None else str(shown(sitting.rating))


@register.filter
def maker_rating(table: Table) -> str:
    own = next((s for s in table.sittings.all() if s.user_id == table.maker_id), None)
    return rating(own) if own else ""


@register.filter
def score(match: Match) -> str:
    """The running scores of a match being watched: 65 – 40."""
    return " – ".join(str(points) for points in match.scores)


@register.filter
def match_title(match: Match) -> str:
    return wording.preset_title(match.preset) if match.preset else _("House rules")


@register.filter
def split(text: str) -> list[str]:
    return text.split()
