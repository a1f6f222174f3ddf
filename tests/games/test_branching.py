"""A line that branches at every double lies as docs/board.md wants it, whatever is laid."""

from itertools import combinations
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.board import Board, Placed, lay, textual
from games.board.growth import grown
from games.drawing.line import UNIT, draw_line
from games.engine.layout import Laid, Layout, lead, line, tip_table
from games.engine.moves import EndName
from games.engine.tiles import DOUBLE, HIGH, LOW, NAMES, PIPS, SET_SIZES, SUITS, Tile, members, parse

from .lines import TINY, apart, beginnings, board_of, check_contact, chip_box, lies_within
from .test_board import tiles_laid
from .test_drawing import check_buttons, draw_spots, drawn, spots_of, view_of

SHAPES = ("wide", "tall")
# Half a tile's width, the grid on which these lines lie.
CELL = 0.5


def random_line(seed: int, highest: int = 6, doubles: float = 0.0) -> tuple[Laid, ...]:
    """A line that went as far as it could; `doubles` is how often a double was laid whenever one fitted."""
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
    """What a tile was joined to: the number of that tile, and the suit of both."""

    number: int
    suit: int


def joints(laid: tuple[Laid, ...]) -> list[Joint | None]:
    """For each tile what it was joined to, told by the rules alone: once a double has a tile on both sides of the
    line its two free sides open, and are named U D, then U2 D2, …"""
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
    """Neighbours touch, by equal halves only; all others are a cell apart; all lie in the picture."""
    found = joints(board.laid)
    for one, other in combinations(range(len(board.placed)), 2):
        joint, gap = found[other], apart(board.placed[one].box, board.placed[other].box)
        if joint is None or joint.number != one or board.placed[other].thread:
            assert gap >= CELL, (board.placed[one], board.placed[other])
        else:
            assert abs(gap) < TINY
            check_contact(board.placed[one], board.placed[other], joint.suit)
    for placed in board.placed:
        assert {placed.first.suit, placed.second.suit} == {HIGH[placed.tile], LOW[placed.tile]}
        assert lies_within(placed.box, board.half_width, board.half_height)


def check_beside(board: Board) -> None:
    """Every end that the rules open has a chip and its next places, clear of the tiles and within the picture."""
    ends = _layout(board.laid).ends
    assert {end.name: end.suit for end in board.ends.values() if end.open} == ends
    doubles = {each.tile for each in board.laid if DOUBLE[each.tile]}
    chips = [chip_box(board, end.chip) for end in board.ends.values()]
    tiles = [placed.box for placed in board.placed]
    for end in board.ends.values():
        assert (end.double is None) == any(HIGH[double] == end.suit for double in doubles)
    nexts = [box for end in board.ends.values() for box in (end.plain, end.double) if box]
    for box in (*nexts, *chips, board.flash):
        assert lies_within(box, board.half_width, board.half_height)
        assert all(apart(box, tile) > -TINY for tile in tiles)
    for one, other in combinations([*chips, board.flash], 2):
        assert apart(one, other) > 0


def _layout(laid: tuple[Laid, ...]) -> Layout:
    layout = lead(tip_table("every", 12), laid[0].tile)
    for tile, end, _ in laid[1:]:
        layout = layout.joined(tile, end)
    return layout


def check_growth(before: Board, after: Board) -> None:
    """The newest tile lies where its place was shown and nothing has moved, unless the picture has grown; and then
    nothing has moved in the line, unless the newest tile had found no place at its end."""
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
def test_any_line_lies_well_and_stays(seed: int, doubles: float, shape: str):
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
def test_most_lines_of_a_whole_set_are_readable(shape: str):
    """Half-widths of 17 tiles beside the rail, of 12 on a phone: more is a matter of rare lines."""
    widest = {"wide": 17, "tall": 12.5}[shape]
    boards = [branching(random_line(seed), shape) for seed in range(10)]
    assert sum(board.half_width < widest for board in boards) >= 8


@pytest.mark.parametrize("shape", SHAPES)
def test_a_tile_that_finds_no_place_hangs_on_a_thread(shape: str):
    """Where a line shuts an end in, and no other way to lay it is found, play goes on beside it."""
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


def test_each_double_opens_its_free_sides_when_both_its_line_sides_are_covered():
    """Named in the order in which they open: 0-0 was enclosed before 5-5 (docs/rules.md, "The layout")."""
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


def test_a_doubles_pin_is_hollow_until_its_free_sides_are_open():
    laid = tiles_laid("5-5 5-0@L 0-0@L 4-0@L 5-1@R")
    pins = [dict(branching(each, "wide").pins) for each in beginnings(laid)]
    assert pins == [
        {0: "hollow"},
        {0: "hollow"},
        {0: "hollow", 2: "hollow"},
        {0: "hollow", 2: "full"},
        {0: "full", 2: "full"},
    ]


def test_the_line_as_text_is_told_end_by_end():
    board = branching(tiles_laid("6-6 6-3@L 6-4@R 3-3@L 3-1@L 6-5@U 3-2@U2"), "wide")
    assert [(end, [NAMES[each] for each in tiles]) for end, tiles in textual(board)] == [
        (None, ["6-6"]),
        ("L", ["6-3", "3-3", "3-1"]),
        ("R", ["6-4"]),
        ("U", ["6-5"]),
        ("U2", ["3-2"]),
    ]


def test_before_the_lead_there_is_only_its_place():
    board = branching((), "wide")
    assert (board.placed, board.ends, board.flash, textual(board)) == ((), {}, None, [])
    assert not board.ghost(parse("6-4"), None).upright
    assert board.ghost(parse("6-6"), None).upright


@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_line_lies_the_same_for_all_and_afresh(shape: str):
    laid = random_line(3, doubles=0.8)
    board = branching(laid, shape)
    grown.cache_clear()
    lay.cache_clear()
    again = branching(laid, shape)
    assert again is not board
    assert (again.placed, again.ends, again.flash) == (board.placed, board.ends, board.flash)


def test_lines_of_other_games_do_not_branch():
    assert not line(tip_table("first", 6), tiles_laid("6-6")).branching
    assert line(tip_table("every", 6), ()).branching


def test_every_end_that_a_tile_fits_has_a_button_and_no_two_overlap():
    """Large enough for a finger where there is only one."""
    for seed in range(4):
        laid = random_line(seed, doubles=0.4 * (seed % 2))[: 8 + 5 * seed]
        view = view_of(laid, "every")
        for tile in set(range(SET_SIZES[6])) - {each.tile for each in laid}:
            if spots := spots_of(view, tile):
                for art in drawn(draw_spots(view, spots)):
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


def test_a_thread_is_drawn_from_the_end_to_its_tile():
    laid = next(
        laid
        for laid in (random_line(seed, doubles=0.9) for seed in range(60))
        if any(placed.thread for placed in branching(laid, "wide").placed)
    )
    wide, _ = drawn(draw_line(view_of(laid, "every")))
    threads = [placed.thread for placed in branching(laid, "wide").placed if placed.thread]
    paths = [path.get("d") for path in wide.iter("path") if path.get("class") == "thread"]
    assert paths == ["M" + "L".join(f"{x * UNIT:g} {y * UNIT:g}" for x, y in thread) for thread in threads]
