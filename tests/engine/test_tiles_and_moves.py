import pickle

import pytest

from boneyard.engine import moves, tiles
from boneyard.engine.errors import Malformed


def test_set_order():
    assert tiles.NAMES[:6] == ("0-0", "1-0", "1-1", "2-0", "2-1", "2-2")
    assert tiles.NAMES[tiles.SET_SIZES[6] - 1] == "6-6"
    assert tiles.NAMES[tiles.SET_SIZES[9] - 1] == "9-9"
    assert tiles.NAMES[tiles.SET_SIZES[12] - 1] == "12-12" == tiles.NAMES[-1]


def test_tile_numbers():
    for tile, name in enumerate(tiles.NAMES):
        assert tiles.parse(name) == tile == tiles.tile(tiles.HIGH[tile], tiles.LOW[tile])
        assert tiles.tile(tiles.LOW[tile], tiles.HIGH[tile]) == tile
        assert tiles.PIPS[tile] == tiles.HIGH[tile] + tiles.LOW[tile]
        assert tiles.DOUBLE[tile] == (tiles.HIGH[tile] == tiles.LOW[tile])


def test_suits():
    for suit, mask in enumerate(tiles.SUITS):
        members = tiles.members(mask)
        assert len(members) == 13
        assert all(suit in (tiles.HIGH[tile], tiles.LOW[tile]) for tile in members)
        assert tiles.mask_of(members) == mask


@pytest.mark.parametrize(
    "text", ["", "4-6", "6-", "13-0", "06-4", "6 - 4", "6-4 ", "٦-٤", "6–4", None, 64, ["6-4"]]
)
def test_invalid_tile_text(text):
    with pytest.raises(Malformed):
        tiles.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "6-4", "6-4@L", "12-0@D", "4-4@L+6-3@R", "1-0@L+2-0@R+3-0@U+4-0@D", "3-0@R+2-2@D",
        "draw", "pass", "muggins", "resign", "time", "left", "takeover", "abort", "close", "void",
    ],
)  # fmt: skip
def test_move_text_round_trips(text):
    move = moves.parse(text)
    assert str(move) == text
    assert moves.parse(str(move)) is move
    assert pickle.loads(pickle.dumps(move)) is move


@pytest.mark.parametrize(
    "text",
    [
        "", "Draw", "draw ", "4-6@L", "6-4@X", "6-4@l", "6-4@", "@L", "6-4@L@R", "6-4@L+", "+6-4@L",
        "6-3@R+4-4@L", "6-4@L+6-4@R", "6-4@L+5-4@L", "6-4+5-4@L", "6-4@L+5-4", "6-4@L+draw",
        "1-0@L+2-0@R+3-0@U+4-0@D+5-0@D", "6-4@L +5-4@R", "+" * 100_000, None, 7, ["draw"], {"move": "draw"},
    ],
)  # fmt: skip
def test_invalid_move_text(text):
    with pytest.raises(Malformed) as refusal:
        moves.parse(text)
    assert len(str(refusal.value)) < 200


def test_move_is_immutable():
    with pytest.raises(AttributeError):
        moves.DRAW.text = "pass"


def test_move_attributes():
    move = moves.parse("4-4@L+6-3@R")
    assert move.kind == "play"
    assert move.plays == ((tiles.parse("4-4"), "L"), (tiles.parse("6-3"), "R"))
    assert move.tiles == tiles.mask_of([tiles.parse("4-4"), tiles.parse("6-3")])
    assert moves.parse("6-4").plays == ((tiles.parse("6-4"), None),)
    assert (moves.DRAW.kind, moves.DRAW.plays) == ("draw", ())
    assert repr(move) == "<Move 4-4@L+6-3@R>"
    assert move != "4-4@L+6-3@R"
    assert len({move, moves.parse("4-4@L+6-3@R")}) == 1
