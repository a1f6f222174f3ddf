"""The length of a match scales its rating changes, and is stored with it."""

import pytest
from django.core.management import call_command

from accounts.models import RatingChange
from boneyard.engine.lengths import compute_length_scale
from boneyard.engine.presets import PRESETS
from games.services import rerating
from tests.games.playing import begin, play_and_resign, play_to_the_end

pytestmark = pytest.mark.django_db


def play_long_match(*people):
    match = begin(*people, preset="all-fives", rated=True)
    match.length_scale = 1.5
    match.save()
    return play_and_resign(match)


def test_match_stores_its_scale(alice, bob):
    assert begin(alice, bob, preset="muggins-200", rated=True).length_scale == compute_length_scale(
        PRESETS["muggins-200"], 2, 200
    )
    assert begin(alice, bob, preset="muggins-200").length_scale == 1


def test_long_match_changes_more_and_says_so(alice, bob, browser_of):
    match = play_long_match(alice, bob)
    changes = sorted(change.after - change.before for change in RatingChange.objects.all())
    assert changes == [-30, 30]
    page = browser_of(alice).get(match.get_absolute_url()).content.decode()
    assert "A long match: its changes count × 1.50." in page
    assert rerating.recompute() == []


def test_compare_prints_both_losses(alice, bob, charlie, capsys):
    for seed, people in enumerate([(alice, bob), (bob, charlie), (alice, charlie)] * 2):
        match = begin(*people, rated=True, seed=f"{seed}")
        match.length_scale = 1.5
        match.save()
        play_to_the_end(match)
    call_command("recompute_ratings", compare=True)
    out = capsys.readouterr().out
    assert out.startswith("muggins: 6 results, log-loss 0.")
    assert "without the length" in out and "with it" in out
