"""What one machine carries: a server of its own, and tables at which guests play whole matches over HTTP and sockets.

    python -m bench.load --tables 100 --seconds 30 --pace 100
    python -m bench.load --tables 25 --max --spectators 200 --staying
    python -m bench.load --services --processes 2
    python -m bench.load --tables 6 --seconds 120 --analyse
    python -m bench.load --idle 2000

With --analyse every two have played a match before, and these are analysed one after the other, each followed by a rest
as long as it took: figures beside an analysis and without one are of the same minutes. With --idle so many more watch a
table where nobody moves: what each of their sockets keeps of the server's memory is told, and the play beside them.
Several processes are visited as through the proxy of docs/deploy.md, which leads all pages of a match to one of them;
with --apart the two of each table are at different ones, which is the most that a move can cost.

Without these or --services, the same tables then play at boardgame.io (`bench.peers`), if Node is installed, so that
the figures of both are of the same minutes.

Each server process has a core of its own, where the system can do it; the players of one without services have another:
the figures are those of one core.

Progress goes to standard error. Exits with 1 if there was any fault: an answer that is no 200, a push lost, a move
played twice, a record that the rules or the moves that were answered contradict.
"""

import argparse
import asyncio
import math
import os
import platform
import random
import re
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import NamedTuple

from bench import peers, tables
from bench.asked import BY, compared, options, speed_of
from bench.cores import PLAYERS, SERVERS, on_core
from bench.tables import SPECTATOR, Figures, Hand, Page, Table, Unplayable
from bench.visitors import Visitor
from games.engine.records import Fault, verify
from tests.server import ROOT, Site

LANGUAGES = ("en", "es", "ru")  # of the spectators, in turn
ARRIVING = 50  # idle sockets that are opened at the same time
LEAD = 2.0  # seconds of play before it is measured, once all pages are open
TELL_EVERY = 5.0  # seconds
LOOK_EVERY = 0.5  # seconds, at how far an analysis is
BESIDE = ", analysing"


class Spent(NamedTuple):
    """What the server's processes have used up, together."""

    cpu: float  # seconds
    memory: float  # bytes that are resident
    pushes: float

    @classmethod
    async def by(cls, urls: Sequence[str]) -> "Spent":
        names = ("process_cpu_seconds_total", "process_resident_memory_bytes", "boneyard_pushes_total")
        texts = [(await Visitor(url).get("/metrics")).text for url in urls]
        return cls(*(sum(_counter(text, name) for text in texts) for name in names))


def _counter(metrics: str, name: str) -> float:
    found = re.search(rf"^{name} (\S+)$", metrics, re.MULTILINE)
    return float(found[1]) if found else math.nan  # the system tells no process's time or memory


def main() -> int:
    chosen = options(__doc__)
    if chosen.services and "REDIS_URL" not in os.environ:
        program = [sys.executable, str(ROOT / "bin" / "with-services"), sys.executable, "-m", "bench.load"]
        os.execv(sys.executable, [*program, *sys.argv[1:]])
    random.seed(chosen.seed)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="boneyard-load-")))
        say(f"starting {several(chosen.processes, 'server process')}")
        sites = serve(stack, folder, chosen)
        figures = Figures()
        try:
            asyncio.run(Load(chosen, [site.url for site in sites], figures).run())
        except Unplayable as refused:
            figures.faults[str(refused)] += 1
            say(str(refused))
        finally:
            if figures.faults or sys.exc_info()[0] is not None:
                say(*(f"{count} x {kind}" for kind, count in figures.faults.items()), tail(sites))
    # By now our server has stopped: both have the machine to themselves.
    if not figures.faults and compared(chosen):
        say("the same at boardgame.io")
        if peer := peers.figures(chosen.tables, chosen.think, chosen.seconds):
            tell_of(peer)
    return 1 if figures.faults else 0


def serve(stack: ExitStack, folder: Path, chosen: argparse.Namespace) -> list[Site]:
    """The server's processes on one set of data, to be ended with `stack`."""
    services = {name: os.environ[name] for name in ("DATABASE_URL", "REDIS_URL")} if chosen.services else {}
    sites = [Site(folder, **services) for _ in range(chosen.processes)]
    for number, site in enumerate(sites):
        site.log = folder / f"server-{number}.log"
        # What analyses have processes of its own, and needs the other cores.
        with nullcontext() if chosen.analyse else on_core(SERVERS + number):
            site.start()
        stack.callback(site.stop)
    if not chosen.services and not chosen.analyse:
        stack.enter_context(on_core(PLAYERS))
    return sites


def tail(sites: Sequence[Site]) -> str:
    """What the server had to say."""
    return "\n".join(f"{site.log.name}:\n{site.log.read_text()[-4000:]}" for site in sites)


