"""Example rounds of the rules pages, tile by tile, with the count after each."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from boneyard.engine.layout import Laid, Layout, Line, lay_out, line
from boneyard.engine.moves import EndName, Move, parse
from boneyard.engine.rules import Rules
from boneyard.engine.terms import Terms, terms
from boneyard.engine.tiles import DOUBLE, HIGH, LOW, NAMES

# Plays of the examples, by the features of the line, the count or the lead that they show.
_EXAMPLE_PLAYS = {
    "two_doubles": "1-1 4-1@L 6-1@R 4-4@L+6-6@R 6-3@R 4-3@L",
    "many_ends": "3-2 3-3@L 6-3@L 2-2@R+5-3@U 6-5@L",
    "every": "6-6 6-3@L 6-4@R 3-3@L 3-1@L 3-2@U2",
    "cross": "6-6 6-3@L 6-4@R 6-1@U 6-0@D 4-2@R",
    "first_open": "6-4 4-4@R 4-1@U 4-3@R 6-1@L",
    "first_enclosed": "3-2 3-3@L 6-3@L 2-2@R 5-3@U 6-5@L",
    "scoring": "5-5 5-0@L 5-1@R 5-4@U 4-4@U 1-1@R",
    "first": "6-6 6-3@L 6-2@R 6-4@U 4-4@U 5-2@R",
    "matching": "6-6 6-2@L 6-4@R 4-2@R 2-2@R",
    "fives_threes": "0-0 5-0@L 4-0@R 4-4@R 5-5@L 5-4@R",
    "fives_by_one": "6-6 6-3@L 6-4@R 4-2@R 3-3@L 2-2@R",
    "fives": "6-6 6-3@L 6-4@R 4-2@R 3-3@L 2-2@R",
    "none": "6-6 6-3@L 6-2@R 3-3@L 2-1@R 3-1@L",
    "0-0": "0-0 3-0@L 2-0@R 3-3@L 2-1@R 3-1@L",
}


class ExampleStep(NamedTuple):
    """A play of the example; `newest` counts its tiles, and `values` and `count` are set only where ends count."""

    line: Line
    newest: int
    values: dict[EndName, int]
    count: int | None  # type: ignore[assignment]
    points: int
    text: str


def example_round(rules: Rules, seats: int) -> list[ExampleStep]:
    """Return an example round of this game, in at most six steps."""
    table_terms, layout, laid, steps = terms(rules, seats), None, list[Laid](), list[ExampleStep]()
    moves = [parse(text) for text in _EXAMPLE_PLAYS[_example_kind(rules)].split()]
    for move in moves:
        before, layout = layout, lay_out(table_terms.tip_table, layout, move.plays)
        laid += [Laid(tile, end, 0) for tile, end in move.plays]
        points = table_terms.worth(layout)
        last = move is moves[-1]
        steps.append(
            ExampleStep(
                line(table_terms.tip_table, tuple(laid)),
                len(move.plays),
                layout.values if rules.adds_ends else {},
                layout.count if rules.adds_ends else None,
                points,
                _describe_step(table_terms, before, layout, move, points, last=last),
            )
        )
    return steps


def _example_kind(rules: Rules) -> str:
    if rules.two_doubles:
        return "two_doubles"
    if rules.many_ends and rules.spinner == "first_enclosed":
        return "many_ends"
    if rules.spinner == "first" and rules.lead_with == "scoring":
        return "scoring"
    kind = rules.count if rules.spinner == "none" else rules.spinner
    return (
        "0-0" if kind == "none" and rules.lead_tile is not None and NAMES[rules.lead_tile] == "0-0" else kind
    )


def _describe_step(
    table_terms: Terms, before: Layout | None, layout: Layout, move: Move, points: int, *, last: bool
) -> str:
    tiles = ", ".join(NAMES[tile] for tile, _end in move.plays)
    params = {"tiles": tiles, "sum": _count_text(layout), "ends": _ends_text(layout)}
    double = len(move.plays) == 1 and DOUBLE[move.plays[0][0]]
    opened = before is not None and _count_free_sides(layout) > _count_free_sides(before)
    if table_terms.rules.count == "none":
        return _describe_uncounted_step(
            table_terms.rules, before, move, params, double=double, opened=opened, last=last
        )
    if table_terms.matching:
        text = _("%(tiles)s: both ends match.") if points else _("%(tiles)s: the ends show %(ends)s.")
    elif before is None:
        text = (
            _("%(tiles)s is led. A double counts both halves: %(sum)s.")
            if double
            else _("%(tiles)s is led: %(sum)s.")
        )
    elif opened:
        text = _(
            "Now both sides of a double are covered: it counts nothing any more, and its two other sides open. %(sum)s."
        )
    elif len(move.plays) > 1:
        text = _("%(tiles)s in one turn: %(sum)s.")
    elif double:
        text = _("%(tiles)s lies across and counts twice: %(sum)s.")
    else:
        text = _("%(tiles)s: %(sum)s.")
    return text % params


def _describe_uncounted_step(
    rules: Rules,
    before: Layout | None,
    move: Move,
    params: dict[str, str],
    *,
    double: bool,
    opened: bool,
    last: bool,
) -> str:
    """Return the sentence of a step where plays score nothing."""
    if before is None:
        return _("%(tiles)s is led: the ends show %(ends)s.") % params
    if len(move.plays) > 1:
        return _("Two doubles in one turn, one at each end: %(tiles)s.") % params
    if opened:
        return _("Now both sides of a double are covered, and its two other sides open: %(ends)s.") % params
    tile = move.plays[0][0]
    if last and rules.spinner == "none" and {HIGH[tile], LOW[tile]} == set(before.ends.values()):
        if rules.extras.capicua:
            return _("%(tiles)s fits both ends. Whoever goes out with it has a capicúa.") % params
        return _("%(tiles)s fits both ends: its player chooses the one that leaves the others less.") % params
    if double:
        return _("%(tiles)s lies across: the ends show %(ends)s as before.") % params
    return _("%(tiles)s: the ends show %(ends)s.") % params


def _count_text(layout: Layout) -> str:
    """Return the count as text: *3 + 12 = 15*."""
    parts = [tip.worth for tip in layout.tips if tip.kind not in ("none", "free")]
    text = " + ".join(map(str, parts))
    return f"{text} = {layout.count}" if len(parts) > 1 and layout.count == sum(parts) else str(layout.count)


def _ends_text(layout: Layout) -> str:
    suits: Sequence[int] = list(layout.ends.values())
    return ", ".join(map(str, suits))


def _count_free_sides(layout: Layout) -> int:
    return sum(tip.kind == "free" for tip in layout.tips)
