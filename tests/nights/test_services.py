"""A whole evening by its services: people, draws, results, and acts of directors."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest

from accounts.models import User
from nights import services
from nights.draws.records import find_faults, write_record
from nights.models import Act, Entry, Night, NightTable
from nights.refusals import NightRefused
from nights.services.rounds import read_draws
from nights.standings import find_standings

NOW = datetime(2026, 11, 27, 19, 0, tzinfo=UTC)
NAMES = "\n".join(f"Person {number}" for number in range(1, 25))

pytestmark = pytest.mark.django_db


@pytest.fixture
def host():
    return User.objects.create_user("hanna", password="a-long-one-1")


def make_night(host, **changes):
    plan = services.NightPlan(
        **{
            "name": "Friday",
            "format": "partners",
            "place": "wood",
            "preset": "dominican",
            "starts_at": NOW,
            "zone": "America/Santo_Domingo",
            **changes,
        }
    )
    return services.make(host, plan, NOW)


@pytest.fixture
def night(host):
    night = make_night(host)
    Night.objects.filter(pk=night.pk).update(status=Night.Status.OPEN)
    services.add_names(night, host, 0, NAMES, NOW)
    night.refresh_from_db()
    return night


def act(service, night, host, *args, **kwargs):
    """Call a director's service with the night's present version."""
    night.refresh_from_db()
    return service(night, host, night.version, *args, now=NOW, **kwargs)


def tables_of(night, round_number):
    return NightTable.objects.filter(
        drawn_round__night=night, drawn_round__number=round_number, drawn_round__undone_at=None
    )


def enter_all(night, host, round_number, points=(120, 85)):
    for table in tables_of(night, round_number):
        services.enter(
            night, round_number, table.number, table.version, points, services.Sender(director=host), NOW
        )


def test_evening_of_twenty_four_is_drawn_played_and_ranked(night, host):
    for round_number in range(1, 6):
        act(services.draw, night, host)
        assert tables_of(night, round_number).count() == 6
        enter_all(night, host, round_number)
    rows = find_standings(night)
    assert len(rows) == 24
    assert sum(row.won for row in rows) == 5 * 12

    with pytest.raises(NightRefused, match="all_drawn"):
        act(services.draw, night, host)
    act(services.finish, night, host)
    night.refresh_from_db()
    assert night.status == Night.Status.OVER

    record = write_record(night.code, night.seal, night.draw_rules, read_draws(night))
    assert list(find_faults(record)) == []


def test_names_of_a_night_differ(night, host):
    act(services.add_names, night, host, "José\nJosé\n  José ")
    assert list(night.entries.values_list("name", flat=True))[-3:] == ["José", "José 2", "José 3"]


def test_who_adds_himself_is_asked_until_a_director_says_here(night, host):
    entry = services.add_oneself(night, "Zoe", None, NOW)
    assert (entry.number, entry.status) == (25, Entry.Status.ASKED)
    act(services.draw, night, host)
    assert 25 not in night.drawn_rounds.get().drawn["here"]

    act(services.change_entry, night, host, 25, "here")
    entry.refresh_from_db()
    assert entry.plays_in(2)


def test_ticks_are_accepted_from_an_older_page(night, host):
    seen = night.version
    for number, change in ((1, "paused"), (2, "gone"), (1, "here")):
        services.change_entry(night, host, seen, number, change, NOW)
    assert night.entries.get(number=1).status == Entry.Status.HERE
    assert night.entries.get(number=2).status == Entry.Status.GONE


def test_toggle_is_refused_from_an_older_page(night, host):
    seen = night.version
    services.change_entry(night, host, seen, 1, "helper", NOW)
    with pytest.raises(NightRefused, match="stale"):
        services.change_entry(night, host, seen, 1, "helper", NOW)
    assert night.entries.get(number=1).is_helper


def test_account_has_one_entry_a_night(night, host):
    services.add_oneself(night, "Hanna", host, NOW)
    with pytest.raises(NightRefused, match="is_in"):
        services.add_oneself(night, "Hanna", host, NOW)


def test_second_director_with_an_old_page_draws_nothing(night, host):
    services.draw(night, host, night.version, NOW)
    with pytest.raises(NightRefused) as refused:
        services.draw(night, host, night.version, NOW)
    assert (refused.value.reason, refused.value.status) == ("stale", 409)
    assert night.drawn_rounds.count() == 1


def test_stranger_is_no_director(night):
    other = User.objects.create_user("otto", password="a-long-one-1")
    with pytest.raises(NightRefused, match="not_yours"):
        act(services.draw, night, other)


def test_next_round_waits_for_results_or_is_drawn_anyway(night, host):
    act(services.draw, night, host)
    with pytest.raises(NightRefused, match="round_open"):
        act(services.draw, night, host)
    act(services.draw, night, host, anyway=True)
    assert night.drawn_rounds.count() == 2


def test_undone_draw_stays_in_the_record_and_takes_a_key(night, host):
    first = act(services.draw, night, host)
    act(services.undo, night, host)
    second = act(services.draw, night, host)
    assert (second.number, second.key_number) == (1, 2)
    assert first.drawn["lot"] != second.drawn["lot"]
    record = write_record(night.code, night.seal, night.draw_rules, read_draws(night))
    assert [drawn["undone"] for drawn in record["draws"]] == [True, False]
    assert list(find_faults(record)) == []


def test_draw_with_a_confirmed_result_stays(night, host):
    act(services.draw, night, host)
    enter_all(night, host, 1)
    with pytest.raises(NightRefused, match="has_results"):
        act(services.undo, night, host)


def test_swapped_people_sit_elsewhere_and_the_record_still_repeats(night, host):
    act(services.draw, night, host)
    one, other = (table.sides[0][0] for table in tables_of(night, 1)[:2])
    act(services.swap, night, host, one, other)
    assert [table.sides[0][0] for table in tables_of(night, 1)[:2]] == [other, one]
    enter_all(night, host, 1)
    act(services.draw, night, host)
    record = write_record(night.code, night.seal, night.draw_rules, read_draws(night))
    assert record["draws"][0]["moved"] == [[one, other]]
    assert list(find_faults(record)) == []


def seat(night, table, side):
    return night.entries.get(number=table.sides[side][0])


def test_other_side_confirms_on_another_device(night, host):
    act(services.draw, night, host)
    table = tables_of(night, 1)[0]
    own, partner, rival = (
        seat(night, table, 0),
        night.entries.get(number=table.sides[0][1]),
        seat(night, table, 1),
    )
    services.enter(night, 1, table.number, 0, (120, 85), services.Sender(entry=own, device="a"), NOW)
    for sender, reason in (
        (services.Sender(entry=own, device="b"), "not_opponent"),
        (services.Sender(entry=partner, device="b"), "not_opponent"),
        (services.Sender(entry=rival, device="a"), "same_device"),
        (services.Sender(device="b"), "not_opponent"),
    ):
        with pytest.raises(NightRefused, match=reason):
            services.confirm(night, 1, table.number, 1, sender, NOW)
    services.confirm(night, 1, table.number, 1, services.Sender(entry=rival, device="b"), NOW)
    table.refresh_from_db()
    assert (table.status, table.points) == ("confirmed", [120, 85])


def test_two_entries_that_differ_are_in_dispute_until_a_director_decides(night, host):
    act(services.draw, night, host)
    table = tables_of(night, 1)[0]
    for side, points in enumerate([(120, 85), (85, 120)]):
        services.enter(
            night, 1, table.number, side, points, services.Sender(entry=seat(night, table, side)), NOW
        )
    table.refresh_from_db()
    assert table.status == "disputed"
    with pytest.raises(NightRefused, match="no_result"):
        services.confirm(night, 1, table.number, 2, services.Sender(entry=seat(night, table, 1)), NOW)
    services.correct(night, host, 1, table.number, 2, (120, 85), NOW)
    table.refresh_from_db()
    assert table.status == "confirmed"
    assert table.sent_results.count() == 3


@pytest.mark.parametrize("links", [(True, True), (False, False), (True, False), (False, True)])
def test_own_correction_replaces_what_the_side_entered_before(night, host, links):
    act(services.draw, night, host)
    table = tables_of(night, 1)[0]
    own, rival = (seat(night, table, side) for side in (0, 1))
    for version, (has_link, points) in enumerate(zip(links, [(95, 59), (85, 59)], strict=True)):
        sender = services.Sender(entry=own if has_link else None, device="a")
        services.enter(night, 1, table.number, version, points, sender, NOW)
    table.refresh_from_db()
    assert (table.status, table.points) == ("entered", [85, 59])
    services.enter(night, 1, table.number, 2, (85, 59), services.Sender(entry=rival, device="b"), NOW)
    table.refresh_from_db()
    assert (table.status, table.points) == ("confirmed", [85, 59])
    assert table.sent_results.count() == 3


def test_side_that_takes_over_the_other_result_ends_the_dispute(night, host):
    act(services.draw, night, host)
    table = tables_of(night, 1)[0]
    sent = [(0, (120, 85)), (1, (85, 120)), (1, (120, 85))]
    for version, (side, points) in enumerate(sent):
        sender = services.Sender(entry=seat(night, table, side), device=f"{side}")
        services.enter(night, 1, table.number, version, points, sender, NOW)
    table.refresh_from_db()
    assert (table.status, table.points) == ("confirmed", [120, 85])


def test_equal_result_of_the_other_side_confirms(night, host):
    act(services.draw, night, host)
    table = tables_of(night, 1)[0]
    for version, (side, device) in enumerate([(0, "a"), (0, "a"), (1, "a"), (1, "b")]):
        sender = services.Sender(entry=seat(night, table, side), device=device)
        services.enter(night, 1, table.number, version, (120, 85), sender, NOW)
        table.refresh_from_db()
        assert table.status == ("confirmed" if device == "b" else "entered")


def test_correction_is_logged_with_the_result_before(night, host):
    act(services.draw, night, host)
    services.enter(night, 1, 1, 0, (120, 85), services.Sender(director=host), NOW)
    services.correct(night, host, 1, 1, 1, (85, 120), NOW)
    logged = Act.objects.first()
    assert (logged.kind, logged.before, logged.after) == ("correct", [120, 85], [85, 120])


def test_result_of_a_director_says_that_everybody_came(night, host):
    act(services.draw, night, host)
    table = tables_of(night, 1)[0]
    act(services.mark_absent, night, host, table.sides[0][0])
    table.refresh_from_db()
    services.correct(night, host, 1, table.number, table.version, (120, 85), NOW)
    won = {row.number: row.won for row in find_standings(night)}
    assert won[table.sides[0][0]] == 1


def test_nobody_adds_himself_before_the_night_is_open(night, host):
    Night.objects.filter(pk=night.pk).update(status=Night.Status.MADE)
    with pytest.raises(NightRefused, match="not_open"):
        services.add_oneself(night, "Zoe", None, NOW)
    act(services.open_to_people, night, host)
    services.add_oneself(night, "Zoe", None, NOW)


def test_personal_link_ties_one_account_until_thirty_days_after_the_night(night, host):
    ana, luis = night.entries.filter(number__in=(1, 2))
    other = User.objects.create_user("otto", password="a-long-one-1")
    services.claim_entry(ana, host, NOW)
    ana.refresh_from_db()
    assert ana.user == host
    with pytest.raises(NightRefused, match="claimed"):
        services.claim_entry(ana, other, NOW)
    with pytest.raises(NightRefused, match="is_in"):
        services.claim_entry(luis, host, NOW)
    act(services.finish, night, host)
    services.claim_entry(luis, other, NOW + timedelta(days=29))
    with pytest.raises(NightRefused, match="too_late"):
        services.claim_entry(luis, other, NOW + timedelta(days=31))


def test_names_without_an_account_become_initials(night, host):
    act(services.add_names, night, host, "José Pérez\nJuana Paz")
    services.claim_entry(night.entries.get(name="Person 1"), host, NOW)
    assert services.shorten_names_before(NOW) == 0
    assert services.shorten_names_before(NOW + timedelta(seconds=1)) == 25
    names = list(night.entries.values_list("name", flat=True))
    assert names[0] == "Person 1"
    assert {"J. P.", "J. P. 2"} == set(names[-2:])
    assert not any("erson" in name for name in names[1:])
    assert not Act.objects.filter(about__contains="José").exists()
    assert services.shorten_names_before(NOW + timedelta(days=1)) == 0


def test_host_runs_at_most_twenty_nights(host, settings):
    settings.LIMITS = True
    for _ in range(20):
        last = make_night(host)
    with pytest.raises(NightRefused, match="too_many_nights"):
        make_night(host)
    services.cancel(last, host, 0, NOW)
    make_night(host)


def test_result_sent_after_the_round_was_closed_is_kept_beside(night, host):
    act(services.draw, night, host)
    act(services.close_round, night, host)
    table = tables_of(night, 1)[0]
    services.enter(night, 1, table.number, 0, (120, 85), services.Sender(entry=seat(night, table, 0)), NOW)
    table.refresh_from_db()
    assert (table.status, table.points, table.sent_results.count()) == ("playing", None, 1)


@pytest.mark.parametrize("points", [(1,), (1, 2, 3), (1, 100_000)])
def test_points_that_no_table_can_have_are_refused(night, host, points):
    act(services.draw, night, host)
    with pytest.raises(NightRefused, match="bad_points"):
        services.enter(night, 1, 1, 0, points, services.Sender(director=host), NOW)


def test_absent_entry_gives_the_opponents_the_round(night, host):
    act(services.draw, night, host)
    table = tables_of(night, 1)[0]
    absent, partner = table.sides[0]
    act(services.mark_absent, night, host, absent)
    won = {row.number: row.won for row in find_standings(night)}
    assert (won[partner], won[table.sides[1][0]]) == (Fraction(1, 2), Fraction(1))
    assert absent not in won
    act(services.mark_absent, night, host, absent)
    table.refresh_from_db()
    assert table.status == "playing"


def test_acts_are_logged_with_both_values(night, host):
    act(services.change_entry, night, host, 3, "gone")
    logged = Act.objects.first()
    assert (logged.kind, logged.about, logged.before, logged.after, logged.user) == (
        "gone",
        "Person 3",
        "here",
        "gone",
        host,
    )


def test_weekly_night_makes_the_next_one_at_the_same_local_hour(host):
    night = make_night(
        host, weekly=True, zone="Europe/Madrid", starts_at=datetime(2026, 10, 23, 18, 0, tzinfo=UTC)
    )
    services.add_names(night, host, 0, "Ana\nLuis", NOW)
    act(services.finish, night, host)
    following = Night.objects.get(previous=night)
    assert following.status == Night.Status.OPEN
    assert following.starts_at == datetime(2026, 11, 27, 19, 0, tzinfo=UTC) + timedelta(days=7)
    assert list(following.entries.values_list("name", "status")) == [("Ana", "asked"), ("Luis", "asked")]


def test_nothing_changes_once_the_night_is_over(night, host):
    act(services.finish, night, host)
    with pytest.raises(NightRefused, match="over"):
        act(services.add_names, night, host, "Zoe")
