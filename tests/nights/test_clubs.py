"""A club by its services: who runs it, who is in it, and what becomes of it."""

from datetime import date, timedelta

import pytest

from accounts import personal
from accounts.models import User
from nights import services
from nights.club_models import Club
from nights.models import Night
from nights.refusals import NightRefused
from tests.nights.club_nights import hold, make_club, make_club_night, make_member
from tests.nights.conftest import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(host):
    return make_club(host)


def test_club_has_an_owner_and_an_address_of_its_own(host):
    names = ["Los Compadres", "Los compadres!", "New", "Домино у Пети"]
    slugs = [make_club(host, name).slug for name in names]
    assert slugs[:3] == ["los-compadres", "los-compadres-2", "new-2"]
    assert slugs[3].startswith("club-") and len(slugs[3]) == 11
    assert all(club.find_role(host.pk) == "owner" for club in Club.objects.all())


def test_club_takes_an_account_that_may_write(host, settings):
    settings.LIMITS = True
    guest = User.objects.create_user("quiet-owl-7", is_guest=True)
    muted = User.objects.create_user("loud", muted_until=NOW + timedelta(days=1))
    for user, reason in ((guest, "club_guest"), (muted, "club_muted")):
        with pytest.raises(NightRefused, match=reason):
            make_club(user)
    for _ in range(5):
        make_club(host)
    with pytest.raises(NightRefused, match="too_many_clubs"):
        make_club(host)


def test_only_owners_change_words_and_roles(club, host, alice, bob):
    make_member(club, alice, "director")
    make_member(club, bob)
    words = services.ClubPlan("Otros", "es")
    for user in (alice, bob):
        with pytest.raises(NightRefused, match="not_your_club"):
            services.change_club(club, user, words, NOW)
        with pytest.raises(NightRefused, match="not_your_club"):
            services.set_role(club, user, "bob", "owner")
    services.set_role(club, host, "BOB", "director")
    services.change_club(club, host, words, NOW)
    club.refresh_from_db()
    assert (club.name, club.slug, club.find_role(bob.pk)) == ("Otros", "los-compadres", "director")
    services.set_role(club, host, "bob", "")
    assert club.find_role(bob.pk) == ""


def test_club_keeps_an_owner(club, host, alice):
    make_member(club, alice)
    for leave in (
        lambda: services.leave_club(club, host),
        lambda: services.set_role(club, host, "hanna", "member"),
    ):
        with pytest.raises(NightRefused, match="last_owner"):
            leave()
    services.set_role(club, host, "alice", "owner")
    services.leave_club(club, host)
    assert [each.user for each in club.memberships.all()] == [alice]


def test_people_join_an_open_club_and_others_by_its_present_link(club, host, alice, bob):
    with pytest.raises(NightRefused, match="not_invited"):
        services.join_club(club, alice, "", NOW)
    services.renew_invitation(club, host, on=True)
    first = Club.objects.get().invitation
    services.join_club(club, alice, first, NOW)
    services.renew_invitation(club, host, on=True)
    assert not services.is_invitation(Club.objects.get(), first)
    services.renew_invitation(club, host, on=False)
    for secret in (first, ""):
        with pytest.raises(NightRefused, match="not_invited"):
            services.join_club(club, bob, secret, NOW)
    Club.objects.update(is_open=True)
    services.join_club(club, bob, "", NOW)
    services.join_club(club, bob, "", NOW)
    assert [each.user.username for each in club.memberships.all()] == ["hanna", "alice", "bob"]


def test_hidden_club_takes_nobody(club, alice):
    Club.objects.update(is_open=True)
    services.set_club_hidden(club, True)
    with pytest.raises(NightRefused, match="not_invited"):
        services.join_club(club, alice, "", NOW)


def test_directors_of_the_club_direct_its_nights_and_nobody_else_makes_them(club, host, alice, bob):
    make_member(club, alice, "director")
    make_member(club, bob)
    night = make_club_night(club, host)
    assert [night.is_directed_by(user.pk) for user in (host, alice, bob)] == [True, True, False]
    with pytest.raises(NightRefused, match="not_your_club"):
        make_club_night(club, bob)


def test_next_night_is_made_from_the_last_one_with_its_people_once(club, host, alice):
    make_member(club, alice, "director")
    with pytest.raises(NightRefused, match="no_last_night"):
        services.make_following(club, host, NOW)
    services.add_people(club, host, "Ana", NOW)
    last = hold(club, host, "Ana\nLuis")
    following = services.make_following(club, alice, NOW + timedelta(days=1))
    assert (following.starts_at, following.club, following.previous) == (NOW + timedelta(days=7), club, last)
    assert [(each.name, each.status) for each in following.entries.all()] == [
        ("Ana", "asked"),
        ("Luis", "asked"),
    ]
    assert following.entries.get(name="Ana").person == club.people.get()
    with pytest.raises(NightRefused, match="night_waits"):
        services.make_following(club, host, NOW + timedelta(days=1))


def test_closed_club_leaves_its_nights_and_takes_names_of_long_ago_with_it(club, host):
    services.add_people(club, host, "Ana Ruiz", NOW)
    night = hold(club, host, "Ana Ruiz\nLuis Paz")
    assert services.shorten_names_before(NOW + timedelta(days=1)) == 1
    assert [each.name for each in night.entries.all()] == ["Ana Ruiz", "L. P."]
    services.close_club(club, host)
    night.refresh_from_db()
    assert (night.club, night.entries.get(number=1).name) == (None, "A. R.")
    assert not Club.objects.exists()


def test_deleted_owner_is_followed_by_a_director_and_the_last_member_ends_the_club(club, host, alice, bob):
    make_member(club, bob)
    make_member(club, alice, "director")
    night = make_club_night(club, host)
    personal.delete(host)
    assert club.find_role(alice.pk) == "owner"
    personal.delete(alice)
    assert club.find_role(bob.pk) == "owner"
    personal.delete(bob)
    assert not Club.objects.exists()
    assert Night.objects.get(pk=night.pk).club is None


def test_season_has_a_name_and_two_days_in_order(club, host):
    services.add_season(club, host, " Primavera ", date(2026, 3, 1), date(2026, 5, 31))
    assert club.seasons.get().name == "Primavera"
    for name, first, last in (("", 1, 2), ("x", 2, 1)):
        with pytest.raises(NightRefused, match="bad_season"):
            services.add_season(club, host, name, date(2026, 3, first), date(2026, 3, last))
    services.remove_season(club, host, club.seasons.get().pk)
    assert not club.seasons.exists()
