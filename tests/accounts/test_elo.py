"""The formula's cases of docs/ratings.md."""

import math

import pytest

from accounts.elo import Player, changes, expected, find_opponents, k_factor, weight

CLOSE = pytest.approx


def compute_changes(sides, ranks, scale=1.0):
    """Return the total change of each player, in one list."""
    return [math.fsum(shares.values()) for side in changes(sides, ranks, scale) for shares in side]


def single(*ratings_and_k):
    return [[Player(*rating_and_k)] for rating_and_k in ratings_and_k]


@pytest.mark.parametrize(
    ("ahead", "score"), [(0, 0.5), (50, 0.5715), (100, 0.6401), (200, 0.7597), (400, 0.9091), (600, 0.9091)]
)
def test_expected_scores(ahead, score):
    assert expected(1500 + ahead, 1500) == CLOSE(score, abs=1e-4)


@pytest.mark.parametrize(
    ("sides", "ranks", "deltas"),
    [
        (single((1500, 20), (1500, 20)), [1, 2], [10, -10]),
        (single((1600, 20), (1500, 20)), [1, 2], [7.1987, -7.1987]),
        (single((1600, 20), (1500, 20)), [2, 1], [-12.8013, 12.8013]),
        (single((1500, 40), (1700, 20)), [1, 2], [30.3899, -15.1949]),
        (single((2300, 10), (1500, 20)), [1, 2], [0.9091, -1.8182]),
        (single((2300, 10), (1500, 20)), [2, 1], [-9.0909, 18.1818]),
        (single(*[(1500, 20)] * 4), [1, 2, 3, 4], [10, 3.3333, -3.3333, -10]),
        (single(*[(1500, 20)] * 4), [1, 2, 2, 4], [10, 0, 0, -10]),
        (single((1600, 20), (1500, 20), (1400, 20)), [2, 1, 3], [-3.9981, 10.0, -6.0019]),
        (
            single((1700, 20), (1500, 40), (1450, 20), (1350, 20)),
            [3, 1, 4, 2],
            [-9.6694, 19.7987, -8.4019, 8.1719],
        ),
        (single((1500, 20), (1500, 20)), [1, 1], [0, 0]),
        (single((1500, 20), (1500, 20)), [2, 2], [-10, -10]),
        (single((105, 40), (105, 40)), [1, 2], [20, -20]),
    ],
)
def test_changes_of_single_players(sides, ranks, deltas):
    assert compute_changes(sides, ranks) == CLOSE(deltas, abs=1e-4)


@pytest.mark.parametrize(
    ("sides", "scale", "deltas"),
    [
        (single((1600, 20), (1500, 20)), 2, [9.6101, -9.6101]),
        (single((1600, 20), (1500, 20)), 0.5, [4.2854, -4.2854]),
        (single((1500, 40), (1700, 20)), math.sqrt(2), [47.2867, -23.6434]),
    ],
)
def test_changes_scale_with_the_length(sides, scale, deltas):
    assert compute_changes(sides, [1, 2], scale) == CLOSE(deltas, abs=1e-4)


def pair(*players):
    return [Player(*player) for player in players]


@pytest.mark.parametrize(
    ("sides", "deltas"),
    [
        (
            [pair((1600, 20), (1400, 20)), pair((1550, 20), (1550, 20))],
            [11.4293, 11.4293, -11.4293, -11.4293],
        ),
        (
            [pair((1500, 20), (1500, 20)), pair((1800, 20), (1400, 40))],
            [12.8013, 12.8013, -12.8013, -25.6026],
        ),
    ],
)
def test_changes_of_pairs(sides, deltas):
    assert compute_changes(sides, [1, 2]) == CLOSE(deltas, abs=1e-4)


def test_leaver_is_last_of_three_and_the_others_play_for_two():
    deltas = compute_changes(single((1500, 20), (1500, 20, True), (1500, 20)), [2, 3, 1])
    assert deltas == CLOSE([-10, -10, 10], abs=1e-4)


def test_last_person_is_compared_with_all_leavers():
    deltas = compute_changes(single((1500, 20, True), (1500, 20, True), (1500, 20)), [2, 2, 1])
    assert deltas == CLOSE([-5, -5, 10], abs=1e-4)


@pytest.mark.parametrize(
    ("left", "in_pairs", "opponents"),
    [
        ([True, False], False, [[1], [0]]),
        ([True, False], True, [[1], [0]]),
        ([False, True, False, True], False, [[2], [0, 2, 3], [0], [0, 1, 2]]),
    ],
)
def test_opponents_of_leavers_and_stayers(left, in_pairs, opponents):
    assert find_opponents(left, in_pairs=in_pairs) == opponents


def test_k_factor():
    assert [k_factor(29, True), k_factor(30, False), k_factor(30, True)] == [40, 20, 10]


def test_weight_is_a_quarter_at_least():
    assert [weight(19, 0), weight(20, 0), weight(20, 5), weight(40, 10), weight(40, 50)] == [
        1, 0.25, 0.25, 0.5, 1,
    ]  # fmt: skip


def test_changes_add_up_to_zero_with_equal_k():
    deltas = compute_changes(single((1800, 20), (1510, 20), (1333, 20), (1490, 20)), [4, 2, 1, 2])
    assert sum(deltas) == CLOSE(0)
