"""The sum behind a bonus: whose pips, how they were rounded, and why there is none."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.engine.round_ends import RoundEnd
from games.engine.settlement import in_unit
from games.engine.terms import Terms

from .speech import called_out

MINUS = "−"


class _Sum(NamedTuple):
    """The hands that are added, and those that are taken off."""

    added: Sequence[int]
    taken: Sequence[int] = ()

    @property
    def pips(self) -> int:
        return max(0, sum(self.added) - sum(self.taken))

    @property
    def text(self) -> str:
        """15 + 25 − 4"""
        plus = " + ".join(map(str, self.added))
        return plus + "".join(f" {MINUS} {pips}" for pips in self.taken)

    @property
    def worked_out(self) -> str:
        """15 + 25 − 4 = 36, or a lone number"""
        return f"{self.text} = {self.pips}" if len(self.added) + len(self.taken) > 1 else self.text


def bonus_sum(end: RoundEnd, terms: Terms) -> str:
    """*15 + 25 − 4 = 36 → 35*, where there is something to be added or rounded; "" elsewhere. What a capicúa and its
    like bring is added to it: *6 + 4 + 8 = 18, 18 + 25 = 43*."""
    found = _sum_of(end, terms)
    if found is None:
        return ""
    made = in_unit(found.pips, terms.rules.bonus_unit)
    text = found.worked_out if made == found.pips else f"{found.worked_out} → {made}"
    sums = [text] if text != found.text else []
    if end.extras:
        sums.append(_Sum([made, *(points for _name, points in end.extras)]).worked_out)
    return ", ".join(sums)


def extras_called(end: RoundEnd) -> str:
    """What the winner is given beside the pips, as it is called out: *Capicúa! +25*."""
    return " ".join(called_out(name, points) for name, points in end.extras)


def no_bonus(end: RoundEnd, terms: Terms) -> str:
    """Why a round that was played to its end gave nothing."""
    rules = terms.rules
    rule = rules.blocked_bonus if end.how == "blocked" else rules.out_bonus
    if end.winner is None:
        return _("No bonus: nobody won the block.")
    if rule == "none":
        return _("No bonus in this game.") if rules.out_bonus == "none" else _("No bonus for a block.")
    found = _sum_of(end, terms)
    if found is not None and not found.added:
        return _("No bonus: the tiles that are left have no pips.")
    if found is not None and not in_unit(found.pips, rules.bonus_unit):
        return _("No bonus: %(sum)s.") % {"sum": f"{found.text} → 0" if found.pips else f"{found.text} = 0"}
    if rules.exact:
        return _("No bonus: it would pass the target.")
    if rules.opening is not None:
        return _("No bonus: %(n)s are needed to open.") % {"n": rules.opening.points}
    return _("No bonus: the score is at its ceiling.") if rules.bonus_ceiling is not None else _("No bonus.")


def _sum_of(end: RoundEnd, terms: Terms) -> _Sum | None:
    """What the winner's bonus is made of; None where it is not the winner's, or not made of pips."""
    rules = terms.rules
    if end.winner is None or rules.bonus_unit == "one":
        return None
    rule = rules.blocked_bonus if end.how == "blocked" else rules.out_bonus
    side = terms.side_of[end.winner]
    own = [pips for seat, pips in enumerate(end.pips) if terms.side_of[seat] == side and pips]
    others = [pips for seat, pips in enumerate(end.pips) if terms.side_of[seat] != side and pips]
    if rule == "chain" and len(terms.sides) > 2:
        return None
    return {
        "opponents": _Sum(others, own),
        "difference": _Sum(others, own),
        "chain": _Sum(others, own),
        "losers": _Sum(others),
        "total": _Sum(others),
        "table": _Sum([*own, *others]),
    }.get(rule)
