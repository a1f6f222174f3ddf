"""Tests of lines that branch at every double (docs/board.md), with random lines."""

from itertools import combinations
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boneyard.board import Board, Placed, build_board, tiles_by_arm
from boneyard.board.tree_layout import layout_tree
from boneyard.engine.layout import Laid, Layout, lead, line, tip_table
from boneyard.engine.moves import EndName
from boneyard.engine.tiles import DOUBLE, HIGH, LOW, NAMES, PIPS, SET_SIZES, SUITS, Tile, members, parse
from games.drawing.line import UNIT, draw_line

from .lines import TINY, beginnings, board_of, check_contact, chip_box, gap_between, is_inside
from .test_board import tiles_laid
from .test_drawing import check_buttons, drawn, render_spots, spots_of, view_of

SHAPES = ("wide", "tall")
# Grid unit of these lines: half a tile's width.
CELL = 0.5


def random_line(seed: int, highest: int = 6, doubles: float = 0.0) -> tuple[Laid, ...]:
    """Return a line as long as possible; `doubles` is the probability to lay a fitting double."""
    rng, table = Random(seed), tip_table("every", highest)
    unlaid = (1 << SET_SIZES[highest]) - 1
    first = rng.randrange(SET_SIZES[highest])
    layout, laid = lead(table, first), [Laid(first, None, 0)]
    while plays := _plays(layout, unlaid := unlaid & ~(1 << laid[-1].tile)):
        only = [play for play in plays if DOUBLE[play[0]]]
        tile, end = rng.choice(only if only and rng.random() < doubles else plays)
        layout = layout.joined(tile, end)
        laid.append(Laid(tile, end, len(laid) % 2))
    return tuple(laid)


def _plays(layout: Layout, unlaid: int) -> list[tuple[Tile, EndName]]:
    return [(tile, end) for end, suit in layout.ends.items() for tile in members(SUITS[suit] & unlaid)]


class Joint(NamedTuple):
    """The tile that another one joins, by its number, and their common suit."""

    number: int
    suit: int


def joints(laid: tuple[Laid, ...]) -> list[Joint | None]:
    """Return the joint of each tile by the rules alone.

    When both line sides of a double are covered its free sides open, named U D, then U2 D2, …
    """
    first = laid[0].tile
    ends = {"L": Joint(0, HIGH[first]), "R": Joint(0, LOW[first])}
    uncovered = {0: {"L", "R"}} if DOUBLE[first] else {}
    found: list[Joint | None] = [None]
    opened = 0
    for number, (tile, end, _) in enumerate(laid[1:], 1):
        joint = ends[end]
        found.append(joint)
        ends[end] = Joint(number, PIPS[tile] - joint.suit)
        if joint.number in uncovered:
            uncovered[joint.number].discard(end)
            if not uncovered[joint.number]:
                del uncovered[joint.number]
                opened += 1
                mark = str(opened) if opened > 1 else ""
                ends |= {f"{side}{mark}": joint for side in "UD"}
        if DOUBLE[tile]:
            uncovered[number] = {end}
    return found


def branching(laid: tuple[Laid, ...], shape: str) -> Board:
    return board_of(laid, "every", shape)


def check_tiles(board: Board) -> None:
    """Check that neighbours touch by equal halves, others are a cell apart, and all are in the picture."""
    found = joints(board.laid)
    for one, other in combinations(range(len(board.placed)), 2):
        joint, gap = found[other], gap_between(board.placed[one].box, board.placed[other].box)
        if joint is None or joint.number != one or board.placed[other].thread:
            assert gap >= CELL, (board.placed[one], board.placed[other])
        else:
            assert abs(gap) < TINY
            check_contact(board.placed[one], board.placed[other], joint.suit)
    for placed in board.placed:
        assert {placed.first.suit, placed.second.suit} == {HIGH[placed.tile], LOW[placed.tile]}
        assert is_inside(placed.box, board.half_width, board.half_height)


