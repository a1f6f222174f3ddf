"""Render the line of play as SVG, as cached strings without rotations.

A unit is 40 by 40, one half of a tile; the symbols come from `games.drawing.tiles`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from boneyard.board import FLASH_HALF_SIZE, Board, Box, End, Pin, Placed, Shape, build_board
from boneyard.engine.layout import Line
from boneyard.engine.moves import MUGGINS, EndName
from boneyard.engine.perspective import View
from boneyard.engine.tiles import NAMES
from games.wording import cached_by_language

UNIT = 40
CLASS_NEW = ' class="is-new"'
SHAPES: tuple[Shape, ...] = ("wide", "tall")
# Of a cropped board, in tile widths: minimum half-size of a wide one, and the margin around its tiles.
MIN_CROPPED_HALF_SIZE, CROP_MARGIN = (4.0, 2.0), 0.45


class Group(NamedTuple):
    """A `g` or `svg` element: its id, its attributes, each preceded by a space, and its content."""

    id: str
    attributes: str
    art: str


class Drawing(NamedTuple):
    """The line in one shape: attributes of its `svg`, threads below the tiles, tiles in the order laid, marks above.

    `laid` are the attributes of the group that contains the tiles.
    """

    shape: Shape
    attributes: str
    laid: str
    threads: str
    tiles: tuple[Group, ...]
    marks: tuple[Group, ...]

    def art(self, name: str) -> str:
        """Return the complete `svg` element with class `name`, for static pictures."""
        tiles, marks = (
            "".join(f"<g{attributes}>{art}</g>" for _id, attributes, art in groups)
            for groups in (self.tiles, self.marks)
        )
        return f'<svg class="{name}"{self.attributes}><g{self.laid}>{self.threads}{tiles}</g>{marks}</svg>'


def parse_shapes(name: str) -> tuple[Shape, ...]:
    """Return the shape that a page reports, or both if it reports none and the style sheet chooses."""
    return tuple(shape for shape in SHAPES if shape == name) or SHAPES


def draw_line(view: View) -> SafeString:
    """Render the line of play wide and tall; the style sheet shows one."""
    return mark_safe("".join(drawing.art(drawing.shape) for drawing in draw_shapes(view)))  # noqa: S308


def draw_shapes(view: View, shapes: Sequence[Shape] = SHAPES) -> tuple[Drawing, ...]:
    """Render the line in pieces, in the shapes that a page shows, so that it can be patched."""
    plays = [entry.move.plays for entry in view.log if entry.move.kind == "play"]
    last = view.log[-1] if view.log else None
    # The points of a call appear at the caller's plate, not at the tile of the player who missed them.
    scored = last and last.move is not MUGGINS and (last.scored or max(last.award or (0,)))
    newest, chips = len(plays[-1]) if plays else 0, tuple(_chips_of(view).items())
    shows_suits = not view.rules.adds_ends
    line, closed = view.line, _closed()
    return tuple([_line(shape, line, chips, newest, scored or 0, shows_suits, closed) for shape in shapes])


@cached_by_language
def _closed() -> str:
    return _("opens when both sides of the spinner are covered")


def _chips_of(view: View) -> Mapping[EndName, int]:
    """Return the number on each chip: what the end adds to the count or, without a count, its suit.

    Empty where points are claimed.
    """
    if view.terms.must_claim or not view.laid:
        return {}
    return (view.end_values or {}) if view.rules.adds_ends else view.ends


def draw_cropped_line(view: View) -> SafeString:
    """Render the line without chips, cropped to its tiles, wide and tall; the style sheet shows one."""
    drawings = (draw_cropped(view, shape) for shape in SHAPES)
    return mark_safe("".join(drawing.art(drawing.shape) for drawing in drawings))  # noqa: S308


def draw_cropped(view: View, shape: Shape = "wide", *, centred: bool = False) -> Drawing:
    """Render the line without chips, cropped to its tiles, for the small boards of lists.

    Of a short line the first tile is in the middle, so that it stays there as the line grows, or, `centred`, the line.
    """
    board = build_board(view.line, shape)
    plays = [entry.move.plays for entry in view.log if entry.move.kind == "play"]
    drawing = _drawing(board, {}, len(plays[-1]) if plays else 0, 0, False, "")
    seen = _cropped([placed.box for placed in board.placed], shape, centred=centred)
    return drawing._replace(attributes=seen, marks=())


def _cropped(boxes: Iterable[Box], shape: Shape = "wide", *, centred: bool = False) -> str:
    """Return the `viewBox` of boxes with a margin; never so small that the tiles of a short line look huge."""
    half_width, half_height = MIN_CROPPED_HALF_SIZE if shape == "wide" else MIN_CROPPED_HALF_SIZE[::-1]
    sides = [
        (box.x - box.half_width, box.y - box.half_height, box.x + box.half_width, box.y + box.half_height)
        for box in boxes
    ]
    x, y = 0.0, 0.0
    if centred and sides:
        lefts, tops, rights, bottoms = zip(*sides, strict=True)
        x, y = (min(lefts) + max(rights)) / 2, (min(tops) + max(bottoms)) / 2
    least = (x - half_width, y - half_height, x + half_width, y + half_height)
    lefts, tops, rights, bottoms = zip(least, *sides, strict=True)
    left, top = min(lefts) - CROP_MARGIN, min(tops) - CROP_MARGIN
    width, height = max(rights) + CROP_MARGIN - left, max(bottoms) + CROP_MARGIN - top
    seen = f"{left * UNIT:g} {top * UNIT:g} {width * UNIT:g} {height * UNIT:g}"
    return f' viewBox="{seen}" aria-hidden="true"'


def draw_example_step(line: Line, values: Mapping[EndName, int], newest: int) -> SafeString:
    """Render the line with chips and its newest tiles marked, for a rules page."""
    board = build_board(line, "wide")
    radius = board.chip_radius
    chips = [Box(*end.chip, radius, radius) for end in board.ends.values() if end.name in values]
    seen = _cropped([*(placed.box for placed in board.placed), *chips])
    drawing = _drawing(board, values, newest, 0, False, "")._replace(attributes=seen)
    return mark_safe(drawing.art("mini"))  # noqa: S308


@lru_cache(maxsize=2048)
def _line(
    shape: Shape,
    line: Line,
    values: tuple[tuple[EndName, int], ...],
    newest: int,
    scored: int,
    shows_suits: bool,
    closed: str,
) -> Drawing:
    return _drawing(build_board(line, shape), dict(values), newest, scored, shows_suits, closed)


def _drawing(
    board: Board, values: Mapping[EndName, int], newest: int, scored: int, shows_suits: bool, closed: str
) -> Drawing:
    attributes = f' {view_box(board)} aria-hidden="true"'
    threads = "".join([thread(placed) for placed in board.placed if placed.thread])
    marks = tuple(_marks(board, values, scored, shows_suits, closed))
    # Without a mark the style sheet highlights the last tile, so that a play changes only its own tile.
    laid = ' class="laid"' if newest else ' class="laid is-still"'
    return Drawing(board.shape, attributes, laid, threads, _tiles(board, newest if newest > 1 else 0), marks)


def _marks(
    board: Board, values: Mapping[EndName, int], scored: int, shows_suits: bool, closed: str
) -> Iterator[Group]:
    """Yield the chips of the ends and the flash of the scored points."""
    shape = board.shape
    for end in board.ends.values():
        id = f"end-{shape}-{end.name}"
        if not end.open and not end.played:
            yield Group(id, "", f"<title>{escape(closed)}</title>{rect('arm-closed', end.plain, -2, 4)}")
        elif end.name in values:
            free = "" if _adds(end) or board.ring == 1 else " is-free"
            look = " is-quiet" if shows_suits else free
            attributes = (
                f' class="line-end{look}" data-end="{end.name}"{transform(*end.chip, board.chip_scale)}'
            )
            yield Group(id, attributes, _chip(board, values[end.name] if shows_suits or _adds(end) else None))
    if scored and board.flash:
        # A new id each time: only new elements flash.
        yield Group(f"flash-{shape}-{len(board.placed)}", *_flash(board.flash, scored))


def view_box(board: Board) -> str:
    """Return the `viewBox` attribute that shows the whole board."""
    return f'viewBox="{_frame(board)}"'


def _frame(board: Board) -> str:
    width, height = board.half_width * UNIT, board.half_height * UNIT
    return f"{-width:g} {-height:g} {2 * width:g} {2 * height:g}"


def _tiles(board: Board, marked: int) -> tuple[Group, ...]:
    """Render the tiles, the last `marked` ones as new."""
    last = len(board.placed) - marked
    shape, pins = board.shape, board.pins
    return tuple(
        [_tile(shape, placed, pins.get(number), number >= last) for number, placed in enumerate(board.placed)]
    )


def thread(placed: Placed) -> str:
    """Render the thread from a tile to its end, if it does not touch that end."""
    if not placed.thread:
        return ""
    points = "L".join(f"{x * UNIT:g} {y * UNIT:g}" for x, y in placed.thread)
    return f'<path class="thread" d="M{points}"/>'


@lru_cache(maxsize=8192)
def _tile(shape: Shape, placed: Placed, pinned: Pin | None, new: bool) -> Group:
    name = NAMES[placed.tile]
    attributes = f'{CLASS_NEW if new else ""} data-tile="{name}"'
    return Group(f"{shape}-{name}", attributes, _art(placed, pinned))


def _art(placed: Placed, pinned: Pin | None) -> str:
    x, y = placed.x * UNIT, placed.y * UNIT
    pin = ""
    if pinned == "full":
        pin = use("pin", x, y)
    elif pinned == "hollow":
        pin = f'<circle class="pin-hollow" cx="{x:g}" cy="{y - 1:g}" r="3.6"/>'
    return f"{use('bv' if placed.upright else 'bh', x, y)}{halves(placed)}{pin}"


def use(symbol: str, x: float, y: float, about: str = "") -> str:
    """Render a `use` of a symbol at a point; coordinates of 0 are omitted."""
    across, down = f' x="{x:g}"' if x else "", f' y="{y:g}"' if y else ""
    return f'<use{about} href="#{symbol}"{across}{down}/>'


def halves(placed: Placed) -> str:
    """Render the pips of a tile, without its body."""
    way = "v" if placed.upright else "h"
    return "".join(
        [use(f"{way}{half.suit}", half.x * UNIT, half.y * UNIT) for half in (placed.first, placed.second)]
    )


def rect(name: str, box: Box, grown: float, rx: float) -> str:
    """Render a box as a rounded rectangle of class `name`, larger by `grown` pixels on every side."""
    x, y, width, height = edges(box, grown)
    return f'<rect class="{name}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{rx:g}"/>'


def edges(box: Box, grown: float = 0) -> tuple[float, float, float, float]:
    """Return x, y, width and height of a box in pixels of the drawing."""
    half_width, half_height = box.half_width * UNIT + grown, box.half_height * UNIT + grown
    return box.x * UNIT - half_width, box.y * UNIT - half_height, 2 * half_width, 2 * half_height


def _adds(end: End) -> bool:
    return end.played or end.name in "LR"


def _chip(board: Board, value: int | None) -> str:
    """Render a chip; with None an empty ring, for a free side of the spinner that adds nothing to the count."""
    text = "" if value is None else f"<text>{value}</text>"
    return f'<circle r="{chip_radius(board) * (board.ring if value is None else 1):g}"/>{text}'


def chip_radius(board: Board) -> float:
    """Return the radius of a chip before scaling, in pixels of the drawing."""
    return board.chip_radius / board.chip_scale * UNIT


def _flash(box: Box, scored: int) -> tuple[str, str]:
    scale = box.half_width / FLASH_HALF_SIZE[0]
    x, y, width, height = edges(Box(0, 0, *FLASH_HALF_SIZE))
    around = f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{height / 2:g}"/>'
    text = f'<text y="7.6" font-size="22">+{scored}</text>'
    return transform(box.x, box.y, scale), f'<g class="flash">{around}{text}</g>'


def transform(x: float, y: float, scale: float) -> str:
    """Return the `transform` attribute that moves art around (0, 0) to a point of the board."""
    scaled = "" if scale == 1 else f" scale({scale:.3g})"
    return f' transform="translate({x * UNIT:g} {y * UNIT:g}){scaled}"'
