"""Ranks from a histogram that is kept as ratings change."""

import random
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import ranking
from accounts.models import Rating, RatingBand
from core import numbers
from tests.accounts.rating import proven, rate, seasoned


def bands(pool="muggins"):
    return {band.band: band.players for band in RatingBand.objects.filter(pool=pool, players__gt=0)}


def counted(pool="muggins"):
    ranking.rebuild_bands(pool)
    return bands(pool)


@pytest.mark.parametrize(
    ("value", "shown"), [(1500.0, 1500), (1499.5, 1500), (1499.4999, 1499), (100.0, 100)]
)
def test_display_rounds_to_nearest_point(value, shown):
    assert numbers.display_rating(value) == shown


def test_equal_ratings_share_a_rank(db):
    rows = [seasoned(name, value) for name, value in [("a", 1700.2), ("b", 1699.9), ("c", 1650), ("d", 1400)]]
    assert [ranking.get_rank(row) for row in rows] == [1, 1, 3, 4]
    assert ranking.rank_values(ranking.read_bands("muggins"), [1700, 1650, 1400]) == {
        1700: 1,
        1650: 3,
        1400: 4,
    }
    assert ranking.count_ranked() == {"muggins": 4}


def test_first_match_makes_a_rank(db):
    newcomer = seasoned("newcomer", 1900, matches=1)
    assert ranking.get_rank(newcomer) == 1
    assert ranking.get_rank(seasoned("old", 1500)) == 2


@pytest.mark.parametrize(
    ("matches", "days", "ranked"), [(1, 0, True), (1, 89, True), (0, 0, False), (40, 90, False)]
)
def test_rank_takes_a_match_within_90_days(matches, days, ranked):
    now = timezone.now()
    rating = Rating(matches=matches, updated_at=now - timedelta(days=days))
    assert ranking.may_be_ranked(rating, now) is ranked


@pytest.mark.parametrize(
    ("matches", "opponents", "established"), [(30, 10, True), (29, 10, False), (30, 9, False)]
)
def test_established_takes_30_matches_against_10_people(matches, opponents, established):
    rating = Rating(matches=matches, opponents=list(range(opponents)))
    assert ranking.is_established(rating) is established


def test_histogram_follows_every_match(alice, bob, charlie):
    people = [alice, bob, charlie]
    proven(*people)
    dice = random.Random(9)
    for order in range(1, 60):
        rate(order, *dice.sample(people, dice.choice([2, 3])))
        if order % 10 == 0:
            assert bands() == counted()
    assert sum(bands().values()) == 3


def test_ban_removes_from_leaderboards_until_lifted(alice, bob):
    proven(alice, bob)
    for order in range(1, 11):
        rate(order, alice, bob)
    before = bands()
    alice.banned_at = "2026-11-21T12:00Z"
    alice.save()

    ranking.update_person(alice)
    assert not Rating.objects.get(user=alice).ranked
    assert bands() == counted()
    assert sum(bands().values()) == 1

    rate(11, alice, bob)  # a match that was under way
    assert not Rating.objects.get(user=alice).ranked
    assert bands() == counted()

    alice.banned_at = None
    alice.save()
    ranking.update_person(alice)
    ranking.update_person(alice)  # twice does no harm
    assert bands() == counted()
    assert sum(bands().values()) == sum(before.values()) == 2


def test_histogram_in_steps(db):
    for number, value in enumerate([1401, 1449, 1450, 1620]):
        seasoned(f"player-{number}", value)
    assert ranking.get_histogram(ranking.read_bands("muggins"), 50) == [(1400, 2), (1450, 1), (1600, 1)]
