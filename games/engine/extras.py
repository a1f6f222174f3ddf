"""The points beside the pips (docs/rules.md, "Extras").

>>> from .options import Extras
>>> round_extras(Extras(block=5, rounds=(100, 75)), won_before=1, blocked=True)
(('rounds', 75), ('block', 5))
"""

from .layout import L, Layout, R
from .moves import Move
from .options import Extras
from .tiles import DOUBLE, HIGH, LOW

# What the winner of a round earned, by name.
EarnedExtras = tuple[tuple[str, int], ...]


def last_tile_extras(extras: Extras, move: Move, before: Layout | None) -> EarnedExtras:
    """For going out with this play, `before` which the layout was so."""
    if len(move.plays) > 1:
        return ()
    ((tile, end),) = move.plays
    high, low = HIGH[tile], LOW[tile]
    earned = []
    if before is not None and end is not None and not DOUBLE[tile]:
        if {before.tips[L].suit, before.tips[R].suit} == {high, low}:
            earned.append(("capicua", extras.capicua) if low else ("capicua_blank", extras.capicua_blank))
    if not high:
        earned.append(("chucha", extras.chucha))
    return _worth_something(*earned)


def round_extras(extras: Extras, won_before: int, blocked: bool) -> EarnedExtras:
    """For winning a round, after `won_before` rounds of the match with a winner."""
    rounds = extras.rounds[won_before] if won_before < len(extras.rounds) else 0
    return _worth_something(("rounds", rounds), ("block", extras.block if blocked else 0))


def _worth_something(*earned: tuple[str, int]) -> EarnedExtras:
    return tuple((name, number) for name, number in earned if number)
