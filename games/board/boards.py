"""The board: every arm in the smallest frame that holds them all, and what stands beside the tiles."""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, count
from typing import NamedTuple

from games.engine.tiles import DOUBLE, HIGH, PIPS, Tile, tile

from . import arms
from .arms import Room
from .line import Line, line_of
from .places import TURNS, Exit, Laid, Placed, in_the_middle, on_arm
from .spots import Box, around, first_clear

# Rule 8: half-widths of the frame by scale step, and the half-height as a part of them.
HALF_WIDTHS = {"wide": (8.7, 10.0, 11.6, 13.5, 16.0, 20.0), "tall": (6.2, 7.0, 8.2, 9.8, 12.0, 15.0)}
PROPORTION = {"wide": 0.52, "tall": 1.0}
GROWTH = 1.25
# What is shown outside that frame, for outlines and chips.
MARGIN = 0.2

CHIP_RADIUS = {"wide": 0.35, "tall": 0.375}
# From this half-width on chips grow with the frame, to stay readable: up to that factor.
CHIP_GROWS = {"wide": (10.5, 1.6), "tall": (6.2, 1.6)}
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

    name: str
    suit: int
    open: bool
    played: bool
    chip: tuple[float, float]
    plain: Box
    double: Box | None


class Board:
    """The laid board.

    placed       the tiles in the order laid
    middle       the place among them of the tile in the middle (the lead while there is no spinner); None
                 before the lead
    spinner      the place of the spinner, or None
    outward      by arm, the places of its tiles, from the middle outward
    step         the scale step
    half_width   of what is to be shown, as half_height
    chip_radius  grows with the step, as the flash does by `chip_scale`
    """

    def __init__(self, laid: tuple[Laid, ...], spinner_rule: str, shape: str) -> None:
        self.laid, self.spinner_rule, self.shape = laid, spinner_rule, shape
        self._line = line_of(laid, spinner_rule) if laid else Line(0, None, {}, {}, {})
        self._doubles = frozenset(each for each, _, _ in laid if DOUBLE[each])
        self.middle = self._line.middle if laid else None
        self.spinner, self.outward = self._line.spinner, self._line.outward
        self.step = next(step for step in count() if self._holds(step))
        half_width, half_height = frame(shape, self.step)
        self.half_width, self.half_height = half_width + MARGIN, half_height + MARGIN
        grows, most = CHIP_GROWS[shape]
        self.chip_scale = max(1.0, min(most, half_width / grows))
        self.chip_radius = CHIP_RADIUS[shape] * self.chip_scale
        self.placed = self._placed()
        self._boxes = [each.box for each in self.placed]

    def place(self, tile: Tile, end: str | None) -> Placed:
        """Where this tile will lie when it is joined to this end (None: led), by rule 7."""
        if end is None:
            return in_the_middle(tile, None)
        arm = self._reached(end, self._kind(end, tile))
        return on_arm(end, arm.spots[-1], tile, self._line.suits[end], end, None)

    @cached_property
    def ends(self) -> dict[str, End]:
        """The ends in the order L R U D, closed ones too; none before the lead."""
        nexts = {name: self._nexts(name) for name in self.outward}
        ends: dict[str, End] = {}
        chips: list[Box] = []
        for name, places in self.outward.items():
            is_open, played = self._is_open(name), bool(places)
            others = chain.from_iterable(boxes for other, boxes in nexts.items() if other != name)
            chip = self._chip(self._tip(name), (*others, *chips))
            if is_open or played:
                chips.append(chip)
            plain, *double = nexts[name]
            suit = self._line.suits[name]
            ends[name] = End(
                name, suit, is_open, played, (chip.x, chip.y), plain, double[0] if double else None
            )
        return ends

    def chip_after(self, ghost: Placed, taken: Sequence[Box] = ()) -> tuple[float, float]:
        """The middle of the chip when `ghost` is shown at its end; `taken`: what else must stay clear."""
        other_ends = [end for name, end in self.ends.items() if name != ghost.arm]
        nexts = [box for end in other_ends for box in (end.plain, end.double) if box]
        chips = [self._chip_box(*end.chip) for end in other_ends if end.open or end.played]
        chip = self._chip(ghost, (*nexts, *chips, *taken, ghost.box))
        return chip.x, chip.y

    @cached_property
    def flash(self) -> Box | None:
        """Where the points stand beside the tile laid last: on no tile, chip or place; None before the lead."""
        if not self.placed:
            return None
        half_width, half_height = (self.chip_scale * half for half in FLASH)
        return self.beside(self.placed[-1], half_width, half_height)

    def beside(self, tile: Placed, half_width: float, half_height: float, taken: Sequence[Box] = ()) -> Box:
        """A free spot of this size beside a tile: on no tile, chip, place of a next tile, or `taken`."""
        ends = self.ends.values()
        nexts = [box for end in ends for box in (end.plain, end.double) if box]
        chips = [self._chip_box(*end.chip) for end in ends if end.open or end.played]
        away_x = tile.box.half_width + half_width + FLASH_AWAY
        away_y = tile.box.half_height + half_height + FLASH_AWAY
        sideways = [(-away_x, 0.0), (away_x, 0.0)]
        offsets = [*sideways, (0.0, -away_y), (0.0, away_y)]
        if not tile.upright:
            offsets = offsets[2:] + sideways
        near = [Box(tile.x + dx, tile.y + dy, half_width, half_height) for dx, dy in offsets]
        shown = self.half_width, self.half_height
        for clear_of in ((*nexts, *chips), chips, ()):
            candidates = chain(near, around(tile.x, tile.y, half_width, half_height))
            if found := first_clear(candidates, [*self._boxes, tile.box, *taken, *clear_of], shown):
                return found
        return near[0]

    def _holds(self, step: int) -> bool:
        """Whether everything can be laid at this scale, and one more tile at every end."""
        rooms = _rooms(self.shape, step, self.spinner is not None, self._lies_along)
        return all(arms.has_room(rooms[name], kinds) for name, kinds in self._line.kinds.items())

    @property
    def _lies_along(self) -> bool:
        return self.middle is not None and not DOUBLE[self.laid[self.middle].tile]

    def _next_kinds(self, end: str) -> str:
        suit = self._line.suits[end]
        return arms.PLAIN if tile(suit, suit) in self._doubles else arms.PLAIN + arms.DOUBLE

    def _kind(self, end: str, next_tile: Tile) -> str:
        """What kind a tile will be once it is laid here, as in `line_of`."""
        if DOUBLE[next_tile]:
            return arms.DOUBLE
        suit = PIPS[next_tile] - self._line.suits[end]
        return arms.NO_DOUBLE_NEXT if tile(suit, suit) in self._doubles else arms.PLAIN

    def _reached(self, end: str, kind: str = "") -> arms.Arm:
        """The arm as it lies, or with one more tile of this kind."""
        rooms = _rooms(self.shape, self.step, self.spinner is not None, self._lies_along)
        arm = arms.laid(rooms[end], self._line.kinds[end] + kind)
        assert arm is not None  # noqa: S101 - _holds has seen to that
        return arm

    def _nexts(self, end: str) -> list[Box]:
        spots = (self._reached(end, kind).spots[-1] for kind in self._next_kinds(end))
        return [on_arm(end, spot, 0, 0, end, None).box for spot in spots]

    def _placed(self) -> tuple[Placed, ...]:
        if self.middle is None:
            return ()
        centre = self.laid[self.middle]
        placed = {self.middle: in_the_middle(centre.tile, centre.seat, centre.end)}
        for name, places in self.outward.items():
            suit = placed[self.middle].second.suit if name == "R" else HIGH[centre.tile]
            for place, spot in zip(places, self._reached(name).spots, strict=True):
                each, end, seat = self.laid[place]
                placed[place] = on_arm(name, spot, each, suit, end, seat)
                suit = PIPS[each] - suit
        return tuple(placed[place] for place in range(len(self.laid)))

    def _is_open(self, end: str) -> bool:
        sides = self.outward
        if self.spinner is None:
            return True
        if self.spinner_rule == "cross":
            return not sides[end] or all(sides.values())
        return end in "LR" or bool(sides["L"] and sides["R"])

    def _tip(self, end: str) -> Placed:
        """What the next tile is joined to."""
        if self.outward[end]:
            return self.placed[self.outward[end][-1]]
        middle = self.placed[self.middle or 0]
        dx, dy = TURNS[end][:2]
        box = middle.box
        return middle._replace(out=Exit(dx * box.half_width, dy * box.half_height, dx, dy))

    def _chip(self, tip: Placed, taken: Sequence[Box]) -> Box:
        """Rule 9: beyond the end, else beside the last half, else as near as may be."""
        shown = self.half_width, self.half_height
        beyond, *beside = (self._chip_box(x, y) for x, y in self._chip_places(tip))
        nearest = around(beyond.x, beyond.y, self.chip_radius, self.chip_radius)
        found = first_clear(chain((beyond, *beside), nearest), [*self._boxes, *taken], shown)
        return found or beyond

    def _chip_places(self, tip: Placed) -> Iterator[tuple[float, float]]:
        x, y, dx, dy = tip.out
        beyond = self.chip_radius + BEYOND
        yield x + beyond * dx, y + beyond * dy
        halves, reach = [tip.second, tip.first], 0.5
        if (dx != 0) == tip.upright:
            # A double lies across: beside its short ends.
            halves, reach = [tip.second._replace(x=tip.x, y=tip.y)], 1.0
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


