"""Tiles and the line of play as SVG: memoised strings, positions as attributes, nothing rotated.

A unit is 40 by 40, one half of a tile. Light falls from above, so a tile has a body for each way it can lie, and
each half a symbol upright and one on its side, turned a quarter: (x, y) becomes (-y, x).
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from html import escape
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.board import FLASH, Board, Box, End, Placed, Shape, lay
from games.engine.layout import Line
from games.engine.perspective import View
from games.engine.tiles import HIGH, LOW, NAMES, Tile

if TYPE_CHECKING:
    from games.hand import Place

UNIT = 40
SHAPES: tuple[Shape, ...] = ("wide", "tall")
TAP = 44  # pixels: the least that a finger hits
# The smallest that the board is shown, in pixels: beside the rail on a small desktop; on a phone 360 wide whose
# browser shows its bars.
LEAST = {"wide": (525, 300), "tall": (356, 290)}
HEAP = ((-52, 6, -8), (-10, -4, 5), (32, 8, -3), (66, -6, 9), (10, 22, -12), (-34, -18, 14))

BODIES = (
    '<linearGradient id="gf" x1="0" y1="0" x2="0" y2="1"><stop offset="0" class="g1"/><stop offset="1" class="g2"/>'
    "</linearGradient>"
    '<g id="bv"><rect class="lip" x="-19.2" y="-38" width="38.4" height="77.2" rx="5.5"/>'
    '<rect class="face" x="-19.2" y="-39.2" width="38.4" height="76" rx="5.5"/>'
    '<path class="cut" d="M-13.5 -1h27"/><path class="cul" d="M-13.5 .2h27"/></g>'
    '<g id="bh"><rect class="lip" x="-39.2" y="-18" width="78.4" height="37.2" rx="5.5"/>'
    '<rect class="face" x="-39.2" y="-19.2" width="78.4" height="36" rx="5.5"/>'
    '<path class="cut" d="M0 -14.5v27"/><path class="cul" d="M1.1 -14.5v27"/></g>'
    '<g id="pin"><circle class="pn0" cy="-1" r="4.2"/><circle class="pn1" cy="-1" r="3"/>'
    '<circle class="pn2" cx="-.8" cy="-1.9" r="1"/></g>'
    '<g id="bk"><rect class="lip" x="-19.2" y="-38" width="38.4" height="77.2" rx="5.5"/>'
    '<rect class="face" x="-19.2" y="-39.2" width="38.4" height="76" rx="5.5"/>'
    '<circle class="bkl" cy="-1.2" r="6"/></g>'
)


def _pips(n: int) -> list[tuple[float, float]]:
    """The pips of an upright half around its middle."""
    if n > 9:
        rows = (-12.6, -4.2, 4.2, 12.6)
        columns = {10: (4, 2, 4), 11: (4, 3, 4), 12: (4, 4, 4)}[n]
        return [
            (x, y if len(rows) == count else (i - (count - 1) / 2) * 8.4)
            for x, count in zip((-10.1, 0.0, 10.1), columns, strict=True)
            for i, y in enumerate(rows[:count])
        ]
    a = 10.1
    centre, falling, rising = [(0.0, 0.0)], [(-a, -a), (a, a)], [(a, -a), (-a, a)]
    sides, ends = [(-a, 0.0), (a, 0.0)], [(0.0, -a), (0.0, a)]
    return {
        0: [],
        1: centre,
        2: falling,
        3: falling + centre,
        4: falling + rising,
        5: falling + rising + centre,
        6: falling + rising + sides,
        7: falling + rising + sides + centre,
        8: falling + rising + sides + ends,
        9: falling + rising + sides + ends + centre,
    }[n]


@cache
def symbols(highest: int) -> SafeString:
    """The shapes a page of this set needs, and no others: about 3 KB up to 6, 7 KB up to 12."""
    halves = []
    for n in range(highest + 1):
        size = "" if n < 7 else " m" if n < 10 else " s"
        for way, turn in (("v", lambda x, y: (x, y)), ("h", lambda x, y: (-y, x))):
            # A pip is a dot of a round stroke, a little above the middle of the tile's face.
            dots = "".join(f"M{x:g} {y - 1:g}h.01" for x, y in (turn(*pip) for pip in _pips(n)))
            shape = (
                f'<path class="pl{size}" d="{dots}"/><path class="pp p{n}{size}" d="{dots}"/>' if dots else ""
            )
            halves.append(f'<g id="{way}{n}">{shape}</g>')
    art = f'<svg class="sprite" width="0" height="0" aria-hidden="true"><defs>{BODIES}{"".join(halves)}</defs></svg>'
    return mark_safe(art)  # noqa: S308  numbers and our own words


@cache
def hand_tile(tile: Tile) -> SafeString:
    """A tile standing in a hand, the higher half above."""
    art = (
        '<svg class="tile" viewBox="-20 -40 40 80" aria-hidden="true"><use href="#bv"/>'
        f'<use href="#v{HIGH[tile]}" y="-20"/><use href="#v{LOW[tile]}" y="20"/>'
        '<rect class="ring" x="-20.5" y="-40.5" width="41" height="80.5" rx="7"/></svg>'
    )
    return mark_safe(art)  # noqa: S308


@cache
def heap(tiles: int) -> SafeString:
    """The boneyard as at most six backs."""
    backs = "".join(
        f'<use href="#bk" transform="translate({x} {y}) rotate({turn})"/>'
        for x, y, turn in HEAP[: min(tiles, 6)]
    )
    art = f'<span class="pile"><svg viewBox="-80 -52 172 104" aria-hidden="true" class="tile">{backs}</svg></span>'
    return mark_safe(art)  # noqa: S308


def line(view: View) -> SafeString:
    """The line of play twice, wide and tall; the style sheet shows one."""
    plays = [entry.move.plays for entry in view.log if entry.move.kind == "play"]
    scored = view.log[-1].scored if view.log else 0
    return _line(
        view.line,
        tuple((view.end_values or {}).items()),
        len(plays[-1]) if plays else 0,
        scored or 0,
        _("opens when both sides of the spinner are covered"),
    )


def miniature(view: View) -> SafeString:
    """The line alone, small, for the lobby."""
    board = lay(view.line, "wide")
    art = f'<svg class="mini" viewBox="{_frame(board)}" aria-hidden="true">{_laid(board, 0)}</svg>'
    return mark_safe(art)  # noqa: S308


@lru_cache(maxsize=2048)
def _line(
    line: Line,
    values: tuple[tuple[str, int], ...],
    newest: int,
    scored: int,
    closed: str,
) -> SafeString:
    boards = [lay(line, shape) for shape in SHAPES]
    return mark_safe("".join(_svg(board, dict(values), newest, scored, closed) for board in boards))  # noqa: S308


def _svg(board: Board, values: dict[str, int], newest: int, scored: int, closed: str) -> str:
    parts = [_laid(board, newest)]
    for placed in board.placed[len(board.placed) - newest :]:
        parts += _rect("last-glow", placed.box, 1.5, 7.5), _rect("last", placed.box, 0, 6)
    for end in board.ends.values():
        if not end.open and not end.played:
            parts.append(f"<g><title>{escape(closed)}</title>{_rect('arm-closed', end.plain, -2, 4)}</g>")
        elif end.name in values:
            chip = _chip(board, values[end.name] if _adds(end) else None, end.chip)
            parts.append(f'<g class="end" data-end="{end.name}">{chip}</g>')
    if scored and board.flash:
        parts.append(_flash(board.flash, scored))
    return (
        f'<svg class="{board.shape}" viewBox="{_frame(board)}" preserveAspectRatio="xMidYMid meet" '
        f'aria-hidden="true">{"".join(parts)}</svg>'
    )


def _frame(board: Board) -> str:
    width, height = board.half_width * UNIT, board.half_height * UNIT
    return f"{-width:g} {-height:g} {2 * width:g} {2 * height:g}"


def _laid(board: Board, newest: int) -> str:
    last = len(board.placed) - newest
    tiles = (
        _tile(placed, place == board.spinner, place >= last) for place, placed in enumerate(board.placed)
    )
    return f'<g class="laid">{"".join(tiles)}</g>'


@lru_cache(maxsize=8192)
def _tile(placed: Placed, spinner: bool, newest: bool) -> str:
    x, y = placed.x * UNIT, placed.y * UNIT
    pin = f'<use href="#pin" x="{x:g}" y="{y:g}"/>' if spinner else ""
    new = ' class="is-new"' if newest else ""
    body = f'<use href="#{"bv" if placed.upright else "bh"}" x="{x:g}" y="{y:g}"/>'
    return f'<g{new} data-tile="{NAMES[placed.tile]}">{body}{_halves(placed)}{pin}</g>'


def _halves(placed: Placed) -> str:
    way = "v" if placed.upright else "h"
    return "".join(
        f'<use href="#{way}{half.suit}" x="{half.x * UNIT:g}" y="{half.y * UNIT:g}"/>'
        for half in (placed.first, placed.second)
    )


def _rect(name: str, box: Box, grown: float, rx: float) -> str:
    x, y, width, height = _edges(box, grown)
    return f'<rect class="{name}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{rx:g}"/>'


def _edges(box: Box, grown: float = 0) -> tuple[float, float, float, float]:
    """x, y, width and height, in pixels of the drawing."""
    half_width, half_height = box.half_width * UNIT + grown, box.half_height * UNIT + grown
    return box.x * UNIT - half_width, box.y * UNIT - half_height, 2 * half_width, 2 * half_height


def _adds(end: End) -> bool:
    return end.played or end.name in "LR"


def _chip(board: Board, value: int | None, chip: tuple[float, float]) -> str:
    """What an end adds to the count; an empty ring (None) on a free side of the spinner, which adds nothing."""
    text = "" if value is None else f'<text y="5.2" font-size="15">{value}</text>'
    ring = f'<circle r="{board.chip_radius / board.chip_scale * UNIT:g}"/>'
    return f"<g{_at(*chip, board.chip_scale)}>{ring}{text}</g>"


def _flash(box: Box, scored: int) -> str:
    scale = box.half_width / FLASH[0]
    x, y, width, height = _edges(Box(0, 0, *FLASH))
    rect = f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{height / 2:g}"/>'
    text = f'<text y="7.6" font-size="22">+{scored}</text>'
    return f'<g{_at(box.x, box.y, scale)}><g class="flash">{rect}{text}</g></g>'


def _at(x: float, y: float, scale: float) -> str:
    scaled = "" if scale == 1 else f" scale({scale:.3g})"
    return f' transform="translate({x * UNIT:g} {y * UNIT:g}){scaled}"'


def places(view: View, found: Sequence["Place"]) -> SafeString:
    """Where the hand's tiles fit, over the line: ghosts with buttons on them, in both shapes."""
    if not found:
        return SafeString("")
    boards = [lay(view.line, shape) for shape in SHAPES]
    return mark_safe("".join(_places(board, found, view.end_values or {}) for board in boards))  # noqa: S308