class Load:
    """One run: everybody comes in, plays and watches for the time, and what was played is checked."""

    def __init__(self, chosen: argparse.Namespace, urls: Sequence[str], figures: Figures) -> None:
        self.chosen, self.urls, self.figures = chosen, urls, figures
        self.played: list[Table] = []
        self.analysed = 0
        self.window = 0.0
        self.spent = Spent(0, 0, 0)
        self.kept = 0.0  # bytes of memory that an idle socket keeps
        self.own = 0.0  # seconds of the processor that the players themselves took

    async def run(self) -> None:
        chosen = self.chosen
        say(f"{several(2 * chosen.tables, 'guest')} come in")
        # The two of a table come to different processes, as far as there are any.
        guests = [await tables.guest(self._url(number), self.figures) for number in range(2 * chosen.tables)]
        watching = [
            Visitor(self._url(number), language=LANGUAGES[number % len(LANGUAGES)])
            for number in range(chosen.spectators)
        ]
        pairs = list(zip(guests[::2], guests[1::2], strict=True))
        ended = await self._played_before(pairs) if chosen.analyse else []
        first = [await self._begun(pair) for pair in pairs]
        async with asyncio.TaskGroup() as group:
            idle = await self._sit_by(pairs[0], group) if chosen.idle else []
            say("they play")
            for number, (pair, table) in enumerate(zip(pairs, first, strict=True)):
                theirs = watching[number :: chosen.tables] if chosen.staying else []
                group.create_task(self._play(pair, table, theirs))
            for visitor in [] if chosen.staying else watching:
                group.create_task(tables.watch(visitor, self.played, self.figures))
            group.create_task(self._measure(idle))
            group.create_task(self._analyse(guests[::2], ended))
        await self._check(guests[0])
        for visitor in (*guests, *watching):
            await visitor.leave()
        self._tell()

    def _url(self, number: int) -> str:
        return self.urls[number % len(self.urls)]

    async def _begun(self, pair: Sequence[Visitor]) -> Table:
        return await tables.begun(pair, self.chosen.preset, () if self.chosen.apart else self.urls)

    async def _play(self, pair: Sequence[Visitor], table: Table, watching: Sequence[Visitor]) -> None:
        """Match after match of the same two before the same spectators, this one first."""
        accept = BY[self.chosen.by]
        while True:
            self.played.append(table)
            hands = [
                Hand(table, visitor, self.figures, think=self.chosen.think, accept=accept) for visitor in pair
            ]
            await tables.play(hands, [Page(table, visitor, self.figures, SPECTATOR) for visitor in watching])
            if self.figures.over:
                return
            try:
                table = await self._begun(pair)
            except Unplayable as refused:
                self.figures.faults[str(refused)] += 1
                return

    async def _played_before(self, pairs: Sequence[Sequence[Visitor]]) -> list[Table]:
        """A whole match of each two, as fast as it goes."""
        say("they play a match to be analysed")
        ended = [await self._begun(pair) for pair in pairs]
        accept = BY[self.chosen.by]
        async with asyncio.TaskGroup() as group:
            for pair, table in zip(pairs, ended, strict=True):
                hands = [Hand(table, visitor, self.figures, think=0.0, accept=accept) for visitor in pair]
                group.create_task(tables.play(hands))
        self.played += ended
        self.figures.showing = 0
        return ended

    async def _analyse(self, asking: Sequence[Visitor], ended: Sequence[Table]) -> None:
        """Until all are analysed or the measure ends. Looks at an analysis as often in the rests."""
        figures = self.figures
        for visitor, table in zip(asking, ended, strict=False):
            while not figures.measuring and not figures.over:  # noqa: ASYNC110
                await asyncio.sleep(0.1)
            began, figures.beside = time.perf_counter(), BESIDE
            await visitor.post(f"{table.path}analysis")
            while await self._state(visitor, table) != "done" and not figures.over:  # noqa: ASYNC110
                await asyncio.sleep(LOOK_EVERY)
            figures.beside = ""
            self.analysed += not figures.over
            rested = 2 * time.perf_counter() - began
            while time.perf_counter() < rested and not figures.over:
                await self._state(visitor, table)
                await asyncio.sleep(LOOK_EVERY)

    async def _state(self, visitor: Visitor, table: Table) -> str:
        return (await visitor.get(f"{table.path}analysis.json")).json()["state"]

    async def _sit_by(self, pair: Sequence[Visitor], group: asyncio.TaskGroup) -> list[asyncio.Task[None]]:
        """Open the idle sockets at one more table of these two, some at a time."""
        quiet = await self._begun(pair)
        before, tasks = await Spent.by(self.urls), []
        coming = asyncio.Semaphore(ARRIVING)
        for number in range(self.chosen.idle):
            await coming.acquire()
            visitor = Visitor(self._url(number))
            tasks.append(group.create_task(tables.sit_by(visitor, quiet, coming)))
        for _ in range(ARRIVING):
            await coming.acquire()
        after = await Spent.by(self.urls)
        self.kept = (after.memory - before.memory) / self.chosen.idle
        return tasks

    async def _measure(self, idle: Sequence[asyncio.Task[None]]) -> None:
        figures = self.figures
        pages = 2 * self.chosen.tables + (self.chosen.spectators if self.chosen.staying else 0)
        while figures.showing < pages and not figures.faults:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        await asyncio.sleep(LEAD)
        before, own, began = await Spent.by(self.urls), time.process_time(), time.perf_counter()
        figures.measuring, figures.until = True, began + self.chosen.seconds
        while (left := figures.until - time.perf_counter()) > 0:
            await asyncio.sleep(min(TELL_EVERY, left))
            told = f"{several(figures.moves, 'move')}, {several(figures.faults.total(), 'fault')}"
            say(f"{time.perf_counter() - began:4.0f} s: {told}")
        figures.measuring = False
        self.window, self.own = time.perf_counter() - began, time.process_time() - own
        after = await Spent.by(self.urls)
        self.spent = Spent(after.cpu - before.cpu, after.memory, after.pushes - before.pushes)
        for task in idle:
            task.cancel()

    async def _check(self, visitor: Visitor) -> None:
        """Every record is right by itself, and tells exactly the moves that were answered."""
        say(f"checking {several(len(self.played), 'record')}")
        for table in self.played:
            answer = await visitor.get(f"{table.path}record.json")
            if answer.status != 200:
                self.figures.faults[f"a record answered {answer.status}"] += 1
                continue
            record = answer.json()
            try:
                verify(record)
            except Fault as fault:
                self.figures.faults[f"record of {table.code}: {fault}"] += 1
            moves = [row["move"] for each in record["rounds"] for row in each["moves"]]
            if other := set(enumerate(moves, 1)) ^ set(table.made.items()):
                self.figures.faults[
                    f"moves of {table.code} in its record or answered, not both: {other}"
                ] += 1

    def _tell(self) -> None:
        chosen, figures, spent, moves = self.chosen, self.figures, self.spent, max(1, self.figures.moves)
        services = "PostgreSQL and Redis" if chosen.services else "SQLite"
        watching = " who stay" if chosen.staying else ""
        apart = ", the two of a table apart" if chosen.apart else ""
        print(
            f"{several(chosen.tables, 'table')} of {chosen.preset}, {speed_of(chosen)}, moves by {chosen.by}; "
            f"{several(chosen.spectators, 'spectator')}{watching}; "
            f"{several(chosen.processes, 'server process')}{apart}, "
            f"{services}; {several(os.cpu_count() or 1, 'core')} ({machine()})"
        )
        print_times(figures.times)
        print_work(figures.moves, self.window, spent.cpu, self.own, spent.memory)
        if chosen.idle:
            print(f"KB an idle socket, {chosen.idle:<8}{self.kept / 1000:9.1f}")
        print(f"pushes a move               {spent.pushes / moves:9.1f}")
        print_sizes(figures.frames)
        print_sizes(figures.wholes, "with everything")
        print(f"matches, records checked    {len(self.played):9}")
        print(f"matches analysed            {self.analysed:9}")
        faults = (f"{count} x {kind}" for kind, count in figures.faults.most_common())
        print("faults: " + ("; ".join(faults) or "none"))


