"""The helper that waits: it says what for."""

import pytest

from tests.waiting import attempts, until


def test_until_returns_first_true_value():
    answers = iter([0, "", "here"])
    assert until(lambda: next(answers), interval=0) == "here"


def test_until_says_what_it_waited_for():
    with pytest.raises(AssertionError, match=r"waited 0 seconds for the moon: got 0; status: cloudy"):
        until(lambda: 0, "the moon", seconds=0, status=lambda: "cloudy")


def test_until_names_its_condition():
    with pytest.raises(AssertionError, match=r"lambda: 1 > 2"):
        until(lambda: 1 > 2, seconds=0)


def test_attempts_end():
    with pytest.raises(AssertionError, match="for the moon"):
        for _ in attempts("the moon", seconds=0):
            pass
