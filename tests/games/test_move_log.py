"""A round told in lines, in the order in which it happened."""

import pytest

from games.engine.moves import parse
from games.engine.presets import PRESETS
from games.engine.rounds import Entry
from games.engine.terms import terms
from games.table.move_log import build_move_log

DRAW_GAME = terms(PRESETS["draw"].rules, 2)


def told(*log: tuple[int, str]) -> list[tuple[int, str | None, int]]:
    """Each line's seat, move and how many tiles were drawn before it."""
    entries = tuple(Entry(seat, parse(move)) for seat, move in log)
    return [(line.seat, line.move and str(line.move), line.drew) for line in build_move_log(entries, DRAW_GAME).all]


@pytest.mark.parametrize("going", ["resign", "time", "left", "abort"])
def test_who_goes_while_another_draws_does_so_after_what_was_drawn(going):
    lines = told((0, "6-6"), (1, "draw"), (1, "draw"), (0, going))
    assert lines == [(0, "6-6", 0), (1, None, 2), (0, going, 0)]


def test_what_was_drawn_before_a_play_is_told_with_it():
    assert told((0, "6-6"), (1, "draw"), (1, "6-1@L")) == [(0, "6-6", 0), (1, "6-1@L", 1)]


def test_what_is_drawn_after_somebody_went_is_told_with_the_play_that_follows():
    lines = told((0, "6-6"), (1, "draw"), (0, "takeover"), (1, "draw"), (1, "6-1@L"))
    assert lines == [(0, "6-6", 0), (1, None, 1), (0, "takeover", 0), (1, "6-1@L", 1)]


def test_a_call_leaves_open_what_is_being_drawn():
    lines = told((0, "6-6"), (1, "draw"), (0, "muggins"), (1, "6-1@L"))
    assert lines == [(0, "6-6", 0), (0, "muggins", 0), (1, "6-1@L", 1)]
