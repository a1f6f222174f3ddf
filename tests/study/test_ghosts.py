"""Ghosts of moves drawn over the line of play."""

from xml.etree import ElementTree

import pytest

from boneyard.board import Box, build_board, first_clear
from boneyard.computer.players import choose_move
from boneyard.computer.selfplay import begin_seeded
from boneyard.engine.perspective import perspective
from boneyard.engine.presets import PRESETS
from study.drawing import draw_ghosts


def decisions(preset: str):
    """Yield a view and two different plays for each turn with a choice."""
    match = begin_seeded(PRESETS[preset].rules, 2, "ghosts")
    for number in range(60):
        view = perspective(match, match.turn)
        plays = [move for move in view.legal if move.kind == "play"]
        if len(plays) > 1:
            yield view, plays[0], plays[-1]
        move, claim = choose_move(view, "club", number)
        match = match.play(match.turn, move, claim)
        if match.turn is None:
            break


@pytest.mark.parametrize("preset", ["all-fives", "five-up", "draw"])
def test_labels_do_not_overlap_tiles(preset):
    found = 0
    for view, best, made in decisions(preset):
        drawn = ElementTree.fromstring(f"<svg>{draw_ghosts(view, best, made)}</svg>")
        for svg in drawn:
            board = build_board(view.line, svg.get("class").split()[-1])
            laid = [placed.box for placed in board.placed]
            for text in svg.iter("text"):
                found += 1
                x, y = float(text.get("x")) / 40, float(text.get("y")) / 40 - 0.13
                middle = Box(x, y, len(text.text) * 0.125, 0.15)
                shown = board.half_width, board.half_height
                assert first_clear([middle], laid, shown) == middle, ElementTree.tostring(svg)
    assert found > 40
