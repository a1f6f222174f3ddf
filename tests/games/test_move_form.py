"""A move's fields, whether they come from a form or as the values of a frame."""

import pytest

from games.forms import MoveForm


@pytest.mark.parametrize(
    "sent, read",
    [
        ({"move": "6-4@L", "version": "17", "claim": "10"}, {"move": "6-4@L", "version": 17, "claim": 10}),
        ({"move": "6-4@L", "version": 17, "claim": 10}, {"move": "6-4@L", "version": 17, "claim": 10}),
        ({"move": "draw", "version": 0}, {"move": "draw", "version": 0, "claim": None}),
        ({"move": "draw", "version": 0, "claim": ""}, {"move": "draw", "version": 0, "claim": None}),
        ({"move": "draw", "version": 0, "claim": 0}, {"move": "draw", "version": 0, "claim": 0}),
        ({"move": "draw", "version": 99_999_999}, {"move": "draw", "version": 99_999_999, "claim": None}),
        ({"move": "6-4", "version": 0, "claim": 32_767}, {"move": "6-4", "version": 0, "claim": 32_767}),
    ],
)
def test_numbers_may_be_text_or_numbers(sent, read):
    form = MoveForm(sent)
    assert form.is_valid()
    assert form.cleaned_data == read


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"move": "draw"},
        {"move": "draw", "version": None},
        {"move": "draw", "version": True},
        {"move": "draw", "version": 1.0},
        {"move": "draw", "version": [1]},
        {"move": "draw", "version": {"is": 1}},
        {"move": "draw", "version": 100_000_000},
        {"move": None, "version": 0},
        {"move": "6-4", "version": 0, "claim": 32_768},
    ],
)
def test_what_is_no_move_and_version_is_refused(sent):
    assert not MoveForm(sent).is_valid()
