"""A restart with SIGHUP hands the port to a new process."""

import fcntl
import os
import pty
import signal
import socket
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event

import pytest

from tests.http_client import HttpClient
from tests.server import Site
from tests.under_fire.closing import close_code
from tests.waiting import attempts, until

REQUESTS_AFTERWARDS = 5
FAILING_SUCCESSOR = """
import os
from pathlib import Path

if "BONEYARD_OLD_PID" in os.environ:
    Path(__file__).with_name("tried").touch()
    os._exit(3)
"""


def find_servers(site: Site) -> set[int]:
    """Return the IDs of the processes that serve this site's data."""
    mine = f"VAR_DIR={site.folder}".encode()
    found = set()
    for process in Path("/proc").iterdir():
        with suppress(OSError):
            if b"serve" in (process / "cmdline").read_bytes() and mine in (process / "environ").read_bytes():
                found.add(int(process.name))
    return found


def send_requests(site: Site, over: Event, waits: list[float]) -> None:
    """Send requests one after the other, none of which may be refused; add how many seconds each waited."""
    for _ in attempts("the end of the restart", seconds=300, interval=0.02):
        if over.is_set():
            break
        began = time.monotonic()
        with socket.create_connection(("127.0.0.1", site.port), timeout=15) as visitor:
            visitor.sendall(b"GET /healthz HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
            assert visitor.recv(4096).startswith(b"HTTP/1.")
        waits.append(time.monotonic() - began)


@contextmanager
def hand_over(site: Site, timeout_seconds: float) -> Iterator[tuple[set[int], list[float]]]:
    """Restart the site with SIGHUP while requests come.

    Yield the new processes and how many seconds each request waited; stop the processes.
    """
    over, waits = Event(), list[float]()
    with ThreadPoolExecutor(1) as pool:
        requests = pool.submit(send_requests, site, over, waits)
        try:
            site.process.send_signal(signal.SIGHUP)
            assert site.process.wait(timeout_seconds) == 0
            successors = find_servers(site)
            answered = len(waits)
            until(
                lambda: requests.done() or len(waits) >= answered + REQUESTS_AFTERWARDS,
                "answers of the successors",
            )
        finally:
            over.set()
        requests.result()
    try:
        yield successors, waits
    finally:
        site.process.stdin.close()
        site.process = None
        for pid in successors:
            os.kill(pid, signal.SIGTERM)
        until(lambda: not find_servers(site), "the successors to stop")


def test_handover_refuses_no_connection(site: Site):
    guest = HttpClient(site.url).become_guest()
    page = guest.open_socket("/ws/lobby/")
    with hand_over(site, 60) as (successors, waits):
        assert len(successors) == 1
        assert close_code(page) == 1012
        assert max(waits) < 15  # a busy machine is slow, not wrong
        assert guest.get("/preferences/").url == f"{site.url}/preferences/"
        assert "Traceback" not in site.log_text


def test_failed_successor_leaves_old_process_running(site: Site):
    code = Path(site.env["PYTHONPATH"])
    code.mkdir(exist_ok=True)
    customization = code / "sitecustomize.py"
    customization.write_text(FAILING_SUCCESSOR)
    try:
        site.process.send_signal(signal.SIGHUP)
        until((code / "tried").exists, "the successor to fail")
        until(lambda: find_servers(site) == {site.process.pid}, "its end")
        assert HttpClient(site.url).get("/healthz").text == "ok\n"
        assert site.process.poll() is None
    finally:
        customization.unlink()


@pytest.mark.parametrize("processes", ["1", "2"])
def test_closed_terminal_stops_the_site(tmp_path, processes):
    site = Site(tmp_path, PROCESSES=processes)
    site.prepare()
    terminal, standard_input = pty.openpty()
    with site.log.open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve"],
            cwd=site.root,
            env=site.env,
            stdin=standard_input,
            stdout=log,
            stderr=log,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
    os.close(standard_input)

    def is_ready() -> bool:
        assert process.poll() is None, site.log.read_text()
        return site.url in site.log.read_text()

    try:
        until(is_ready, "the server to start")
        os.close(terminal)
        assert process.wait(30) == 0, site.log.read_text()
        assert not find_servers(site)
    finally:
        process.kill()
