"""Styles of play: what a computer prefers among moves that are nearly as good to it (docs/computer.md)."""

from typing import NamedTuple

from boneyard.engine.moves import Move
from boneyard.engine.perspective import View
from boneyard.engine.tiles import DOUBLES, pips

from .greedy import points_sign


class Style(NamedTuple):
    """The preferences of a style, in pips.

    name    for figures and documentation
    double  value of a double that stays in hand
    denied  value of each unseen tile that does not fit after the move
    pip     value of a pip of the tile
    point   value of a point of the move
    """

    name: str
    double: float = 0.0
    denied: float = 0.0
    pip: float = 0.0
    point: float = 0.0

    def preference(self, view: View, move: Move) -> float:
        """Return what this style adds to the value of a move, in pips."""
        if move.kind != "play" or self == PLAIN:
            return 0.0
        gain = self.pip * pips(move.tiles) + self.point * view.points(move)
        fitting = (view.unseen & view.layout_after(move).fits).bit_count() if self.denied else 0
        doubles = (move.tiles & DOUBLES).bit_count()
        return points_sign(view.terms) * gain - self.double * doubles - self.denied * fitting


PLAIN = Style("none")
# Tuned to equal strength: kept doubles cost some, which denied tiles give back. The last style changes no move of
# beginner, and none of casual where a count scores: they play for points anyway.
STYLES = (
    Style("keeps doubles", double=1.5, denied=0.2),
    Style("blocks", denied=0.15),
    Style("plays for points", pip=0.3, point=0.6),
)


def style_of(figure: int | None) -> Style:
    """Return the style of a persona, by its number at its level; None plays without a style."""
    return PLAIN if figure is None else STYLES[figure % len(STYLES)]
