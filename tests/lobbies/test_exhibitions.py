"""The match between computers that can be watched while nobody plays."""

from datetime import timedelta

import pytest
from django.utils import timezone

from dominoes_site.interrupted import find_interrupted
from games.models import Match, Seat
from games.referee import process_match
from games.services import delete_exhibitions_before, hold_exhibition
from games.services.exhibitions import EXHIBITED_GAMES
from study.models import Analysis
from tests.games.playing import begin, play, play_to_the_end

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.mark.parametrize("hours", range(len(EXHIBITED_GAMES)))
def test_computers_play_when_nobody_does(hours, browser_of):
    match = hold_exhibition(timezone.now() + hours * HOUR)
    assert not match.rated and not match.private
    assert {seat.kind for seat in match.seats.all()} == {Seat.Kind.COMPUTER}
    assert match.code in browser_of().get("/watch/").content.decode()
    assert "<title>" in browser_of().get(match.get_absolute_url()).content.decode()
    names = ", ".join(seat.display_name for seat in match.seats.all())
    assert f"computers: {names} ·" in browser_of().get("/watch/").content.decode()


def test_referee_moves_for_the_computers():
    match = hold_exhibition(timezone.now())
    assert match.next_action_at is not None
    _match, computers, is_call = process_match(match, timezone.now() + timedelta(seconds=5))
    assert len(computers) == 1 and not is_call


def test_one_match_an_hour():
    now = timezone.now().replace(minute=0)
    assert hold_exhibition(now)
    assert hold_exhibition(now + timedelta(minutes=59)) is None
    assert hold_exhibition(now + HOUR)


def test_another_process_has_started_it(monkeypatch):
    hold_exhibition(timezone.now())
    monkeypatch.setattr("django.db.models.query.QuerySet.exists", lambda rows: False)
    assert hold_exhibition(timezone.now()) is None
    assert Match.objects.count() == 1


def test_no_exhibition_beside_people(alice, bob):
    match = begin(alice, bob)
    assert hold_exhibition(timezone.now()) is None
    Match.objects.filter(pk=match.pk).update(private=True)
    assert hold_exhibition(timezone.now())


def test_exhibitions_can_be_turned_off(settings):
    settings.EXHIBITIONS = False
    assert hold_exhibition(timezone.now()) is None


def test_only_exhibitions_are_deleted(alice, bob):
    people = play(begin(alice, bob), "resign")
    alone = play(begin(alice, "club", seed="b"), "resign")
    exhibition = play_to_the_end(hold_exhibition(timezone.now()))
    Analysis.objects.create(match=exhibition)
    assert delete_exhibitions_before(timezone.now() - HOUR) == 0
    assert delete_exhibitions_before(timezone.now() + HOUR) == 1
    assert set(Match.objects.all()) == {people, alone}


def test_restored_exhibition_waits_for_no_decision(alice, bob):
    assert hold_exhibition(timezone.now())
    assert not find_interrupted().exists()
    match = begin(alice, bob)
    assert list(find_interrupted()) == [match]
