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
    chip_scale   how much larger than on the smallest board chips are, and the flash
    chip_radius  in tile widths
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
        self._chips_after: dict[tuple[str, str], tuple[float, float]] = {}

    def place(self, tile: Tile, end: str | None) -> Placed:
        """Where this tile will lie when it is joined to this end (None: led), by rule 7."""
        if end is None:
            return in_the_middle(tile, None)
        arm = self._reached(end, self._kind(end, tile))
        return on_arm(end, arm.spots[-1], tile, self._line.suits[end], end, None)

    @cached_property
    def ends(self) -> dict[str, End]:
        """The ends in the order L R U D, closed ones too; none before the lead."""
        ends: dict[str, End] = {}
        chips: list[Box] = []
        for name, places in self.outward.items():
            is_open, played = self._is_open(name), bool(places)
            chip = self._chip(self._tip(name), [*self._nexts_but(name), *chips])
            if is_open or played:
                chips.append(chip)
            nexts, suit = self._nexts[name], self._line.suits[name]
            plain, double = nexts[arms.PLAIN], nexts.get(arms.DOUBLE)
            ends[name] = End(name, suit, is_open, played, (chip.x, chip.y), plain, double)
        return ends

    def chip_after(self, ghost: Placed) -> tuple[float, float]:
        """The middle of the chip of an end while `ghost`, a tile's place there, is shown."""
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
        there is another spot near; smaller where it is narrow. None before the lead."""
        if not self.placed:
            return None
        nexts, chips = self._nexts_but(""), self._chip_boxes()
        shown = self.half_width, self.half_height
        for size, step, taken in (
            (1, 0.25, nexts + chips),
            (1, 0.25, chips),
            (0.7, 0.25, chips),
            (0.7, 1, chips),
        ):
            candidates = self._flash_places(size * self.chip_scale, step)
            if found := first_clear(candidates, self._boxes + taken, shown):
                return found
        return next(self._flash_places(0.7, 1))

    def _flash_places(self, scale: float, step: float) -> Iterator[Box]:
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
        return all(arms.has_room(rooms[name], kinds) for name, kinds in self._line.kinds.items())

    @property
    def _lies_along(self) -> bool:
        return self.middle is not None and not DOUBLE[self.laid[self.middle].tile]

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

    @cached_property
    def _nexts(self) -> dict[str, dict[str, Box]]:
        """By end, where a next tile will lie, by its kind."""
        nexts: dict[str, dict[str, Box]] = {}
        for name, suit in self._line.suits.items():
            kinds = arms.PLAIN + arms.NO_DOUBLE_NEXT
            if tile(suit, suit) not in self._doubles:
                kinds += arms.DOUBLE
            spots = {kind: self._reached(name, kind).spots[-1] for kind in kinds}
            nexts[name] = {kind: on_arm(name, spot, 0, 0, name, None).box for kind, spot in spots.items()}
        return nexts

    def _nexts_but(self, end: str) -> list[Box]:
        """Where next tiles will lie at other ends."""
        return [box for name, boxes in self._nexts.items() if name != end for box in boxes.values()]

    def _chip_boxes(self, but: str = "") -> list[Box]:
        shown = (end for end in self.ends.values() if (end.open or end.played) and end.name != but)
        return [self._chip_box(*end.chip) for end in shown]

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
        nearest = around(beyond.x, beyond.y, self.chip_radius, self.chip_radius, 0.25)
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
