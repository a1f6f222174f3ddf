"""Ratings of matches played live, with leavers, are what a recomputation gives."""

import random

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.utils import timezone

from accounts.models import RatingChange
from games import repository, services
from games.models import Match, Rerating
from games.services import connections, rerating
from tests.games.playing import begin, end_calls, legal, play

pytestmark = pytest.mark.django_db
PRESETS = {2: "all-fives", 3: "all-fives", 4: "muggins-200-pairs"}


@pytest.fixture(autouse=True)
def no_pause_for_calls(settings):
    settings.CALL_PAUSE_MS = 0


def play_some(match, dice):
    """Play a while; then somebody leaves, and those who stay answer at random."""
    for _ in range(dice.choice([0, 2, 10, 14])):
        if match.playing:
            match = play_on(match, dice)
    while match.playing:
        if match.leaver is not None:
            take = dice.choice(["win", "computer"])
            for seat in match.seats.exclude(position=match.leaver).filter(left=False, taken_over=False):
                if match.leaver is not None:
                    match = services.answer_absence(match=match, seat=seat, take=take)
        elif repository.get_value(match).turn is None:
            match = play_on(match, dice)
        elif dice.random() < 0.15 and (people := list(match.seats.filter(left=False, taken_over=False))):
            leave(match, dice.choice(people), dice)
        else:
            match = play_on(match, dice)
        match.refresh_from_db()


def play_on(match, dice):
    """Play a random legal move, or end the pause in which the end of a round can be called."""
    if repository.get_value(match).turn is not None:
        return play(match, dice.choice(legal(match)))
    end_calls(match)
    match.refresh_from_db()
    return match


def leave(match, seat, dice):
    moves = ["resign"] if match.version else ["resign", "abort"]
    services.play(match=match, seat=seat, move=dice.choice(moves), seen_version=match.version)


@pytest.mark.parametrize("seed", range(2))
def test_recomputation_of_live_matches_with_leavers(db, seed, capsys):
    dice = random.Random(seed)
    people = [get_user_model().objects.create_user(f"player-{n}") for n in range(6)]
    for number in range(24):
        seats = dice.choice([2, 3, 4, 4])
        match = begin(*dice.sample(people, seats), preset=PRESETS[seats], rated=True, seed=f"{seed}:{number}")
        for seat in match.seats.all():
            connections.record_hand_sent(seat)
            connections.record_open(match=match, seat=seat, channel=f"{match.code} {seat.position}")
        play_some(match, dice)

    assert RatingChange.objects.exclude(exempt_beside=None).exists()
    assert Match.objects.filter(rating_order__isnull=False, seats__taken_over=True).exists()
    call_command("recompute_ratings")
    assert capsys.readouterr().out == "No difference.\n"
    for pool in set(Match.objects.values_list("pool", flat=True)):
        Rerating.objects.create(pool=pool, asked_at=timezone.now())
    assert rerating.recompute_pending() == []
