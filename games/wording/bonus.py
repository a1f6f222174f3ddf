"""Texts about the points of a round's end: the extra ones, and why there are none."""

from django.utils.translation import gettext as _

from boneyard.engine.round_ends import RoundEnd
from boneyard.engine.rules import Rules
from boneyard.engine.settlement import Step, Sum, earned_part, result_of
from boneyard.engine.terms import Terms

from .speech import extra_announcement

MINUS = "−"


def _sum_in_words(steps: Sum) -> str:
    text = ""
    for step in steps:
        if step.operation == "round":
            text = _("%(sum)s, rounded to %(n)d") % {"sum": text, "n": step.result}
        else:
            worked_out = _work_out(step)
            text = worked_out if text in ("", str(step.numbers[0])) else f"{text}, {worked_out}"
    return text


def _work_out(step: Step) -> str:
    """Return *15 + 25 − 4 = 36*, *6 − 11 < 0* or *36 ÷ 5, rounded up: 8*, or a single number."""
    first, *others = step.numbers
    if not others:
        return str(first)
    if step.operation in "×÷":
        text = f"{first} {step.operation} {others[0]}"
        if step.operation == "÷" and first % others[0]:
            return _("%(division)s, rounded up: %(n)d") % {"division": text, "n": step.result}
        return f"{text} = {step.result}"
    text = str(first) + "".join(f" {MINUS if number < 0 else '+'} {abs(number)}" for number in others)
    if sum(step.numbers) < step.result:
        return f"{text} < {step.result}"
    return f"{text} = {step.result}".replace("-", MINUS)


def extras_sentence(end: RoundEnd) -> str:
    """Return the announcement of extra points: *Capicúa! +25*, without the number where a limit cut the sum."""
    limited = any(step.operation == "limit" for steps in end.sums for step in steps if _has_extras(steps))
    return " ".join(extra_announcement(name, 0 if limited else points) for name, points in end.extras)


def _has_extras(steps: Sum) -> bool:
    return any(step.added == "extras" for step in steps)


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
        return _("The end of the round brings no points.")
    return _("The end of the round brings no points: %(reason)s.") % {"reason": reason}


def _never_a_bonus(rules: Rules) -> str:
    """Return that such an end of a round is never worth anything, or nothing but the extra points."""
    if any(rules.extras):
        return _("The tiles left bring no points.")
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
    steps = _sum_of(end, terms)
    if steps is not None and not (earned := earned_part(steps)):
        return _("the tiles that are left have no pips")
    if steps is not None and not result_of(earned):
        return _sum_in_words(earned)
    if rules.exact and rules.past_target == "round" and steps is not None:
        return _("they would pass the target, or others of this round would have")
    if rules.exact:
        return _("they would pass the target")
    if rules.opening is not None:
        return _("%(n)s are needed to open") % {"n": rules.opening.points}
    return (
        _("bonuses count only up to %(n)d") % {"n": rules.bonus_ceiling}
        if rules.bonus_ceiling is not None
        else ""
    )


def _sum_of(end: RoundEnd, terms: Terms) -> Sum | None:
    """Return the sum of the only side that earned something, else the winner's; None if several sides did."""
    earning = [steps for steps in end.sums if result_of(earned_part(steps))]
    if len(earning) > 1:
        return None
    if earning or end.winner is None:
        return (earning or [()])[0]
    return end.sums[terms.side_of[end.winner]]
