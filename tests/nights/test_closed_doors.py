"""Ways that an attacker tried to change or to see a night, and that stay shut."""

import pytest
from django.test import Client
from django.utils import timezone

import lobbies.services
from accounts.models import User
from games.models import Seat
from games.services import play
from lobbies.models import Table
from lobbies.refusals import TableRefused
from nights import services
from nights.models import Entry, Night
from nights.phones import order_seats
from nights.refusals import NightRefused
from nights.services import people
from nights.services.naming import clean_name
from nights.services.people import add_oneself
from study.hints import hint_view
from study.refusals import StudyRefused
from tests.games.playing import on_turn
from tests.nights.club_nights import make_club, make_club_night, make_member
from tests.nights.phones import act, begin_round, come, keep, let_time_pass, make_night, matches_of, tables_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def host():
    return User.objects.create_user("hanna", password="a-long-one-1")


def test_nobody_seats_a_computer_at_a_drawn_table(host):
    night = make_night(host)
    act(services.draw, night, host)
    table = Table.objects.get(code=tables_of(night)[0].waiting_code)
    user = table.sittings.first().user
    free = table.sittings.exclude(user=user).first()
    free.delete()
    with pytest.raises(TableRefused) as refusal:
        lobbies.services.seat_computer(table, user, free.position)
    assert refusal.value.reason == "drawn"


def test_who_calls_a_match_off_gets_no_other_hand(host):
    night = make_night(host)
    match = begin_round(night, host)[0]
    seat = on_turn(match)
    entry = night.entries.get(user=seat.user)
    play(match=match, seat=seat, move="abort", seen_version=match.version)
    keep(night)
    table = next(table for table in tables_of(night) if entry.number in order_seats(table.sides))
    assert table.replaced == [entry.number]
    come(night)
    keep(night)
    keep(night)
    again = next(
        each for each in matches_of(night) if each.code == tables_of(night)[table.number - 1].match_code
    )
    assert again.code != match.code
    assert not again.seats.filter(user=seat.user).exists()
    assert again.seats.filter(kind=Seat.Kind.COMPUTER).count() == 1


def test_no_hints_at_a_night_against_computers(host):
    night = make_night(host, 4, accounts=1, format="singles")
    act(services.draw, night, host)
    come(night)
    let_time_pass(night, 300)
    for _step in range(3):
        keep(night)
    seat = Seat.objects.get(user__isnull=False)
    with pytest.raises(StudyRefused) as refusal:
        hint_view(seat.match, seat)
    assert refusal.value.reason == "night"
    assert refusal.value.sentence


def test_who_asks_again_and_again_keeps_nobody_out(host, monkeypatch):
    monkeypatch.setattr(people, "MAX_ASKED", 3)
    night = make_night(host, 8)
    Night.objects.filter(pk=night.pk).update(status=Night.Status.OPEN)
    night.refresh_from_db()
    for number in range(3):
        add_oneself(night, f"Troll {number}", None, timezone.now())
    with pytest.raises(NightRefused, match="many_asked"):
        add_oneself(night, "Troll 9", None, timezone.now())
    night.refresh_from_db()
    services.add_names(night, host, night.version, "Ana", timezone.now())
    assert night.entries.filter(name="Ana", status=Entry.Status.HERE).exists()


def test_name_has_no_control_characters():
    assert clean_name("Ana\u202e \t Luz\x07") == "Ana Luz"


def test_pictures_of_a_night_for_members_are_for_members(host):
    club, other = make_club(host), User.objects.create_user("olga")
    member = User.objects.create_user("mila")
    make_member(club, member)
    night = make_club_night(club, host, audience=Night.Audience.CLUB)
    for status, picture in ((Night.Status.OPEN, "card.png"), (Night.Status.OVER, "podium.png")):
        Night.objects.filter(pk=night.pk).update(status=status, over_at=timezone.now())
        address = f"/nights/{night.code}/{picture}"
        assert Client().get(address).status_code == 404
        for user, expected in ((other, 404), (member, 200)):
            browser = Client()
            browser.force_login(user)
            response = browser.get(address)
            assert response.status_code == expected
        assert response["Cache-Control"] == "private, no-store"
