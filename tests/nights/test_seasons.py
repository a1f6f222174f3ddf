"""A season sums what people have won over the nights of their club: over people, not over names."""

from collections import defaultdict
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nights import services
from nights.club_models import ClubPerson, Season
from nights.models import Entry, Night
from nights.refusals import NightRefused
from nights.seasons import compute_season, find_season
from nights.standings import find_standings
from tests.nights.club_nights import act, hold, make_club, make_club_night, make_member, play
from tests.nights.conftest import NOW

pytestmark = pytest.mark.django_db
YEAR = Season(name="2026", first_day=date(2026, 1, 1), last_day=date(2026, 12, 31))


@pytest.fixture
def club(host):
    club = make_club(host)
    services.add_people(club, host, "Ana\nЛуис\nRosa", NOW)
    return club


def summed(club, season=YEAR):
    return [(row.place, row.name, row.won, row.nights) for row in compute_season(club, season)]


def test_names_written_by_a_director_are_people_of_the_club_in_any_case(club, host):
    night = make_club_night(club, host)
    act(services.add_names, night, host, "ana\nЛУИС\nHugo")
    assert [entry.person and entry.person.name for entry in night.entries.all()] == ["Ana", "Луис", None]


def test_name_alone_is_nobodys_before_a_director_says_who_it_is(club, host, alice):
    night = make_club_night(club, host)
    stranger = services.add_oneself(night, "Ana", None, NOW)
    other = services.add_oneself(night, "Rosa", alice, NOW)
    assert (stranger.person, other.person) == (None, None)
    services.claim_entry(stranger, host, NOW)
    act(services.change_entry, night, host, 1, "here")
    assert night.entries.get(number=1).person.name == "Ana"
    assert ClubPerson.objects.get(name="Ana").user is None


def test_member_is_on_the_list_by_the_account_whatever_name_is_written(club, host, alice):
    make_member(club, alice)
    for name in ("Ali", "Alicia"):
        night = make_club_night(club, host)
        assert services.add_oneself(night, name, alice, NOW).person.name == "Ali"
    assert ClubPerson.objects.filter(user=alice).count() == 1


def test_account_that_claims_an_entry_comes_with_the_name_until_a_director_unties_it(club, host, alice):
    night = make_club_night(club, host)
    act(services.add_names, night, host, "Ana")
    services.claim_entry(night.entries.get(), alice, NOW)
    following = make_club_night(club, host)
    act(services.add_names, following, host, "Ana")
    assert following.entries.get().user == alice
    act(services.change_entry, following, host, 1, "untie")
    assert ClubPerson.objects.get(name="Ana").user is None


def test_names_of_a_night_are_kept_with_one_press(club, host):
    night = make_club_night(club, host)
    services.add_oneself(night, "Nobody", None, NOW)
    act(services.add_names, night, host, "Hugo\nAna")
    act(services.keep_names, night, host)
    assert [person.name for person in club.people.all()] == ["Ana", "Hugo", "Rosa", "Луис"]
    assert night.entries.get(name="Hugo").person.name == "Hugo"
    assert night.acts.first().kind == "keep"


def test_names_kept_after_the_night_are_in_the_season(club, host):
    night = hold(club, host, "Hugo\nInés")
    assert compute_season(club, YEAR) == []
    act(services.keep_names, night, host)
    assert sorted(name for _place, name, _won, _nights in summed(club)) == ["Hugo", "Inés"]
    with pytest.raises(NightRefused, match="over"):
        act(services.add_names, night, host, "Ana")


def test_person_under_two_names_is_made_one_with_the_nights_of_both(club, host):
    services.add_people(club, host, "Anita", NOW)
    hold(club, host, "Ana\nРита")
    hold(club, host, "Anita\nРита", NOW + timedelta(days=7))
    ana, anita, rosa = (club.people.get(name=name) for name in ("Ana", "Anita", "Rosa"))
    before = {row.name: row.won for row in compute_season(club, YEAR)}
    services.merge_people(club, host, ana.pk, anita.pk)
    assert [(name, won, nights) for _place, name, won, nights in summed(club)] == [
        ("Ana", before["Ana"] + before["Anita"], 2)
    ]
    hold(club, host, "Ana\nRosa", NOW + timedelta(days=14))
    with pytest.raises(NightRefused, match="no_merge"):
        services.merge_people(club, host, ana.pk, rosa.pk)


