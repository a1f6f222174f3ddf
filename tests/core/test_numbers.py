"""Formatting and parsing of numbers."""

import pytest

from core.numbers import format_change, parse_whole_number


@pytest.mark.parametrize(("change", "text"), [(9, "+9"), (-13, "−13"), (0, "±0")])
def test_change_is_formatted_with_sign(change, text):
    assert format_change(change) == text


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("007", 7), ("99999999", 99_999_999)])
def test_whole_number_is_parsed(text, number):
    assert parse_whole_number(text) == number


@pytest.mark.parametrize("text", ["", " 1", "-1", "+1", "1.0", "1e3", "³", "१", "999999999", "seven"])
def test_other_text_is_no_whole_number(text):
    assert parse_whole_number(text) is None
