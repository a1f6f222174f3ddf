"""Killed worker processes of the computer players, and Ctrl-C."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from tests.http_client import HttpClient
from tests.server import Site

TIMEOUT_SECONDS = 120  # a busy machine is slow, not wrong


def find_workers(site: Site) -> list[int]:
    """Return the IDs of the worker processes of this site's computer players."""
    assert site.process is not None
    found = []
    for process in Path("/proc").iterdir():
        with suppress(OSError, IndexError):
            parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == site.process.pid and b"games.computer" in (process / "cmdline").read_bytes():
                found.append(int(process.name))
    return found


def against_a_computer(site: Site) -> tuple[HttpClient, str]:
    """Return a guest in a match against a computer, and its code."""
    guest = HttpClient(site.url).become_guest()
    table = guest.post("/play/all-fives/", seats=2, clock="none", computer="strong")
    code = table.url.rstrip("/").rpartition("/")[2]
    return guest, code


def play_until(guest: HttpClient, code: str, version: int) -> None:
    """Play legal moves until the match is at this version."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while (state := guest.get(f"/games/{code}/state.json").json())["version"] < version:
        assert time.monotonic() < deadline, state
        if state["turn"] == state["you"]:
            guest.post(f"/games/{code}/move", move=state["legal"][0], version=state["version"])
        else:
            time.sleep(0.05)


def test_match_continues_after_killed_worker(site: Site):
    guest, code = against_a_computer(site)
    play_until(guest, code, 4)
    for worker in find_workers(site):
        os.kill(worker, signal.SIGKILL)
    play_until(guest, code, 10)
    assert "Traceback" not in site.log_text


def test_ctrl_c_stops_without_traceback(site: Site):
    guest, code = against_a_computer(site)
    play_until(guest, code, 4)
    workers = find_workers(site)
    assert workers
    for process in (*workers, site.process.pid):
        os.kill(process, signal.SIGINT)
    assert site.process.wait(TIMEOUT_SECONDS) == 0
    assert "Traceback" not in site.log_text
    deadline = time.monotonic() + TIMEOUT_SECONDS  # the workers end on their own
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        assert time.monotonic() < deadline
        time.sleep(0.05)
