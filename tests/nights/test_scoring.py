"""Points for rounds, and the standings."""

from fractions import Fraction

import pytest

from nights.scoring import RoundResults, TableResult, compute_standings, score_table

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
PAIRS = ((1, 2), (3, 4))


def won(result):
    return {number: score.won for number, score in score_table(result).items()}


@pytest.mark.parametrize(
    ("points", "shares"), [((120, 85), (1, 1, 0, 0)), ((85, 120), (0, 0, 1, 1)), ((90, 90), (HALF,) * 4)]
)
def test_sides_win_share_or_lose(points, shares):
    assert tuple(won(TableResult(PAIRS, points)).values()) == shares


@pytest.mark.parametrize(
    ("points", "shares"),
    [
        ((40, 30, 20, 10), (1, 2 * THIRD, THIRD, 0)),
        ((40, 40, 20, 10), (5 * THIRD / 2, 5 * THIRD / 2, THIRD, 0)),
        ((10, 10, 10, 10), (HALF,) * 4),
        ((30, 20, 10), (1, HALF, 0)),
        ((30, 10, 10), (1, Fraction(1, 4), Fraction(1, 4))),
    ],
)
def test_free_table_pays_places(points, shares):
    sides = tuple((number,) for number in range(1, len(points) + 1))
    assert tuple(won(TableResult(sides, points)).values()) == shares


def test_absent_entry_gets_nothing_and_its_partner_half():
    scores = score_table(TableResult(PAIRS, (100, 0), absent=frozenset({1})))
    assert {number: score.won for number, score in scores.items()} == {1: 0, 2: HALF, 3: 1, 4: 1}
    assert all(score.points == score.against == 0 for score in scores.values())


def test_other_three_play_on_without_the_absent():
    result = TableResult(((1,), (2,), (3,), (4,)), (0, 30, 20, 10), absent=frozenset({1}))
    assert won(result) == {1: 0, 2: 1, 3: HALF, 4: 0}


def test_replaced_entry_gets_nothing_and_the_others_what_the_match_gave():
    assert won(TableResult(PAIRS, (100, 0), replaced=frozenset({1}))) == {1: 0, 2: 1, 3: 0, 4: 0}


@pytest.mark.parametrize(("points", "difference"), [((0, 150), -150), ((150, 0), 0)])
def test_who_leaves_keeps_a_lost_difference_and_no_won_one(points, difference):
    left = frozenset({1})
    result = TableResult(((1,), (2,)), points, replaced=left, winners=frozenset({1}), left=left)
    score = score_table(result)[1]
    assert (int(score.won), score.points) == (0, 0)
    assert score.points - score.against == difference
    rows = compute_standings([RoundResults((result,))])
    assert [(row.number, row.place) for row in rows] == [(2, 1), (1, 2)]


def test_nobody_gains_by_leaving_a_table_for_three():
    sides, points = ((1,), (2,), (3,)), (10, 60, 90)
    played, left = (
        score_table(TableResult(sides, points, replaced=gone, left=gone))[1]
        for gone in (frozenset[int](), frozenset({1}))
    )
    assert left.won <= played.won
    assert left.points - left.against <= played.points - played.against


def test_standings_sort_by_won_then_difference():
    rows = compute_standings(
        [RoundResults((TableResult(((1,), (2,)), (100, 90)), TableResult(((3,), (4,)), (100, 10))), out=(5,))]
    )
    assert [(row.place, row.number) for row in rows] == [(1, 3), (2, 1), (3, 2), (4, 4)]
    assert [row.number for row in compute_standings([], helpers=())] == []


def test_difference_is_cut_and_may_come_first():
    rounds = [
        RoundResults((TableResult(((1,), (2,)), (500, 0)), TableResult(((3,), (4,)), (60, 50)))),
        RoundResults((TableResult(((1,), (3,)), (0, 10)), TableResult(((2,), (4,)), (10, 0)))),
    ]
    assert [row.number for row in compute_standings(rounds)] == [3, 1, 2, 4]
    by_difference = compute_standings(rounds, difference_first=True)
    assert [row.number for row in by_difference] == [1, 3, 4, 2]
    assert by_difference[0].difference == 190


def test_equal_entries_share_a_place():
    rows = compute_standings([RoundResults((TableResult(PAIRS, (10, 5)),))])
    assert [row.place for row in rows] == [1, 1, 3, 3]


def test_helpers_and_who_never_sat_have_no_place():
    rounds = [
        RoundResults((TableResult(PAIRS, (10, 5)),), out=(5,)),
        RoundResults((TableResult(PAIRS, (0, 0), frozenset({1})),)),
    ]
    rows = compute_standings(rounds, helpers={4})
    assert [row.number for row in rows] == [1, 2, 3] or {row.number for row in rows} == {1, 2, 3}
    no_show = [RoundResults((TableResult(PAIRS, (0, 0), frozenset({1})),))]
    assert 1 not in {row.number for row in compute_standings(no_show)}


@pytest.mark.parametrize(("counts", "points"), [("half", HALF), ("win", 1), ("nothing", 0)])
def test_being_out_counts_as_the_night_says(counts, points):
    rounds = [
        RoundResults((TableResult(((1,), (2,)), (10, 5)),), out=(3,)),
        RoundResults((TableResult(((3,), (2,)), (0, 5)),), out=(1,)),
    ]
    rows = {row.number: row for row in compute_standings(rounds, out_counts=counts)}
    assert rows[3].won == points
    assert rows[3].difference == -5
    assert rows[3].out == 1


def test_round_out_counts_once_in_met_as_the_mean_of_the_others():
    rounds = [
        RoundResults((TableResult(((1,), (2,)), (10, 5)),), out=(3,)),
        RoundResults((TableResult(((3,), (2,)), (0, 5)),), out=(1,)),
    ]
    rows = {row.number: row for row in compute_standings(rounds)}
    assert rows[2].won == 1
    assert rows[1].met == 2  # opponent 2 has 1; the round out counts as much
    assert rows[2].met == rows[1].won + rows[3].won
