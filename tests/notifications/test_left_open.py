"""Matches of days end though a tab was left open, in quiet hours, and after a week without a visit."""

import re
from datetime import timedelta

import pytest

from accounts.models import User
from games.models import Connection, Match, Seat
from games.services import connections
from notifications.models import Choices, Notice
from tests.games.playing import on_turn
from tests.notifications.conftest import HOUR, NOON, end_in, go_through
from tests.notifications.test_deadlines import at_noon, dated, play_on, run_out, told  # noqa: F401

pytestmark = pytest.mark.django_db


def open_page(match: Match, seat: Seat, *, visible: bool) -> None:
    """Open a page of the match that stays open for days, and tell whether it is in view."""
    connections.record_open(match=match, seat=seat, channel=f"page{seat.pk}")
    connections.record_visibility(channel=f"page{seat.pk}", visible=visible)
    Connection.objects.update(seen_at=NOON + timedelta(days=9))


def test_tab_left_open_suppresses_neither_warning_nor_end(
    begin_of_days, push, subscribe, send_due, noon, browser_of
):
    match = play_on(begin_of_days(3))
    seat = on_turn(match)
    subscribe(seat.user)
    browser = browser_of(seat.user)
    browser.get(match.get_absolute_url())
    open_page(match, seat, visible=False)
    end_in(match, timedelta(days=3))
    for hour in (1, 48, 48.1, 70, 70.1, 72, 72.1):
        noon.move_to(NOON + hour * HOUR)
        if hour == 72:
            run_out(match)
            noon.shift(timedelta(seconds=1))
        browser.get("/strip/", headers={"HX-Request": "true"})  # another tab polls
        send_due()
    assert push.titles == [
        "24 hours left for your move",
        "2 hours left for your move",
        "Your match has ended",
    ]
    assert Notice.objects.filter(read_at=None).count() == 1, "no poll reads the end"


def test_match_in_view_is_neither_warned_of_nor_its_end_told(begin_of_days, push, subscribe, send_due, noon):
    match = play_on(begin_of_days(3))
    seat = on_turn(match)
    subscribe(seat.user)
    open_page(match, seat, visible=True)
    end_in(match, timedelta(days=3))
    go_through(noon, send_due, 1, 48, 70, 72)
    run_out(match)
    connections.record_close(channel=f"page{seat.pk}", clean=True)  # before the outbox runs
    go_through(noon, send_due, 72.1)
    assert push.titles == []


def test_page_that_came_into_view_reads_the_warning(begin_of_days, push, subscribe, send_due, noon):
    match = begin_of_days(1)
    seat = on_turn(match)
    subscribe(seat.user)
    open_page(match, seat, visible=False)
    go_through(noon, send_due, 22, 22.5)
    assert push.titles == ["2 hours left for your move"] and Notice.objects.unread().exists()
    connections.record_visibility(channel=f"page{seat.pk}", visible=True)
    go_through(noon, send_due, 22.6)
    assert not Notice.objects.unread().exists()


def test_page_of_an_ended_match_has_a_place_for_each_fragment(begin_of_days, noon, browser_of):
    match = play_on(begin_of_days(1))
    user = on_turn(match).user
    end_in(match, timedelta(days=1))
    noon.shift(timedelta(days=1))
    run_out(match)
    page = browser_of(user).get(match.get_absolute_url()).text
    assert re.search(r'<div id="planning" hidden', page), "htmx logs an error for what has none"


@pytest.mark.parametrize("warned", [True, False])
def test_dormant_person_is_told_the_end_of_a_match_they_were_warned_of(
    begin_of_days, push, subscribe, send_due, noon, warned
):
    match = play_on(begin_of_days(7))
    user = on_turn(match).user
    end_in(match, timedelta(days=9))
    User.objects.update(seen_at=NOON)
    subscribe(user)
    Choices.objects.create(user=user, day_left=False, hours_left=warned)
    go_through(noon, send_due, 7 * 24 + 1, 9 * 24 - 2, 9 * 24)
    run_out(match)
    go_through(noon, send_due, 9 * 24 + 1, 9 * 24 + 2)
    told_of_end = ["2 hours left for your move", "Your match has ended"] if warned else []
    assert push.titles == ["While you were away", *told_of_end]


@pytest.mark.parametrize(("left", "expected"), [(2, ["25 12:00"]), (12.5, ["25 23:00"])])
def test_warning_found_in_quiet_hours_waits_for_their_end_unless_time_runs_out_before(
    begin_of_days, push, subscribe, send_due, noon, left, expected
):
    match = begin_of_days(1)
    user = on_turn(match).user
    subscribe(user)
    Choices.objects.create(user=user, quiet_from=11, quiet_until=23, time_zone="Etc/UTC")
    User.objects.update(seen_at=None)
    end_in(match, timedelta(hours=left))
    go_through(noon, send_due, 0, 1, 11)
    assert [at for at, title in told(push)] == expected
