"""Deleting an account while matches are being played: they are left, whatever happens in them at that moment."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event

import pytest
import time_machine
from django.db import connection, transaction
from django.utils import timezone

from accounts import personal
from games import services
from games.models import Match
from tests.games.playing import begin, play, under_way
from tests.html import collapse_whitespace

SURE = {"password": "alice's bones"}


def test_the_others_win_when_an_account_is_deleted(browser_of, alice, bob):
    match = begin(alice, bob)
    assert browser_of(alice).post("/accounts/delete/", SURE).status_code == 303
    match.refresh_from_db()
    assert (match.result_how, match.winners) == ("resigned", [1])
    assert list(match.seats.values_list("name", flat=True)) == ["", "bob"]


@pytest.mark.parametrize("path", ["", "replay/"])
def test_what_they_played_goes_on_as_a_deleted_players(browser_of, alice, bob, path):
    match = play(begin(alice, bob), "resign")
    browser_of(alice).post("/accounts/delete/", SURE)
    shown = collapse_whitespace(browser_of().get(f"/games/{match.code}/{path}").content.decode())
    assert "deleted player" in shown.partition("</title>")[0]
    assert 'aria-label="deleted player"' in shown
    assert 'aria-label=""' not in shown


@pytest.mark.parametrize("left_by", ["their resigning", "a computer that took over"])
def test_what_is_over_for_the_person_stays_as_it_is(browser_of, alice, bob, charlie, left_by):
    match = begin(alice, bob, charlie)
    if left_by == "their resigning":
        services.play(match=match, seat=match.seats.get(user=alice), move="resign", seen_version=0)
    else:
        match.seats.filter(user=alice).update(taken_over=True)
    before = Match.objects.get().version
    assert browser_of(alice).post("/accounts/delete/", SURE).status_code == 303
    assert (Match.objects.get().version, Match.objects.get().playing) == (before, True)


def test_a_clock_that_has_run_out_ends_the_match_first(browser_of, alice, bob):
    match = under_way(begin(alice, bob, clock=(60, 0)))
    browser = browser_of(alice)
    with time_machine.travel(timezone.now() + timedelta(minutes=5)):
        assert browser.post("/accounts/delete/", SURE).status_code == 303
    match.refresh_from_db()
    assert match.result_how == "time"


@pytest.mark.django_db(transaction=True)
def test_a_move_that_is_being_made_in_that_instant_is_no_obstacle(alice, bob):
    match = begin(alice, bob)
    played = Event()

    def delete() -> None:
        try:
            played.wait()
            personal.delete(alice)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as another:
        with transaction.atomic():
            Match.objects.select_for_update().get()
            play(match)
            deleting = another.submit(delete)
            played.set()
            with pytest.raises(TimeoutError):
                deleting.result(timeout=0.5)  # it waits for the move to be committed
        deleting.result()
    match.refresh_from_db()
    alice.refresh_from_db()
    assert alice.deleted_at
    assert (match.version, match.result_how) == (2, "resigned")
