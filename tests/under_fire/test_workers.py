"""Killed worker processes of the computer players, and Ctrl-C."""

import os
import signal
from contextlib import suppress
from pathlib import Path

from tests.http_client import HttpClient
from tests.server import Site
from tests.under_fire.playing import against_a_computer, get_state, play_first_legal
from tests.waiting import attempts, until

TIMEOUT_SECONDS = 120  # a busy machine is slow, not wrong


def find_workers(site: Site) -> list[int]:
    """Return the IDs of the worker processes of this site's computer players."""
    assert site.process is not None
    found = []
    for process in Path("/proc").iterdir():
        with suppress(OSError, IndexError):
            parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == site.process.pid and b"boneyard.computer" in (process / "cmdline").read_bytes():
                found.append(int(process.name))
    return found


def play_until(guest: HttpClient, code: str, version: int) -> None:
    """Play legal moves until the match is at this version."""
    for _ in attempts(f"version {version}", seconds=TIMEOUT_SECONDS, interval=0.05):
        state = get_state(guest, code)
        if state["version"] >= version:
            break
        if state["turn"] == state["you"]:
            play_first_legal(guest, code, state)


def test_match_continues_after_killed_worker(site: Site):
    guest, code = against_a_computer(site)
    play_until(guest, code, 4)
    for worker in find_workers(site):
        os.kill(worker, signal.SIGKILL)
    play_until(guest, code, 8)
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
    until(
        lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers),
        "the workers to end on their own",
        seconds=TIMEOUT_SECONDS,
    )