def check_beside(board: Board) -> None:
    """Check that every open end has a chip and next places, visible and clear of the tiles."""
    ends = _layout(board.laid).ends
    assert {end.name: end.suit for end in board.ends.values() if end.open} == ends
    doubles = {each.tile for each in board.laid if DOUBLE[each.tile]}
    chips = [chip_box(board, end.chip) for end in board.ends.values()]
    tiles = [placed.box for placed in board.placed]
    for end in board.ends.values():
        assert (end.double is None) == any(HIGH[double] == end.suit for double in doubles)
    nexts = [box for end in board.ends.values() for box in (end.plain, end.double) if box]
    for box in (*nexts, *chips, board.flash):
        assert is_inside(box, board.half_width, board.half_height)
        assert all(gap_between(box, tile) > -TINY for tile in tiles)
    for one, other in combinations([*chips, board.flash], 2):
        assert gap_between(one, other) > 0


def _layout(laid: tuple[Laid, ...]) -> Layout:
    layout = lead(tip_table("every", 12), laid[0].tile)
    for tile, end, _ in laid[1:]:
        layout = layout.joined(tile, end)
    return layout


def check_growth(before: Board, after: Board) -> None:
    """Check that the newest tile lies at its ghost and no tile moved, except relative to a grown picture.

    Tiles may move if the newest one had no place at its end.
    """
    newest = after.laid[-1]
    shown = before.ghost(newest.tile, newest.end)
    assert after.step >= before.step
    if shown.thread and not after.placed[-1].thread:
        return
    where = [*before.placed, shown._replace(seat=newest.seat)]
    if after.step == before.step:
        assert list(after.placed) == where
    assert [_from_lead(after.placed, each) for each in after.placed] == [
        _from_lead(where, each) for each in where
    ]


def _from_lead(placed: list[Placed] | tuple[Placed, ...], each: Placed) -> tuple[float, float, bool]:
    return each.x - placed[0].x, each.y - placed[0].y, each.upright


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6), doubles=st.sampled_from([0.0, 0.4, 0.8]))
def test_random_lines_are_laid_out_correctly(seed: int, doubles: float, shape: str):
    before = None
    for laid in beginnings(random_line(seed, doubles=doubles)):
        board = branching(laid, shape)
        check_tiles(board)
        check_beside(board)
        if before is not None:
            check_growth(before, board)
        before = board


@pytest.mark.parametrize(("highest", "length"), [(9, 40), (12, 45)])
def test_lines_of_larger_sets(highest: int, length: int):
    laid = random_line(highest, highest)[:length]
    for shape in SHAPES:
        board = branching(laid, shape)
        check_tiles(board)
        check_beside(board)


@pytest.mark.parametrize("shape", SHAPES)
def test_most_full_lines_stay_readable(shape: str):
    """Stay within a half-width of 17 tiles on desktops and 12.5 on phones, except for rare lines."""
    widest = {"wide": 17, "tall": 12.5}[shape]
    boards = [branching(random_line(seed), shape) for seed in range(10)]
    assert sum(board.half_width < widest for board in boards) >= 8


@pytest.mark.parametrize("shape", SHAPES)
def test_tile_without_a_place_gets_a_thread(shape: str):
    """Continue with a thread where an end is shut in and no other layout is found."""
    boards = (branching(random_line(seed, doubles=0.9), shape) for seed in range(60))
    board = next(board for board in boards if any(placed.thread for placed in board.placed))
    check_tiles(board)
    check_beside(board)
    for number, placed in enumerate(board.placed):
        if placed.thread:
            joint = joints(board.laid)[number]
            (from_x, from_y), (to_x, to_y) = placed.thread[0], placed.thread[-1]
            inner = board.placed[joint.number].box
            assert abs(from_x - inner.x) <= inner.half_width and abs(from_y - inner.y) <= inner.half_height
            assert (to_x, to_y) == (placed.first.x, placed.first.y)


def test_free_sides_of_a_double_open_in_order():
    """Name free sides in the order they open: 0-0 before 5-5 (docs/rules.md, "The layout")."""
    laid = tiles_laid("5-5 5-0@L 0-0@L 4-0@L 5-1@R 6-0@U")
    names = [list(branching(each, "wide").ends) for each in beginnings(laid)]
    assert names == [["L", "R"]] * 3 + [["L", "R", "U", "D"]] + [["L", "R", "U", "D", "U2", "D2"]] * 2
    assert {name: end.suit for name, end in branching(laid, "wide").ends.items()} == {
        "L": 4,
        "R": 1,
        "U": 6,
        "D": 0,
        "U2": 5,
        "D2": 5,
    }


