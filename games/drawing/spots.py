"""Render the spots where a hand's tiles fit: ghost tiles with buttons, as SVG over the line of play."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from boneyard.board import Board, Box, Corner, Placed, Shape, build_board
from boneyard.engine.layout import Line
from boneyard.engine.moves import EndName
from boneyard.engine.perspective import View
from boneyard.engine.tiles import NAMES, Tile
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

MIN_TAP_PIXELS = 44  # minimum size of a touch target
_CORNERS: dict[Corner, Promise] = {
    "upper left": gettext_lazy("at the upper left"),
    "upper right": gettext_lazy("at the upper right"),
    "lower left": gettext_lazy("at the lower left"),
    "lower right": gettext_lazy("at the lower right"),
}
# The smallest board: beside the rail on a small desktop; on a phone 360 px wide with the browser's bars visible.
MIN_BOARD_PIXELS = {"wide": (525, 300), "tall": (356, 290)}


class Spot(NamedTuple):
    """A spot on the board where a tile of the hand fits.

    name    accessible name
    hint    what the play would score, and which free side it uses
    state   open (its tile is chosen), hidden or planned
    value   the form value sent without JavaScript: the move, or the plan including it
    plans   whether it is added to a plan of several tiles instead of being played at once
    count   the count after the play; None where that is not displayed
    scores  whether the play would score
    alone   the count after this tile without the others of a plan, for the script; None where plans have none
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
    alone: int | None = None


def draw_spots(view: View, spots: Sequence[Spot], shapes: Sequence[Shape] = SHAPES) -> tuple[Group, ...]:
    """Render ghosts with buttons, an `svg` for each shape; empty ones while nothing fits."""
    if not spots:
        return tuple([Group(f"places-{shape}", _svg_attributes(shape), "") for shape in shapes])
    return tuple([_draw_shape(shape, view.line, spots) for shape in shapes])


def _draw_shape(shape: Shape, line: Line, spots: Sequence[Spot]) -> Group:
    board = build_board(line, shape)
    ghosts = [board.ghost(spot.tile, spot.end) for spot in spots]
    parts = []
    for spot, ghost in zip(spots, ghosts, strict=True):
        # Spots of different tiles are never shown together, unless they are part of a plan.
        others = [
            other.box
            for each, other in zip(spots, ghosts, strict=True)
            if each.end != spot.end and (each.tile == spot.tile or spot.plans)
        ]
        parts.append(_draw_spot(board, spot, ghost, others))
    return Group(f"places-{shape}", f"{_svg_attributes(shape)} {view_box(board)}", "".join(parts))


def _svg_attributes(shape: Shape) -> str:
    """Return the attributes of the drawing that holds the spots; screen readers see only this drawing."""
    return f' class="places {shape}" role="none"'


def _draw_spot(board: Board, spot: Spot, ghost: Placed, others: list[Box]) -> str:
    state = "" if spot.state == "open" else f" is-{spot.state}"
    chip = ""
    if spot.count is not None:
        scores = ' class="is-scoring"' if spot.scores else ""
        chip_art = f'<circle r="{chip_radius(board):g}"/><text>={spot.count}</text>'
        chip = f"<g{scores}{transform(*board.chip_after(ghost), board.chip_scale)}>{chip_art}</g>"
    alone = "" if spot.alone is None else f' data-count="{spot.alone}"'
    x, y, width, height = edges(_button_box(board, ghost.box, others))
    return (
        f'<g class="line-end is-legal{state}">'
        f"{thread(ghost)}{_draw_ghost(ghost)}{halves(ghost)}{chip}"
        f'<foreignObject x="{x:.4g}" y="{y:.4g}" width="{width:.4g}" height="{height:.4g}">'
        f'<button class="spot" {_form_attributes(spot)} '
        f'data-tile="{NAMES[spot.tile]}" data-end="{spot.end}"{alone} aria-label="{escape(spot.name)}"'
        f"{_hint(board, spot)}></button></foreignObject></g>"
    )


def _draw_ghost(ghost: Placed) -> str:
    return use("gv" if ghost.upright else "gh", ghost.box.x * UNIT, ghost.box.y * UNIT, ' class="ghost"')


def _form_attributes(spot: Spot) -> str:
    if spot.plans:
        return f'form="pick" name="chosen" value="{escape(spot.value)}"'
    return f'name="move" value="{escape(spot.value)}"'


def _hint(board: Board, spot: Spot) -> str:
    """Return the `title` and pressed state. A turned arm's end is also described by its corner."""
    corner = board.displaced_corner(spot.end)
    title_text = ", ".join(filter(None, [spot.hint, corner and str(_CORNERS[corner])]))
    title = f' title="{escape(title_text)}"' if title_text else ""
    return title + (' aria-pressed="true"' if spot.state == "planned" else "")


def _button_box(board: Board, ghost: Box, others: list[Box]) -> Box:
    """Return the button's box: large enough for touch on the smallest board, inside the visible board, and at most up
    to the middle of the gap to another spot that may be shown with it."""
    width, height = MIN_BOARD_PIXELS[board.shape]
    pixel = min(width / board.half_width, height / board.half_height) / 2
    half = MIN_TAP_PIXELS / pixel / 2
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
    """Return the start and end of a button of this half-length, moved into the frame."""
    middle = max(half - frame, min(frame - half, middle))
    return middle - half, middle + half


def _between(one: float, half_one: float, other: float, half_other: float) -> float:
    sign = 1 if other > one else -1
    return (one + sign * half_one + other - sign * half_other) / 2
