"""An outage of the server costs no player clock time."""

import signal
import time

from games.time.outages import MAX_BEAT_GAP
from tests.server import Site
from tests.under_fire.outages import Stopwatch, begin_with_running_clocks, freeze, let_pass
from tests.under_fire.playing import on_turn, play_first_legal, sit_down

OUTAGE_SECONDS = 12  # longer than the clock: an outage that costs time ends the match


def test_killed_server_costs_no_clock_time(site: Site):
    code, people = begin_with_running_clocks(site)
    stopwatch = Stopwatch(people, code)
    site.kill()
    let_pass(site, OUTAGE_SECONDS)
    site.start()
    person, after = on_turn(people, code)
    stopwatch.assert_outage_was_free(after, measured_seconds=0)
    play_first_legal(person, code, after)


def test_frozen_server_costs_no_clock_time(site: Site):
    code, people = begin_with_running_clocks(site)
    stopwatch = Stopwatch(people, code)
    freeze(site)
    let_pass(site, OUTAGE_SECONDS)
    frozen_seconds = (
        MAX_BEAT_GAP.total_seconds() + 0.5
    )  # the process must notice, which remembers its last beat
    time.sleep(frozen_seconds)
    site.process.send_signal(signal.SIGCONT)
    _person, after = on_turn(people, code)
    stopwatch.assert_outage_was_free(after, frozen_seconds)


def test_win_cannot_be_claimed_after_outage(site: Site):
    code, people = sit_down(site)
    person, _state = on_turn(people, code)
    other = next(visitor for visitor in people if visitor is not person)
    with person.open_socket(f"/ws/games/{code}/") as socket:
        socket.recv(timeout=10)
        site.kill()
    let_pass(site, 70)
    site.start()
    answer = other.post(f"/games/{code}/absent", accept="application/json", take="win")
    assert answer.status == 422, answer.text
