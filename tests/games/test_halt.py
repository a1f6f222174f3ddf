"""Maintenance in which all matches stand still: nobody moves, nobody is charged, and all goes on where it was."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games import services
from games.models import Connection, Heartbeat, Match
from games.referee import process_due_matches
from games.services import MoveRefused, connections
from games.time import outages
from lobbies.services import sweep
from operators import site_settings
from operators.models import SiteSettings
from tests.games.playing import begin, legal, on_turn, play, seconds_left, under_way
from tests.times import later

pytestmark = pytest.mark.django_db(transaction=True)

SENTENCE = "The site is being maintained. Matches and clocks stand still, and go on where they were."


@pytest.fixture(autouse=True)
def start(frozen_clock):
    return timezone.now()


def set_halt(halted: bool) -> None:
    """Save the setting, as the admin does, and let a process take it over."""
    site = SiteSettings(maintenance=halted, matches_halt=True)
    site.save()
    site_settings.cache(site, 10_000)
    outages.record_beat()


def halt_between(begin_at: float, end_at: float) -> None:
    with later(seconds=begin_at - 0.5):
        outages.record_beat()
    with later(seconds=begin_at):
        set_halt(True)
    with later(seconds=(begin_at + end_at) / 2):
        outages.record_beat()
        process_due_matches()
        sweep(timezone.now())
    with later(seconds=end_at):
        set_halt(False)


def refusal_of(action, **arguments) -> MoveRefused:
    with pytest.raises(MoveRefused) as refused:
        action(**arguments)
    return refused.value


def test_clock_goes_on_where_it_was(alice, bob):
    match = under_way(begin(alice, bob, clock=(60, 0)))
    halt_between(20, 3600)
    with later(seconds=3600):
        assert seconds_left(match) == 40
        process_due_matches()
        match.refresh_from_db()
        assert match.playing
        assert match.next_action_at == timezone.now() + timedelta(seconds=40)
        assert play(match).playing
    assert match.result_how == ""


def test_clock_runs_out_after_the_rest_of_its_time(alice, bob):
    match = under_way(begin(alice, bob, clock=(60, 0)))
    halt_between(20, 3600)
    with later(seconds=3639):
        Heartbeat.objects.update(at=timezone.now())
        process_due_matches()
        match.refresh_from_db()
        assert match.playing
    with later(seconds=3641):
        Heartbeat.objects.update(at=timezone.now())
        process_due_matches()
        match.refresh_from_db()
        assert match.result_how == "time"


def test_move_is_refused_with_the_sentence(alice, bob, browser_of):
    match = under_way(begin(alice, bob, clock=(60, 0)))
    set_halt(True)
    seat = on_turn(match)
    sent = {"move": legal(match)[0], "version": match.version}
    answer = browser_of(seat.user).post(
        f"/games/{match.code}/move", sent, headers={"accept": "application/json"}
    )
    assert (answer.status_code, answer.json()["error"]) == (503, SENTENCE)
    assert refusal_of(play, match=match, move="resign").code == "halted"
    match.refresh_from_db()
    assert match.version == sent["version"]


def test_page_shows_standing_clocks_and_the_sentence(alice, bob, browser_of):
    match = under_way(begin(alice, bob, clock=(60, 0)))
    with later(seconds=20):
        set_halt(True)
    with later(seconds=500):
        page = browser_of(alice).get(f"/games/{match.code}/").content.decode()
        state = browser_of(alice).get(f"/games/{match.code}/state.json").json()
        strip = browser_of(on_turn(match).user).get("/archive/").content.decode()
    assert f'<p class="away" role="status">{SENTENCE}</p>' in page
    assert "data-deadline" not in page
    assert state["deadline"] is None
    assert state["seats"][on_turn(match).position]["clock"] == 40
    assert "0:40" in strip


def test_others_can_neither_claim_nor_prod_nor_continue(alice, bob):
    match = begin(alice, bob)
    waiting = match.seats.exclude(pk=on_turn(match).pk).get()
    set_halt(True)
    with later(seconds=7000):
        assert refusal_of(services.answer_absence, match=match, seat=waiting, take="win").code == "halted"
        assert refusal_of(services.prod, match=match, seat=waiting).code == "halted"
    Match.objects.update(pause_until=timezone.now() + timedelta(seconds=6))
    assert refusal_of(services.continue_match, match=match, seat=waiting).code == "halted"


def test_absent_player_keeps_rest_of_grace(alice, bob):
    match = begin(alice, bob)
    absent = on_turn(match)
    waiting = match.seats.exclude(pk=absent.pk).get()
    connections.record_open(match=match, seat=waiting, channel="one")
    halt_between(40, 4000)
    with later(seconds=4000):
        refusal = refusal_of(services.answer_absence, match=match, seat=waiting, take="win")
        assert (refusal.code, refusal.params["seconds"]) == ("grace", 21)


def test_player_who_closes_page_meanwhile_has_full_grace(alice, bob):
    match = begin(alice, bob)
    absent = on_turn(match)
    waiting = match.seats.exclude(pk=absent.pk).get()
    connections.record_open(match=match, seat=absent, channel="one")
    with later(seconds=50):
        connections.renew(timezone.now())
        set_halt(True)
    with later(seconds=100):
        connections.record_close(channel="one", clean=True)
    with later(seconds=4000):
        set_halt(False)
        refusal = refusal_of(services.answer_absence, match=match, seat=waiting, take="win")
        assert (refusal.code, refusal.params["seconds"]) == ("grace", 61)


def test_open_page_is_not_present_longer_than_it_is_open(alice, bob):
    match = begin(alice, bob)
    connections.record_open(match=match, seat=on_turn(match), channel="one")
    set_halt(True)
    with later(seconds=4000):
        connections.renew(timezone.now())
        set_halt(False)
        assert Connection.objects.get().seen_at == timezone.now()


def test_computer_moves_after_the_halt_only(alice):
    match = begin("club", alice)
    while not on_turn(match).computer:
        match = play(match)
    set_halt(True)
    with later(seconds=60):
        outages.record_beat()
        assert process_due_matches() == []
        assert refusal_of(play, match=match).code == "halted"
    with later(seconds=90):
        set_halt(False)
    with later(seconds=95):
        Heartbeat.objects.update(at=timezone.now())
        assert len(process_due_matches()) == 1


def test_choice_after_a_departure_waits(alice, bob, charlie):
    match = under_way(begin(alice, bob, charlie, preset="all-fives", clock=(60, 0)))
    for seat in match.seats.all():
        connections.record_open(match=match, seat=seat, channel=seat.name)
    match = play(match, "resign")
    assert match.left_at is not None
    halt_between(10, 3600)
    with later(seconds=3619):
        Heartbeat.objects.update(at=timezone.now())
        process_due_matches()
        match.refresh_from_db()
        assert match.left_at is not None
    with later(seconds=3621):
        Heartbeat.objects.update(at=timezone.now())
        process_due_matches()
        match.refresh_from_db()
        assert match.left_at is None


def test_restart_during_halt_changes_nothing(alice, bob):
    match = under_way(begin(alice, bob, clock=(60, 0)))
    with later(seconds=20):
        set_halt(True)
    halted_at = Heartbeat.objects.get(pk=Heartbeat.OF_TIME).at
    with later(seconds=900):
        outages.clear_cache()  # a new process
        outages.record_beat()
        outages.compensate()
    assert Heartbeat.objects.get(pk=Heartbeat.OF_TIME).at == halted_at
    with later(seconds=1800):
        outages.clear_cache()
        set_halt(False)
        assert seconds_left(match) == 40


def test_process_with_earlier_settings_does_not_end_halt():
    set_halt(True)
    row = Heartbeat.objects.get(pk=Heartbeat.OF_TIME)
    site_settings.cache(SiteSettings(), 10_000)  # of another process, not read anew yet
    with later(seconds=1.5):
        outages.record_beat()
    assert Heartbeat.objects.get(pk=Heartbeat.OF_TIME).at == row.at
    with later(seconds=3):
        set_halt(False)
        site_settings.cache(SiteSettings(maintenance=True, matches_halt=True), 10_000)
        outages.record_beat()
    assert not Heartbeat.objects.get(pk=Heartbeat.OF_TIME).halted


def test_pages_are_notified_at_both_ends(alice, bob, monkeypatch):
    match = begin(alice, bob)
    sent = []
    monkeypatch.setattr(outages, "broadcast_page_changed", lambda group, topic: sent.append((group, topic)))
    set_halt(True)
    assert sent == [(f"match.{match.code}", "clock")]
    outages.record_beat()
    assert len(sent) == 1
    with later(seconds=5):
        set_halt(False)
    assert (f"match.{match.code}", "clock") in sent[1:]


def test_account_can_be_deleted_during_halt(alice, bob):
    match = under_way(begin(alice, bob, clock=(60, 0)))
    with later(seconds=20):
        set_halt(True)
    with later(seconds=500):
        services.leave(match=match, user=alice)
    match.refresh_from_db()
    assert match.result_how == "resigned"
