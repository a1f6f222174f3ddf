"""Points besides the pips (docs/rules.md, "Extras").

>>> from .option_kinds import Extras
>>> round_extras(Extras(block=5, rounds=(100, 75)), won_before=1, blocked=True)
(('rounds', 75), ('block', 5))
"""

from .layout import L, Layout, R
from .moves import Move
from .option_kinds import Extras
from .tiles import DOUBLE, HIGH, LOW

# (name of the extra, points) for each extra that the winner of a round earned.
EarnedExtras = tuple[tuple[str, int], ...]


def last_tile_extras(extras: Extras, move: Move, before: Layout | None) -> EarnedExtras:
    """Return the extras for going out with `move`; `before` is the layout before it."""
    if len(move.plays) > 1:
        return ()
    ((tile, end),) = move.plays
    high, low = HIGH[tile], LOW[tile]
    earned = []
    if before is not None and end is not None:
        fits_both = {before.tips[L].suit, before.tips[R].suit} == {high, low}
        if DOUBLE[tile] and fits_both and extras.capicua_double:
            earned.append(("capicua_double", extras.capicua_double))
        elif DOUBLE[tile]:
            earned.append(("double", extras.double))
        elif fits_both:
            earned.append(("capicua", extras.capicua) if low else ("capicua_blank", extras.capicua_blank))
    if not high:
        earned.append(("chucha", extras.chucha))
    return _without_zeros(*earned)


def round_extras(extras: Extras, won_before: int, blocked: bool) -> EarnedExtras:
    """Return the extras for winning a round; `won_before` earlier rounds of the match had a winner."""
    rounds = extras.rounds[won_before] if won_before < len(extras.rounds) else 0
    return _without_zeros(("rounds", rounds), ("block", extras.block if blocked else 0))


def _without_zeros(*earned: tuple[str, int]) -> EarnedExtras:
    return tuple((name, number) for name, number in earned if number)