def test_pin_is_hollow_until_free_sides_open():
    laid = tiles_laid("5-5 5-0@L 0-0@L 4-0@L 5-1@R")
    pins = [dict(branching(each, "wide").pins) for each in beginnings(laid)]
    assert pins == [
        {0: "hollow"},
        {0: "hollow"},
        {0: "hollow", 2: "hollow"},
        {0: "hollow", 2: "full"},
        {0: "full", 2: "full"},
    ]


def test_tiles_by_arm_of_a_branching_line():
    board = branching(tiles_laid("6-6 6-3@L 6-4@R 3-3@L 3-1@L 6-5@U 3-2@U2"), "wide")
    assert [(end, [NAMES[each] for each in tiles]) for end, tiles in tiles_by_arm(board)] == [
        (None, ["6-6"]),
        ("L", ["6-3", "3-3", "3-1"]),
        ("R", ["6-4"]),
        ("U", ["6-5"]),
        ("U2", ["3-2"]),
    ]


def test_board_before_the_lead():
    board = branching((), "wide")
    assert (board.placed, board.ends, board.flash, tiles_by_arm(board)) == ((), {}, None, [])
    assert not board.ghost(parse("6-4"), None).upright
    assert board.ghost(parse("6-6"), None).upright


@pytest.mark.parametrize("shape", SHAPES)
def test_board_is_the_same_without_caches(shape: str):
    laid = random_line(3, doubles=0.8)
    board = branching(laid, shape)
    layout_tree.cache_clear()
    build_board.cache_clear()
    again = branching(laid, shape)
    assert again is not board
    assert (again.placed, again.ends, again.flash) == (board.placed, board.ends, board.flash)


def test_only_spinner_every_branches():
    assert not line(tip_table("first", 6), tiles_laid("6-6")).branching
    assert line(tip_table("every", 6), ()).branching


def test_every_fitting_end_has_a_button():
    """Check that buttons do not overlap, and that a single one is large enough for touch."""
    for seed in range(4):
        laid = random_line(seed, doubles=0.4 * (seed % 2))[: 8 + 5 * seed]
        view = view_of(laid, "every")
        for tile in set(range(SET_SIZES[6])) - {each.tile for each in laid}:
            if spots := spots_of(view, tile):
                for art in drawn(render_spots(view, spots)):
                    buttons = [part for part in art.iter() if part.tag.endswith("button")]
                    assert [button.get("data-end") for button in buttons] == [spot.end for spot in spots]
                    check_buttons(art)


def test_pins_rings_and_chips_are_drawn():
    view = view_of(tiles_laid("5-5 5-0@L 0-0@L 4-0@L 5-1@R 6-0@U 6-6@U"), "every")
    for art in drawn(draw_line(view)):
        tiles = {tile.get("data-tile"): tile for tile in art.findall("g[@class='laid']/g")}
        full = [name for name, tile in tiles.items() if tile.find("use[@href='#pin']") is not None]
        hollow = [
            name for name, tile in tiles.items() if tile.find("circle[@class='pin-hollow']") is not None
        ]
        assert (full, hollow) == (["5-5", "0-0"], ["6-6"])
        chips = {end.get("data-end"): "".join(end.itertext()) for end in art.findall("g[@class='line-end']")}
        rings = [end.get("data-end") for end in art.findall("g[@class='line-end is-free']")]
        assert (chips, rings) == ({"L": "4", "R": "1", "U": "12"}, ["D", "U2", "D2"])


def test_thread_is_drawn_from_the_end_to_its_tile():
    laid = next(
        laid
        for laid in (random_line(seed, doubles=0.9) for seed in range(60))
        if any(placed.thread for placed in branching(laid, "wide").placed)
    )
    wide, _ = drawn(draw_line(view_of(laid, "every")))
    threads = [placed.thread for placed in branching(laid, "wide").placed if placed.thread]
    paths = [path.get("d") for path in wide.iter("path") if path.get("class") == "thread"]
    assert paths == ["M" + "L".join(f"{x * UNIT:g} {y * UNIT:g}" for x, y in thread) for thread in threads]
