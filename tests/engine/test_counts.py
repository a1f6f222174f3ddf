"""Tests of the count and its points (docs/rules.md, "The count", "Scoring")."""

import pytest

from boneyard.engine.errors import Illegal
from boneyard.engine.terms import points_of
from boneyard.engine.tiles import parse

from .positions import lay_out

# spinner, set, plays, the count after each, the suits of the ends at last (sorted) or None
COUNTS = [
    ("none", 6, "5-5", "10", None),
    ("none", 6, "6-4", "10", None),
    ("first", 6, "5-0", "5", None),
    ("first", 6, "4-1", "5", None),
    ("first_enclosed", 6, "3-2", "5", None),
    ("first", 6, "6-6", "12", None),
    ("cross", 6, "6-6", "12", None),
    ("none", 6, "6-5", "11", None),
    ("first", 6, "0-0", "0", None),
    ("first", 6, "6-6, 6-3@6, 6-4@6, 5-3@3, 6-0@X, 6-1@X", "12 15 7 9 9 10", [0, 1, 4, 5]),
    ("first", 6, "5-5, 5-0@5, 5-3@5, 5-2@X, 5-1@X", "10 10 3 5 6", None),
    ("first", 6, "6-4, 4-4@4, 4-3@4, 4-1@X", "10 14 9 10", None),
    ("none", 6, "5-5, 5-0@5, 0-0@0, 6-5@5, 4-0@0", "10 10 10 6 10", None),
    ("first", 6, "6-4, 4-4@4, 6-6@6, 6-2@6", "10 14 20 10", [2, 4]),
    (
        "first",
        6,
        "3-3, 6-3@3, 5-3@3, 6-6@6, 5-5@5, 4-3@X, 4-4@4, 3-1@X, 5-1@1",
        "6 12 11 17 22 26 30 31 35",
        None,
    ),
    ("first", 6, "0-0, 5-0@0, 4-0@0, 1-0@X", "0 5 9 10", None),
    ("first", 6, "4-2, 4-3@4", "6 5", None),
    ("first", 6, "4-2, 4-4@4", "6 10", None),
    ("first", 6, "6-4, 4-0@4", "10 6", None),
    ("first", 6, "6-4, 6-1@6", "10 5", None),
    ("first", 6, "5-3, 5-5@5, 3-3@3, 3-2@3", "8 13 16 12", [2, 5]),
    ("first_enclosed", 6, "5-3, 5-5@5, 3-3@3, 3-2@3", "8 13 16 12", [2, 3, 3, 5]),
    ("none", 6, "4-1, 1-1@1, 3-1@1, 5-4@4", "5 6 7 8", None),
    (
        "first",
        6,
        "1-1, 6-1@1, 2-1@1, 1-0@X, 6-5@6, 3-1@X, 5-5@5, 2-2@2",
        "2 8 8 8 7 10 15 17",
        None,
    ),
    ("first", 6, "6-6, 6-3@6, 3-3@3, 6-2@6, 4-3@3, 6-4@X, 6-5@X", "12 15 18 8 6 10 15", None),
    ("first", 9, "9-9, 9-7@9, 9-8@9, 9-0@X, 9-5@X", "18 25 15 15 20", None),
    ("none", 6, "6-6, 6-3@6, 6-0@6", "12 15 3", None),
    ("none", 6, "5-4, 5-5@5, 4-4@4, 5-2@5", "9 14 18 10", None),
    ("first", 6, "5-5, 5-0@5, 0-0@0, 6-5@5, 5-2@X", "10 10 10 6 8", None),
    ("first", 6, "6-4, 4-4@4, 6-6@6", "10 14 20", None),
    # A cross spinner counts once while a line side is uncovered; its other sides count nothing until covered.
    ("cross", 6, "6-6, 6-1@X, 6-2@X, 6-3@6, 6-4@6", "12 13 15 18 10", [1, 2, 3, 4]),
    ("cross", 6, "6-6, 6-1@6, 6-2@6, 6-3@X, 6-4@X, 4-4@4", "12 13 3 6 10 14", [1, 2, 3, 4]),
]


@pytest.mark.parametrize(("spinner", "highest", "plays", "counts", "ends"), COUNTS)
def test_counts_after_each_play(spinner, highest, plays, counts, ends):
    layouts = lay_out(spinner, plays, highest)
    assert " ".join(str(layout.count) for layout in layouts) == counts
    assert [sum(layout.values.values()) for layout in layouts] == [layout.count for layout in layouts]
    if ends is not None:
        assert sorted(layouts[-1].ends.values()) == ends


POINTS = [
    ("none", {0: 0, 5: 0, 15: 0}),
    ("fives", {0: 0, 3: 0, 5: 5, 9: 0, 10: 10, 15: 15, 35: 35}),
    ("fives_by_one", {0: 0, 3: 0, 5: 1, 10: 2, 15: 3, 35: 7}),
    ("fives_threes", {0: 0, 3: 1, 5: 1, 6: 2, 9: 3, 10: 2, 12: 4, 15: 8, 18: 6, 20: 4}),
]


@pytest.mark.parametrize(("rule", "worth"), POINTS)
def test_points_of_a_count(rule, worth):
    assert {count: points_of(rule, count) for count in worth} == worth


@pytest.mark.parametrize(
    ("plays", "points"),
    [("6-6, 6-3@6, 6-0@6", [4, 8, 1]), ("5-4, 5-5@5, 4-4@4, 5-2@5", [3, 0, 6, 2])],
)
def test_points_by_fives_and_threes(plays, points):
    assert [points_of("fives_threes", layout.count) for layout in lay_out("none", plays)] == points


def test_arms_open_when_spinner_is_enclosed():
    # Before 4-3 is laid, 4-1 fits only the free line side.
    before, enclosed = lay_out("first", "6-4, 4-4@4, 4-3@4")[1:]
    assert before.ends == {"L": 6, "R": 4}
    assert enclosed.ends == {"L": 6, "R": 3, "U": 4, "D": 4}
    with pytest.raises(Illegal) as refusal:
        before.joined(parse("4-1"), "U")
    assert refusal.value.code == "not_open"


def test_first_enclosed_double_becomes_spinner():
    plays = "5-3, 5-5@5, 3-3@3, 3-2@3"
    assert lay_out("first", plays)[-1].spinner == parse("5-5")
    assert lay_out("first_enclosed", plays)[-1].spinner == parse("3-3")
    assert lay_out("first_enclosed", plays)[-2].spinner is None
    assert lay_out("none", plays)[-1].spinner is None


def test_later_doubles_do_not_branch():
    # 6-6 does not become a spinner.
    last = lay_out("first", "6-4, 4-4@4, 6-6@6, 6-2@6")[-1]
    assert last.spinner == parse("4-4")
    assert last.ends == {"L": 2, "R": 4}


def test_cross_requires_all_four_sides_first():
    *crossing, done = lay_out("cross", "6-6, 6-1@6, 6-2@6, 6-3@X, 6-4@X")
    assert [set(layout.ends.values()) for layout in crossing] == [{6}] * 4
    assert [len(layout.ends) for layout in crossing] == [4, 3, 2, 1]
    assert done.ends == {"L": 1, "R": 2, "U": 3, "D": 4}
    with pytest.raises(Illegal) as refusal:
        crossing[1].joined(parse("2-1"), "L")
    assert refusal.value.code == "cross_first"


def test_cross_without_double_lead_has_no_spinner():
    # This happens only if the holder of the double leaves before leading.
    last = lay_out("cross", "6-4, 4-4@4, 4-3@4")[-1]
    assert last.spinner is None
    assert last.ends == {"L": 6, "R": 3}
