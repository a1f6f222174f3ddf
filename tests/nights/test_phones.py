"""A night on phones by its services: its tables begin by themselves, and the matches give the results."""

from datetime import timedelta
from fractions import Fraction

import pytest
from django.utils import timezone

import games.services
from accounts.models import User
from games.models import Heartbeat, Match, Seat
from games.time import outages
from lobbies.models import Sitting, Table
from nights import services
from nights.draws.records import find_faults, write_record
from nights.models import NightTable
from nights.phones import order_seats
from nights.refusals import NightRefused
from nights.services import phones
from nights.services.rounds import read_draws
from nights.standings import find_standings
from operators import site_settings
from operators.models import SiteSettings
from tests.games.playing import on_turn, play_to_the_end
from tests.nights.phones import (
    act,
    begin_round,
    come,
    keep,
    let_time_pass,
    make_night,
    matches_of,
    play_round,
    tables_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def host():
    return User.objects.create_user("hanna", password="a-long-one-1")


def test_tables_of_a_draw_begin_when_all_are_there_with_partners_opposite(host):
    night = make_night(host)
    act(services.draw, night, host)
    keep(night)
    assert not Match.objects.exists()
    first, second = tables_of(night)
    come(night, *order_seats(first.sides))
    keep(night)
    keep(night)
    match = Match.objects.get()
    users = [night.entries.get(number=number).user_id for number in order_seats(first.sides)]
    assert [seat.user_id for seat in match.seats.order_by("position")] == users
    assert [table.match_code for table in tables_of(night)] == [match.code, ""]
    assert (match.rated, match.preset, match.private) == (False, None, True)
    assert (match.rules["rounds"], match.rules.get("target"), match.rules["finish"]) == (1, None, "round_end")
    assert second.waiting_code != first.waiting_code


def test_matches_give_the_results_and_the_standings(host):
    night = make_night(host)
    for number in (1, 2):
        matches = play_round(night, host)
        for match, table in zip(matches, tables_of(night, number), strict=True):
            match.refresh_from_db()
            assert (table.status, table.points) == ("confirmed", match.scores)
    rows = find_standings(night)
    assert len(rows) == 8
    assert sum(row.won for row in rows) == 2 * 4
    assert sum(row.difference for row in rows) == 0
    assert act(services.draw, night, host).number == 3


def test_duty_that_runs_twice_changes_nothing_more(host):
    night = make_night(host)
    play_round(night, host)
    night.refresh_from_db()
    before = night.version, [table.version for table in tables_of(night)]
    keep(night)
    keep(night)
    night.refresh_from_db()
    assert (night.version, [table.version for table in tables_of(night)]) == before


@pytest.mark.usefixtures("frozen_clock")
def test_computers_take_the_seats_of_twelve_who_do_not_come(host):
    night = make_night(host, 24, accounts=12)
    act(services.draw, night, host)
    come(night)
    let_time_pass(night, 299)
    keep(night)
    assert not any(table.replaced for table in tables_of(night))
    let_time_pass(night, 1)
    for _step in range(3):
        keep(night)
    matches = matches_of(night)
    assert len(matches) == 6
    computers = Seat.objects.filter(kind="computer")
    assert {seat.level for seat in computers} == {"club"} and computers.count() == 12
    assert sorted(n for table in tables_of(night) for n in table.replaced) == list(range(13, 25))
    for match in matches:
        play_to_the_end(match)
    keep(night)
    rows = {row.number: row for row in find_standings(night)}
    assert sorted(rows) == list(range(1, 13))  # who never sat at a table has no place
    assert all(table.status == "confirmed" for table in tables_of(night))


def test_outage_moves_when_computers_come(host):
    night = make_night(host)
    act(services.draw, night, host)
    before = [table.computers_at for table in tables_of(night)]
    now = timezone.now()
    phones.shift(now - timedelta(minutes=10), now)
    after = [table.computers_at for table in tables_of(night)]
    assert [late - early for early, late in zip(before, after, strict=True)] == [timedelta(minutes=10)] * 2


def test_server_that_was_away_brings_no_computers(host):
    night = make_night(host)
    act(services.draw, night, host)
    let_time_pass(night, 360)
    Sitting.objects.update(seen_at=timezone.now() - timedelta(seconds=700))
    Heartbeat.objects.create(pk=Heartbeat.OF_TIME, at=timezone.now() - timedelta(seconds=600))
    outages.clear_cache()
    keep(night)
    assert [table.replaced for table in tables_of(night)] == [[], []]
    let_time_pass(night, 540)
    keep(night)
    assert all(len(table.replaced) == 4 for table in tables_of(night))


def test_nothing_is_due_while_matches_stand_still(host):
    night = make_night(host)
    act(services.draw, night, host)
    let_time_pass(night, 301)
    site = SiteSettings(maintenance=True, matches_halt=True)
    site.save()
    site_settings.cache(site, 10_000)
    outages.record_beat()
    outages.record_beat()  # reads what the first one has written
    assert outages.get_halt() is not None
    keep(night)
    assert not any(table.replaced for table in tables_of(night))


def test_closed_round_leads_nobody_to_its_tables(host):
    night = make_night(host)
    act(services.draw, night, host)
    act(services.close_round, night, host)
    come(night)
    keep(night)
    assert not Match.objects.exists()
    assert set(Table.objects.values_list("status", flat=True)) == {"closed"}
    assert act(services.draw, night, host).number == 2


def test_person_who_left_gets_nothing_and_the_others_what_the_match_gives(host):
    night = make_night(host, 2, format="singles", preset="block")
    (match,) = begin_round(night, host)
    seat = on_turn(match)
    games.services.play(match=match, seat=seat, move="resign", seen_version=match.version)
    keep(night)
    (table,) = tables_of(night)
    leaver = order_seats(table.sides)[seat.position]
    assert (table.status, table.replaced) == ("confirmed", [leaver])
    won = {row.number: row.won for row in find_standings(night)}
    assert won == {3 - leaver: Fraction(1), leaver: Fraction(0)}  # who left has sat, and not won


def test_match_that_was_called_off_is_dealt_again(host):
    night = make_night(host, 2, format="singles", preset="block")
    (match,) = begin_round(night, host)
    games.services.void(match)
    keep(night)
    (table,) = tables_of(night)
    assert (table.status, table.match_code) == ("playing", "")
    assert table.waiting_code != match.code
    come(night)
    keep(night)
    keep(night)
    (again,) = matches_of(night)
    assert again.playing and again.code != match.code


def test_draw_can_be_undone_until_a_hand_was_seen(host):
    night = make_night(host)
    begin_round(night, host)
    act(services.undo, night, host)
    assert not Match.objects.filter(status="playing").exists()
    assert set(Match.objects.values_list("result_how", flat=True)) == {"aborted"}

    matches = begin_round(night, host)
    matches[0].seats.update(hand_seen_at=matches[0].started_at)
    with pytest.raises(NightRefused, match="hand_seen"):
        act(services.undo, night, host)
    assert all(match.playing for match in matches_of(night))


def test_undone_draw_closes_its_tables(host):
    night = make_night(host)
    act(services.draw, night, host)
    act(services.undo, night, host)
    assert set(Table.objects.values_list("status", flat=True)) == {"closed"}
    keep(night)
    assert Table.objects.count() == 2


def test_swap_seats_people_anew_unless_a_match_has_begun(host):
    night = make_night(host)
    act(services.draw, night, host)
    first, second = tables_of(night)
    one, other = first.sides[0][0], second.sides[0][0]
    act(services.swap, night, host, one, other)
    for table in tables_of(night):
        users = dict(Sitting.objects.filter(table__code=table.waiting_code).values_list("position", "user"))
        entries = order_seats(table.sides)
        assert users == {n: night.entries.get(number=e).user_id for n, e in enumerate(entries)}
    come(night)
    keep(night)
    with pytest.raises(NightRefused, match="begun"):
        act(services.swap, night, host, one, other)


def test_director_seats_somebody_else_after_three_minutes(host):
    night = make_night(host, 9)
    helper = night.entries.get(number=9)
    act(services.change_entry, night, host, 9, "helper")
    act(services.draw, night, host)
    first, second = tables_of(night)
    missing, other = first.sides[0][0], second.sides[1][1]
    everybody = {n for table in (first, second) for side in table.sides for n in side}
    come(night, *(everybody - {missing, other}))
    with pytest.raises(NightRefused, match="too_early"):
        act(services.replace, night, host, missing, None)
    let_time_pass(night, 181)
    act(services.replace, night, host, missing, None)
    act(services.replace, night, host, other, helper.number)
    with pytest.raises(NightRefused, match="is_there"):
        act(services.replace, night, host, first.sides[1][0], None)
    first, second = tables_of(night)
    assert first.replaced == [missing]
    assert second.sides[1][1] == helper.number
    assert night.drawn_rounds.get().moved == [[other, helper.number]]
    act(services.draw, night, host, anyway=True)
    record = write_record(night.code, night.seal, night.draw_rules, read_draws(night))
    assert list(find_faults(record)) == []


def test_rated_night_is_rated_among_people_and_casual_beside_a_computer(host):
    rated = {"rated": True, "hands": None, "target": 100, "clock_seconds": 300, "clock_increment": 5}
    night = make_night(host, 4, format="singles", preset="block", **rated)
    act(services.draw, night, host)
    first, second = tables_of(night)
    come(night, *order_seats(first.sides), second.sides[0][0])
    keep(night)
    let_time_pass(night, 300)
    for _step in range(3):
        keep(night)
    matches = matches_of(night)
    assert [match.rated for match in matches] == [True, False]
    assert [match.preset for match in matches] == ["block", "block"]


def test_no_act_of_a_director_ends_a_rated_match(host):
    rated = {"rated": True, "hands": None, "target": 100, "clock_seconds": 300, "clock_increment": 5}
    night = make_night(host, 2, format="singles", preset="block", **rated)
    (match,) = begin_round(night, host)
    assert match.rated
    with pytest.raises(NightRefused, match="hand_seen"):
        act(services.undo, night, host)
    act(services.close_round, night, host)
    act(services.finish, night, host)
    match.refresh_from_db()
    assert match.playing and match.rated


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": "pairs"}, "pairs_on_phones"),
        ({"format": "free", "preset": "fives-and-threes-pairs"}, "not_so"),
        ({"rated": True, "clock_seconds": 300}, "not_rated"),
        ({"rated": True, "hands": None, "target": 200}, "not_rated"),
    ],
)
def test_night_that_cannot_be_played_so_is_refused(host, changes, reason):
    with pytest.raises(NightRefused, match=reason):
        make_night(host, 4, **changes)


def test_nobody_enters_a_result_on_phones(host):
    night = make_night(host)
    act(services.draw, night, host)
    table = tables_of(night)[0]
    with pytest.raises(NightRefused, match="on_phones"):
        services.enter(
            night, 1, table.number, 0, (120, 85), services.Sender(director=host), table.computers_at
        )


def test_match_goes_on_when_its_round_is_closed_and_its_result_counts(host):
    night = make_night(host, 4)
    (match,) = begin_round(night, host)
    act(services.close_round, night, host)
    play_to_the_end(match)
    keep(night)
    assert NightTable.objects.get().status == "confirmed"
    assert len(find_standings(night)) == 4
