"""A plugin of pytest: append the CPU seconds of each test to the file that CPU_TIMES names, as lines of JSON.

They are those of pytest's process and all its descendants, the site's servers and browsers among them. The first test
of a process pays for what its session shares.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

VARIABLE = "CPU_TIMES"
PROCESSES = Path("/proc")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    if VARIABLE not in os.environ:
        return (yield)
    before = measure_seconds()
    result = yield
    seconds = max(
        0.0, measure_seconds() - before
    )  # the last test ends the browser, and its time goes with it
    with open(os.environ[VARIABLE], "a") as times:  # parallel workers append whole lines
        times.write(json.dumps([item.nodeid, seconds]) + "\n")
    return result


def measure_seconds() -> float:
    """Return the CPU seconds of this process and its descendants; without Linux's /proc only of those that ended."""
    if not (PROCESSES / "self/task").exists():
        return sum(os.times()[:4])
    ticks, processes = 0, [os.getpid()]
    for process in processes:  # grows meanwhile
        try:
            ticks += _read_ticks(process)
            for children in (PROCESSES / str(process) / "task").glob("*/children"):
                processes += map(int, children.read_text().split())
        except OSError:
            continue  # it has ended
    return ticks / os.sysconf("SC_CLK_TCK")


def _read_ticks(process: int) -> int:
    """Return the time of a process and of its children that have ended, in user and system mode."""
    _name, _, fields = (PROCESSES / str(process) / "stat").read_text().rpartition(")")
    return sum(map(int, fields.split()[11:15]))
