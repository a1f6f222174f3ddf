"""What the plays of a seat in pairs show its partner, after a round (*Why?*)."""

import pytest

from boneyard.analysis.partner_plays import find_signs
from boneyard.engine.tiles import NAMES
from tests.engine.positions import arrange, play_moves, rules_of

# Who leads, the four hands, the plays, and what the first seat's showed: tile, kind, suit, more.
ROUNDS = {
    "a lead from a long suit": (
        0,
        ["5-5 5-1 5-2 4-3", "5-0 0-0", "6-6", "1-1"],
        ["5-5"],
        [("5-5", "led", 5, 2)],
    ),
    "a lead from a short suit": (0, ["5-5 5-1 4-3", "5-0 0-0", "6-6", "1-1"], ["5-5"], []),
    "its own suit again": (
        0,
        ["4-0 4-1 4-2 3-3 0-0", "1-0 6-6", "5-4 6-5", "5-0 2-2"],
        ["4-0", "1-0@R", "5-4@L", "5-0@L", "4-1@R"],
        [("4-0", "led", 4, 2), ("4-1", "repeated", 4, 1)],
    ),
    "the partner's suit again": (
        2,
        ["6-4 6-2 5-3 3-2", "4-2 3-3", "6-1 5-0 1-1", "1-0 5-5 2-2"],
        ["6-1", "1-0@R", "6-4@L", "4-2@L", "5-0@R", "5-5@R", "6-2@L"],
        [("6-4", "heavy", -1, 0), ("6-2", "returned", 6, 0)],
    ),
    "the suits that the next seat lacks": (
        0,
        ["6-6 6-3 6-2 0-0", "1-0 2-0", "6-1 5-5", "3-1 2-2"],
        ["6-6", "pass", "6-1@L", "3-1@L", "6-3@L"],
        [("6-6", "led", 6, 2), ("6-3", "shut", -1, 0)],
    ),
    "the partner's suit covered of need": (
        2,
        ["6-5 4-4", "5-0", "6-6 3-3", "6-1 2-2"],
        ["6-6", "6-1@L", "6-5@R"],
        [("6-5", "covered", 6, 0)],
    ),
    "the only tile that fits": (
        0,
        ["5-0 6-1 4-4", "5-2 5-5", "3-0 3-3", "6-3 2-2"],
        ["5-0", "5-2@L", "3-0@R", "6-3@R", "6-1@R"],
        [("6-1", "forced", -1, 0)],
    ),
    "a double alone in its suit": (
        3,
        ["5-5 4-3 2-0", "1-0", "6-6", "5-4 2-2"],
        ["5-4", "5-5@L"],
        [("5-5", "double", 5, 0)],
    ),
    "a new suit with more of it": (
        3,
        ["5-3 3-2 3-1 4-0", "1-0", "6-6", "5-4 2-2"],
        ["5-4", "5-3@L"],
        [("5-3", "opened", 3, 2)],
    ),
    "the last tile": (3, ["5-3", "1-0", "6-6", "5-4 2-2"], ["5-4", "5-3@L"], []),
}


@pytest.mark.parametrize("name", ROUNDS)
def test_signs(name):
    leader, hands, moves, expected = ROUNDS[name]
    match = play_moves(arrange(rules_of("pairs-international"), hands, leader=leader), *moves)
    played = match.ended[0].round if match.ended else match.round

    assert [(NAMES[sign.tile], *sign[1:]) for sign in find_signs(played, 0)] == expected
