"""The migration to ratings by length and to the present completion."""

from importlib import import_module

import pytest
from django.apps import apps

from accounts.models import Rating, RatingChange
from games.models import Match, Rerating, Seat
from games.services import rerating
from tests.games.playing import begin, play, play_and_resign

pytestmark = pytest.mark.django_db
migration = import_module("games.migrations.0015_recompute_ratings")


def test_old_matches_get_their_length_and_pools_are_recomputed(alice, bob):
    match = play_and_resign(begin(alice, bob, preset="all-fives", rated=True))
    Match.objects.update(rules=match.rules | {"target": 200})
    Seat.objects.update(completion=50)

    migration.set_facts(apps, None)

    assert Match.objects.get().length_scale == pytest.approx(2**0.5)
    assert not Seat.objects.exclude(completion=None).exists()
    assert Rerating.objects.get().pool == "muggins"
    rerating.recompute_pending()
    changes = sorted(change.after - change.before for change in RatingChange.objects.all())
    assert changes == pytest.approx([-20 * 2**0.5, 20 * 2**0.5])
    assert rerating.recompute() == []


def test_old_resignations_of_three_are_unfinished(alice, bob, charlie):
    two = play_and_resign(begin(alice, bob, rated=True, seed="two"))
    three = begin(alice, bob, charlie, rated=True)
    for _ in range(12):
        three = play(three)
    three = play(play(three, "resign"), "resign")
    Seat.objects.update(unfinished=False)

    migration.set_facts(apps, None)

    assert three.seats.filter(unfinished=True).count() == 2
    assert not two.seats.filter(unfinished=True).exists()
    assert Rating.objects.filter(pool=three.pool).count() == 3
