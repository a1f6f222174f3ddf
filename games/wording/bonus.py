"""Texts about bonuses: the sum of pips, its rounding, and why there is no bonus."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.engine.options import BonusUnit
from games.engine.round_ends import RoundEnd
from games.engine.settlement import in_unit
from games.engine.terms import Terms

from .speech import extra_announcement

MINUS = "−"


class _Sum(NamedTuple):
    """The pips of hands that are added, and of those that are subtracted."""

    added: Sequence[int]
    taken: Sequence[int] = ()

    @property
    def pips(self) -> int:
        return max(0, sum(self.added) - sum(self.taken))

    @property
    def text(self) -> str:
        """Return the sum as text: *15 + 25 − 4*."""
        plus = " + ".join(map(str, self.added))
        return plus + "".join(f" {MINUS} {pips}" for pips in self.taken)

    @property
    def worked_out(self) -> str:
        """Return the sum with its result, *15 + 25 − 4 = 36*, or a single number."""
        return f"{self.text} = {self.pips}" if len(self.added) + len(self.taken) > 1 else self.text


def bonus_sum(end: RoundEnd, terms: Terms) -> str:
    """Return *15 + 25 − 4 = 36 → 35*, or "" if nothing is added or rounded.

    Extra points, and what an earlier block carried, are added to it: *6 + 4 + 8 = 18, 18 + 25 = 43*.
    """
    bonus = _sum_of(end, terms)
    if bonus is None:
        return ""
    rounded = in_unit(bonus.pips, _unit_of(end, terms))
    text = bonus.worked_out if rounded == bonus.pips else f"{bonus.worked_out} → {rounded}"
    sums = [text] if text != bonus.text else []
    further = [points for _name, points in end.extras]
    if carried := _carried(end, terms, rounded + sum(further)):
        further.append(carried)
    if further:
        sums.append(_Sum([rounded, *further]).worked_out)
    return ", ".join(sums)


def extras_sentence(end: RoundEnd) -> str:
    """Return the announcement of the extra points of a round: *Capicúa! +25*."""
    return " ".join(extra_announcement(name, points) for name, points in end.extras)


def no_bonus_reason(end: RoundEnd, terms: Terms) -> str:
    """Return why a round that was played to its end gave no bonus."""
    rules = terms.rules
    rule = rules.blocked_bonus if end.how == "blocked" else rules.out_bonus
    if end.winner is None:
        if end.how == "out":
            return _("No bonus: whoever went out has left.")
        return _("No bonus: nobody won the block.")
    if rule == "none":
        return _("No bonus in this game.") if rules.out_bonus == "none" else _("No bonus for a block.")
    bonus = _sum_of(end, terms)
    if bonus is not None and not bonus.added:
        return _("No bonus: the tiles that are left have no pips.")
    if bonus is not None and not in_unit(bonus.pips, _unit_of(end, terms)):
        return _("No bonus: %(sum)s.") % {"sum": f"{bonus.text} → 0" if bonus.pips else f"{bonus.text} = 0"}
    if rules.exact:
        if rules.past_target == "round" and bonus is not None and bonus.pips:
            return _("No bonus: it would pass the target, or points of this round would have.")
        return _("No bonus: it would pass the target.")
    if rules.opening is not None:
        return _("No bonus: %(n)s are needed to open.") % {"n": rules.opening.points}
    return _("No bonus: the score is at its ceiling.") if rules.bonus_ceiling is not None else _("No bonus.")


def _unit_of(end: RoundEnd, terms: Terms) -> BonusUnit:
    return terms.rules.unit_of_block if end.how == "blocked" else terms.rules.bonus_unit


def _carried(end: RoundEnd, terms: Terms, points: int) -> int:
    """Return what an earlier block without a winner added to a bonus of `points`."""
    if terms.rules.blocked_tie != "carry" or _unit_of(end, terms) != "pips":
        return 0
    return max(0, max(end.bonus) - points)


def _sum_of(end: RoundEnd, terms: Terms) -> _Sum | None:
    """Return the sum behind the bonus, which is charged to the losers under `own`; None if there is no such sum."""
    rules = terms.rules
    if end.winner is None or _unit_of(end, terms) == "one":
        return None
    rule = rules.blocked_bonus if end.how == "blocked" else rules.out_bonus
    if end.how == "out" and rules.partner_pips != "bonus" and len(terms.sides) < terms.seats:
        rule = "losers"
    side = terms.side_of[end.winner]
    own = [pips for seat, pips in enumerate(end.pips) if terms.side_of[seat] == side and pips]
    others = [pips for seat, pips in enumerate(end.pips) if terms.side_of[seat] != side and pips]
    if rule in ("chain", "own") and len(terms.sides) > 2:
        return None
    return {
        "opponents": _Sum(others, own),
        "difference": _Sum(others, own),
        "chain": _Sum(others, own),
        "losers": _Sum(others),
        "own": _Sum(others),
        "total": _Sum(others),
        "table": _Sum([*own, *others]),
    }.get(rule)
