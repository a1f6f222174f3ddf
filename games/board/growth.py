"""How a branching line grows: its tiles keep their places, in a picture that grows with it (docs/board.md, "A line
that branches at every double")."""

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from random import Random
from typing import NamedTuple

from games.engine.moves import EndName
from games.engine.tiles import DOUBLE, Tile, tile

from .boards import Shape
from .branching import FAR, Choices, Tree, Way, led
from .outlook import Edges, hull

# A tile and the end that it joins; None for the lead.
Move = tuple[Tile, EndName | None]
# By end, and whether it is a double: where the next tile will lie.
Nexts = Mapping[tuple[EndName, bool], Way]

# The half-widths of pictures in cells, each with the half-height as a part of it.
HALF_WIDTHS: Mapping[Shape, tuple[int, ...]] = {
    "wide": (18, 21, 24, 28, 33, 39, 46, 55, 66),
    "tall": (13, 15, 18, 21, 24, 28, 33, 39, 46, 55, 66),
}
PROPORTION: Mapping[Shape, float] = {"wide": 0.58, "tall": 1.15}
GROWTH = 1.2

# An end stays in the picture if this many cells in front of it are in view.
ROOM = 4

# How often a line is laid anew for a tile that finds no place, with how much noise added to the costs of ways, and
# after how many of these attempts the next larger picture is tried.
TRIES, NOISE, TRIES_IN_A_PICTURE = 16, 24, 4


class Growth(NamedTuple):
    """A branching line in its picture.

    step     of the picture's scale
    picture  what it shows, in cells
    nexts    where the next tile will lie
    """

    tree: Tree
    step: int
    picture: Edges
    nexts: Nexts


@lru_cache(maxsize=1 << 10)
def grown(shape: Shape, moves: tuple[Move, ...]) -> Growth:
    """The line after these moves, of which there is one at least: the line before, and one tile more."""
    *_, (newest, end) = moves
    if end is None:
        return _pictured(shape, led(newest), moves, 0, _picture(shape, 0, Edges(0, 0, 0, 0)))
    before = grown(shape, moves[:-1])
    way = before.nexts[end, DOUBLE[newest]]
    # Where that has failed once it would nearly always fail again, and takes the time of twenty plays.
    threaded = any(lying.way.thread for lying in before.tree.lying)
    if way.thread and not threaded and (anew := _laid_anew(shape, moves, before.step)):
        return _pictured(shape, anew, moves, before.step, _picture(shape, before.step, _extent(anew)))
    return _pictured(shape, before.tree.joined(newest, end, way), moves, before.step, before.picture)


def _pictured(shape: Shape, tree: Tree, moves: tuple[Move, ...], step: int, picture: Edges) -> Growth:
    """The line in this picture, or in the smallest larger one in which every end has its next place."""
    places = Places(tree, frozenset(each for each, _ in moves))
    extent = _extent(tree)
    pictures = [picture]
    while True:
        for picture in pictures:
            if extent.within(picture) and (nexts := places.within(picture)) is not None:
                return Growth(tree, step, picture, nexts)
        step += 1
        middles = extent, hull((extent, places.plainest))
        pictures = [_picture(shape, step, middle) for middle in middles]


