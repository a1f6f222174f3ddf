"""After a quick-play match was called off, the others return to the head of the queue."""

import pytest
from django.utils import timezone

from games import services as matches
from games.models import Match
from games.services import connections
from live import open_sockets
from lobbies import services
from lobbies.models import Sitting, Table
from tests.games.playing import on_turn
from tests.lobbies.tables import game
from tests.times import later

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


@pytest.fixture
def match(alice, bob) -> Match:
    table = services.quick_play(alice, game())
    services.quick_play(bob, game())
    with later(seconds=60):
        services.advance(table, timezone.now())
    return Match.objects.get(code=table.code)


def call_off(match) -> None:
    for seat in match.seats.all():
        connections.record_open(match=match, seat=seat, channel=seat.name)
    matches.play(match=match, seat=on_turn(match), move="abort", seen_version=0)


def test_other_player_waits_at_a_table_of_the_same_age(match, charlie):
    caller = on_turn(match)
    call_off(match)
    services.sweep(timezone.now())

    (sitting,) = Sitting.objects.filter(table__status="open").select_related("table")
    assert sitting.user_id not in (None, caller.user_id)
    assert sitting.quick
    assert sitting.table.created_at == Table.objects.get(code=match.code).created_at
    assert services.quick_play(charlie, game()).pk == sitting.table.pk


def test_only_who_was_seated_by_quick_play_is_so_again(match):
    caller = on_turn(match)
    Sitting.objects.filter(table__code=match.code).exclude(user=caller.user).update(quick=False)
    call_off(match)
    services.sweep(timezone.now())
    assert not Sitting.objects.get(table__status="open").quick


def test_people_are_seated_once(match):
    call_off(match)
    services.sweep(timezone.now())
    services.sweep(timezone.now())
    assert Table.objects.filter(status="open").count() == 1


def test_people_who_never_came_are_not_seated(match):
    matches.play(match=match, seat=on_turn(match), move="abort", seen_version=0)
    services.sweep(timezone.now())
    assert not Table.objects.filter(status="open").exists()


def test_people_who_have_gone_are_not_seated(match):
    for seat in match.seats.all():
        connections.record_open(match=match, seat=seat, channel=seat.name)
        connections.record_close(channel=seat.name, clean=True)
    with later(seconds=90):
        matches.play(match=match, seat=on_turn(match), move="abort", seen_version=0)
        services.sweep(timezone.now())
    assert not Table.objects.filter(status="open").exists()


def test_people_on_another_page_are_seated(match):
    caller = on_turn(match)
    (other,) = match.seats.exclude(pk=caller.pk)
    for seat in match.seats.all():
        connections.record_open(match=match, seat=seat, channel=seat.name)
        connections.record_close(channel=seat.name, clean=True)
    open_sockets.register(f"user {other.user_id}")
    try:
        with later(seconds=90):
            matches.play(match=match, seat=caller, move="abort", seen_version=0)
            services.sweep(timezone.now())
    finally:
        open_sockets.unregister(f"user {other.user_id}")
    assert Sitting.objects.get(table__status="open", user__isnull=False).user == other.user


def test_people_are_not_seated_after_moderators_ended_the_match(match):
    for seat in match.seats.all():
        connections.record_open(match=match, seat=seat, channel=seat.name)
    matches.void(match)
    services.sweep(timezone.now())
    assert not Table.objects.filter(status="open").exists()


def test_own_page_says_where_one_waits(match, browser_of):
    waiting = match.seats.exclude(pk=on_turn(match).pk).get().user
    call_off(match)
    services.sweep(timezone.now())
    page = browser_of(waiting).get(f"/games/{match.code}/").content.decode()
    assert "1 of 2 have sat down" in page
