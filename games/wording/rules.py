"""The rules of a table in words, generated from its options."""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from boneyard.engine.rules import Rules

from .option_words import iter_sentences
from .options import RULES_PARTS
from .scope import Sentence, scope_of


def describe_rules(rules: Rules, seats: int, base: Rules | None = None) -> list[Sentence]:
    """Return the rules that apply with this many seats, in the order of play; changes from `base` are marked."""
    sentences = _all_sentences(rules, seats)
    if base is None or seats not in base.players:
        return sentences
    usual = {sentence.text for sentence in _all_sentences(base, seats)}
    return [sentence._replace(changed=sentence.text not in usual) for sentence in sentences]


def part_name(part: str) -> str:
    """Return the heading of a part."""
    return {
        "deal": pgettext("of a round", "The deal"),
        "lead": pgettext("of a round", "The lead"),
        "turn": _("The turn"),
        "points": pgettext("of the rules", "Points"),
        "round": _("The end of a round"),
        "match": _("The end of the match"),
    }[part]


def _all_sentences(rules: Rules, seats: int) -> list[Sentence]:
    scope = scope_of(rules, seats)
    return [
        sentence._replace(part=part)
        for part, described in RULES_PARTS.items()
        for key, entry in described.items()
        for sentence in iter_sentences(key, entry, scope)
    ]
