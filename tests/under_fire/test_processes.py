"""One server with two processes on one SQLite file: they share the port and the work, and either may die."""

import os
import random
import re
import signal
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from websockets.exceptions import InvalidMessage
from websockets.sync.client import ClientConnection

from dominoes_site.parent import PARENT_ID_VARIABLE
from tests.http_client import LIGHT_PAGE, HttpClient
from tests.server import Site
from tests.under_fire.closing import close_code
from tests.under_fire.outages import read_rows, wait_for_beats
from tests.under_fire.playing import code_in, sit_down
from tests.under_fire.test_handover import hand_over
from tests.under_fire.test_kill import PLAY_SECONDS, play_match
from tests.waiting import attempts, until

KILLS = 3
BEATS = 4
MAX_SILENCE_SECONDS = 6
MAX_START_SECONDS = 30  # a start on a busy machine takes 20
AWAY = "process away\n"


@pytest.fixture(scope="module")
def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    constants = (
        f"dominoes_site.processes.MAX_SILENCE_SECONDS={MAX_SILENCE_SECONDS}"
        f" dominoes_site.processes.MAX_START_SECONDS={MAX_START_SECONDS}"
    )
    folder = tmp_path_factory.mktemp("site")
    site = Site(folder, COMPUTER_PAUSE_MS="100", PROCESSES="2", TEST_CONSTANTS=constants)
    yield site
    site.end()


def read_metrics(site: Site, number: int) -> dict[str, float]:
    """Return the metrics of a process, once the others have heard of it."""

    def ask() -> str:
        text = HttpClient(site.url).get(f"/metrics?process={number}").text
        return "" if text == AWAY else text

    text = until(ask, f"the metrics of process {number}")
    return {name: float(value) for name, value in re.findall(r"^(\w+) (\S+)$", text, re.MULTILINE)}


def count_sockets(site: Site) -> list[float]:
    return [read_metrics(site, number)["boneyard_sockets"] for number in range(2)]


def wait_for_no_socket(site: Site) -> None:
    until(lambda: sum(count_sockets(site)) == 0, "the sockets of other tests to close")


def wait_for_both(site: Site, other_than: int = 0) -> None:
    def are_there() -> bool:
        pids = site.web_processes
        if len(pids) < 2 or other_than in pids:
            return False
        return len({read_metrics(site, number)["process_start_time_seconds"] for number in range(2)}) == 2

    until(are_there, "two processes", interval=0.2, status=lambda: site.log_text)


def test_nobody_answers_for_another_process(site: Site):
    for path in ("/healthz?process=9", "/metrics?process=9"):
        answer = HttpClient(site.url).get(path)
        assert (answer.status, answer.text) == (503, AWAY)


def test_match_survives_killed_processes(site: Site):
    with play_match(site) as over:
        for number in range(KILLS):
            over.wait(PLAY_SECONDS)
            pid = site.web_processes[number % 2]
            os.kill(pid, signal.SIGKILL)
            wait_for_both(site, pid)


def test_pages_of_a_match_are_at_one_process(site: Site):
    code, people = sit_down(site)
    wait_for_no_socket(site)
    sockets = [person.open_socket(f"/ws/games/{code}/") for person in (*people, *people, *people)]
    for page in sockets:
        assert page.recv(timeout=15)
    assert sorted(count_sockets(site)) == [0, 6]
    for page in sockets:
        page.close()