def lay(laid: Sequence[tuple[Tile, str | None, int]], spinner_rule: str, shape: str) -> Board:
    """The board of the tiles in the order laid, (tile, end, seat) each; `shape` is "wide" or "tall".

    `spinner_rule` is the rules' `spinner`. The tiles must have been laid by the rules.
    """
    return _remembered(tuple(laid), spinner_rule, shape)


@lru_cache(maxsize=1024)
def _remembered(laid: tuple[tuple[Tile, str | None, int], ...], spinner_rule: str, shape: str) -> Board:
    return Board(tuple(Laid(*each) for each in laid), spinner_rule, shape)


def textual(board: Board) -> list[tuple[str | None, list[Tile]]]:
    """The tiles by arm, from the middle outward: (None, [the spinner or the lead]), ("L", […]), … without
    arms that have not been begun."""
    if board.middle is None:
        return []
    arms_begun = [
        (name, [board.laid[place].tile for place in places])
        for name, places in board.outward.items()
        if places
    ]
    return [(None, [board.laid[board.middle].tile]), *arms_begun]


def frame(shape: str, step: int) -> tuple[float, float]:
    """The half-width and half-height that tiles may use at a scale step."""
    widths = HALF_WIDTHS[shape]
    past = max(0, step - len(widths) + 1)
    half_width = widths[min(step, len(widths) - 1)] * GROWTH**past
    return half_width, half_width * PROPORTION[shape]


@lru_cache(maxsize=256)
def _rooms(shape: str, step: int, branching: bool, lies_along: bool) -> dict[str, Room]:
    """The room of each arm. Opposite arms have the same, so that what one remembers serves the other."""
    along, across = (int(2 * half) for half in frame(shape, step))
    line = Room(along, across, branching, 2 if lies_along else 1, not lies_along)
    branch = Room(across, along, branching, 2, False)
    return {"L": line, "R": line, "U": branch, "D": branch}
