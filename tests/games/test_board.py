"""Tests of the board geometry (docs/board.md) with random lines."""

from random import Random

import pytest

from boneyard.board import build_board, tiles_by_arm
from boneyard.engine.layout import Laid, lead, tip_table
from boneyard.engine.matches import Match, begin
from boneyard.engine.perspective import perspective
from boneyard.engine.presets import PRESETS
from boneyard.engine.tiles import NAMES, parse, tile

from .lines import (
    beginnings,
    board_of,
    check_beside,
    check_tiles,
    longest_line,
    random_line,
)

SHAPES = ("wide", "tall")
SPINNERS = ("none", "first", "first_enclosed", "cross")
FAMILIES = [(6, 28, 12), (9, 55, 5), (12, 91, 2)]


def tiles_laid(text: str) -> tuple[Laid, ...]:
    """Parse plays such as `6-6 6-3@R` in the order laid."""
    plays = [(name, end or None) for name, _, end in (play.partition("@") for play in text.split())]
    return tuple(Laid(parse(name), end, number % 2) for number, (name, end) in enumerate(plays))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("spinner", SPINNERS)
@pytest.mark.parametrize(("highest", "length", "count"), FAMILIES)
def test_random_lines_are_laid_out_correctly(highest: int, length: int, count: int, spinner: str, shape: str):
    rng = Random(f"{highest} {spinner}")
    for number in range(count):
        laid = random_line(rng, highest, spinner, length, loyalty=number % 3 * 0.45)
        for beginning in {laid[: rng.randint(1, len(laid))], laid}:
            board = board_of(beginning, spinner, shape)
            check_tiles(board)
            check_beside(board)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("highest", "length", "count"), [(6, 28, 8), (9, 51, 4), (12, 91, 2)])
def test_longest_lines_fit(highest: int, length: int, count: int, shape: str):
    rng = Random(highest)
    for _ in range(count):
        laid = longest_line(rng, highest)
        assert len(laid) == length
        board = board_of(laid, "none", shape)
        check_tiles(board)
        check_beside(board)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("spinner", SPINNERS)
@pytest.mark.parametrize(("highest", "length", "count"), FAMILIES)
def test_laid_tiles_keep_their_place(highest: int, length: int, count: int, spinner: str, shape: str):
    """Keep tiles unless the scale changes or the spinner appears; lay the next one at its ghost."""
    rng = Random(f"{highest} {spinner}")
    for _ in range(count):
        before = None
        for laid in beginnings(random_line(rng, highest, spinner, length)):
            board = board_of(laid, spinner, shape)
            if before is not None:
                came = board.spinner != before.spinner
                assert came or board.step >= before.step
                if not came and board.step == before.step:
                    assert board.placed[:-1] == before.placed
                    shown = before.ghost(laid[-1].tile, laid[-1].end)
                    assert board.placed[-1] == shown._replace(seat=laid[-1].seat)
            before = board


@pytest.mark.parametrize("spinner", SPINNERS)
@pytest.mark.parametrize("highest", [6, 12])
def test_spinner_and_ends_agree_with_the_engine(highest: int, spinner: str):
    rng = Random(f"{highest} {spinner}")
    for _ in range(20):
        layout = None
        for laid in beginnings(random_line(rng, highest, spinner, 24)):
            newest = laid[-1]
            layout = (
                layout.joined(newest.tile, newest.end)
                if layout
                else lead(tip_table(spinner, highest), newest.tile)
            )
            board = board_of(laid, spinner, "wide")
            found = None if board.spinner is None else laid[board.spinner].tile
            assert found == layout.spinner
            fitting = {name: suit for name, suit in layout.ends.items()}
            assert {end.name: end.suit for end in board.ends.values() if end.open} == fitting


