"""Tests of the styles of the personas."""

from collections.abc import Callable
from random import Random

import pytest

from boneyard.computer.players import choose_move
from boneyard.computer.search import SearchPlan, is_behind, rank_moves, search
from boneyard.computer.styles import STYLES
from boneyard.engine.moves import Move
from boneyard.engine.perspective import View
from boneyard.engine.presets import PRESETS
from boneyard.engine.tiles import DOUBLES, pips

from .tables import views

PLAN = SearchPlan(samples=60, work=10**9)
KEEPS_DOUBLES, BLOCKS, FOR_POINTS = range(3)


def count_doubles(_view: View, move: Move) -> int:
    return (move.tiles & DOUBLES).bit_count()


def count_replies(view: View, move: Move) -> int:
    return (view.unseen & view.layout_after(move).fits).bit_count()


def negative_pips(_view: View, move: Move) -> int:
    return -pips(move.tiles)


@pytest.mark.parametrize(
    ("figure", "avoided"),
    [(KEEPS_DOUBLES, count_doubles), (BLOCKS, count_replies), (FOR_POINTS, negative_pips)],
    ids=["keeps doubles", "blocks", "plays for points"],
)
@pytest.mark.parametrize("level", ["casual", "club", "strong"])
def test_style_changes_some_moves_as_it_says(level, figure, avoided: Callable[[View, Move], int]):
    changed, difference = 0, 0
    rounds = 8 if level == "strong" else 25  # it changes more moves, and takes longer
    for view in views(PRESETS["block"].rules.replace(target=500), 2, "styles", rounds=rounds):
        plain, styled = (choose_move(view, level, 1, figure=each)[0] for each in (None, figure))
        if styled != plain and styled.kind == plain.kind == "play":
            changed += 1
            difference += avoided(view, styled) - avoided(view, plain)
    assert changed and difference < 0


def test_master_lets_a_style_choose_only_among_nearly_equal_moves():
    plan, changed = PLAN._replace(reads_plays=True, by_chance=True, careful=True), 0
    for view in views(PRESETS["all-fives"].rules, 2, "styles", rounds=8):
        best, *others = rank_moves(view, plan, Random(1))
        styled = search(view, plan, Random(1), STYLES[KEEPS_DOUBLES])
        changed += styled != best.move
        assert styled in [best.move, *(each.move for each in others if not is_behind(each, best, 0.25))]
    assert changed
