"""Abandoned matches, without a page view or move for a day, are ended."""

import pytest

from games.models import Match
from games.referee import end_abandoned
from games.services import connections
from lobbies import watching
from tests.games.playing import begin, on_turn, play
from tests.times import later

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


def ended_after(match: Match, **span) -> Match:
    with later(**span):
        end_abandoned()
    match.refresh_from_db()
    return match


def both_played(match: Match) -> Match:
    while not match.moves.filter(text__contains="@").exists():
        match = play(match)
    return match


def test_abandoned_before_first_play_is_aborted(alice, bob):
    match = begin(alice, bob, rated=True)
    assert ended_after(match, hours=25).result_how == "aborted"


def test_abandoned_after_first_play_is_left_by_seat_on_turn(alice, bob):
    match = both_played(begin(alice, bob, rated=True))
    match = play(match)
    absent = on_turn(match)
    match = ended_after(match, hours=25)
    assert match.result_how == "left"
    assert absent.position not in match.winners
    assert match.next_action_at is None


def test_abandoned_table_of_three_ends(alice, bob, charlie):
    match = begin(alice, bob, charlie)
    for _ in range(12):
        match = play(match)
    assert not ended_after(match, hours=25).playing


def test_recent_move_keeps_match(alice, bob):
    match = begin(alice, bob)
    with later(hours=23):
        play(match)
    assert ended_after(match, hours=25).playing


def test_recent_page_or_open_socket_keeps_match(alice, bob, charlie, browser_of):
    looked, open_ = begin(alice, bob), begin(alice, bob)
    with later(hours=12):
        browser_of(charlie).get(f"/games/{looked.code}/")
        connections.record_open(match=open_, seat=None, channel="one")
    assert ended_after(looked, hours=25).playing
    assert ended_after(open_, hours=25).playing
    assert not ended_after(looked, hours=37).playing


def test_abandoned_match_is_listed_on_fairness_page(alice, bob, browser_of):
    match = ended_after(begin(alice, bob), hours=25)
    assert browser_of().get(f"/games/{match.code}/state.json").json()["secrets"]
    page = browser_of().get("/fairness/").content.decode()
    assert match.seal in page
    assert "being played" not in page


def test_lobby_lists_only_active_matches(alice, bob, charlie):
    match = begin(alice, bob)
    assert len(watching.find_matches(6).people) == 1
    with later(minutes=2):
        assert watching.find_matches(6) == ([], ())
        connections.record_open(match=match, seat=None, channel="spectator")
        assert watching.find_matches(6) == ([], ())
        connections.record_open(match=match, seat=match.seats.get(user=bob), channel="bob")
        assert len(watching.find_matches(6).people) == 1