# Lines that branch at every double have their own layout: see test_branching.py.
@pytest.mark.parametrize(
    "preset", [name for name, preset in PRESETS.items() if preset.rules.spinner != "every"]
)
def test_rounds_of_every_game(preset: str):
    rules = PRESETS[preset].rules
    rng = Random(preset)
    match = begin(rules, max(rules.players), rng.randbytes(32), "a.b")
    checked_boards = 0
    while match.turn is not None and match.round.number < 4:
        match = _move(match, rng)
        view = perspective(match, None)
        if view.laid and rng.random() < 0.3:
            checked_boards += 1
            for shape in SHAPES:
                board = build_board(view.line, shape)
                check_tiles(board)
                check_beside(board)
    assert checked_boards


def _move(match: Match, rng: Random) -> Match:
    assert match.turn is not None
    return match.play(match.turn, rng.choice(match.legal(match.turn)))


def test_board_before_the_lead():
    board = board_of((), "first", "wide")
    assert (board.placed, board.ends, board.flash, tiles_by_arm(board)) == ((), {}, None, [])
    assert not board.ghost(tile(6, 4), None).upright
    assert board.ghost(tile(6, 6), None).upright


def test_lead_has_its_higher_half_on_the_left():
    (lead_,) = board_of(tiles_laid("6-4"), "none", "wide").placed
    assert (lead_.first.suit, lead_.first.x, lead_.second.suit, lead_.second.x) == (6, -0.5, 4, 0.5)


def test_free_sides_of_the_spinner_open_with_both_line_sides():
    closed = board_of(tiles_laid("6-6 6-3@R"), "first", "wide").ends
    assert [(name, end.open) for name, end in closed.items()] == [
        ("L", True),
        ("R", True),
        ("U", False),
        ("D", False),
    ]
    assert all(end.open for end in board_of(tiles_laid("6-6 6-3@R 6-2@L"), "first", "wide").ends.values())


def test_started_arms_of_the_cross_wait_for_the_others():
    ends = board_of(tiles_laid("6-6 6-3@R 6-2@U"), "cross", "wide").ends
    assert [name for name, end in ends.items() if end.open] == ["L", "D"]


def test_later_spinner_moves_to_the_middle():
    laid = tiles_laid("6-4 4-1@R 1-1@R 6-5@L")
    board = board_of(laid, "first", "wide")
    assert board.spinner == 2
    assert (board.placed[2].x, board.placed[2].y) == (0, 0)
    assert [(arm, [NAMES[each] for each in tiles]) for arm, tiles in tiles_by_arm(board)] == [
        (None, ["1-1"]),
        ("L", ["4-1", "6-4", "6-5"]),
    ]


def test_first_enclosed_double_is_the_spinner():
    board = board_of(tiles_laid("5-3 5-5@L 3-3@R 3-2@R"), "first_enclosed", "wide")
    assert board.spinner == 2
    assert [end.name for end in board.ends.values() if end.open] == ["L", "R", "U", "D"]


def test_arm_turns_at_the_edge_and_runs_back():
    laid = tiles_laid("6-6 6-3@R 3-0@R 1-0@R 1-1@R 3-1@R 3-2@R 6-2@L 5-2@R 5-5@R 2-0@L 6-5@U 0-0@L 6-0@D")
    board = board_of(laid, "first", "wide")
    places = {NAMES[placed.tile]: (placed.x * 40, placed.y * 40) for placed in board.placed}
    assert board.step == 0
    assert places["3-1"] == (320, 40)
    assert places["5-5"] == (160, 100)
    assert places["0-0"] == (-200, 0)
    assert places["6-0"] == (0, 80)


@pytest.mark.parametrize("shape", SHAPES)
def test_board_is_the_same_without_caches(shape: str):
    from boneyard.board.arms import build_arm

    laid = random_line(Random(7), 6, "first", 20)
    board = board_of(laid, "first", shape)
    build_arm.cache_clear()
    build_board.cache_clear()
    again = board_of(laid, "first", shape)
    assert again is not board
    assert (again.placed, again.ends, again.flash) == (board.placed, board.ends, board.flash)
