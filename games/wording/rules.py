"""The rules of a table in words, made from its options: everything that will be applied, and nothing else."""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.engine.rules import Rules

from .dealing import deal, lead
from .ending import match_end, round_end
from .playing import points, turn
from .scope import Sentence, scope_of

PARTS = {"deal": deal, "lead": lead, "turn": turn, "points": points, "round": round_end, "match": match_end}


def rules_in_words(rules: Rules, seats: int, base: Rules | None = None) -> list[Sentence]:
    """Every rule that applies with this many seats, in the order of play. `base`: the preset it is compared with."""
    told = _told(rules, seats)
    if base is None or seats not in base.players:
        return told
    usual = {sentence.text for sentence in _told(base, seats)}
    return [sentence._replace(changed=sentence.text not in usual) for sentence in told]


def part_name(part: str) -> str:
    """The heading over the sentences of a part."""
    return {
        "deal": pgettext("of a round", "The deal"),
        "lead": pgettext("of a round", "The lead"),
        "turn": _("The turn"),
        "points": pgettext("of the rules", "Points"),
        "round": _("The end of a round"),
        "match": _("The end of the match"),
    }[part]


def _told(rules: Rules, seats: int) -> list[Sentence]:
    scope = scope_of(rules, seats)
    return [sentence._replace(part=part) for part, tell in PARTS.items() for sentence in tell(scope)]
