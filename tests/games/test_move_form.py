"""Parsing of a move from a form or a socket frame."""

import pytest

from games.move_requests import MoveRequest
from games.services import MoveRefused


@pytest.mark.parametrize(
    "sent, read",
    [
        ({"move": "6-4@L", "version": "17", "claim": "10"}, ("6-4@L", 17, 10)),
        ({"move": "6-4@L", "version": 17, "claim": 10}, ("6-4@L", 17, 10)),
        ({"move": "draw", "version": 0}, ("draw", 0, None)),
        ({"move": "draw", "version": 0, "claim": ""}, ("draw", 0, None)),
        ({"move": "draw", "version": 0, "claim": 0}, ("draw", 0, 0)),
        ({"move": "draw", "version": 99_999_999}, ("draw", 99_999_999, None)),
        ({"move": "6-4", "version": 0, "claim": 32_767}, ("6-4", 0, 32_767)),
        ({"move": "6-4", "version": 0, "expires": ""}, ("6-4", 0, None)),
        ({"move": "6-4", "version": 0, "expires": "9999999999999"}, ("6-4", 0, None)),
    ],
)
def test_numbers_may_be_strings_or_integers(sent, read):
    assert MoveRequest.parse(sent) == MoveRequest(*read)


def test_move_is_late_after_it_expires():
    assert MoveRequest.parse({"move": "draw", "version": 0, "expires": "1"}).is_late
    assert not MoveRequest.parse({"move": "draw", "version": 0, "expires": "9999999999999"}).is_late


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"move": "draw"},
        {"move": "draw", "version": None},
        {"move": "draw", "version": True},
        {"move": "draw", "version": 1.0},
        {"move": "draw", "version": -1},
        {"move": "draw", "version": "٣"},
        {"move": "draw", "version": [1]},
        {"move": "draw", "version": {"is": 1}},
        {"move": "draw", "version": 100_000_000},
        {"move": None, "version": 0},
        {"move": "", "version": 0},
        {"move": 5, "version": 0},
        {"move": ["draw"], "version": 0},
        {"move": 41 * "6", "version": 0},
        {"move": "6-4", "version": 0, "claim": 32_768},
        {"move": "6-4", "version": 0, "claim": "ten"},
        {"move": "6-4", "version": 0, "claim": [10]},
        {"move": "6-4", "version": 0, "claim": {"is": 10}},
        {"move": "6-4", "version": 0, "expires": "later"},
        {"move": "6-4", "version": 0, "expires": 10**13},
    ],
)
def test_invalid_move_request_is_refused(sent):
    with pytest.raises(MoveRefused, match="malformed"):
        MoveRequest.parse(sent)
