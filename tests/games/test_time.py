from datetime import timedelta

import pytest

from accounts.pauses import Pauses
from games import services
from games.referee import process_due_matches, seconds_until_call
from games.wording.personas import MANNERS
from tests.games.playing import begin, legal, on_turn, play, under_way
from tests.times import later

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


def test_only_seat_on_turn_is_charged_and_incremented(alice, bob):
    match = under_way(begin(alice, bob, clock=(60, 5)))
    seat = on_turn(match)

    with later(seconds=10):
        match = play(match, next(m for m in legal(match) if m not in ("draw", "pass")))

    seat.refresh_from_db()
    assert 54_500 <= seat.clock_ms <= 55_000
    assert match.seats.exclude(pk=seat.pk).get().clock_ms == 60_000


def test_referee_ends_match_with_expired_clock(alice, bob):
    match = under_way(begin(alice, bob, clock=(60, 0)))
    loser = on_turn(match)

    with later(seconds=61):
        process_due_matches()

    match.refresh_from_db()
    assert match.result_how == "time"
    assert loser.position not in match.winners
    assert match.moves.latest("number").text == "time"
    loser.refresh_from_db()
    assert loser.clock_ms == 0


def test_move_after_expired_clock_is_refused(alice, bob):
    match = under_way(begin(alice, bob, clock=(60, 0)))
    seat, move = on_turn(match), legal(match)[0]

    with later(seconds=61), pytest.raises(services.MoveRefused) as refused:
        services.play(match=match, seat=seat, move=move, seen_version=match.version)

    assert refused.value.reason == "stale"
    match.refresh_from_db()
    assert match.result_how == "time"


def test_others_continue_at_table_of_three(alice, bob, charlie):
    match = under_way(begin(alice, bob, charlie, clock=(60, 0)))
    gone = on_turn(match)

    with later(seconds=61):
        process_due_matches()
        match.refresh_from_db()
        assert match.playing
        assert on_turn(match) != gone
        assert match.next_action_at is not None


def test_clock_does_not_run_in_round_pause(alice, bob):
    match = under_way(begin(alice, bob, clock=(600, 0)))
    rounds = 1
    while match.playing:
        match = play(match)
        if match.pause_until:
            rounds += 1
            break
    assert rounds == 2
    assert match.turn_began_at == match.pause_until


def test_round_pause_ends_when_all_continue(alice, bob):
    match = begin(alice, bob)
    while match.pause_until is None:
        match = play(match)
    version, pause = match.version, match.pause_until

    for seat in match.seats.all():
        services.continue_match(match=match, seat=seat)

    match.refresh_from_db()
    assert match.pause_until < pause
    assert match.version == version


def test_no_move_during_call_pause_at_table_of_three(alice, bob, charlie):
    match = begin(alice, bob, charlie, preset="muggins-200")
    match = play(match)

    with pytest.raises(services.MoveRefused) as refused:
        play(match)
    assert refused.value.reason == "wait"

    with later(seconds=2.1):
        assert play(match).version == 2


@pytest.mark.parametrize("seconds", [2, 4, 8])
def test_call_pause_is_set_by_table(alice, bob, charlie, seconds):
    match = begin(alice, bob, charlie, preset="muggins-200", pauses=Pauses(call=seconds))
    match = play(match)

    with later(seconds=seconds - 0.5), pytest.raises(services.MoveRefused) as refused:
        play(match)
    assert refused.value.reason == "wait"
    with later(seconds=seconds + 0.1):
        assert play(match).version == 2


@pytest.mark.parametrize("seconds", [0, 1, 2, 4])
@pytest.mark.parametrize("figure", range(3))
def test_computer_pause_is_set_by_table_and_tempo(alice, seconds, figure):
    match = begin(alice, "club", pauses=Pauses(computer=seconds))
    match.seats.update(figure=figure)
    match = play(match)
    while on_turn(match).kind != "computer":
        match = play(match)
    due = max(match.turn_began_at, match.pause_until or match.turn_began_at)

    assert match.next_action_at == due + timedelta(seconds=seconds) * MANNERS[figure].tempo


@pytest.mark.parametrize(("clock", "longest"), [((10, 0), 10 / 30), ((300, 5), 6.4)])
def test_computer_never_pauses_its_clock_away(alice, clock, longest):
    match = begin(alice, "club", clock=clock, pauses=Pauses(computer=4))
    match.seats.update(figure=1)
    match = play(match)
    while on_turn(match).kind != "computer":
        match = play(match)
    begins = max(match.turn_began_at, match.pause_until or match.turn_began_at)
    left = timedelta(milliseconds=on_turn(match).clock_ms)

    assert match.next_action_at - begins == min(left / 30, timedelta(seconds=6.4))
    assert match.next_action_at - begins <= timedelta(seconds=longest)


@pytest.mark.parametrize("seconds", [2, 8])
def test_computer_calls_only_at_end_of_pause(alice, bob, seconds):
    match = begin(alice, bob, "master", preset="muggins-200", pauses=Pauses(call=seconds))
    match = play(match)

    assert seconds - 0.35 < seconds_until_call(match) < seconds
