"""Where a hand's tiles fit, as SVG over the line of play: ghosts with buttons on them; memoised strings."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from games.board import Board, Box, Corner, Placed, Shape, lay
from games.drawing.line import (
    SHAPES,
    UNIT,
    Group,
    chip_radius,
    edges,
    halves,
    thread,
    transform,
    use,
    view_box,
)
from games.engine.layout import Line
from games.engine.moves import EndName
from games.engine.perspective import View
from games.engine.tiles import NAMES, Tile

TAP = 44  # pixels: the smallest target for a finger
_CORNERS: dict[Corner, Promise] = {
    "upper left": gettext_lazy("at the upper left"),
    "upper right": gettext_lazy("at the upper right"),
    "lower left": gettext_lazy("at the lower left"),
    "lower right": gettext_lazy("at the lower right"),
}
# The smallest size at which the board is shown, in pixels: beside the rail on a small desktop; on a phone 360 wide
# with the browser's bars in view.
LEAST = {"wide": (525, 300), "tall": (356, 290)}


class Spot(NamedTuple):
    """A spot on the board where a tile of the hand fits.

    name    its accessible name
    hint    what the play would make, and whose free side it is
    state   open (its tile is chosen), hidden or planned
    value   what it sends without a script: the move, or the plan with it
    plans   whether it joins a plan of several tiles instead of being played at once
    count   what the play would make the count; None where that is not shown
    scores  whether it would score
    """

    tile: Tile
    end: EndName
    name: str
    hint: str
    state: str
    value: str
    plans: bool
    count: int | None = None  # type: ignore[assignment]
    scores: bool = False


def spots(view: View, found: Sequence[Spot], shapes: Sequence[Shape] = SHAPES) -> tuple[Group, ...]:
    """Ghosts with buttons on them, an `svg` for each shape; empty ones while nothing fits."""
    if not found:
        return tuple(Group(f"places-{shape}", _around(shape), "") for shape in shapes)
    return tuple(_spots_of(shape, view.line, found) for shape in shapes)


def _spots_of(shape: Shape, line: Line, found: Sequence[Spot]) -> Group:
    board = lay(line, shape)
    ghosts = [board.ghost(spot.tile, spot.end) for spot in found]
    parts = []
    for spot, ghost in zip(found, ghosts, strict=True):
        # Spots of different tiles are never lit together, but those that join a plan may be.
        others = [
            other.box
            for each, other in zip(found, ghosts, strict=True)
            if each.end != spot.end and (each.tile == spot.tile or spot.plans)
        ]
        parts.append(_spot(board, spot, ghost, others))
    return Group(f"places-{shape}", f"{_around(shape)} {view_box(board)}", "".join(parts))


def _around(shape: Shape) -> str:
    """The attributes of the drawing that holds the places: to whoever listens, these alone are there."""
    return f' class="places {shape}" role="none"'


def _spot(board: Board, spot: Spot, ghost: Placed, others: list[Box]) -> str:
    state = "" if spot.state == "open" else f" is-{spot.state}"
    chip = ""
    if spot.count is not None:
        scores = ' class="is-scoring"' if spot.scores else ""
        made = f'<circle r="{chip_radius(board):g}"/><text>={spot.count}</text>'
        chip = f"<g{scores}{transform(*board.chip_after(ghost), board.chip_scale)}>{made}</g>"
    x, y, width, height = edges(_reach(board, ghost.box, others))
    return (
        f'<g class="line-end is-legal{state}">'
        f"{thread(ghost)}{_ghost(ghost)}{halves(ghost)}{chip}"
        f'<foreignObject x="{x:.4g}" y="{y:.4g}" width="{width:.4g}" height="{height:.4g}">'
        f'<button class="spot" {_sends(spot)} '
        f'data-tile="{NAMES[spot.tile]}" data-end="{spot.end}" aria-label="{escape(spot.name)}"'
        f"{_hint(board, spot)}></button></foreignObject></g>"
    )


def _ghost(ghost: Placed) -> str:
    return use("gv" if ghost.upright else "gh", ghost.box.x * UNIT, ghost.box.y * UNIT, ' class="ghost"')


def _sends(spot: Spot) -> str:
    if spot.plans:
        return f'form="pick" name="chosen" value="{escape(spot.value)}"'
    return f'name="move" value="{escape(spot.value)}"'


def _hint(board: Board, spot: Spot) -> str:
    """What there is to say beside the name. Ends are named by their arms; where one has turned, also where it lies."""
    strayed = board.strayed(spot.end)
    said = ", ".join(filter(None, [spot.hint, strayed and str(_CORNERS[strayed])]))
    title = f' title="{escape(said)}"' if said else ""
    return title + (' aria-pressed="true"' if spot.state == "planned" else "")


def _reach(board: Board, ghost: Box, others: list[Box]) -> Box:
    """The button on a ghost: no smaller than a finger where the board is smallest, within what is shown, and
    not beyond the middle of the gap to another spot that may be lit with it."""
    width, height = LEAST[board.shape]
    pixel = min(width / board.half_width, height / board.half_height) / 2
    half = TAP / pixel / 2
    left, right = _side(ghost.x, max(half, ghost.half_width), board.half_width)
    top, bottom = _side(ghost.y, max(half, ghost.half_height), board.half_height)
    for other in others:
        across = abs(other.x - ghost.x) - other.half_width - ghost.half_width
        down = abs(other.y - ghost.y) - other.half_height - ghost.half_height
        if across >= down:
            middle = _between(ghost.x, ghost.half_width, other.x, other.half_width)
            left, right = (max(left, middle), right) if other.x < ghost.x else (left, min(right, middle))
        else:
            middle = _between(ghost.y, ghost.half_height, other.y, other.half_height)
            top, bottom = (max(top, middle), bottom) if other.y < ghost.y else (top, min(bottom, middle))
    return Box((left + right) / 2, (top + bottom) / 2, (right - left) / 2, (bottom - top) / 2)


def _side(middle: float, half: float, frame: float) -> tuple[float, float]:
    """From where to where a button of this half-length reaches, moved into the frame."""
    middle = max(half - frame, min(frame - half, middle))
    return middle - half, middle + half


def _between(one: float, half_one: float, other: float, half_other: float) -> float:
    sign = 1 if other > one else -1
    return (one + sign * half_one + other - sign * half_other) / 2
