"""The numbers that a player may claim where points must be claimed.

They depend on the rules and on whether a play would empty the hand, never on the layout: they must not reveal points.
"""

from functools import cache

from boneyard.engine.perspective import View
from boneyard.engine.terms import Terms


def possible_points(terms: Terms) -> tuple[int, ...]:
    """Return all points that a count can be worth; the highest has the largest doubles of the set at all ends."""
    if terms.matching:
        return (2, 3)
    ends = {"none": 2, "every": 2 + 2 * (terms.rules.set + 1)}.get(terms.rules.spinner, 4)
    highest = sum(2 * max(0, terms.rules.set - nth) for nth in range(ends))
    return _distinct_points(terms.points, highest)


@cache
def _distinct_points(points: tuple[int, ...], highest: int) -> tuple[int, ...]:
    """Return the distinct points of the counts up to `highest`."""
    return tuple(sorted({points[count] for count in range(highest + 1)} - {0}))


def claimable_points(view: View) -> tuple[int, ...]:
    """Return what the viewer may claim with a play now, including the points for going out if one would."""
    terms = view.terms
    if not terms.must_claim or not any(move.kind == "play" for move in view.legal):
        return ()
    points_of_count = possible_points(terms)
    out_points = view.rules.out_points
    goes_out = any(move.kind == "play" and len(move.plays) == len(view.hand) for move in view.legal)
    if not out_points or not goes_out:
        return points_of_count
    with_out_points = (points + out_points for points in points_of_count)
    return tuple(sorted({*points_of_count, out_points, *with_out_points}))
