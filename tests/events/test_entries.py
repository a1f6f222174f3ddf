"""Starting, resuming, playing and closing matches of a set."""

from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone

from accounts.models import User
from boneyard.engine.verification import Fault, verify
from events import services
from events.models import Entry
from events.refusals import EventRefused
from events.services.house import SetPlayer
from games import repository
from games.models import Match, Move, SealedSecret
from games.services import MoveRefused
from games.services import play as play_move
from operators import site_settings
from operators.models import SiteSettings
from tests.events.playing import (
    be_official,
    close,
    entry_of,
    open_today,
    play_rounds,
    play_turn,
    start,
    store_house,
)
from tests.games.playing import legal, on_turn

pytestmark = pytest.mark.django_db


def test_second_start_leads_to_the_same_match(alice, browser_of):
    open_today()
    browser = browser_of(alice)

    first, second = (browser.post("/daily/start") for _ in range(2))

    match = Match.objects.get()
    assert first.status_code == second.status_code == 303
    assert first["Location"] == second["Location"] == match.get_absolute_url()
    assert (match.deals, match.concealed, match.rated, match.clock) == (
        Entry.objects.get().deals.name,
        True,
        False,
        None,
    )


def test_visitor_becomes_a_guest(browser_of):
    open_today()

    assert browser_of().post("/daily/start").status_code == 303

    assert Entry.objects.get().standing == Entry.Standing.GUEST


def test_second_person_in_a_browser_does_not_count(alice, bob, browser_of):
    open_today()
    User.objects.update(date_joined=timezone.now() - timedelta(days=2))
    browser = browser_of(alice)
    browser.post("/daily/start")
    browser.force_login(bob)
    browser.post("/daily/start")

    assert Entry.objects.get(user=bob).standing == Entry.Standing.AGAIN
    assert Entry.objects.get(user=alice).standing == Entry.Standing.YOUNG


def test_nobody_starts_before_the_day_or_after_it(alice):
    deals = open_today()

    for now in (deals.opens_at - timedelta(seconds=1), deals.closes_at):
        with pytest.raises(EventRefused, match="not_open"):
            services.start(deals, alice, now)


def test_maintenance_lets_people_go_on_but_nobody_begin(alice, bob, browser_of):
    open_today()
    begun = browser_of(alice).post("/daily/start")
    site = SiteSettings(maintenance=True)
    site.save()
    site_settings.cache(site, 600)

    assert browser_of(bob).post("/daily/start", headers={"accept": "application/json"}).status_code == 503
    assert browser_of(alice).post("/daily/start")["Location"] == begun["Location"]
    assert Entry.objects.count() == 1


def test_everybody_is_dealt_the_same(alice, bob):
    deals = open_today()
    one, other = start(deals, alice), start(deals, bob)

    values = [repository.get_value(match) for match in (one, other)]
    assert values[0].round.deal == values[1].round.deal
    assert SealedSecret.objects.count() == 1
    assert one.seal == deals.seal and one.entropy == deals.name and one.commitments is None


@pytest.mark.parametrize(("preset", "seats"), [("all-fives", 2), ("dominican", 4), ("muggins-200", 3)])
def test_same_plays_get_the_same_answers(alice, bob, preset, seats, settings):
    settings.CALL_PAUSE_MS = 0
    deals = open_today(preset, seats)
    one = play_rounds(start(deals, alice), seed=5)
    repository.clear_caches()  # as after a restart
    other = play_rounds(start(deals, bob), seed=5)

    moves = [
        list(Move.objects.filter(match=match).values_list("seat", "text", "claim")) for match in (one, other)
    ]
    assert moves[0] == moves[1] and len(moves[0]) > 20
    assert entry_of(one).margins == entry_of(other).margins


def test_house_field_meets_the_same_answers(alice):
    deals = open_today("dominican", 4, rounds=6)
    match, chance = start(deals, alice), Random(3)
    house = SetPlayer(deals, bytes.fromhex(repository.get_sealed_secret(deals.name).secret))
    compared = 0
    while match.playing:
        value = repository.get_value(match)
        match = play_turn(match, chance)
        if value.turn:
            move, claim = house._choose(value, value.turn, "beginner", None, "")
            made = Move.objects.get(match=match, number=value.move_count + 1)
            assert (made.text, made.claim) == (str(move), claim)
            compared += 1
    assert compared > 20


