"""One process recomputes a pool: its lease, its progress, and its end."""

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from games.models import Rerating
from games.services import rerating
from tests.games.playing import begin, play_to_the_end
from tests.times import later
from tests.waiting import until

ROOT = Path(__file__).resolve().parent.parent.parent
A_SERVER = """
import os, subprocess, sys
child = subprocess.Popen(
    [sys.executable, "-c", "from dominoes_site.parent import end_with_parent\\nend_with_parent()\\n"
     "import time\\ntime.sleep(600)"],
    env=os.environ | {"END_WITH_PARENT": str(os.getpid())},
)
print(child.pid, flush=True)
child.wait()
"""


@pytest.fixture
def pending(alice, bob):
    match = play_to_the_end(begin(alice, bob, rated=True))
    rerating.annul(match)
    return Rerating.objects.get()


def lease_of(pending):
    return rerating.Lease(Rerating.objects.get(pk=pending.pk), lambda pool, done, total: None)


def test_only_one_process_gets_the_lease(pending):
    first, second = lease_of(pending), lease_of(pending)
    assert first.acquire() and not second.acquire()
    assert not rerating.has_pending(timezone.now())


def test_lease_is_renewed_while_writing(pending):
    lease = lease_of(pending)
    lease.acquire()
    for seconds in (20, 40, 60):
        with later(seconds=seconds):
            lease.write()
            assert not rerating.has_pending(timezone.now())
    assert Rerating.objects.get().phase == Rerating.Phase.WRITING


def test_owner_that_lost_the_lease_stops(pending):
    frozen = lease_of(pending)
    frozen.acquire()
    with later(seconds=rerating.LEASE_TTL.total_seconds() + 1):
        assert lease_of(pending).acquire()
        with pytest.raises(rerating.LeaseLost):
            frozen.write()


def test_progress_never_goes_back(pending):
    lease = lease_of(pending)
    lease.acquire()
    seen = []
    for step, (done, total) in enumerate([(200, 900), (900, 900), (0, 3), (3, 3)]):
        with later(seconds=2 * step):
            lease.report(pending.pool, done, total)
        seen.append(Rerating.objects.values_list("done", "total").get())
    assert seen == [(200, 900), (900, 900), (900, 900), (900, 900)]


def test_request_during_recomputation_stays_pending(pending, monkeypatch):
    asked_again = timezone.now() + timedelta(seconds=1)
    monkeypatch.setattr(
        rerating, "_write_restored_changes", lambda pool: Rerating.objects.update(asked_at=asked_again)
    )
    rerating.recompute_pending()
    row = Rerating.objects.get()
    assert (row.asked_at, row.owner, row.taken_at) == (asked_again, "", None)


def test_background_command_ends_with_its_killed_server():
    server = subprocess.Popen([sys.executable, "-c", A_SERVER], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    child = int(server.stdout.readline())
    server.kill()
    server.wait()
    until(lambda: not is_running(child), "the command to end")


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
