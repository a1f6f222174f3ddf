"""manage.py demo: people, matches and tables to look at."""

import io
import time
from itertools import combinations, islice

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from accounts.models import RatingChange, User
from boneyard.engine.verification import verify
from dominoes_site import demo_crowd
from dominoes_site.management.commands import demo
from games import repository
from games.models import Match, Move
from lobbies.company import find_company
from lobbies.models import Sitting, Table
from nights.tonight import find_followed, find_reminders
from study.models import PuzzleRun

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def limits_as_before(settings):
    """Restore LIMITS, which the command switches off."""
    settings.LIMITS = True


def test_demo_ratings_are_not_capped(monkeypatch):
    monkeypatch.setattr(demo, "combinations", lambda people, n: islice(combinations(people, n), 1))
    monkeypatch.setattr(demo, "RUNNING", demo.RUNNING[:1])
    out = io.StringIO()

    call_command("demo", stdout=out)

    assert out.getvalue().splitlines()[0] == "1 of 1 matches played"
    assert RatingChange.objects.exists() and not RatingChange.objects.filter(young=True).exists()
    assert Table.objects.exists()
    first = User.objects.get(username=demo.NAMES[0])
    assert len(find_company(first).people) == 4
    assert [night.game.preset for night in find_reminders(find_followed(first), timezone.now())] == [
        demo.DEMO_NIGHT
    ]
    assert PuzzleRun.objects.filter(user=first).exists()


def test_progress_in_a_file_is_sparse():
    out = io.StringIO()
    command = demo.Command(stdout=out)
    for played in range(1, 24):
        command._report_progress(played, 23)
    assert out.getvalue().splitlines() == [f"{played} of 23 matches played" for played in (10, 20, 23)]


def test_demo_resumes_and_is_idempotent(monkeypatch):
    monkeypatch.setattr(demo, "combinations", lambda people, n: islice(combinations(people, n), 2))
    monkeypatch.setattr(demo, "RUNNING", demo.RUNNING[:1])
    one_move = demo.Command._play_move

    def until_the_second_match(match: Match) -> Match:
        if match.version == 5 and Match.objects.count() == 2:
            raise KeyboardInterrupt
        return one_move(match)

    with monkeypatch.context() as interrupted:
        interrupted.setattr(demo.Command, "_play_move", staticmethod(until_the_second_match))
        with pytest.raises(KeyboardInterrupt):
            call_command("demo", stdout=io.StringIO())
    assert [match.playing for match in Match.objects.order_by("pk")] == [False, True]

    call_command("demo", stdout=io.StringIO())
    assert [match.playing for match in Match.objects.order_by("pk")] == [False, False, True]
    made = everything()
    assert Table.objects.count() == 6

    call_command("demo", stdout=io.StringIO())
    assert everything() == made


def everything() -> list[int]:
    return [kind.objects.count() for kind in (User, Match, Move, RatingChange, Table, Sitting)]


def test_copies_fill_the_lists_to_their_last_page(monkeypatch, boss, browser_of):
    monkeypatch.setattr(demo, "combinations", lambda people, n: islice(combinations(people, n), 1))
    monkeypatch.setattr(demo, "RUNNING", demo.RUNNING[:1])
    call_command("demo", size=121, stdout=io.StringIO())
    call_command("demo", size=121, stdout=io.StringIO())

    assert Match.objects.count() == 121
    keys = list(Match.objects.order_by("pk").values_list("pk", flat=True))
    copy = Match.objects.get(pk=keys[99])
    verify(repository.build_record(copy))
    assert not copy.rated and {seat.user.username[:6] for seat in copy.seats.all()} == {"crowd-"}
    browser, listing = browser_of(boss), "/admin/games/match/"
    page = browser.get(listing)
    assert page.context["cl"].result_count == 121 and "Matches: 121" in page.content.decode()
    last = browser.get(f"{listing}?p=3").context["cl"].result_list
    assert [match.pk for match in last] == keys[20::-1]
    assert browser.get(f"/games/{copy.code}/").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_server_beside_a_growing_demo_writes_in_its_pauses(monkeypatch):
    """Another connection waits for the database between each ten matches, not for a hundred and more."""
    monkeypatch.setattr(demo, "combinations", lambda people, n: islice(combinations(people, n), 1))
    monkeypatch.setattr(demo, "RUNNING", [])
    call_command("demo", stdout=io.StringIO())
    began, longest, numbers = time.monotonic(), 0, [1]
    for number in demo_crowd.grow(45, timezone.now()):
        assert not connection.in_atomic_block
        longest = max(longest, number - numbers[-1])
        numbers.append(number)
    assert numbers[-1] == 45 and longest == 10
    assert time.monotonic() - began >= 4 * 0.1


def test_page_of_a_match_shows_its_moves_without_forms(monkeypatch, boss, browser_of):
    monkeypatch.setattr(demo, "combinations", lambda people, n: islice(combinations(people, n), 1))
    monkeypatch.setattr(demo, "RUNNING", [])
    call_command("demo", stdout=io.StringIO())
    match = Match.objects.get()
    page = browser_of(boss).get(f"/admin/games/match/{match.pk}/change/").content.decode()
    assert page.count("<tr><td>") == match.version > 50
    assert page.count("<input") < 30
