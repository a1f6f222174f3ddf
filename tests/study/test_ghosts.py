"""What an analysis draws over the line: where the best move would have lain, and the one made."""

from xml.etree import ElementTree

import pytest

from games.board import Box, first_clear, lay
from games.computer.players import choose
from games.computer.selfplay import begun
from games.engine.perspective import perspective
from games.engine.presets import PRESETS
from study.drawing import ghosts


def decisions(preset: str):
    """A view with two plays to choose from, at each of the turns of a match where there is one."""
    match = begun(PRESETS[preset].rules, 2, "ghosts")
    for number in range(60):
        view = perspective(match, match.turn)
        plays = [move for move in view.legal if move.kind == "play"]
        if len(plays) > 1:
            yield view, plays[0], plays[-1]
        move, claim = choose(view, "club", number)
        match = match.play(match.turn, move, claim)
        if match.turn is None:
            break


@pytest.mark.parametrize("preset", ["all-fives", "five-up", "draw"])
def test_no_word_about_a_move_lies_on_a_tile(preset):
    found = 0
    for view, best, made in decisions(preset):
        drawn = ElementTree.fromstring(f"<svg>{ghosts(view, best, made)}</svg>")
        for svg in drawn:
            board = lay(view.line, svg.get("class").split()[1])
            laid = [placed.box for placed in board.placed]
            for text in svg.iter("text"):
                found += 1
                x, y = float(text.get("x")) / 40, float(text.get("y")) / 40 - 0.13
                middle = Box(x, y, len(text.text) * 0.125, 0.15)
                shown = board.half_width, board.half_height
                assert first_clear([middle], laid, shown) == middle, ElementTree.tostring(svg)
    assert found > 40
