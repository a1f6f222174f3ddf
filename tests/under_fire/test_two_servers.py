"""Two servers on one SQLite file, without Redis: each warns, and one goes on where the other falls silent."""

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dominoes_site.unconnected import MESSAGE
from tests.server import Site
from tests.under_fire.outages import Stopwatch, begin_with_running_clocks, freeze, wait_for_beats
from tests.under_fire.playing import on_turn, play_first_legal

OUTAGE_SECONDS = 5  # twice what may be charged; this time really passes, for the server that goes on


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, Site]]:
    """Start two, one after the other."""
    folder: Path = tmp_path_factory.mktemp("site")
    first, second = Site(folder, COMPUTER_PAUSE_MS="100"), Site(folder, COMPUTER_PAUSE_MS="100")
    second.log = folder / "second.log"
    first.start()
    wait_for_beats(first)
    second.log.touch()
    second.start()
    yield first, second
    first.end()
    second.end()


@pytest.fixture
def site(servers: tuple[Site, Site]) -> Site:
    servers[0].resume()
    return servers[0]


def test_second_server_warns_at_start(servers: tuple[Site, Site]):
    first, second = servers
    assert MESSAGE not in first.log.read_text().partition(first.url)[0]
    assert MESSAGE in second.log.read_text()


@pytest.mark.parametrize("how", [signal.SIGSTOP, signal.SIGKILL], ids=["frozen", "killed"])
def test_failed_server_costs_its_players_no_clock_time(
    site: Site, servers: tuple[Site, Site], how: signal.Signals
):
    code, people = begin_with_running_clocks(site)
    person, _state = on_turn(people, code)
    with person.open_socket(f"/ws/games/{code}/") as socket:
        socket.recv(timeout=10)
        wait_for_beats(site, processes=2)
        stopwatch = Stopwatch(people, code)
        site.kill() if how == signal.SIGKILL else freeze(site)
        time.sleep(OUTAGE_SECONDS)  # the outage itself
        for player in people:
            player.url = servers[1].url
        person, after = on_turn(people, code)
        if how == signal.SIGSTOP:
            site.process.send_signal(signal.SIGCONT)  # only now: it must not serve the test
    stopwatch.assert_outage_was_free(after, OUTAGE_SECONDS)
    play_first_legal(person, code, after)