class Places:
    """Where the next tile of a line can lie, these having been laid."""

    def __init__(self, tree: Tree, laid: frozenset[Tile]) -> None:
        self._tree, self._laid = tree, laid
        self._ways = {key: self._found(*key) for key in _keys(tree, laid)}
        self._shut = sum(bool(ways[0].thread) for ways in self._ways.values())
        self._opens: dict[Way, bool] = {}

    @property
    def plainest(self) -> Edges:
        """What the preferred ways take."""
        return hull(ways[0].edges for ways in self._ways.values())

    def within(self, picture: Edges) -> Nexts | None:
        """For every next tile the first way that lies in the picture: of those that are clear of the next places at
        ends before, of those that do not lead out of it and shut in no more ends than now, if there are such. None if
        a tile has no way there."""
        nexts: dict[tuple[EndName, bool], Way] = {}
        for key, ways in self._ways.items():
            inside = [way for way in ways if way.edges.within(picture)]
            if not inside:
                return None
            # A double and another tile are never lit together.
            others = [way.edges for (end, double), way in nexts.items() if end != key[0] and double == key[1]]
            inside = [way for way in inside if not any(map(way.edges.overlaps, others))] or inside
            nexts[key] = next((way for way in inside if self._stays(key, way, picture)), inside[0])
        return nexts

    def _found(self, end: EndName, double: bool) -> list[Way]:
        return self._choices.ways(end, double) or [self._choices_afar.by_thread(end, double)]

    @cached_property
    def _choices(self) -> Choices:
        return Choices(self._tree)

    @cached_property
    def _choices_afar(self) -> Choices:
        return Choices(self._tree, FAR)

    def _stays(self, key: tuple[EndName, bool], way: Way, picture: Edges) -> bool:
        x, y, dx, dy, _ = way.buds[0]
        x, y = x + ROOM * dx, y + ROOM * dy
        if not Edges(x, y, x, y).within(picture):
            return False
        return way is self._ways[key][0] or not self._shuts(key, way)

    def _shuts(self, key: tuple[EndName, bool], way: Way) -> bool:
        """Whether more ends than before are shut in after this."""
        if way not in self._opens:
            (end, double), suit = key, self._tree.tips[key[0]].suit
            # Any plain tile of the suit stands for all.
            newest = tile(suit, suit) if double else tile(suit, 0 if suit else 1)
            tree = self._tree.joined(newest, end, way)
            choices, keys = Choices(tree), _keys(tree, self._laid | {newest})
            self._opens[way] = sum(not choices.ways(*each) for each in keys) <= self._shut
        return not self._opens[way]


def _keys(tree: Tree, laid: frozenset[Tile]) -> Iterator[tuple[EndName, bool]]:
    """The ends, and for each whether the next tile is a double; not if the double of its suit lies."""
    for name, tip in tree.tips.items():
        yield name, False
        if tile(tip.suit, tip.suit) not in laid:
            yield name, True


def _laid_anew(shape: Shape, moves: tuple[Move, ...], step: int) -> Tree | None:
    """The whole line laid otherwise, without threads, in the picture of this step or a larger one; None if that was
    not found. The same moves always give the same."""
    for seed in range(TRIES):
        larger = step + seed // TRIES_IN_A_PICTURE
        if tree := _laid_with_noise(moves, _half_size(shape, larger), seed):
            return tree
    return None


def _laid_with_noise(moves: tuple[Move, ...], half_size: tuple[int, int], seed: int) -> Tree | None:
    """The line in a picture of this size, wherever its middle is."""
    half_width, half_height = half_size
    noise = Random(seed)  # noqa: S311 - whatever is found must be found again
    tree = led(moves[0][0])
    for each, end in moves[1:]:
        assert end is not None  # only the lead joins none
        extent = _extent(tree)
        for way in Choices(tree).ways(end, DOUBLE[each], lambda: NOISE * noise.random()):
            reach = hull((extent, way.edges))
            if reach.right - reach.left <= 2 * half_width and reach.bottom - reach.top <= 2 * half_height:
                tree = tree.joined(each, end, way)
                break
        else:
            return None
    return tree


def _extent(tree: Tree) -> Edges:
    return hull(lying.way.edges for lying in tree.lying)


def _picture(shape: Shape, step: int, around: Edges) -> Edges:
    """The picture of this step with its middle in the middle of that."""
    (x, y), (width, height) = around.middle, _half_size(shape, step)
    return Edges(x - width, y - height, x + width, y + height)


def half_size(shape: Shape, step: int) -> tuple[float, float]:
    """The half-width and half-height of the picture of this step, in tile widths."""
    width, height = _half_size(shape, step)
    return width / 2, height / 2


def _half_size(shape: Shape, step: int) -> tuple[int, int]:
    """The same in cells."""
    widths = HALF_WIDTHS[shape]
    past = max(0, step - len(widths) + 1)
    half_width = round(widths[min(step, len(widths) - 1)] * GROWTH**past)
    return half_width, round(half_width * PROPORTION[shape])