def _places(board: Board, found: Sequence["Place"], values: dict[str, int]) -> str:
    ghosts = [board.ghost(place.tile, place.end) for place in found]
    parts = []
    for place, ghost in zip(found, ghosts, strict=True):
        # Places of different tiles are never lit together, but those that join a plan may be.
        others = [
            other.box
            for each, other in zip(found, ghosts, strict=True)
            if each.end != place.end and (each.tile == place.tile or place.plans)
        ]
        parts.append(_place(board, place, ghost, others, values.get(place.end)))
    return (
        f'<svg class="places {board.shape}" viewBox="{_frame(board)}" preserveAspectRatio="xMidYMid meet">'
        f"{''.join(parts)}</svg>"
    )


def _place(board: Board, place: "Place", ghost: Placed, others: list[Box], value: int | None) -> str:
    state = "" if place.state == "open" else f" is-{place.state}"
    move = escape(place.move)
    counts = value is not None and _adds(board.ends[place.end])
    chip = _chip(board, value, board.chip_after(ghost)) if counts else ""
    x, y, width, height = _edges(_reach(board, ghost.box, others))
    return (
        f'<g class="end is-legal{state}" data-move="{move}" data-end="{place.end}">'
        f"{_rect('ghost', ghost.box, -2, 4)}{_halves(ghost)}{chip}"
        f'<foreignObject x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}">'
        f'<button class="spot{state}" type="submit" {_sends(place)} data-move="{move}" '
        f'data-tile="{NAMES[place.tile]}" data-end="{place.end}" aria-label="{escape(place.name)}"'
        f"{_hint(place)}></button></foreignObject></g>"
    )


def _sends(place: "Place") -> str:
    if place.plans:
        return f'form="pick" name="chosen" value="{escape(place.value)}"'
    return f'name="move" value="{escape(place.value)}"'


def _hint(place: "Place") -> str:
    title = f' title="{escape(place.hint)}"' if place.hint else ""
    return title + (' aria-pressed="true"' if place.state == "planned" else "")


def _reach(board: Board, ghost: Box, others: list[Box]) -> Box:
    """The button on a ghost: no smaller than a finger where the board is smallest, within what is shown, and
    not beyond the middle of the gap to another place that may be lit with it."""
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
