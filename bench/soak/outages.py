"""Random outages of the server."""

import asyncio
import contextlib
import os
import random
import re
import resource
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from bench.soak.soak_log import SoakLog, log
from bench.visitors import Visitor
from tests.server import Site

OUTAGE_INTERVAL_SECONDS = (6.0, 14.0)  # between two outages
REPLACEMENT_SECONDS = 180.0  # at most, on a busy machine


class OutageMaker:
    """Causes random outages of the server processes and services, and records them."""

    def __init__(self, sites: list[Site], soak_log: SoakLog, only: Sequence[str]) -> None:
        self.sites, self.soak_log = sites, soak_log
        self.site = sites[0]  # target of the current outage
        self.outages: dict[str, Callable] = {
            "killed": self.kill,
            "restarted": self.restart,
            "frozen": self.freeze,
        }
        if len(sites[0].web_processes) > 1:
            self.outages |= {
                "process killed": lambda: self.end_process(signal.SIGKILL),
                "process restarted": lambda: self.end_process(signal.SIGTERM),
                "process frozen": self.freeze_process,
            }
        if redis := find_redis():
            self.outages["redis frozen"] = lambda: self.freeze_services([redis], unavailable=False)
        if find_postgresql():
            self.outages["postgresql frozen"] = lambda: self.freeze_services(
                find_postgresql(), unavailable=True
            )
        else:
            self.outages["no room to write"] = self.fill_disk
        self.outages = {name: self.outages[name] for name in only or self.outages}

    async def run(self, until: float) -> None:
        process_sizes = asyncio.create_task(self._measure())
        while time.monotonic() < until:
            await asyncio.sleep(random.uniform(*OUTAGE_INTERVAL_SECONDS))
            name, outage = random.choice(list(self.outages.items()))
            self.site = random.choice(self.sites)
            self.soak_log.outages[name] = self.soak_log.outages.get(name, 0) + 1
            log(f"{name}; {sum(map(len, self.soak_log.accepted.values()))} moves so far")
            await outage()
        self.soak_log.is_over = True
        process_sizes.cancel()

    @contextlib.contextmanager
    def _mark_unavailable(self) -> Iterator[None]:
        # Add the period at its start: players who move during it must know.
        index, start = len(self.soak_log.unavailable), time.monotonic()
        self.soak_log.unavailable.append((start, float("inf")))
        yield
        self.soak_log.unavailable[index] = (start, time.monotonic())

    def _mark_if_single(self) -> contextlib.AbstractContextManager[None]:
        """Mark a single site as unavailable; with several the players record the outage themselves (`Player`)."""
        return self._mark_unavailable() if len(self.sites) == 1 else contextlib.nullcontext()

    async def kill(self) -> None:
        with self._mark_if_single():
            await asyncio.to_thread(self.site.kill)
            await asyncio.sleep(random.uniform(0, 20))
            await asyncio.to_thread(self.site.start)

    async def restart(self) -> None:
        with self._mark_if_single():
            if status := await asyncio.to_thread(self.site.stop):
                self.soak_log.faults.append(f"a stop ended with {status}: …{self.site.log_text[-5000:]}")
            await asyncio.to_thread(self.site.start)

    async def freeze(self) -> None:
        with self._mark_if_single():
            pids = {self.site.process.pid, *self.site.web_processes}
            signal_all(pids, signal.SIGSTOP)
            await asyncio.sleep(random.uniform(1, 15))
            signal_all(pids, signal.SIGCONT)

    async def end_process(self, signal_number: signal.Signals) -> None:
        """End one of the web processes of the site, and wait until its parent has replaced it."""
        before = self.site.web_processes
        os.kill(random.choice(before), signal_number)
        deadline = time.monotonic() + REPLACEMENT_SECONDS
        while await self._count_serving() < len(before) or self.site.web_processes == before:
            if time.monotonic() > deadline:
                self.soak_log.faults.append("a process was not replaced")
                return
            await asyncio.sleep(0.2)

    async def _count_serving(self) -> int:
        """Return how many web processes answer with their own metrics."""
        visitors = [Visitor(self.site.url, patience=1) for _ in self.site.web_processes]
        serving = set()
        for number, visitor in enumerate(visitors):
            text = (await visitor.get(f"/metrics?process={number}")).text
            serving.add(re.search(r"^process_start_time_seconds .*$", text, re.MULTILINE))
            await visitor.close()
        return len({found[0] for found in serving if found})

    async def freeze_process(self) -> None:
        """Freeze one of the web processes of the site for a while. Its parent may replace it meanwhile."""
        pid = random.choice(self.site.web_processes)
        os.kill(pid, signal.SIGSTOP)
        await asyncio.sleep(random.uniform(1, 20))
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)

    async def fill_disk(self) -> None:
        """Forbid files to grow, so that writes fail as on a full disk."""
        pids = [pid for site in self.sites for pid in site.web_processes]
        limits = resource.prlimit(pids[0], resource.RLIMIT_FSIZE)
        with self._mark_unavailable():
            for pid in pids:
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, limits[1]))
            await asyncio.sleep(random.uniform(1, 10))
            for pid in pids:
                resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)
            await asyncio.sleep(0.5)  # until the next heartbeat

    async def freeze_services(self, pids: list[int], *, unavailable: bool) -> None:
        with self._mark_unavailable() if unavailable else contextlib.nullcontext():
            signal_all(pids, signal.SIGSTOP)
            await asyncio.sleep(random.uniform(1, 8))
            signal_all(pids, signal.SIGCONT)

    async def _measure(self) -> None:
        pid, started_at = -1, 0.0
        while True:
            await asyncio.sleep(5)
            process = self.sites[0].process
            if process is None:
                continue
            if process.pid != pid:
                pid, started_at = process.pid, time.monotonic()
                self.soak_log.process_sizes.append([])
            with contextlib.suppress(OSError):
                self.soak_log.process_sizes[-1].append((time.monotonic() - started_at, *process_size(pid)))


def signal_all(pids: Iterable[int], signal_number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):  # a PostgreSQL backend that has ended
            os.kill(pid, signal_number)


def process_size(pid: int) -> tuple[float, int, int]:
    """Return resident MB, threads and open files of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    resident, threads = (
        int(re.search(rf"^{name}:\s+(\d+)", status, re.MULTILINE)[1]) for name in ("VmRSS", "Threads")
    )
    return resident / 1024, threads, len(os.listdir(f"/proc/{pid}/fd"))


def find_redis() -> int | None:
    if "REDIS_URL" not in os.environ:
        return None
    from redis import Redis

    return Redis.from_url(os.environ["REDIS_URL"]).info("server")["process_id"]


def find_postgresql() -> list[int]:
    """Return the PostgreSQL postmaster and its children."""
    if "DATABASE_URL" not in os.environ:
        return []
    import psycopg

    with psycopg.connect(os.environ["DATABASE_URL"]) as database:
        folder = database.execute("SHOW data_directory").fetchone()[0]
    first = int((Path(folder) / "postmaster.pid").read_text().split()[0])
    children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
    return [first, *map(int, children)]
