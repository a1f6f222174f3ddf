"""Luck and play on a profile page."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from games import services
from study.models import SeatStudied
from study.profile import profile_statistics
from tests.games.playing import begin, on_turn
from tests.html import collapse_whitespace

pytestmark = pytest.mark.django_db


def add_summarised_match(
    alice, bob, decisions: int, loss: float, luck: float | None = None, private: bool = False
):
    """Add a match with a summary of Alice's seat: half of the decisions lost nothing, half twice `loss`."""
    match = begin(alice, bob)
    services.play(match=match, seat=on_turn(match), move="resign", seen_version=0)
    type(match).objects.filter(pk=match.pk).update(private=private)
    SeatStudied.objects.create(
        seat=match.seats.get(user=alice),
        decisions=decisions,
        lost=decisions * loss,
        lost_squared=decisions * 2 * loss**2,
        luck=luck,
    )


def test_statistics_are_hidden_below_minimum(alice, bob):
    add_summarised_match(alice, bob, 99, 0.02, 0.3)
    statistics = profile_statistics(alice, bob)
    assert (statistics.skill, statistics.fortune, statistics.months) == (None, None, [])
    page = collapse_whitespace(Client().get("/players/alice/").content.decode())
    assert "so far 1 match is analysed, with 99 decisions." in page
    assert "Luck and play" not in collapse_whitespace(Client().get("/players/bob/").content.decode())


def test_mean_loss_has_interval_and_count(alice, bob):
    add_summarised_match(alice, bob, 100, 0.02)
    add_summarised_match(alice, bob, 300, 0.02)
    skill = profile_statistics(alice, bob).skill
    assert (skill.decisions, round(skill.loss, 4), round(skill.half_width, 5)) == (
        400,
        0.02,
        round(1.96 * 0.02 / 20, 5),
    )
    page = collapse_whitespace(Client().get("/players/alice/").content.decode())
    assert "2.0 % ± 0.2" in page
    assert "(400 decisions)" in page


def test_luck_needs_twenty_matches(alice, bob):
    for number in range(20):
        add_summarised_match(alice, bob, 0, 0.0, 0.1 if number % 2 else -0.1)
    fortune = profile_statistics(alice, bob).fortune
    assert (fortune.matches, round(fortune.luck, 6)) == (20, 0)
    assert fortune.half_width == pytest.approx(1.96 * 0.1026 / 20**0.5, rel=0.01)


def test_private_casual_matches_count_for_owner_only(alice, bob):
    add_summarised_match(alice, bob, 400, 0.02, private=True)
    assert profile_statistics(alice, bob).skill is None
    assert profile_statistics(alice, AnonymousUser()).matches == 0
    assert profile_statistics(alice, alice).skill.decisions == 400
