"""What every board shows: its tiles, and beside them chips, the points of a play and the places of the next tiles."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Literal, NamedTuple

from games.engine.layout import Line
from games.engine.moves import ENDS, INDEX, EndName
from games.engine.tiles import Tile

from . import arms
from .boxes import Box, around, first_clear
from .placed import Exit, Placed

Shape = Literal["wide", "tall"]
# Where an end lies: above or below, and on which side, of the end across the line.
Corner = Literal["upper left", "upper right", "lower left", "lower right"]
# Of a double: whether its free sides are open.
Pin = Literal["full", "hollow"]

# What is shown outside the frame that tiles may use, for outlines and chips.
MARGIN = 0.2

CHIP_RADIUS: dict[Shape, float] = {"wide": 0.35, "tall": 0.375}
# From this half-width on chips grow with the frame, to stay readable: up to that factor.
CHIP_GROWS: dict[Shape, tuple[float, float]] = {"wide": (10.5, 1.6), "tall": (6.2, 1.6)}
# Between a chip's edge and the end, or its half's side (rule 9: 0.58 and 0.98 from the chip's middle).
BEYOND, BESIDE = 0.23, 0.13
FLASH = (0.775, 0.425)
FLASH_AWAY = 0.28


class End(NamedTuple):
    """An end of the line.

    suit    the half wanted here
    open    whether a tile may be joined now: the spinner's free sides open when its line sides are covered, and
            Sebastopol's begun arms when all four are begun
    played  whether a tile lies on this arm
    chip    the middle of the chip
    plain   where the next tile will lie if it is a plain one
    double  where it will lie if it is the double; None when that one has been laid
    """

    name: EndName
    suit: int
    open: bool
    played: bool
    chip: tuple[float, float]
    plain: Box
    double: Box | None


class Board(ABC):
    """The laid board.

    placed       the tiles in the order laid
    middle       the number among them, from 0, of the tile from which the line is told: the spinner, or the lead while
                 there is none; None before the lead
    spinner      the number of the spinner, or None
    outward      by end, the numbers of the tiles that were laid there, from the middle outward
    step         the scale step
    half_width   of what is to be shown, as half_height
    chip_scale   how much larger than on the smallest board chips are, and the flash
    chip_radius  in tile widths
    """

    step: int
    middle: int | None
    outward: Mapping[EndName, tuple[int, ...]]
    placed: tuple[Placed, ...]
    # The radius of the ring on a side that no tile was laid at, as a part of a chip's.
    ring = 1.0

    def __init__(self, line: Line, shape: Shape, frame: tuple[float, float]) -> None:
        self.laid, self.spinner, self.shape = line.laid, line.spinner, shape
        self._open = line.ends
        half_width, half_height = frame
        self.half_width, self.half_height = half_width + MARGIN, half_height + MARGIN
        grows, most = CHIP_GROWS[shape]
        self.chip_scale = max(1.0, min(most, half_width / grows))
        self.chip_radius = CHIP_RADIUS[shape] * self.chip_scale
        self._chips_after: dict[tuple[EndName, Box, Exit], tuple[float, float]] = {}

    @abstractmethod
    def ghost(self, tile: Tile, end: EndName | None) -> Placed:
        """The tile as it will lie when it is joined to this end (None: led)."""

    @property
    def pins(self) -> Mapping[int, Pin]:
        """The doubles that carry a pin, by their numbers."""
        return {} if self.spinner is None else {self.spinner: "full"}

    @property
    @abstractmethod
    def _suits(self) -> Mapping[EndName, int]:
        """By end, the suit wanted there."""

    @property
    @abstractmethod
    def _nexts(self) -> Mapping[EndName, Mapping[str, Box]]:
        """By end, where a next tile will lie, by its kind (`arms`)."""

    @abstractmethod
    def _outermost(self, end: EndName) -> Placed:
        """What the next tile is joined to."""

    @cached_property
    def ends(self) -> dict[EndName, End]:
        """The ends in their order, the closed ones of four arms too; none before the lead."""
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

    def strayed(self, name: EndName) -> Corner | None:
        """Where an end lies that is not on the side of the other one that its name says: its arm has turned."""
        across = ENDS[INDEX[name] ^ 1]  # they come in twos: L R, U D, U2 D2, …
        here, other = self.ends[name].plain, self.ends[across].plain
        right, below = here.x - other.x, here.y - other.y
        if {"L": -right, "R": right, "U": -below, "D": below}[name[0]] > 0:
            return None
        if below < 0:
            return "upper left" if right < 0 else "upper right"
        return "lower left" if right < 0 else "lower right"

    def chip_after(self, ghost: Placed) -> tuple[float, float]:
        """The middle of the chip of an end while `ghost`, a tile that may be laid there, is shown."""
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
        """Where the points stand beside the tile laid last: on no tile or chip, nor where a tile may come next if
        there is room elsewhere near; smaller where it is narrow. None before the lead."""
        if not self.placed:
            return None
        nexts, chips = self._nexts_but(None), self._chip_boxes()
        shown = self.half_width, self.half_height
        for size, step, taken in (
            (1, 0.25, nexts + chips),
            (1, 0.25, chips),
            (0.7, 0.25, chips),
            (0.7, 1, chips),
        ):
            candidates = self._flash_boxes(size * self.chip_scale, step)
            if found := first_clear(candidates, [*self._boxes, *taken], shown):
                return found
        return next(self._flash_boxes(0.7, 1))

    def _flash_boxes(self, scale: float, step: float) -> Iterator[Box]:
        last = self.placed[-1]
        half_width, half_height = scale * FLASH[0], scale * FLASH[1]
        away_x = last.box.half_width + half_width + FLASH_AWAY
        away_y = last.box.half_height + half_height + FLASH_AWAY
        sides = [(-away_x, 0.0), (away_x, 0.0), (0.0, -away_y), (0.0, away_y)]
        for dx, dy in sides if last.upright else sides[2:] + sides[:2]:
            yield Box(last.x + dx, last.y + dy, half_width, half_height)
        yield from around(last.x, last.y, half_width, half_height, step)

    def _nexts_but(self, end: EndName | None) -> list[Box]:
        """Where next tiles will lie at other ends."""
        return [box for name, boxes in self._next_boxes if name != end for box in boxes]

    @cached_property
    def _next_boxes(self) -> list[tuple[EndName, tuple[Box, ...]]]:
        return [(name, tuple(boxes.values())) for name, boxes in self._nexts.items()]

    @cached_property
    def _boxes(self) -> list[Box]:
        return [each.box for each in self.placed]

    def _chip_boxes(self, but: EndName | None = None) -> list[Box]:
        shown = (end for end in self.ends.values() if (end.open or end.played) and end.name != but)
        return [self._chip_box(*end.chip) for end in shown]

    def _chip(self, outermost: Placed, taken: Sequence[Box]) -> Box:
        """Rule 9: beyond the end, else beside the last half, else as near as may be."""
        shown = self.half_width, self.half_height
        spots = (self._chip_box(x, y) for x, y in self._chip_spots(outermost))
        beyond = next(spots)
        nearest = around(beyond.x, beyond.y, self.chip_radius, self.chip_radius, 0.25)
        found = first_clear(chain((beyond,), spots, nearest), [*self._boxes, *taken], shown)
        return found or beyond

    def _chip_spots(self, outermost: Placed) -> Iterator[tuple[float, float]]:
        x, y, dx, dy = outermost.out
        beyond = self.chip_radius + BEYOND
        yield x + beyond * dx, y + beyond * dy
        halves, reach = [outermost.second, outermost.first], 0.5
        if (dx != 0) == outermost.upright:
            # A double lies across: beside its short ends.
            halves, reach = [outermost.second._replace(x=outermost.x, y=outermost.y)], 1.0
        beside = reach + self.chip_radius + BESIDE
        for half in halves:
            sides = [
                (half.x - beside * dy, half.y + beside * dx),
                (half.x + beside * dy, half.y - beside * dx),
            ]
            # Away from the middle there is more room.
            yield from sorted(sides, key=lambda side: -(side[0] ** 2 + side[1] ** 2))

    def _chip_box(self, x: float, y: float) -> Box:
        return Box(x, y, self.chip_radius, self.chip_radius)


def textual(board: Board) -> list[tuple[EndName | None, list[Tile]]]:
    """The tiles by arm, from the middle outward: (None, [the spinner or the lead]), ("L", […]), … without
    arms that have not been begun."""
    if board.middle is None:
        return []
    arms_begun = [
        (name, [board.laid[number].tile for number in numbers])
        for name, numbers in board.outward.items()
        if numbers
    ]
    return [(None, [board.laid[board.middle].tile]), *arms_begun]
