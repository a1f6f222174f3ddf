"""The numbers that a player may announce at a called table: all that some count could be worth there.

They depend on the rules and on whether a play would empty the hand, never on what lies on the table.
"""

from functools import cache

from games.engine.perspective import View
from games.engine.terms import Terms


def worths(terms: Terms) -> tuple[int, ...]:
    """What a count can be worth, with the largest doubles of the set at all ends."""
    if terms.matching:
        return (2, 3)
    ends = {"none": 2, "every": 2 + 2 * (terms.rules.set + 1)}.get(terms.rules.spinner, 4)
    most = sum(2 * max(0, terms.rules.set - nth) for nth in range(ends))
    return _up_to(terms.points, most)


@cache
def _up_to(points: tuple[int, ...], most: int) -> tuple[int, ...]:
    """What the counts up to `most` are worth, each once."""
    return tuple(sorted({points[count] for count in range(most + 1)} - {0}))


def claimable(view: View) -> tuple[int, ...]:
    """What the viewer may announce with a play now; going out adds the points for it."""
    terms = view.terms
    if not terms.must_claim or not any(move.kind == "play" for move in view.legal):
        return ()
    plain = worths(terms)
    extra = view.rules.out_points
    goes_out = any(move.kind == "play" and len(move.plays) == len(view.hand) for move in view.legal)
    if not extra or not goes_out:
        return plain
    return tuple(sorted({*plain, extra, *(points + extra for points in plain)}))