def tell_of(peer: peers.Peer) -> None:
    print(f"\nboardgame.io {peer.version}, files, same tables, seconds and think; nobody watches")
    print_times(peer.times)
    print_work(peer.moves, peer.window, peer.cpu, peer.own, peer.memory)
    print_sizes(peer.frames)
    print(f"matches played              {peer.matches:9}")


def print_times(times: Mapping[str, Sequence[float]]) -> None:
    print(f"{'ms':38}{'n':>7}" + "".join(f"{name:>9}" for name in ("median", "95 %", "99 %", "most")))
    for what, taken in sorted(times.items()):
        cells = (share(taken, part) for part in (0.5, 0.95, 0.99, 1))
        print(f"{what:38}{len(taken):7}" + "".join(f"{cell:9.1f}" for cell in cells))


def print_work(moves: int, window: float, cpu: float, own: float, memory: float) -> None:
    """What these moves took of the server's and of the players' seconds, and the server's bytes."""
    print(f"moves/s                     {moves / window:9.1f}")
    for whose, seconds in (("server", cpu), ("players", own)):
        each, cores = 1000 * seconds / max(1, moves), f"{100 * seconds / window:.0f} % of a core"
        print(f"{f'{whose}, CPU-ms a move':28}{each:9.1f}  {cores}")
    print(f"server, resident MB         {memory / 1e6:9.0f}")


def print_sizes(frames: Sequence[int], kind: str = "a push") -> None:
    sizes = "".join(f"{share(frames, part):9.0f}" for part in (0.5, 0.95, 1))
    print(f"bytes {kind}, median 95 % most {sizes}")


def share(numbers: Sequence[float], part: float) -> float:
    """The number that this part of them (0 to 1) does not exceed."""
    return sorted(numbers)[max(0, math.ceil(part * len(numbers)) - 1)] if numbers else math.nan


def machine() -> str:
    cpus = Path("/proc/cpuinfo")
    named = re.search(r"model name\s*: (.+)", cpus.read_text()) if cpus.exists() else None
    return named[1] if named else platform.processor() or platform.machine()


def several(number: int, thing: str) -> str:
    plural = thing + ("es" if thing.endswith("s") else "s")
    return f"{number} {thing if number == 1 else plural}"


def say(*lines: str) -> None:
    print(*lines, sep="\n", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
