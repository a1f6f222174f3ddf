"""Texts about the points of a round's end: the sum of pips, its rounding, and why there are none."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from boneyard.engine.options import BonusUnit
from boneyard.engine.round_ends import RoundEnd
from boneyard.engine.rules import Rules
from boneyard.engine.settlement import in_unit
from boneyard.engine.terms import Terms

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
        plus = " + ".join(map(str, self.added or self.taken and [0]))
        return plus + "".join(f" {MINUS} {pips}" for pips in self.taken)

    @property
    def worked_out(self) -> str:
        """Return the sum with its result, *15 + 25 − 4 = 36* or *6 − 11 < 0*, or a single number."""
        if sum(self.added) < sum(self.taken):
            return f"{self.text} < 0"
        return f"{self.text} = {self.pips}" if len(self.added) + len(self.taken) > 1 else self.text


def bonus_sum(end: RoundEnd, terms: Terms) -> str:
    """Return *15 + 25 − 4 = 36, rounded to 35*, or "" if nothing is added or rounded.

    Extra points, and what an earlier block carried, are added to it: *6 + 4 + 8 = 18, 18 + 25 = 43*.
    """
    bonus = _sum_of(end, terms)
    if bonus is None:
        return ""
    unit = _unit_of(end, terms)
    worth = in_unit(bonus.pips, unit)
    text = _in_unit(bonus, unit)
    sums = [text] if text != bonus.text else []
    further = [points for _name, points in end.extras]
    if carried := _carried(end, terms, worth + sum(further)):
        further.append(carried)
    summands = [worth, *further] if worth else further
    if further and len(summands) > 1:
        sums.append(_Sum(summands).worked_out)
    return ", ".join(sums)


def _in_unit(bonus: _Sum, unit: BonusUnit) -> str:
    """Return the sum and what is made of it: *6 + 5 = 11, rounded to 10, 10 ÷ 5 = 2*."""
    worth, text = in_unit(bonus.pips, unit), bonus.worked_out
    rounded = bonus.pips if unit in ("pips", "fifths_up") else in_unit(bonus.pips, "nearest_five")
    if rounded != bonus.pips:
        text = _("%(sum)s, rounded to %(n)d") % {"sum": text, "n": rounded}
    if worth == rounded:
        return text
    division = f"{rounded} ÷ 5 = {worth}"
    if worth * 5 != rounded:
        division = _("%(division)s, rounded up: %(n)d") % {"division": f"{rounded} ÷ 5", "n": worth}
    return division if text == str(rounded) else f"{text}, {division}"


def extras_sentence(end: RoundEnd) -> str:
    """Return the announcement of the extra points of a round: *Capicúa! +25*."""
    return " ".join(extra_announcement(name, points) for name, points in end.extras)


def no_bonus_reason(end: RoundEnd, terms: Terms) -> str:
    """Return that a round that was played to its end gave no points, and why."""
    rules = terms.rules
    rule = rules.blocked_bonus if end.how == "blocked" else rules.out_bonus
    if end.winner is not None and rule == "none":
        return _never_a_bonus(rules)
    reason = _why_no_bonus(end, terms)
    if rules.lowest_wins:
        return (
            _("Nothing is written: %(reason)s.") % {"reason": reason} if reason else _("Nothing is written.")
        )
    if not reason:
        return _("No points for the round.")
    return _("No points for the round: %(reason)s.") % {"reason": reason}


def _never_a_bonus(rules: Rules) -> str:
    """Return that such an end of a round is never worth anything."""
    if rules.out_bonus == rules.blocked_bonus == "none":
        return _("In this game the tiles left bring no points.")
    return (
        _("A block brings no points.") if rules.blocked_bonus == "none" else _("Going out brings no points.")
    )


def _why_no_bonus(end: RoundEnd, terms: Terms) -> str:
    """Return why a round gave no points, in a clause; "" if no reason is known."""
    rules = terms.rules
    if end.winner is None:
        return _("whoever went out has left") if end.how == "out" else _("nobody won the block")
    bonus = _sum_of(end, terms)
    if bonus is not None and not bonus.added and not bonus.taken:
        return _("the tiles that are left have no pips")
    if bonus is not None and not in_unit(bonus.pips, _unit_of(end, terms)):
        return _in_unit(bonus, _unit_of(end, terms))
    if rules.exact and rules.past_target == "round" and bonus is not None and bonus.pips:
        return _("they would pass the target, or others of this round would have")
    if rules.exact:
        return _("they would pass the target")
    if rules.opening is not None:
        return _("%(n)s are needed to open") % {"n": rules.opening.points}
    return _("the score is at its ceiling") if rules.bonus_ceiling is not None else ""


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
