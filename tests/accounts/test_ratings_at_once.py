"""Matches of the same people that end at once."""

from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from threading import Barrier

import pytest
from django.db import connection

from accounts import ranking
from accounts.models import Rating, RatingBand, RatingChange
from tests.accounts.rating import rate

THREADS = 3


@pytest.mark.django_db(transaction=True)
def test_simultaneous_matches_each_count_once(alice, bob, charlie):
    orders = list(permutations([alice, bob, charlie]))
    together = Barrier(THREADS)

    def play(thread: int) -> None:
        try:
            together.wait()
            for number in range(8):
                rate(100 * number + thread + 1, *orders[(number + 2 * thread) % len(orders)])
        finally:
            connection.close()

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(play, range(THREADS)))

    ratings = list(Rating.objects.all())
    assert [rating.matches for rating in ratings] == [8 * THREADS] * 3
    assert sum(rating.value for rating in ratings) == pytest.approx(4500)
    assert RatingChange.objects.count() == 3 * 8 * THREADS
    for rating in ratings:
        changes = sorted((change.before, change.after) for change in rating.changes.all())
        befores, afters = sorted(b for b, _ in changes), sorted(a for _, a in changes)
        # Each began where another ended: no match overwrote what another had done.
        assert sorted([1500.0, *afters]) == pytest.approx(sorted([*befores, rating.value]))
    kept = dict(RatingBand.objects.filter(players__gt=0).values_list("band", "players"))
    ranking.rebuild_bands("muggins")
    assert kept == dict(RatingBand.objects.values_list("band", "players"))