def connect_to(site: Site, number: int) -> socket.socket:
    """Return a connection to the process with this number, which has answered a first request."""
    for _ in attempts(f"process {number}"):
        connection = socket.create_connection(("127.0.0.1", site.port), timeout=15)
        connection.sendall(f"GET /healthz?process={number} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        answer = b""
        for _ in attempts("the answer"):
            answer += connection.recv(4096)
            if answer.endswith((b"ok\n", AWAY.encode())):
                break
        if answer.endswith(b"ok\n"):
            return connection
        connection.close()  # another process answered, which has not heard of it yet
    raise AssertionError


def test_changes_reach_pages_at_either_process(site: Site):
    visitors = [HttpClient(site.url).become_guest() for _ in range(2)]
    wait_for_no_socket(site)
    sockets = [
        visitor.open_socket("/ws/lobby/", connection=connect_to(site, number))
        for number, visitor in enumerate(visitors)
    ]
    for page in sockets:
        page.recv(timeout=15)
    assert count_sockets(site) == [1, 1]
    host = HttpClient(site.url).become_guest()
    table = host.post("/tables/new", preset="block", seats=2, clock="300+5")
    for page in sockets:
        for _ in attempts("the new table"):
            if code_in(table.url) in page.recv(timeout=15):
                break
        page.close()


def test_visitors_survive_the_death_of_the_match_process(site: Site):
    code, people = sit_down(site)
    wait_for_no_socket(site)
    with people[0].open_socket(f"/ws/games/{code}/") as page:
        page.recv(timeout=15)
        number = next(n for n in range(2) if read_metrics(site, n)["boneyard_sockets"])
        start = read_metrics(site, number)["process_start_time_seconds"]
        for pid in site.web_processes:
            if abs(read_start_time(pid) - start) < 0.005:
                os.kill(pid, signal.SIGKILL)
        assert close_code(page) is None
    with reopen_socket(people[0], f"/ws/games/{code}/") as page:  # at the other process
        assert page.recv(timeout=15)
    wait_for_both(site)


def reopen_socket(person: HttpClient, path: str) -> ClientConnection:
    """Open a socket, again if the dying process still took the connection, as a page does."""
    for _ in attempts("a socket", interval=0.05):
        try:
            return person.open_socket(path)
        except (OSError, InvalidMessage):
            continue
    raise AssertionError


def read_start_time(pid: int) -> float:
    """Return when a process started, as prometheus_client computes it."""
    boot = float(re.search(r"^btime (\d+)", Path("/proc/stat").read_text(), re.MULTILINE)[1])
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return boot + float(fields[19]) / os.sysconf("SC_CLK_TCK")


def test_hanging_process_is_replaced(site: Site):
    pid = random.choice(site.web_processes)
    os.kill(pid, signal.SIGSTOP)
    wait_for_both(site, pid)
    assert f"has hung for {MAX_SILENCE_SECONDS} s and is killed" in site.log_text


def is_executed(pid: int) -> bool:
    """Return whether a child has its own program and environment. Its parent waits for that, and would hang, too."""
    return PARENT_ID_VARIABLE.encode() in Path(f"/proc/{pid}/environ").read_bytes()


def test_process_that_hangs_while_starting_is_replaced(site: Site):
    killed = site.web_processes[0]
    os.kill(killed, signal.SIGKILL)
    kept = site.web_processes[-1]
    (starting,) = until(
        lambda: [pid for pid in site.web_processes if pid not in (killed, kept) and is_executed(pid)],
        "its successor",
    )
    os.kill(starting, signal.SIGSTOP)
    wait_for_both(site, starting)
    assert f"has hung for {MAX_START_SECONDS} s and is killed" in site.log_text


def test_start_that_hangs_ends_with_tracebacks(tmp_path: Path):
    """The database takes the connection, and never answers. (Reading the frames of a thread that runs may crash.)"""
    site = Site(tmp_path / "site", TEST_CONSTANTS="dominoes_site.start_limit.MAX_START_SECONDS=5")
    site.prepare()
    site.log.touch()
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        port = silent.getsockname()[1]
        site.env["DATABASE_URL"] = f"postgres://boneyard@127.0.0.1:{port}/boneyard?connect_timeout=90"
        with pytest.raises(AssertionError, match=r"Timeout \(.*\n.*most recent call first"):
            site.start()
    assert site.process.wait(30) == 1


def test_no_process_counts_as_unconnected(site: Site):
    for _ in range(BEATS):
        wait_for_beats(site, processes=2)
    rows = read_rows(site, "SELECT key FROM games_process ORDER BY at DESC LIMIT 2")
    assert len({key[:16] for (key,) in rows}) == 1
    assert "Another process serves this database" not in site.log_text


def test_stop_closes_sockets_of_all_processes(site: Site):
    sockets = [HttpClient(site.url).open_socket("/ws/lobby/") for _ in range(8)]
    processes = site.web_processes
    assert site.stop() == 0
    assert [close_code(page) for page in sockets] == [1012] * 8
    assert not any(Path(f"/proc/{pid}").exists() for pid in processes)
    assert "Traceback" not in site.log_text


def test_processes_end_with_their_parent(site: Site):
    processes = site.web_processes
    site.kill()
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in processes), "the processes to end")


def test_handover_of_all_processes_refuses_no_connection(site: Site):
    with hand_over(site, 120) as (successors, waits):
        assert len(successors) == 3  # the parent and its two
        assert waits  # every one answered
        assert HttpClient(site.url).get("/healthz").text == "ok\n"
        assert "Traceback" not in site.log_text


def test_limits_are_shared(tmp_path: Path):
    site = Site(tmp_path / "site", LIMITS="on", PROCESSES="2")
    site.prepare()
    site.log.touch()
    site.manage(
        "shell", "-c", "from operators.models import SiteSettings as S; S(pk=1, guests_limit=6).save()"
    )
    site.start()
    try:
        for _ in range(12):
            visitor = HttpClient(site.url)
            visitor.get(LIGHT_PAGE)
            visitor.post("/accounts/guest/", next=LIGHT_PAGE)
        assert read_rows(site, "SELECT COUNT(*) FROM accounts_user WHERE is_guest") == [(6,)]
    finally:
        site.end()