def test_match_has_no_resignation_while_the_set_is_open(alice):
    match = start(open_today(), alice)
    seat = match.seats.get(position=0)

    for move in ("resign", "abort"):
        with pytest.raises(MoveRefused) as refused:
            play_move(match=match, seat=seat, move=move, seen_version=0)
        assert refused.value.code == "deals_open"


def test_margins_follow_the_rounds(alice):
    match = start(open_today(), alice)

    match = play_rounds(match, rounds=1)
    ended = repository.get_value(match).ended[-1]
    entry = entry_of(match)
    assert entry.margins == [ended.scores[0] - ended.scores[1]]
    assert entry.finished_at is None

    match = play_rounds(match, seed=2)
    assert len(entry_of(match).margins) == 2
    assert entry_of(match).finished_at == match.ended_at
    assert match.result_how == "rounds"


def test_close_counts_the_finished_rounds_only(alice, bob, charlie):
    deals = open_today()
    done = play_rounds(start(deals, alice))
    be_official(alice)
    half = play_rounds(start(deals, bob), rounds=1, seed=2)
    begun = start(deals, charlie)

    close(deals)

    for match in (done, half, begun):
        match.refresh_from_db()
        assert not match.playing and not match.concealed
    assert (done.result_how, half.result_how, begun.result_how) == ("rounds", "time", "time")
    assert [len(entry_of(match).margins) for match in (done, half, begun)] == [2, 1, 0]
    assert [entry_of(match).score for match in (begun,)] == [0.0]
    assert entry_of(half).score <= 50


def test_records_verify_after_the_close(alice, bob):
    deals = open_today("dominican", 4)
    done = play_rounds(start(deals, alice))
    half = play_rounds(start(deals, bob), rounds=1, seed=2)
    with pytest.raises(ValueError, match="not public"):
        repository.build_record(done)

    close(deals)

    for match in (done, half):
        match.refresh_from_db()
        record = repository.build_record(match)
        assert record["deals"] == record["entropy"] == deals.name
        assert record["seal"] == deals.seal and "commitments" not in record
        assert verify(record).result is not None
        assert "entropy" in str(_fault_of(record | {"entropy": "other"}))
        assert "deals" in str(_fault_of(record | {"deals": "No Name"}))
        assert "commitments" in str(_fault_of(record | {"commitments": [None] * 4}))


def _fault_of(record):
    with pytest.raises(Fault) as fault:
        verify(record)
    return fault.value


def test_close_is_done_once(alice):
    deals = open_today()
    start(deals, alice)
    close(deals)
    closed_at = deals.closed_at

    services.close(deals, timezone.now())

    deals.refresh_from_db()
    assert deals.closed_at == closed_at
    assert Move.objects.filter(text="time").count() == 1


def test_practice_is_on_no_board(alice, bob):
    deals = open_today()
    with pytest.raises(EventRefused, match="not_closed"):
        services.practise(deals, bob, timezone.now())
    play_rounds(start(deals, alice))
    close(deals)

    entry = services.practise(deals, bob, timezone.now())
    again = services.practise(deals, bob, timezone.now())

    assert entry == again and entry.practice and not entry.counts
    assert not entry.match.concealed
    seat = on_turn(entry.match)
    assert seat.user in (bob, None) and legal(entry.match)


def test_deleted_person_keeps_the_margins(alice):
    from accounts import personal

    deals = open_today()
    match = play_rounds(start(deals, alice), rounds=1)
    exported = personal.export_data(alice)["events"]["entries"]
    assert exported[0]["margins"] == entry_of(match).margins and exported[0]["lines"] == []

    personal.delete(alice)

    match.refresh_from_db()
    assert (match.playing, match.result_how, match.concealed) == (False, "time", True)
    assert len(entry_of(match).margins) == 1
    store_house(deals, margin=1_000)
    close(deals)
    assert entry_of(match).score == 0.0  # worse than the house, and the second round was not played
