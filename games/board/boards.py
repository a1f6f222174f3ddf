"""The board: every arm in the smallest frame that holds them all, and what stands beside the tiles."""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, count
from typing import Literal, NamedTuple

from games.engine.layout import Line
from games.engine.moves import EndName
from games.engine.tiles import DOUBLE, HIGH, PIPS, Tile, tile

from . import arms
from .arms import Room
from .boxes import Box, around, first_clear
from .line import Branches, branches
from .placed import TURNS, Exit, Placed, in_the_middle, on_arm

Shape = Literal["wide", "tall"]

# Rule 8: half-widths of the frame by scale step, and the half-height as a part of them.
HALF_WIDTHS: dict[Shape, tuple[float, ...]] = {
    "wide": (8.7, 10.0, 11.6, 13.5, 16.0, 20.0),
    "tall": (6.2, 7.0, 8.2, 9.8, 12.0, 15.0),
}
PROPORTION: dict[Shape, float] = {"wide": 0.52, "tall": 1.0}
GROWTH = 1.25
# What is shown outside that frame, for outlines and chips.
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


class Board:
    """The laid board.

    placed       the tiles in the order laid
    middle       the number among them, from 0, of the tile in the middle (the lead while there is no spinner);
                 None before the lead
    spinner      the number of the spinner, or None
    outward      by arm, the numbers of its tiles, from the middle outward
    step         the scale step
    half_width   of what is to be shown, as half_height
    chip_scale   how much larger than on the smallest board chips are, and the flash
    chip_radius  in tile widths
    """

    def __init__(self, line: Line, shape: Shape) -> None:
        self.laid, self.spinner, self.shape = line.laid, line.spinner, shape
        self._open = line.ends
        self._arms = branches(line) if line.laid else Branches(0, {}, {}, {})
        self._doubles = frozenset(each for each, _, _ in line.laid if DOUBLE[each])
        self.middle = self._arms.middle if line.laid else None
        self.outward = self._arms.outward
        self.step = next(step for step in count() if self._holds(step))
        half_width, half_height = frame(shape, self.step)
        self.half_width, self.half_height = half_width + MARGIN, half_height + MARGIN
        grows, most = CHIP_GROWS[shape]
        self.chip_scale = max(1.0, min(most, half_width / grows))
        self.chip_radius = CHIP_RADIUS[shape] * self.chip_scale
        self.placed = self._placed()
        self._boxes = [each.box for each in self.placed]
        self._chips_after: dict[tuple[EndName, str], tuple[float, float]] = {}

    def ghost(self, tile: Tile, end: EndName | None) -> Placed:
        """The tile as it will lie when it is joined to this end (None: led), by rule 7."""
        if end is None:
            return in_the_middle(tile, None)
        arm = self._reached(end, self._kind(end, tile))
        return on_arm(end, arm.spots[-1], tile, self._arms.suits[end], end, None)

    @cached_property
    def ends(self) -> dict[EndName, End]:
        """The ends in the order L R U D, closed ones too; none before the lead."""
        ends: dict[EndName, End] = {}
        chips: list[Box] = []
        for name, numbers in self.outward.items():
            is_open, played = name in self._open, bool(numbers)
            chip = self._chip(self._outermost(name), [*self._nexts_but(name), *chips])
            if is_open or played:
                chips.append(chip)
            nexts, suit = self._nexts[name], self._arms.suits[name]
            plain, double = nexts[arms.PLAIN], nexts.get(arms.DOUBLE)
            ends[name] = End(name, suit, is_open, played, (chip.x, chip.y), plain, double)
        return ends

    def chip_after(self, ghost: Placed) -> tuple[float, float]:
        """The middle of the chip of an end while `ghost`, a tile that may be laid there, is shown."""
        assert ghost.arm is not None  # noqa: S101 - before the lead there are no ends
        key = ghost.arm, self._kind(ghost.arm, ghost.tile)
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
            if found := first_clear(candidates, self._boxes + taken, shown):
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

    def _holds(self, step: int) -> bool:
        """Whether everything can be laid at this scale, and one more tile at every end."""
        rooms = _rooms(self.shape, step, self.spinner is not None, self._lies_along)
        return all(arms.has_room(rooms[name], kinds) for name, kinds in self._arms.kinds.items())

    @property
    def _lies_along(self) -> bool:
        return self.middle is not None and not DOUBLE[self.laid[self.middle].tile]

    def _kind(self, end: EndName, next_tile: Tile) -> str:
        """What kind a tile will be once it is laid here, as in `branches`."""
        if DOUBLE[next_tile]:
            return arms.DOUBLE
        suit = PIPS[next_tile] - self._arms.suits[end]
        return arms.NO_DOUBLE_NEXT if tile(suit, suit) in self._doubles else arms.PLAIN

    def _reached(self, end: EndName, kind: str = "") -> arms.Arm:
        """The arm as it lies, or with one more tile of this kind."""
        rooms = _rooms(self.shape, self.step, self.spinner is not None, self._lies_along)
        arm = arms.laid(rooms[end], self._arms.kinds[end] + kind)
        assert arm is not None  # noqa: S101 - _holds has seen to that
        return arm

    @cached_property
    def _nexts(self) -> dict[EndName, dict[str, Box]]:
        """By end, where a next tile will lie, by its kind."""
        nexts: dict[EndName, dict[str, Box]] = {}
        for name, suit in self._arms.suits.items():
            kinds = arms.PLAIN + arms.NO_DOUBLE_NEXT
            if tile(suit, suit) not in self._doubles:
                kinds += arms.DOUBLE
            spots = {kind: self._reached(name, kind).spots[-1] for kind in kinds}
            nexts[name] = {kind: on_arm(name, spot, 0, 0, name, None).box for kind, spot in spots.items()}
        return nexts

    def _nexts_but(self, end: EndName | None) -> list[Box]:
        """Where next tiles will lie at other ends."""
        return [box for name, boxes in self._nexts.items() if name != end for box in boxes.values()]

    def _chip_boxes(self, but: EndName | None = None) -> list[Box]:
        shown = (end for end in self.ends.values() if (end.open or end.played) and end.name != but)
        return [self._chip_box(*end.chip) for end in shown]

    def _placed(self) -> tuple[Placed, ...]:
        if self.middle is None:
            return ()
        centre = self.laid[self.middle]
        placed = {self.middle: in_the_middle(centre.tile, centre.seat, centre.end)}
        for name, numbers in self.outward.items():
            suit = placed[self.middle].second.suit if name == "R" else HIGH[centre.tile]
            for number, spot in zip(numbers, self._reached(name).spots, strict=True):
                each, end, seat = self.laid[number]
                placed[number] = on_arm(name, spot, each, suit, end, seat)
                suit = PIPS[each] - suit
        return tuple(placed[number] for number in range(len(self.laid)))

    def _outermost(self, end: EndName) -> Placed:
        """What the next tile is joined to."""
        if self.outward[end]:
            return self.placed[self.outward[end][-1]]
        middle = self.placed[self.middle or 0]
        dx, dy = TURNS[end][:2]
        box = middle.box
        return middle._replace(out=Exit(dx * box.half_width, dy * box.half_height, dx, dy))

    def _chip(self, outermost: Placed, taken: Sequence[Box]) -> Box:
        """Rule 9: beyond the end, else beside the last half, else as near as may be."""
        shown = self.half_width, self.half_height
        beyond, *beside = (self._chip_box(x, y) for x, y in self._chip_spots(outermost))
        nearest = around(beyond.x, beyond.y, self.chip_radius, self.chip_radius, 0.25)
        found = first_clear(chain((beyond, *beside), nearest), [*self._boxes, *taken], shown)
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


@lru_cache(maxsize=1024)
def lay(line: Line, shape: Shape) -> Board:
    """The board of this line of play."""
    return Board(line, shape)


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


def frame(shape: Shape, step: int) -> tuple[float, float]:
    """The half-width and half-height that tiles may use at a scale step."""
    widths = HALF_WIDTHS[shape]
    past = max(0, step - len(widths) + 1)
    half_width = widths[min(step, len(widths) - 1)] * GROWTH**past
    return half_width, half_width * PROPORTION[shape]


@lru_cache(maxsize=256)
def _rooms(shape: Shape, step: int, branching: bool, lies_along: bool) -> dict[EndName, Room]:
    """The room of each arm. Opposite arms have the same, so that what one remembers serves the other."""
    along, across = (int(2 * half) for half in frame(shape, step))
    line = Room(along, across, branching, 2 if lies_along else 1, not lies_along)
    branch = Room(across, along, branching, 2, False)
    return {"L": line, "R": line, "U": branch, "D": branch}
