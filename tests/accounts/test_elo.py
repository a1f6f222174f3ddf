"""The cases of docs/ratings.md."""

import pytest

from accounts.elo import Player, changes, expected, k_factor

CLOSE = pytest.approx


def single(*ratings_and_k):
    return [[Player(rating, k)] for rating, k in ratings_and_k]


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
        (single((105, 40), (105, 40)), [1, 2], [20, -5]),
    ],
)
def test_each_for_themselves(sides, ranks, deltas):
    assert [delta for side in changes(sides, ranks) for delta in side] == CLOSE(deltas, abs=1e-4)


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
        (
            [pair((1500, 20), (1500, 20)), pair((1800, 20), (1400, 40, True))],
            [12.8013, 12.8013, 0, -25.6026],
        ),
    ],
)
def test_pairs_of_which_the_first_wins(sides, deltas):
    assert [delta for side in changes(sides, [1, 2]) for delta in side] == CLOSE(deltas, abs=1e-4)


def test_k_follows_from_the_matches_played_and_the_rating_reached():
    assert [k_factor(29, True), k_factor(30, False), k_factor(30, True)] == [40, 20, 10]


def test_with_equal_k_nothing_is_made_or_lost():
    deltas = changes(single((1800, 20), (1510, 20), (1333, 20), (1490, 20)), [4, 2, 1, 2])
    assert sum(delta for (delta,) in deltas) == CLOSE(0)
