"""Layout of a branching line: tiles keep their places while the picture grows.

See docs/board.md, "A line that branches at every double".
"""

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from random import Random
from typing import NamedTuple

from boneyard.engine.moves import EndName
from boneyard.engine.tiles import DOUBLE, Tile, tile

from .boards import Shape
from .cell_map import Edges, bounding_box
from .tree import WIDE_MARGIN, Placement, PlacementSearch, Tree, tree_of_lead

# A tile and the end that it joins; None for the lead.
Move = tuple[Tile, EndName | None]
# Placement of the next tile by end and by whether it is a double.
NextPlacements = Mapping[tuple[EndName, bool], Placement]

# Half-widths of pictures in cells, by scale step; the half-height is a fixed part of them.
HALF_WIDTHS: Mapping[Shape, tuple[int, ...]] = {
    "wide": (18, 21, 24, 28, 33, 39, 46, 55, 66),
    "tall": (13, 15, 18, 21, 24, 28, 33, 39, 46, 55, 66),
}
PROPORTION: Mapping[Shape, float] = {"wide": 0.58, "tall": 1.15}
GROWTH_FACTOR = 1.2

# An end stays in view if this many cells in front of it are inside the picture.
CELLS_AHEAD = 4

# If a tile finds no place, the line is laid out again with noise added to the costs; after some attempts in one
# picture the next larger one is tried.
MAX_ATTEMPTS, MAX_NOISE, ATTEMPTS_PER_PICTURE = 16, 24, 4


class TreeLayout(NamedTuple):
    """A branching line in its picture.

    step             scale step of the picture
    picture          its edges, in cells
    next_placements  where the next tile will lie
    """

    tree: Tree
    step: int
    picture: Edges
    next_placements: NextPlacements


@lru_cache(maxsize=1 << 10)
def layout_tree(shape: Shape, moves: tuple[Move, ...]) -> TreeLayout:
    """Return the layout after these moves (at least one), built on the layout before the last move."""
    *_, (newest, end) = moves
    if end is None:
        return _fit_picture(shape, tree_of_lead(newest), moves, 0, _picture(shape, 0, Edges(0, 0, 0, 0)))
    before = layout_tree(shape, moves[:-1])
    placement = before.next_placements[end, DOUBLE[newest]]
    # After one failure it would nearly always fail again, and it costs as much as twenty plays.
    threaded = any(laid.placement.thread for laid in before.tree.tiles)
    if placement.thread and not threaded and (relaid := _lay_out_again(shape, moves, before.step)):
        return _fit_picture(shape, relaid, moves, before.step, _picture(shape, before.step, _extent(relaid)))
    return _fit_picture(
        shape, before.tree.with_tile(newest, end, placement), moves, before.step, before.picture
    )


def _fit_picture(shape: Shape, tree: Tree, moves: tuple[Move, ...], step: int, picture: Edges) -> TreeLayout:
    """Return the layout in this picture, or in the next larger one where every end has a placement."""
    places = NextPlaces(tree, frozenset(each for each, _ in moves))
    extent = _extent(tree)
    pictures = [picture]
    while True:
        for picture in pictures:
            if extent.is_inside(picture) and (next_placements := places.fit(picture)) is not None:
                return TreeLayout(tree, step, picture, next_placements)
        step += 1
        middles = extent, bounding_box((extent, places.preferred_extent))
        pictures = [_picture(shape, step, middle) for middle in middles]


