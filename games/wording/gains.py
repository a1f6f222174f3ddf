"""How the points of a side in one round add up: terms that give, added, what its score rose by."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from boneyard.engine.round_ends import EndedRound
from boneyard.engine.rules import Rules
from boneyard.engine.settlement import Step, Sum
from boneyard.engine.terms import Terms
from core.numbers import format_points

from .language_cache import gettext as _
from .language_cache import ngettext, pgettext
from .speech import extra_of_award, extra_word

MINUS = "−"


class GainTerm(NamedTuple):
    """A term of a sum: its points with their sign, what they are for, and the `seat` whose pips they are.

    A hand that is counted several times, over several others, has *3 × 6* as its label, other hands have none.
    """

    points: int
    label: str = ""
    seat: int | None = None


def explain_gain(ended: EndedRound, terms: Terms, side: int) -> tuple[GainTerm, ...]:
    """Return the terms of what a side gained in a round; their sum is what its score rose by."""
    return _less_deductions(
        ended,
        side,
        [
            *_bonus_terms(ended, terms, side),
            *_terms_of_passes(ended, side),
            *_play_terms(ended, terms, side),
        ],
    )


def explain_bonus(ended: EndedRound, terms: Terms, side: int) -> tuple[GainTerm, ...]:
    """Return the terms of what a side gained by the end of a round, without those of its plays and passes."""
    return _less_deductions(ended, side, list(_bonus_terms(ended, terms, side)))


def _less_deductions(ended: EndedRound, side: int, gain: list[GainTerm]) -> tuple[GainTerm, ...]:
    end = ended.end
    if end.taken and end.taken[side]:
        gain.append(GainTerm(-end.taken[side], pgettext("points of a round", "partner’s tiles")))
    if end.reset and end.reset[side]:
        gain.append(GainTerm(-end.reset[side], pgettext("points of a round", "back to 0")))
    if end.netted and gain:
        gain.append(GainTerm(-end.netted, pgettext("points of a round", "the smaller gain")))
    return tuple(gain)


def format_sum(gain: tuple[GainTerm, ...], *, labelled: bool = False) -> str:
    """Return *2 + 17 − 4 = 15*; a single number for one term, "" for none.

    With `labelled` also what is added to the hands: *24 + 1 (rounding) = 25*.
    """
    text = format_points(gain[0].points) if gain else ""
    for term in gain[1:]:
        label = f" ({term.label})" if labelled and term.seat is None else ""
        text += f" {MINUS if term.points < 0 else '+'} {abs(term.points)}{label}"
    return text if len(gain) < 2 else f"{text} = {format_points(sum(term.points for term in gain))}"


def last_tile_points(ended: EndedRound, terms: Terms) -> int:
    """Return the `out_points` that the play that ended a round was awarded, or 0."""
    if ended.end.how != "out" or not terms.rules.out_points:
        return 0
    play = next(entry for entry in reversed(ended.log) if entry.move.kind == "play")
    return terms.rules.out_points if play.scored and play.scored == play.points else 0


def last_tile_sentence(points: int) -> str:
    """Return *1 point for the last tile.*"""
    text = ngettext("%(n)d point for the last tile.", "%(n)d points for the last tile.", points)
    return text % {"n": points}


def _terms_of_passes(ended: EndedRound, side: int) -> Iterator[GainTerm]:
    for entry in ended.log:
        if entry.award and entry.award[side]:
            yield GainTerm(entry.award[side], extra_word(extra_of_award(entry.move.kind)))


def _play_terms(ended: EndedRound, terms: Terms, side: int) -> Iterator[GainTerm]:
    is_winner = ended.end.winner is not None and terms.side_of[ended.end.winner] == side
    last_tile = last_tile_points(ended, terms) if is_winner else 0
    of_plays = (
        sum([entry.scored or 0 for entry in ended.log if terms.side_of[entry.seat] == side]) - last_tile
    )
    if of_plays:
        yield GainTerm(of_plays, pgettext("points of a round", "plays"))
    if last_tile:
        yield GainTerm(last_tile, pgettext("points of a round", "last tile"))


def _bonus_terms(ended: EndedRound, terms: Terms, side: int) -> Iterator[GainTerm]:
    steps = ended.end.sums[side] if ended.end.sums else ()
    divided = next((place for place, step in enumerate(steps) if step.operation == "÷"), -1)
    before = None
    if divided >= 0:
        before = steps[divided].result
        division = _division(steps[:divided])
        if before * steps[divided].numbers[1] != steps[divided].numbers[0]:
            division = _("%(division)s, rounded") % {"division": division}
        yield GainTerm(before, division)
    for step in steps[divided + 1 :]:
        yield from _step_terms(step, before, ended, terms.rules)
        before = step.result


def _division(steps: Sum) -> str:
    """Return *(9 + 14) ÷ 5*: all that was divided, also what a tied block had left."""
    parts = [number for place, step in enumerate(steps) for number in step.numbers[place > 0 :] if number]
    text = " ".join([f"{MINUS if number < 0 else '+'} {abs(number)}" for number in parts]).removeprefix("+ ")
    return f"({text}) ÷ 5" if len(parts) > 1 else f"{text} ÷ 5"


def _step_terms(step: Step, before: int | None, ended: EndedRound, rules: Rules) -> Iterator[GainTerm]:
    """Yield the terms of a step; `before` is the result before it, None for the first."""
    if step.operation == "+":
        numbers = step.numbers if before is None else step.numbers[1:]
        yield from _added_terms(step, numbers, ended)
    elif step.result != before:
        labels = {
            "×": pgettext("points of a round", "doubled"),
            "round": pgettext("points of a round", "rounding"),
            "limit": _limit(rules),
        }
        yield GainTerm(step.result - (before or 0), labels[step.operation])


def _added_terms(step: Step, numbers: tuple[int, ...], ended: EndedRound) -> Iterator[GainTerm]:
    if step.added == "pips":
        for (number, seat), times in Counter(zip(numbers, step.seats, strict=True)).items():
            if number:
                label = f"{times} × {abs(number)}" if times > 1 else ""
                yield GainTerm(times * number, label, seat)
        if sum(numbers) < step.result:
            yield GainTerm(step.result - sum(numbers), pgettext("points of a round", "not below 0"))
        return
    labels = {
        "round": [pgettext("points of a round", "round")],
        "carried": [pgettext("points of a round", "carried over")],
        "extras": [extra_word(name) for name, _points in ended.end.extras],
        "kept": [pgettext("points of a round", "kept")],
    }
    yield from map(GainTerm, numbers, labels[step.added])


def _limit(rules: Rules) -> str:
    """Return what keeps a side from its whole bonus."""
    if rules.bonus_ceiling is not None:
        return _("ceiling %(n)d") % {"n": rules.bonus_ceiling}
    return (
        pgettext("points of a round", "past the target")
        if rules.exact
        else pgettext("points of a round", "too few to open")
    )
