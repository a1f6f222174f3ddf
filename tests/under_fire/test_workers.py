"""The computers' worker processes are killed, or stopped from the terminal together with the server."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from tests.http_client import HttpClient
from tests.server import Site

PATIENCE = 30  # seconds


def workers_of(site: Site) -> list[int]:
    """The processes in which this site's computers think."""
    assert site.process is not None
    found = []
    for process in Path("/proc").iterdir():
        with suppress(OSError, IndexError):
            parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == site.process.pid and b"games.computer" in (process / "cmdline").read_bytes():
                found.append(int(process.name))
    return found


def against_a_computer(site: Site) -> tuple[HttpClient, str]:
    """A guest at a match against a computer, and its code."""
    guest = HttpClient(site.url).become_guest()
    table = guest.post("/play/all-fives/", seats=2, clock="none", computer="strong")
    code = table.url.rstrip("/").rpartition("/")[2]
    guest.post(f"/tables/{code}/nonce", nonce="a1b2")
    return guest, code


def play_until(guest: HttpClient, code: str, version: int) -> None:
    """Play whatever is legal until the match has come so far."""
    deadline = time.monotonic() + PATIENCE
    while (state := guest.get(f"/games/{code}/state.json").json())["version"] < version:
        assert time.monotonic() < deadline, state
        if state["turn"] == state["you"]:
            guest.post(f"/games/{code}/move", move=state["legal"][0], version=state["version"])
        else:
            time.sleep(0.05)


def test_a_match_goes_on_when_a_worker_is_killed(site: Site):
    guest, code = against_a_computer(site)
    play_until(guest, code, 4)
    for worker in workers_of(site):
        os.kill(worker, signal.SIGKILL)
    play_until(guest, code, 10)
    assert "Traceback" not in site.log_text


def test_ctrl_c_ends_server_and_workers_without_a_traceback(site: Site):
    guest, code = against_a_computer(site)
    play_until(guest, code, 4)
    workers = workers_of(site)
    assert workers
    for process in (*workers, site.process.pid):
        os.kill(process, signal.SIGINT)
    assert site.process.wait(15) == 0
    assert "Traceback" not in site.log_text
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)
