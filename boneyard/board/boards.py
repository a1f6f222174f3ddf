"""Base class of boards: tiles, chips, the flash with a play's points, and the places of the next tiles."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Literal, NamedTuple

from boneyard.engine.layout import Line
from boneyard.engine.moves import ENDS, INDEX, EndName
from boneyard.engine.tiles import Tile

from . import arms
from .boxes import Box, boxes_around, first_clear
from .placed import Exit, Placed

Shape = Literal["wide", "tall"]
# Position of an end relative to the opposite end.
Corner = Literal["upper left", "upper right", "lower left", "lower right"]
# Pin of a double: full if its free sides are open.
Pin = Literal["full", "hollow"]

# Space around the frame for outlines and chips.
FRAME_MARGIN = 0.2

CHIP_RADIUS: dict[Shape, float] = {"wide": 0.35, "tall": 0.375}
# From this half-width on chips grow with the frame to stay readable, up to this factor.
CHIP_GROWTH: dict[Shape, tuple[float, float]] = {"wide": (10.5, 1.6), "tall": (6.2, 1.6)}
# Distance of a chip's edge from the end, and from the side of the last half (rule 9).
CHIP_GAP_BEYOND, CHIP_GAP_BESIDE = 0.23, 0.13
FLASH_HALF_SIZE = (0.775, 0.425)
FLASH_GAP = 0.28


class End(NamedTuple):
    """An end of the line.

    suit    the suit required here
    open    whether a tile may be joined now: the spinner's free sides open when its line sides are covered, and
            Sebastopol's started arms when all four are started
    played  whether a tile lies on this arm
    chip    the middle of the chip
    plain   the box of the next tile if it is no double
    double  the box of the next tile if it is the double; None if that has been laid
    """

    name: EndName
    suit: int
    open: bool
    played: bool
    chip: tuple[float, float]
    plain: Box
    double: Box | None


class Board(ABC):
    """A line of play laid out on a board.

    placed       the tiles in the order laid
    middle       the number, from 0, of the tile in the middle: the spinner, or the lead while there is none; None
                 before the lead
    spinner      the number of the spinner, or None
    outward      by end, the numbers of its tiles from the middle outward
    step         the scale step
    half_width   half the width of the visible board, like half_height
    chip_scale   scale of chips and the flash, relative to the smallest board
    chip_radius  in tile widths
    """

    step: int
    middle: int | None
    outward: Mapping[EndName, tuple[int, ...]]
    placed: tuple[Placed, ...]
    # Radius of the ring on an unplayed side, relative to a chip's.
    ring = 1.0

    def __init__(self, line: Line, shape: Shape, frame: tuple[float, float]) -> None:
        self.laid, self.spinner, self.shape = line.laid, line.spinner, shape
        self._open = line.ends
        half_width, half_height = frame
        self.half_width, self.half_height = half_width + FRAME_MARGIN, half_height + FRAME_MARGIN
        grows, most = CHIP_GROWTH[shape]
        self.chip_scale = max(1.0, min(most, half_width / grows))
        self.chip_radius = CHIP_RADIUS[shape] * self.chip_scale
        self._chips_after: dict[tuple[EndName, Box, Exit], tuple[float, float]] = {}

    @abstractmethod
    def ghost(self, tile: Tile, end: EndName | None) -> Placed:
        """Return the tile as placed at this end (None: as the lead)."""

    @property
    def pins(self) -> Mapping[int, Pin]:
        """Return the pins by the number of their double."""
        return {} if self.spinner is None else {self.spinner: "full"}

    @property
    @abstractmethod
    def _suits(self) -> Mapping[EndName, int]:
        """Return the suit required at each end."""

    @property
    @abstractmethod
    def _nexts(self) -> Mapping[EndName, Mapping[str, Box]]:
        """Return the box of the next tile by end and by kind (`arms`)."""

    @abstractmethod
    def _outermost(self, end: EndName) -> Placed:
        """Return the tile that the next one joins at this end."""

    @cached_property
    def ends(self) -> dict[EndName, End]:
        """Return the ends in order, including the closed ones of four arms; none before the lead."""
        ends: dict[EndName, End] = {}
        chips: list[Box] = []
        for name, numbers in self.outward.items():
            is_open, played = name in self._open, bool(numbers)
            chip = self._chip(self._outermost(name), [*self._nexts_but(name), *chips])
            if is_open or played:
                chips.append(chip)
            nexts, suit = self._nexts[name], self._suits[name]
            plain, double = nexts[arms.PLAIN], nexts.get(arms.DOUBLE)
            ends[name] = End(name, suit, is_open, played, (chip.x, chip.y), plain, double)
        return ends

    def displaced_corner(self, name: EndName) -> Corner | None:
        """Return where an end lies if, after turns, it is not on the side that its name says; otherwise None."""
        across = ENDS[INDEX[name] ^ 1]  # ends come in pairs: L R, U D, U2 D2, …
        here, other = self.ends[name].plain, self.ends[across].plain
        right, below = here.x - other.x, here.y - other.y
        if {"L": -right, "R": right, "U": -below, "D": below}[name[0]] > 0:
            return None
        if below < 0:
            return "upper left" if right < 0 else "upper right"
        return "lower left" if right < 0 else "lower right"

    def chip_after(self, ghost: Placed) -> tuple[float, float]:
        """Return the middle of an end's chip while `ghost`, a possible next tile, is shown there."""
        assert ghost.arm is not None  # before the lead there are no ends
        key = ghost.arm, ghost.box, ghost.out
        if key not in self._chips_after:
            flash = [self.flash] if self.flash else []
            taken = [*self._nexts_but(ghost.arm), *self._chip_boxes(ghost.arm), *flash, ghost.box]
            chip = self._chip(ghost, taken)
            self._chips_after[key] = chip.x, chip.y
        return self._chips_after[key]

    @cached_property
    def flash(self) -> Box | None:
        """Return the box of the points beside the last tile; None before the lead.

        It overlaps no tile or chip, and no next tile if there is other room nearby; it shrinks where space is narrow.
        """
        if not self.placed:
            return None
        nexts, chips = self._nexts_but(None), self._chip_boxes()
        frame = self.half_width, self.half_height
        for size, step, taken in (
            (1, 0.25, nexts + chips),
            (1, 0.25, chips),
            (0.7, 0.25, chips),
            (0.7, 1, chips),
        ):
            candidates = self._flash_boxes(size * self.chip_scale, step)
            if box := first_clear(candidates, [*self._boxes, *taken], frame):
                return box
        return next(self._flash_boxes(0.7, 1))

    def _flash_boxes(self, scale: float, step: float) -> Iterator[Box]:
        last = self.placed[-1]
        half_width, half_height = scale * FLASH_HALF_SIZE[0], scale * FLASH_HALF_SIZE[1]
        away_x = last.box.half_width + half_width + FLASH_GAP
        away_y = last.box.half_height + half_height + FLASH_GAP
        sides = [(-away_x, 0.0), (away_x, 0.0), (0.0, -away_y), (0.0, away_y)]
        beside = [
            Box(last.x + dx, last.y + dy, half_width, half_height)
            for dx, dy in (sides if last.upright else sides[2:] + sides[:2])
        ]
        return chain(beside, boxes_around(last.x, last.y, half_width, half_height, step))

    def _nexts_but(self, end: EndName | None) -> list[Box]:
        """Return the boxes of next tiles at all ends but this one."""
        return [box for name, boxes in self._next_boxes if name != end for box in boxes]

    @cached_property
    def _next_boxes(self) -> list[tuple[EndName, tuple[Box, ...]]]:
        return [(name, tuple(boxes.values())) for name, boxes in self._nexts.items()]

    @cached_property
    def _boxes(self) -> list[Box]:
        return [each.box for each in self.placed]

    def _chip_boxes(self, but: EndName | None = None) -> list[Box]:
        radius = self.chip_radius
        return [
            Box(*end.chip, radius, radius)
            for end in self.ends.values()
            if (end.open or end.played) and end.name != but
        ]

    def _chip(self, outermost: Placed, taken: Sequence[Box]) -> Box:
        """Return the chip's box by rule 9: beyond the end, else beside the last half, else as near as possible."""
        frame = self.half_width, self.half_height
        spots = self._chip_spots(outermost)
        beyond = next(spots)
        nearest = boxes_around(beyond.x, beyond.y, self.chip_radius, self.chip_radius, 0.25)
        box = first_clear(chain((beyond,), spots, nearest), [*self._boxes, *taken], frame)
        return box or beyond

    def _chip_spots(self, outermost: Placed) -> Iterator[Box]:
        x, y, dx, dy = outermost.out
        beyond = self.chip_radius + CHIP_GAP_BEYOND
        yield Box(x + beyond * dx, y + beyond * dy, self.chip_radius, self.chip_radius)
        halves, reach = [outermost.second, outermost.first], 0.5
        if (dx != 0) == outermost.upright:
            # A double across the line: beside its short ends.
            halves, reach = [outermost.second._replace(x=outermost.x, y=outermost.y)], 1.0
        beside = reach + self.chip_radius + CHIP_GAP_BESIDE
        for half in halves:
            sides = [
                (half.x - beside * dy, half.y + beside * dx),
                (half.x + beside * dy, half.y - beside * dx),
            ]
            # Prefer the side away from the middle, which has more room.
            for at in sorted(sides, key=lambda side: -(side[0] ** 2 + side[1] ** 2)):
                yield Box(*at, self.chip_radius, self.chip_radius)


def tiles_by_arm(board: Board) -> list[tuple[EndName | None, list[Tile]]]:
    """Return the tiles by arm from the middle outward: (None, [spinner or lead]), ("L", […]), …

    Arms without tiles are left out.
    """
    if board.middle is None:
        return []
    arms_begun = [
        (name, [board.laid[number].tile for number in numbers])
        for name, numbers in board.outward.items()
        if numbers
    ]
    return [(None, [board.laid[board.middle].tile]), *arms_begun]
