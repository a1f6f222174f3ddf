"""Luck and play on a profile: with counts and intervals, and nothing before it means something."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from games import services
from study.models import SeatStudied
from study.profile import studied
from tests.games.playing import begin, on_turn
from tests.markup import squeezed

pytestmark = pytest.mark.django_db


def ended(alice, bob, decisions: int, loss: float, luck: float | None = None, private: bool = False):
    """A match whose first seat lost so much a decision, half of them nothing and half twice as much."""
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


def test_nothing_is_said_before_it_means_something(alice, bob):
    ended(alice, bob, 99, 0.02, 0.3)
    found = studied(alice, bob)
    assert (found.skill, found.fortune, found.months) == (None, None, [])
    page = squeezed(Client().get("/players/alice/").content.decode())
    assert "so far 1 match is analysed, with 99 decisions." in page
    assert "Luck and play" not in squeezed(Client().get("/players/bob/").content.decode())


def test_the_mean_loss_stands_with_its_interval_and_the_number_of_decisions(alice, bob):
    ended(alice, bob, 100, 0.02)
    ended(alice, bob, 300, 0.02)
    skill = studied(alice, bob).skill
    assert (skill.decisions, round(skill.loss, 4), round(skill.within, 5)) == (
        400,
        0.02,
        round(1.96 * 0.02 / 20, 5),
    )
    page = squeezed(Client().get("/players/alice/").content.decode())
    assert "2.0 % ± 0.2" in page
    assert "(400 decisions)" in page


def test_luck_is_told_from_twenty_matches_on(alice, bob):
    for number in range(20):
        ended(alice, bob, 0, 0.0, 0.1 if number % 2 else -0.1)
    fortune = studied(alice, bob).fortune
    assert (fortune.matches, round(fortune.luck, 6)) == (20, 0)
    assert fortune.within == pytest.approx(1.96 * 0.1026 / 20**0.5, rel=0.01)


def test_private_casual_matches_are_told_to_nobody_but_oneself(alice, bob):
    ended(alice, bob, 400, 0.02, private=True)
    assert studied(alice, bob).skill is None
    assert studied(alice, AnonymousUser()).matches == 0
    assert studied(alice, alice).skill.decisions == 400
