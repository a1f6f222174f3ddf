"""Sentences about blocked rounds: who won, why, and which hands were compared."""

from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from boneyard.engine.round_ends import RoundEnd
from boneyard.engine.rules import Rules
from boneyard.engine.terms import terms

from .joining import join_names
from .language_cache import gettext as _
from .speech import Speech

# Sentences by the reason why a block was won: by another player, by the viewer or the viewer's side.
_BLOCK_WON: dict[str, tuple[Promise, Promise]] = {
    "fewest": (
        gettext_lazy("%(block)s: %(name)s has the fewest pips"),
        gettext_lazy("%(block)s: you have the fewest pips"),
    ),
    "pair": (
        gettext_lazy("%(block)s: %(name)s have fewer pips"),
        gettext_lazy("%(block)s: your side has fewer pips"),
    ),
    "two": (gettext_lazy("%(block)s: %(name)s wins it"), gettext_lazy("%(block)s: you win it")),
    "lightest_tile": (
        gettext_lazy("%(block)s, a tie: %(name)s holds the lightest tile"),
        gettext_lazy("%(block)s, a tie: you hold the lightest tile"),
    ),
    "leader": (
        gettext_lazy("%(block)s, a tie: %(name)s led, and wins it"),
        gettext_lazy("%(block)s, a tie: you led, and win it"),
    ),
    "closer": (
        gettext_lazy("%(block)s, a tie: %(name)s closed it, and wins it"),
        gettext_lazy("%(block)s, a tie: you closed it, and win it"),
    ),
    "pair_leader": (
        gettext_lazy("%(block)s, a tie: %(name)s led, and win it"),
        gettext_lazy("%(block)s, a tie: your side led, and wins it"),
    ),
    "pair_closer": (
        gettext_lazy("%(block)s, a tie: %(name)s closed it, and win it"),
        gettext_lazy("%(block)s, a tie: your side closed it, and wins it"),
    ),
}
_REASONS_OF_PAIRS = ("pair", "pair_leader", "pair_closer")


def block_won(end: RoundEnd, winner: int, names: Sequence[str], rules: Rules, speech: Speech) -> str:
    """Return that the seat `winner` won a block, and why; an empty name is the viewer."""
    name, why = names[winner], _why_won(end, rules, winner)
    of_others, yours = _BLOCK_WON[why]
    sides = terms(rules, len(end.pips)).side_of
    mine = {sides[seat] for seat, each in enumerate(names) if not each}
    is_yours = sides[winner] in mine if why in _REASONS_OF_PAIRS else not name
    if why in _REASONS_OF_PAIRS:
        name = join_names([each for seat, each in enumerate(names) if sides[seat] == sides[winner]])
    return str(yours if is_yours else of_others) % {"block": speech.blocked, "name": name}


def comparison_sentence(end: RoundEnd, names: Sequence[str], rules: Rules) -> str:
    """Return which two hands `blocked_winner: closer` compared; "" for other rounds.

    Without it, a block that the heavier pair won would look like an error.
    """
    if len(end.compared) < 2 or rules.blocked_winner != "closer":
        return ""
    closer, following = end.compared
    if not names[closer]:
        text = _("You closed it: %(n)d against %(other)d for %(next)s, next in turn")
    elif not names[following]:
        text = _("%(closer)s closed it: %(n)d against %(other)d for you, next in turn")
    else:
        text = _("%(closer)s closed it: %(n)d against %(other)d for %(next)s, next in turn")
    return text % {
        "closer": names[closer],
        "next": names[following],
        "n": end.pips[closer],
        "other": end.pips[following],
    }


def _why_won(end: RoundEnd, rules: Rules, winner: int) -> str:
    """Return why a block was won: by fewest pips, a comparison of two, or a tie-break."""
    seats = len(end.pips)
    pairs, side_of = rules.in_pairs(seats), terms(rules, seats).side_of
    own = [pips for seat, pips in enumerate(end.pips) if side_of[seat] == side_of[winner]]
    others = [pips for seat, pips in enumerate(end.pips) if side_of[seat] != side_of[winner]]
    if rules.blocked_winner == "closer":
        tied = len({end.pips[seat] for seat in end.compared}) == 1
    elif rules.blocked_winner == "side" and pairs:
        tied = sum(own) >= sum(others)
    else:
        tied = min(own) >= min(others)
    if tied and pairs and rules.blocked_tie in ("leader", "closer"):
        return f"pair_{rules.blocked_tie}"
    if rules.blocked_winner == "closer" or pairs and tied:
        return "two"
    if tied:
        return rules.blocked_tie
    return "pair" if rules.blocked_winner == "side" and pairs else "fewest"
