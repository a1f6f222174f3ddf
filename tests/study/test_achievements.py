"""Achievements and the streak of days."""

from datetime import timedelta

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils import timezone

from events.services import record_outage
from games.models import Match, Move, Seat
from study import achievements, wording
from study.achievements import GAMES_TO_TRY, PUZZLES_TO_SOLVE, count_streak_days, find_achievements
from study.models import Puzzle, PuzzleTry
from tests.games.playing import begin
from tests.html import collapse_whitespace

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def ended(*people, winner=0, days_ago=0, **changes) -> Match:
    """Create a match that ended with these scores, without its moves."""
    match = begin(*people, **changes)
    Match.objects.filter(pk=match.pk).update(
        status=Match.Status.FINISHED, result_how="target", ended_at=NOW - timedelta(days=days_ago)
    )
    for seat in match.seats.all():
        Seat.objects.filter(pk=seat.pk).update(won=seat.position == winner, score=0)
    match.refresh_from_db()
    return match


def keys(person) -> list[str]:
    return [each.key for each in find_achievements(person)]


def test_nothing_is_achieved_by_losing(alice, bob):
    ended(alice, bob, winner=1)
    assert keys(alice) == []


def test_first_wins_have_their_dates(alice, bob):
    ended(alice, "club", days_ago=9)
    ended(alice, "club", days_ago=8)
    ended(alice, bob, days_ago=7)
    ended(alice, "master", days_ago=6)
    found = {each.key: (NOW - each.at).days for each in find_achievements(alice)}
    assert found == {"first-win": 9, "beat-people": 7, "beat-master": 6}
    assert keys(bob) == []


def test_master_is_not_beaten_with_master(alice, bob):
    match = ended(alice, bob, "master", "club", preset="muggins-200-pairs")
    Seat.objects.filter(match=match, position=2).update(won=True)
    assert "beat-master" not in keys(alice)


def test_win_of_a_computer_in_the_seat_does_not_count(alice):
    match = ended(alice, "club")
    Seat.objects.filter(match=match, user=alice).update(taken_over=True)
    assert keys(alice) == []
    Seat.objects.filter(match=match, user=alice).update(taken_over=False)
    Match.objects.filter(pk=match.pk).update(annulled_at=NOW)
    assert keys(alice) == []


def test_call_counts_for_the_caller_only(alice, bob):
    match = ended(alice, bob, winner=1)
    Move.objects.create(match=match, number=500, seat=0, text="muggins", at=NOW)
    assert keys(alice) == ["first-call"]
    assert "first-call" not in keys(bob)


def test_tenth_game_is_the_achievement(alice, monkeypatch):
    monkeypatch.setattr(achievements, "GAMES_TO_TRY", 3)
    for days_ago, preset in ((9, "draw"), (8, "draw"), (7, "block"), (6, "kozel")):
        assert "ten-games" not in keys(alice)
        ended(alice, "club", winner=1, days_ago=days_ago, preset=preset)
    assert [(each.key, (NOW - each.at).days) for each in find_achievements(alice)] == [("ten-games", 6)]
    assert GAMES_TO_TRY == 10


def test_puzzles_count_once_solved(alice, bob):
    match = begin(alice, bob)
    for number in range(1, PUZZLES_TO_SOLVE + 2):
        assert keys(alice) == []
        puzzle = Puzzle.objects.create(match=match, number=number, tried=[])
        PuzzleTry.objects.create(
            puzzle=puzzle, user=alice, move="", solved=number > 1, before=1500, after=1500
        )
    assert keys(alice) == ["puzzles"]


def test_streak_runs_to_today_or_yesterday(alice, bob):
    today = NOW.date()
    assert count_streak_days(alice, today) == 0
    for days_ago in (4, 2, 1):
        ended(alice, bob, days_ago=days_ago)
    assert count_streak_days(alice, today) == 2
    ended(alice, "club", winner=1)
    assert count_streak_days(alice, today) == 3
    assert count_streak_days(alice, today + timedelta(days=2)) == 0
    noon = NOW.replace(hour=12, minute=0) + timedelta(days=1)
    record_outage(noon, noon + timedelta(hours=2))
    assert count_streak_days(alice, today + timedelta(days=2)) == 3, "the site was down for that day"


def test_profile_shows_achievements(alice, bob):
    before = collapse_whitespace(Client().get("/players/alice/").content.decode())
    assert "Achievements" not in before
    ended(alice, bob, days_ago=1)
    ended(alice, bob)
    page = collapse_whitespace(Client().get("/players/alice/").content.decode())
    assert "First win" in page and "Won a match among people" in page and "2 days in a row." in page


def test_open_set_of_deals_tells_nothing_of_its_matches(alice):
    match = ended(alice, "master")
    Match.objects.update(deals="daily-2026-11-26", concealed=True, private=True)
    Move.objects.create(match=match, number=1, seat=0, text="muggins", at=NOW)
    assert keys(alice) == [] and count_streak_days(alice, NOW.date()) == 0
    Match.objects.update(concealed=False)  # it has closed
    assert set(keys(alice)) == {"first-win", "beat-master", "first-call"}
    assert count_streak_days(alice, NOW.date()) == 1


def test_every_achievement_has_words_and_picture(alice):
    for key in wording.ACHIEVEMENTS:
        assert "<path" in render_to_string("study/_achievement_picture.html", {"key": key}), key
    assert [key for key, _ in achievements._dates(alice)] == list(wording.ACHIEVEMENTS)
