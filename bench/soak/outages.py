"""What befalls the server, one outage after the other."""

import asyncio
import contextlib
import os
import random
import re
import resource
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.soak.figures import Figures, say
from tests.server import Site

QUIET = (6.0, 14.0)  # seconds between two outages


class Machine:
    """The processes of the server, and what befalls them."""

    def __init__(self, sites: list[Site], figures: Figures) -> None:
        self.sites, self.figures = sites, figures
        self.site = sites[0]  # the one that it befalls next
        self.outages: dict[str, Callable] = {
            "killed": self.killed,
            "restarted": self.restarted,
            "frozen": self.frozen,
        }
        if redis := redis_process():
            self.outages["redis frozen"] = lambda: self.others_frozen([redis], away=False)
        if postgresql_processes():
            self.outages["postgresql frozen"] = lambda: self.others_frozen(postgresql_processes(), away=True)
        else:
            self.outages["no room to write"] = self.full

    async def run(self, until: float) -> None:
        sizes = asyncio.create_task(self._measure())
        while time.monotonic() < until:
            await asyncio.sleep(random.uniform(*QUIET))
            name, outage = random.choice(list(self.outages.items()))
            self.site = random.choice(self.sites)
            self.figures.outages[name] = self.figures.outages.get(name, 0) + 1
            say(f"{name}; {sum(map(len, self.figures.answered.values()))} moves so far")
            await outage()
        self.figures.over = True
        sizes.cancel()

    @contextlib.contextmanager
    def _away(self) -> Iterator[None]:
        # Open at once: a player who moves meanwhile must know of it.
        place, began = len(self.figures.away), time.monotonic()
        self.figures.away.append((began, float("inf")))
        yield
        self.figures.away[place] = (began, time.monotonic())

    def _one_away(self) -> contextlib.AbstractContextManager[None]:
        """Where there are others, only its own players notice (`Player`)."""
        return self._away() if len(self.sites) == 1 else contextlib.nullcontext()

    async def killed(self) -> None:
        with self._one_away():
            await asyncio.to_thread(self.site.kill)
            await asyncio.sleep(random.uniform(0, 20))
            await asyncio.to_thread(self.site.start)

    async def restarted(self) -> None:
        with self._one_away():
            if status := await asyncio.to_thread(self.site.stop):
                self.figures.faults.append(f"a stop ended with {status}: …{self.site.log_text[-5000:]}")
            await asyncio.to_thread(self.site.start)

    async def frozen(self) -> None:
        with self._one_away():
            self.site.process.send_signal(signal.SIGSTOP)
            await asyncio.sleep(random.uniform(1, 15))
            self.site.process.send_signal(signal.SIGCONT)

    async def full(self) -> None:
        """No file may grow: what is written fails as on a full disk."""
        pids = [site.process.pid for site in self.sites]
        limits = resource.prlimit(pids[0], resource.RLIMIT_FSIZE)
        with self._away():
            for pid in pids:
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, limits[1]))
            await asyncio.sleep(random.uniform(1, 10))
            for pid in pids:
                resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)
            await asyncio.sleep(0.5)  # a beat

    async def others_frozen(self, pids: list[int], *, away: bool) -> None:
        with self._away() if away else contextlib.nullcontext():
            tell_all(pids, signal.SIGSTOP)
            await asyncio.sleep(random.uniform(1, 8))
            tell_all(pids, signal.SIGCONT)

    async def _measure(self) -> None:
        pid, born = -1, 0.0
        while True:
            await asyncio.sleep(5)
            process = self.sites[0].process
            if process is None:
                continue
            if process.pid != pid:
                pid, born = process.pid, time.monotonic()
                self.figures.sizes.append([])
            with contextlib.suppress(OSError):
                self.figures.sizes[-1].append((time.monotonic() - born, *size_of(pid)))


def tell_all(pids: list[int], what: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):  # one of PostgreSQL's for a connection that ended
            os.kill(pid, what)


def size_of(pid: int) -> tuple[float, int, int]:
    """Resident MB, threads and open files of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    resident, threads = (
        int(re.search(rf"^{name}:\s+(\d+)", status, re.MULTILINE)[1]) for name in ("VmRSS", "Threads")
    )
    return resident / 1024, threads, len(os.listdir(f"/proc/{pid}/fd"))


def redis_process() -> int | None:
    if "REDIS_URL" not in os.environ:
        return None
    from redis import Redis

    return Redis.from_url(os.environ["REDIS_URL"]).info("server")["process_id"]


def postgresql_processes() -> list[int]:
    """The first of PostgreSQL's processes and its children."""
    if "DATABASE_URL" not in os.environ:
        return []
    import psycopg

    with psycopg.connect(os.environ["DATABASE_URL"]) as database:
        folder = database.execute("SHOW data_directory").fetchone()[0]
    first = int((Path(folder) / "postmaster.pid").read_text().split()[0])
    children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
    return [first, *map(int, children)]
