"""Board of a line with at most four arms: each in its quarter, in the smallest frame that fits (docs/board.md, rules 1
to 8)."""

from functools import cached_property, lru_cache
from itertools import count

from boneyard.engine.layout import Line
from boneyard.engine.moves import EndName
from boneyard.engine.tiles import DOUBLE, HIGH, PIPS, Tile, tile

from . import arms
from .arms import Room
from .boards import Board, Shape
from .boxes import Box
from .branches import Branches, find_branches
from .placed import TURNS, Exit, Placed, place_in_middle, place_on_arm

# Rule 8: half-widths of the frame by scale step; the half-height is a fixed part of them.
HALF_WIDTHS: dict[Shape, tuple[float, ...]] = {
    "wide": (8.7, 10.0, 11.6, 13.5, 16.0, 20.0),
    "tall": (6.2, 7.0, 8.2, 9.8, 12.0, 15.0),
}
PROPORTION: dict[Shape, float] = {"wide": 0.52, "tall": 1.0}
GROWTH_FACTOR = 1.25


class FourArmBoard(Board):
    """The board of a line with at most four arms."""

    def __init__(self, line: Line, shape: Shape) -> None:
        self.laid, self.spinner, self.shape = line.laid, line.spinner, shape
        self._arms = find_branches(line) if line.laid else Branches(0, {}, {}, {})
        self._doubles = frozenset(each for each, _, _ in line.laid if DOUBLE[each])
        self.middle = self._arms.middle if line.laid else None
        self.outward = self._arms.outward
        self.step = next(step for step in count() if self._fits(step))
        super().__init__(line, shape, frame_size(shape, self.step))
        self.placed = self._placed()

    def ghost(self, tile: Tile, end: EndName | None) -> Placed:
        """Return the tile as placed at this end (None: as the lead), by rule 7."""
        if end is None:
            return place_in_middle(tile, None)
        arm = self._arm(end, self._kind(end, tile))
        return place_on_arm(end, arm.footprints[-1], tile, self._arms.suits[end], end, None)

    @property
    def _suits(self) -> dict[EndName, int]:
        return self._arms.suits

    def _fits(self, step: int) -> bool:
        """Return whether the line fits at this scale, with room for one more tile at every end."""
        rooms = _rooms(self.shape, step, self.spinner is not None, self._lies_along)
        return all([arms.has_room(rooms[name], kinds) for name, kinds in self._arms.kinds.items()])

    @property
    def _lies_along(self) -> bool:
        return self.middle is not None and not DOUBLE[self.laid[self.middle].tile]

    def _kind(self, end: EndName, next_tile: Tile) -> str:
        """Return the kind of a tile once it is laid at this end."""
        if DOUBLE[next_tile]:
            return arms.DOUBLE
        suit = PIPS[next_tile] - self._arms.suits[end]
        return arms.NO_DOUBLE_NEXT if tile(suit, suit) in self._doubles else arms.PLAIN

    def _arm(self, end: EndName, kind: str = "") -> arms.Arm:
        """Return the arm, with one more tile if `kind` is given."""
        rooms = _rooms(self.shape, self.step, self.spinner is not None, self._lies_along)
        arm = arms.build_arm(rooms[end], self._arms.kinds[end] + kind)
        assert arm is not None  # `_fits` checked it
        return arm

    @cached_property
    def _nexts(self) -> dict[EndName, dict[str, Box]]:
        rooms = _rooms(self.shape, self.step, self.spinner is not None, self._lies_along)
        nexts: dict[EndName, dict[str, Box]] = {}
        for name, suit in self._arms.suits.items():
            kinds = arms.PLAIN + arms.NO_DOUBLE_NEXT
            if tile(suit, suit) not in self._doubles:
                kinds += arms.DOUBLE
            laid = self._arms.kinds[name]
            nexts[name] = {kind: _box_of_last(name, rooms[name], laid + kind) for kind in kinds}
        return nexts

    def _placed(self) -> tuple[Placed, ...]:
        if self.middle is None:
            return ()
        centre = self.laid[self.middle]
        placed = {self.middle: place_in_middle(centre.tile, centre.seat, centre.end)}
        for name, numbers in self.outward.items():
            suit = placed[self.middle].second.suit if name == "R" else HIGH[centre.tile]
            for number, footprint in zip(numbers, self._arm(name).footprints, strict=True):
                each, end, seat = self.laid[number]
                placed[number] = place_on_arm(name, footprint, each, suit, end, seat)
                suit = PIPS[each] - suit
        return tuple([placed[number] for number in range(len(self.laid))])

    def _outermost(self, end: EndName) -> Placed:
        if self.outward[end]:
            return self.placed[self.outward[end][-1]]
        middle = self.placed[self.middle or 0]
        dx, dy = TURNS[end][:2]
        box = middle.box
        return middle._replace(out=Exit(dx * box.half_width, dy * box.half_height, dx, dy))


@lru_cache(maxsize=1 << 13)
def _box_of_last(name: EndName, room: Room, kinds: str) -> Box:
    """Return the box of the last tile of an arm of these kinds."""
    arm = arms.build_arm(room, kinds)
    assert arm is not None  # `_fits` checked it
    return place_on_arm(name, arm.footprints[-1], 0, 0, name, None).box


def frame_size(shape: Shape, step: int) -> tuple[float, float]:
    """Return the half-width and half-height that tiles may use at a scale step."""
    widths = HALF_WIDTHS[shape]
    past = max(0, step - len(widths) + 1)
    half_width = widths[min(step, len(widths) - 1)] * GROWTH_FACTOR**past
    return half_width, half_width * PROPORTION[shape]


@lru_cache(maxsize=256)
def _rooms(shape: Shape, step: int, branching: bool, lies_along: bool) -> dict[EndName, Room]:
    """Return the room of each arm. Opposite arms share a room, and so their cached layouts."""
    along, across = (int(2 * half) for half in frame_size(shape, step))
    line = Room(along, across, branching, 2 if lies_along else 1, not lies_along)
    branch = Room(across, along, branching, 2, False)
    return {"L": line, "R": line, "U": branch, "D": branch}