class NextPlaces:
    """The placements of the next tile of a line; `laid` are the tiles of the line."""

    def __init__(self, tree: Tree, laid: frozenset[Tile]) -> None:
        self._tree, self._laid = tree, laid
        self._placements = {key: self._find(*key) for key in _keys(tree, laid)}
        self._shut_count = sum(bool(placements[0].thread) for placements in self._placements.values())
        self._keeps_open: dict[Placement, bool] = {}

    @property
    def preferred_extent(self) -> Edges:
        """Return the edges of all preferred placements together."""
        return bounding_box(placements[0].edges for placements in self._placements.values())

    def fit(self, picture: Edges) -> NextPlacements | None:
        """Return a placement inside the picture for every next tile; None if one has none.

        Placements are preferred that do not overlap those at earlier ends, keep their end in view, and shut in no
        more ends than now.
        """
        next_placements: dict[tuple[EndName, bool], Placement] = {}
        for key, placements in self._placements.items():
            inside = [placement for placement in placements if placement.edges.is_inside(picture)]
            if not inside:
                return None
            # Placements of a double and of another tile are never shown together.
            others = [
                placement.edges
                for (end, double), placement in next_placements.items()
                if end != key[0] and double == key[1]
            ]
            inside = [
                placement for placement in inside if not any(map(placement.edges.overlaps, others))
            ] or inside
            next_placements[key] = next(
                (placement for placement in inside if self._keeps_end_in_view(key, placement, picture)),
                inside[0],
            )
        return next_placements

    def _find(self, end: EndName, double: bool) -> list[Placement]:
        return self._search.placements(end, double) or [self._wide_search.place_by_thread(end, double)]

    @cached_property
    def _search(self) -> PlacementSearch:
        return PlacementSearch(self._tree)

    @cached_property
    def _wide_search(self) -> PlacementSearch:
        return PlacementSearch(self._tree, WIDE_MARGIN)

    def _keeps_end_in_view(self, key: tuple[EndName, bool], placement: Placement, picture: Edges) -> bool:
        x, y, dx, dy, _ = placement.join_points[0]
        x, y = x + CELLS_AHEAD * dx, y + CELLS_AHEAD * dy
        if not Edges(x, y, x, y).is_inside(picture):
            return False
        return placement is self._placements[key][0] or not self._shuts_in_more_ends(key, placement)

    def _shuts_in_more_ends(self, key: tuple[EndName, bool], placement: Placement) -> bool:
        """Return whether this placement shuts in more ends than before."""
        if placement not in self._keeps_open:
            (end, double), suit = key, self._tree.tips[key[0]].suit
            # Any plain tile of the suit will do.
            newest = tile(suit, suit) if double else tile(suit, 0 if suit else 1)
            tree = self._tree.with_tile(newest, end, placement)
            search, keys = PlacementSearch(tree), _keys(tree, self._laid | {newest})
            self._keeps_open[placement] = (
                sum(not search.placements(*each) for each in keys) <= self._shut_count
            )
        return not self._keeps_open[placement]


def _keys(tree: Tree, laid: frozenset[Tile]) -> Iterator[tuple[EndName, bool]]:
    """Yield (end, is_double) for every possible next tile."""
    for name, tip in tree.tips.items():
        yield name, False
        if tile(tip.suit, tip.suit) not in laid:
            yield name, True


def _lay_out_again(shape: Shape, moves: tuple[Move, ...], step: int) -> Tree | None:
    """Return the whole line laid out again without threads, at this step or a larger one; None if that fails.

    Deterministic: equal moves give equal results.
    """
    for seed in range(MAX_ATTEMPTS):
        larger = step + seed // ATTEMPTS_PER_PICTURE
        if tree := _lay_out_with_noise(moves, _half_size(shape, larger), seed):
            return tree
    return None


def _lay_out_with_noise(moves: tuple[Move, ...], half_size: tuple[int, int], seed: int) -> Tree | None:
    """Return the line in a picture of this size with any middle; None if it does not fit."""
    half_width, half_height = half_size
    noise = Random(seed)  # noqa: S311 - repeatable on purpose
    tree = tree_of_lead(moves[0][0])
    for each, end in moves[1:]:
        assert end is not None  # only the lead joins none
        extent = _extent(tree)
        for placement in PlacementSearch(tree).placements(
            end, DOUBLE[each], lambda: MAX_NOISE * noise.random()
        ):
            reach = bounding_box((extent, placement.edges))
            if reach.right - reach.left <= 2 * half_width and reach.bottom - reach.top <= 2 * half_height:
                tree = tree.with_tile(each, end, placement)
                break
        else:
            return None
    return tree


def _extent(tree: Tree) -> Edges:
    return bounding_box(laid.placement.edges for laid in tree.tiles)


def _picture(shape: Shape, step: int, around: Edges) -> Edges:
    """Return the picture of this step, centred on `around`."""
    (x, y), (width, height) = around.middle, _half_size(shape, step)
    return Edges(x - width, y - height, x + width, y + height)


def half_size(shape: Shape, step: int) -> tuple[float, float]:
    """Return the half-width and half-height of the picture of this step, in tile widths."""
    width, height = _half_size(shape, step)
    return width / 2, height / 2


def _half_size(shape: Shape, step: int) -> tuple[int, int]:
    """Return the half-width and half-height of the picture of this step, in cells."""
    widths = HALF_WIDTHS[shape]
    past = max(0, step - len(widths) + 1)
    half_width = round(widths[min(step, len(widths) - 1)] * GROWTH_FACTOR**past)
    return half_width, round(half_width * PROPORTION[shape])
