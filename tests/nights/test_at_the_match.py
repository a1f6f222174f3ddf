"""The matches of a night: their names, and where they lead on; what the desk says of who is not there."""

import re
from functools import partial

import pytest
from django.test import Client
from django.utils.html import strip_tags

import games.services.personal
from boneyard.engine.moves import ABORT
from games import repository
from games.models import Match
from games.wording.personas import persona_of
from lobbies.models import Table
from nights import services
from nights.consumers import NightConsumer
from nights.phones import order_seats
from tests.games.playing import play, play_and_resign, play_to_the_end
from tests.nights.phones import (
    act,
    begin_round,
    come,
    keep,
    let_time_pass,
    make_night,
    play_round,
    tables_of,
)
from tests.nights.test_phones_pages import browser_of, own_address, read

pytestmark = pytest.mark.django_db


def call_off(match: Match) -> None:
    """Let the first turn of the match call it off."""
    play(match, str(ABORT))


def test_seats_of_a_match_have_the_names_of_the_night_and_a_computer_its_own(host):
    night = make_night(host, 4, accounts=2)
    guest = Client()
    entry = night.entries.get(number=3)
    guest.post(own_address(entry, "claim"))
    act(services.draw, night, host)
    come(night)
    let_time_pass(night, 301)
    keep(night)
    keep(night)
    keep(night)
    (match,) = Match.objects.filter(night=night.code)
    people = {seat.user_id: seat.display_name for seat in match.seats.all() if seat.user_id}
    owned = night.entries.filter(user__isnull=False)
    assert people == {each.user_id: each.name for each in owned} and len(people) == 3
    (computer,) = match.seats.filter(kind="computer")
    assert computer.display_name == persona_of("club", computer.figure).name
    entry.refresh_from_db()
    assert entry.user.username not in strip_tags(read(Client(), match.get_absolute_url()))


def test_guest_who_signs_up_keeps_the_name_of_the_night_at_its_matches(host):
    night = make_night(host, 4)
    (match,) = begin_round(night, host)
    user = night.entries.get(number=1).user
    games.services.personal.rename(user)
    assert match.seats.get(user=user).name == "Person 1"


def test_match_says_night_round_and_table_and_leads_back_to_ones_own_page(host):
    night = make_night(host, 4)
    (match,) = begin_round(night, host)
    entry = night.entries.get(number=1)
    page = read(browser_of(entry), match.get_absolute_url())
    assert page.count("Friday · Round 1, table 1") == 1
    assert f'href="{own_address(entry)}"' in page
    page = read(Client(), match.get_absolute_url())
    assert f'href="{night.get_absolute_url()}"' in page and entry.secret not in page


@pytest.mark.parametrize("end", [play_to_the_end, call_off])
def test_ended_match_leads_back_to_the_night_and_offers_no_rematch(host, end):
    night = make_night(host, 4)
    (match,) = begin_round(night, host)
    end(match)
    player = browser_of(night.entries.get(number=1))
    page = read(player, match.get_absolute_url())
    assert "Back to the night" in page and "Rematch" not in page
    answer = player.post(f"/tables/{match.code}/rematch", HTTP_ACCEPT="application/json")
    assert answer.json()["reason"] == "drawn"
    assert not Table.objects.filter(rematch_of=match.code).exists()


def test_match_that_was_called_off_leads_its_people_into_the_one_that_follows(host):
    night = make_night(host, 4)
    (match,) = begin_round(night, host)
    away = order_seats(tables_of(night)[0].sides)[repository.get_value(match).turn]
    call_off(match)
    keep(night)
    come(night)
    keep(night)
    keep(night)
    (following,) = Match.objects.exclude(code=match.code)
    for entry in night.entries.all():
        page = read(browser_of(entry), match.get_absolute_url())
        leads = f'id="go-to-next" href="{following.get_absolute_url()}"' in page
        assert leads == (entry.number != away), entry.number


def test_next_round_leads_on_from_the_open_page_of_the_one_before(host, django_capture_on_commit_callbacks):
    night = make_night(host, 4)
    (match,) = play_round(night, host)
    with django_capture_on_commit_callbacks() as callbacks:
        (following,) = begin_round(night, host)
    told = [callback.args[0] for callback in callbacks if isinstance(callback, partial)]
    assert f"match.{match.code}" in told
    page = read(browser_of(night.entries.get(number=1)), match.get_absolute_url())
    assert following.get_absolute_url() in page and "To the next match" in page


def test_desk_changes_by_itself_three_minutes_after_a_table_was_opened(desk, host):
    night = make_night(host, 4)
    consumer = NightConsumer()
    consumer.scope = {"url_route": {"kwargs": {"code": night.code, "view": "desk"}}, "user": host}
    assert consumer._find_seconds_to_push(night) is None
    act(services.draw, night, host)
    night.refresh_from_db()
    assert 179 < consumer._find_seconds_to_push(night) < 181
    let_time_pass(night, 181)
    assert consumer._find_seconds_to_push(night) is None
    page = read(desk, night.get_absolute_url())
    assert re.search(r"A computer for Person 1\s*<small>\s*table 1", page)


def test_who_left_a_match_reads_that_and_the_desk_speaks_of_no_computer(desk, host):
    night = make_night(host, 2, format="singles", preset="block")
    (match,) = begin_round(night, host)
    entry = night.entries.get(number=1)
    play_and_resign(match)
    keep(night)
    (table,) = tables_of(night)
    (number,) = table.replaced
    entry = night.entries.get(number=number)
    page = read(desk, night.get_absolute_url())
    assert f"not played to the end by {entry.name}" in page and f"a computer for {entry.name}" not in page
    assert "You did not play this match to the end" in read(browser_of(entry), own_address(entry))
