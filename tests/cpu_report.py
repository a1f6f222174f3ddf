"""Run parts of `make test` and print the CPU seconds of each, and of the ten dearest tests.

    python -m tests.cpu_report make test-unit test-browser

All together are compared with their budget (docs/architecture.md, "What things cost"). As machines differ, and so does
what else they do, a fixed piece of work is timed every few seconds meanwhile: the budget is for a machine that does it
in `PIECE_SECONDS`. Exits with the status of a part that fails, and with 1 if the budget is exceeded.
"""

import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from threading import Event, Thread

from tests import budgets, cpu_time

PIECE_SECONDS = 0.05
INTERVAL_SECONDS = 10.0  # between two pieces of work
DEAREST_TESTS = 10
PR_SET_CHILD_SUBREAPER = 36


class Machine(Thread):
    """Does the piece of work now and then, to learn how fast this machine is beside the tests."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.pieces = [self._time_piece()]
        self._over = Event()

    def run(self) -> None:
        for _ in iter(lambda: self._over.wait(INTERVAL_SECONDS), True):
            self.pieces.append(self._time_piece())

    def stop(self) -> float:
        """Return how many times as long as the budget's machine this one needs."""
        self._over.set()
        self.join()
        return median(self.pieces) / PIECE_SECONDS

    def _time_piece(self) -> float:
        began = time.thread_time()
        sorted({str(number): number for number in range(150_000)}, reverse=True)
        return time.thread_time() - began


def adopt_orphans() -> None:
    """Become the parent of processes whose parent ends first, as Chromium's does: else their time would be lost."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def run(*command: str) -> float:
    """Run a command and return its CPU seconds and its children's; if it fails, exit with its status."""
    before = getrusage(RUSAGE_CHILDREN)
    process = subprocess.Popen(command)
    statuses = (status for ended, status in iter(os.wait, None) if ended == process.pid)  # else an orphan
    process.returncode = os.waitstatus_to_exitcode(next(statuses))
    if process.returncode:
        sys.exit(process.returncode)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    make, *parts = sys.argv[1:]
    adopt_orphans()
    machine = Machine()
    machine.start()
    with tempfile.NamedTemporaryFile("r") as times:
        os.environ[cpu_time.VARIABLE] = times.name
        seconds = {part: run(make, part) for part in parts}
        tests = [json.loads(line) for line in times]
    print("The dearest tests, in CPU seconds:")
    for test, spent in sorted(tests, key=lambda each: -each[1])[:DEAREST_TESTS]:
        print(f"{spent:8.1f}  {test}")
    total, slowness = sum(seconds.values()), machine.stop()
    print(f"{total:8.1f}  together:", ", ".join(f"{part} {spent:.1f}" for part, spent in seconds.items()))
    print(
        f"{total / slowness:8.1f}  on the machine of the budget; this one needs {slowness:.2f} times as long"
    )
    try:
        budgets.check("`make test`", {"CPU seconds": total / slowness})
    except AssertionError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