def test_person_taken_off_the_list_leaves_the_season_and_keeps_the_results(club, host):
    night = hold(club, host, "Ana\nRosa")
    services.remove_person(club, host, club.people.get(name="Ana").pk)
    assert [name for _place, name, _won, _nights in summed(club)] == ["Rosa"]
    assert [entry.name for entry in night.entries.all()] == ["Ana", "Rosa"]


def test_renamed_person_stays_the_same_and_two_have_not_one_name(club, host):
    hold(club, host, "Ana\nRosa")
    ana = club.people.get(name="Ana")
    services.rename_person(club, host, ana.pk, "Ana Ruiz")
    assert "Ana Ruiz" in {name for _place, name, _won, _nights in summed(club)}
    with pytest.raises(NightRefused, match="name_taken"):
        services.rename_person(club, host, ana.pk, "rosa")


def test_day_of_a_night_is_that_of_its_own_zone(club, host):
    """In Caracas the last evening of November ends in December of UTC."""
    hold(club, host, "Ana\nRosa", datetime(2026, 12, 1, 1, 30, tzinfo=UTC))
    november = Season(name="November", first_day=date(2026, 11, 1), last_day=date(2026, 11, 30))
    december = Season(name="December", first_day=date(2026, 12, 1), last_day=date(2026, 12, 31))
    assert len(compute_season(club, november)) == 2
    assert compute_season(club, december) == []


def test_running_and_other_clubs_nights_do_not_count(club, host):
    running = make_club_night(club, host)
    act(services.add_names, running, host, "Ana\nRosa")
    play(running, host)
    other = make_club(host, "Others")
    services.add_people(other, host, "Ana", NOW)
    hold(other, host, "Ana\nRosa")
    assert compute_season(club, YEAR) == []


@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.permutations(["Ana", "Луис", "Rosa", "Hugo", "Inés"]), st.integers(2, 5), st.integers(0, 20)
        ),
        min_size=1,
        max_size=3,
    )
)
def test_season_is_the_sum_of_the_standings_of_its_nights(club, host, evenings):
    Night.objects.all().delete()
    expected: dict[str, Fraction] = defaultdict(Fraction)
    for names, count, points in evenings:
        night = make_club_night(club, host, rounds=2)
        act(services.add_names, night, host, "\n".join(names[:count]))
        play(night, host, (points, 10))
        play(night, host, (10, points))
        people = {entry.number: entry.person for entry in night.entries.all()}
        for row in find_standings(night):
            if people[row.number] is not None:
                expected[people[row.number].name] += row.won
        act(services.finish, night, host)
    rows = compute_season(club, YEAR)
    assert {row.name: row.won for row in rows} == expected
    assert [row.won for row in rows] == sorted(expected.values(), reverse=True)
    assert all(row.place == 1 + sum(each.won > row.won for each in rows) for row in rows)
    assert sum(row.nights for row in rows) == Entry.objects.filter(person__isnull=False, place__gte=1).count()


def test_season_of_today_is_shown_else_the_last_one_else_the_year(club, host):
    assert find_season(club, date(2026, 6, 1)).name == "2026"
    services.add_season(club, host, "Spring", date(2026, 3, 1), date(2026, 5, 31))
    services.add_season(club, host, "Autumn", date(2026, 9, 1), date(2026, 11, 30))
    autumn = club.seasons.get(name="Autumn")
    days = {date(2026, 2, 1): "2026", date(2026, 4, 1): "Spring", date(2026, 6, 1): "Spring"}
    assert {day: find_season(club, day).name for day in days} == days
    assert find_season(club, date(2026, 4, 1), autumn.pk) == autumn
