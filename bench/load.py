"""Measure the capacity of one machine: start a server, and let guests play whole matches over HTTP and sockets.

    python -m bench.load --tables 100 --seconds 30 --pace 100
    python -m bench.load --tables 25 --max --spectators 200 --staying
    python -m bench.load --processes 2
    python -m bench.load --services --processes 2
    python -m bench.load --tables 6 --seconds 120 --analyse
    python -m bench.load --idle 2000

--analyse: each pair plays a match first; these are analysed one after the other, with pauses of equal length, so that
figures with and without an analysis come from the same minutes. --idle N: N more sockets watch a table without moves;
prints the server memory per idle socket. Several processes are those of one `manage.py serve`, which share all cores
with the players. With --services they are separate servers, and all pages of a match are at one of them, as behind the
proxy of docs/deploy.md; --apart puts the two players of a table at different ones, the most expensive case.

Without these options and --services the same tables are then played at boardgame.io (`bench.peers`) if Node is
installed.

Each server process is pinned to its own core where the system supports it, and the players to another one, so the
figures are those of one core.

Progress goes to standard error. Exits with 1 on any fault: a status other than 200, a lost push, a move played twice, a
record that contradicts the rules or the accepted moves.
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
from bench.cpu_affinity import PLAYERS, SERVERS, pinned_to_core
from bench.load_options import TRANSPORTS, describe_speed, is_comparable, parse_options
from bench.tables import SPECTATOR, Measurements, Page, PlayerPage, SetupError, Table
from bench.visitors import Visitor
from boneyard.engine.verification import Fault, verify
from tests.server import ROOT, Site

LANGUAGES = ("en", "es", "ru")  # of the spectators, in turn
MAX_CONCURRENT_CONNECTS = 50
WARM_UP_SECONDS = 2.0  # after all pages are open
REPORT_INTERVAL_SECONDS = 5.0
POLL_INTERVAL_SECONDS = 0.5  # of the state of an analysis
ANALYSING_SUFFIX = ", analysing"


class ServerUsage(NamedTuple):
    """Resources that the server processes have used, in total."""

    cpu: float  # seconds
    memory: float  # resident bytes
    pushes: float

    @classmethod
    async def read(cls, sites: Sequence[Site]) -> "ServerUsage":
        names = ("process_cpu_seconds_total", "process_resident_memory_bytes", "boneyard_pushes_total")
        texts = [
            (await Visitor(site.url).get(f"/metrics?process={number}")).text
            for site in sites
            for number in range(int(site.env["PROCESSES"]))
        ]
        return cls(*(sum(_counter(text, name) for text in texts) for name in names))


def _counter(metrics: str, name: str) -> float:
    found = re.search(rf"^{name} (\S+)$", metrics, re.MULTILINE)
    return float(found[1]) if found else math.nan  # not supported by the system


def main() -> int:
    options = parse_options(__doc__)
    if options.services and "REDIS_URL" not in os.environ:
        program = [sys.executable, str(ROOT / "bin" / "with-services"), sys.executable, "-m", "bench.load"]
        os.execv(sys.executable, [*program, *sys.argv[1:]])
    random.seed(options.seed)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="boneyard-load-")))
        log(f"starting {plural(options.processes, 'server process')}")
        sites = serve(stack, folder, options)
        measurements = Measurements()
        run = LoadRun(options, sites, measurements)
        try:
            asyncio.run(run.run())
        except SetupError as error:
            measurements.faults[str(error)] += 1
            log(str(error))
        finally:
            if measurements.faults or sys.exc_info()[0] is not None:
                log(*(f"{count} x {kind}" for kind, count in measurements.faults.items()), log_tails(sites))
    # Our server has stopped by now.
    if not measurements.faults and is_comparable(options):
        log("the same at boardgame.io")
        if peer := peers.measure_peer(options.tables, options.think, options.seconds):
            print_peer(peer)
            run.print_ratios(peer)
    return 1 if measurements.faults else 0


def serve(stack: ExitStack, folder: Path, options: argparse.Namespace) -> list[Site]:
    """Start the server processes on one set of data; `stack` stops them."""
    services = {name: os.environ[name] for name in ("DATABASE_URL", "REDIS_URL")} if options.services else {}
    each = 1 if options.services else options.processes  # processes of a site
    sites = [Site(folder, PROCESSES=str(each), **services) for _ in range(options.processes // each)]
    uses_all_cores = options.analyse or each > 1  # analyses run in processes of their own, on the other cores
    for number, site in enumerate(sites):
        site.log = folder / f"server-{number}.log"
        with nullcontext() if uses_all_cores else pinned_to_core(SERVERS + number):
            site.start()
        stack.callback(site.stop)
    if not options.services and not uses_all_cores:
        stack.enter_context(pinned_to_core(PLAYERS))
    return sites


def log_tails(sites: Sequence[Site]) -> str:
    """Return the ends of the server logs."""
    return "\n".join(f"{site.log.name}:\n{site.log.read_text()[-4000:]}" for site in sites)


class LoadRun:
    """One run: log in the guests, let them play and watch, and check the records."""

    def __init__(
        self, options: argparse.Namespace, sites: Sequence[Site], measurements: Measurements
    ) -> None:
        self.options, self.sites, self.measurements = options, sites, measurements
        self.urls = [site.url for site in sites]
        self.tables_played: list[Table] = []
        self.analysed = 0
        self.window = 0.0
        self.usage = ServerUsage(0, 0, 0)
        self.idle_socket_bytes = 0.0  # server memory per idle socket
        self.player_cpu = 0.0  # CPU seconds of this process

    async def run(self) -> None:
        options = self.options
        log(f"{plural(2 * options.tables, 'guest')} log in")
        # Neighbours, the two players of a table, get different processes if there are several.
        guests = [
            await tables.log_in_guest(self._url(number), self.measurements)
            for number in range(2 * options.tables)
        ]
        spectators = [
            Visitor(self._url(number), language=LANGUAGES[number % len(LANGUAGES)])
            for number in range(options.spectators)
        ]
        pairs = list(zip(guests[::2], guests[1::2], strict=True))
        finished = await self._play_matches(pairs) if options.analyse else []
        first = [await self._start_match(pair) for pair in pairs]
        async with asyncio.TaskGroup() as group:
            idle = await self._open_idle_sockets(pairs[0], group) if options.idle else []
            log("they play")
            for number, (pair, table) in enumerate(zip(pairs, first, strict=True)):
                theirs = spectators[number :: options.tables] if options.staying else []
                group.create_task(self._play(pair, table, theirs))
            for visitor in [] if options.staying else spectators:
                group.create_task(tables.watch_tables(visitor, self.tables_played, self.measurements))
            group.create_task(self._measure(idle))
            group.create_task(self._analyse(guests[::2], finished))
        await self._check(guests[0])
        for visitor in (*guests, *spectators):
            await visitor.close()
        self._print_report()

    def _url(self, number: int) -> str:
        return self.urls[number % len(self.urls)]

    async def _start_match(self, pair: Sequence[Visitor]) -> Table:
        return await tables.start_match(pair, self.options.preset, () if self.options.apart else self.urls)

    async def _play(self, pair: Sequence[Visitor], table: Table, spectators: Sequence[Visitor]) -> None:
        """Play match after match of the same players and spectators, beginning with `table`."""
        accept = TRANSPORTS[self.options.by]
        while True:
            self.tables_played.append(table)
            players = [
                PlayerPage(table, visitor, self.measurements, think=self.options.think, accept=accept)
                for visitor in pair
            ]
            await tables.play_match(
                players, [Page(table, visitor, self.measurements, SPECTATOR) for visitor in spectators]
            )
            if self.measurements.is_over:
                return
            try:
                table = await self._start_match(pair)
            except SetupError as error:
                self.measurements.faults[str(error)] += 1
                return

    async def _play_matches(self, pairs: Sequence[Sequence[Visitor]]) -> list[Table]:
        """Play a whole match of each pair without pauses."""
        log("they play a match to be analysed")
        finished = [await self._start_match(pair) for pair in pairs]
        accept = TRANSPORTS[self.options.by]
        async with asyncio.TaskGroup() as group:
            for pair, table in zip(pairs, finished, strict=True):
                players = [
                    PlayerPage(table, visitor, self.measurements, think=0.0, accept=accept)
                    for visitor in pair
                ]
                group.create_task(tables.play_match(players))
        self.tables_played += finished
        self.measurements.open_pages = 0
        return finished

    async def _analyse(self, visitors: Sequence[Visitor], finished: Sequence[Table]) -> None:
        """Analyse matches until the measurement ends. Poll equally often in the pauses, for comparable figures."""
        measurements = self.measurements
        for visitor, table in zip(visitors, finished, strict=False):
            while not measurements.measuring and not measurements.is_over:  # noqa: ASYNC110
                await asyncio.sleep(0.1)
            began, measurements.label_suffix = time.perf_counter(), ANALYSING_SUFFIX
            await visitor.post(f"{table.path}analysis")
            while await self._state(visitor, table) != "done" and not measurements.is_over:  # noqa: ASYNC110
                await asyncio.sleep(POLL_INTERVAL_SECONDS)
            measurements.label_suffix = ""
            self.analysed += not measurements.is_over
            pause_end = 2 * time.perf_counter() - began
            while time.perf_counter() < pause_end and not measurements.is_over:
                await self._state(visitor, table)
                await asyncio.sleep(POLL_INTERVAL_SECONDS)

    async def _state(self, visitor: Visitor, table: Table) -> str:
        return (await visitor.get(f"{table.path}analysis.json")).json()["state"]

    async def _open_idle_sockets(
        self, pair: Sequence[Visitor], group: asyncio.TaskGroup
    ) -> list[asyncio.Task[None]]:
        """Open the idle sockets at one more table of this pair, some at a time."""
        table = await self._start_match(pair)
        before, tasks = await ServerUsage.read(self.sites), []
        slots = asyncio.Semaphore(MAX_CONCURRENT_CONNECTS)
        for number in range(self.options.idle):
            await slots.acquire()
            visitor = Visitor(self._url(number))
            tasks.append(group.create_task(tables.hold_idle_socket(visitor, table, slots)))
        for _ in range(MAX_CONCURRENT_CONNECTS):
            await slots.acquire()
        after = await ServerUsage.read(self.sites)
        self.idle_socket_bytes = (after.memory - before.memory) / self.options.idle
        return tasks

    async def _measure(self, idle: Sequence[asyncio.Task[None]]) -> None:
        measurements = self.measurements
        pages = 2 * self.options.tables + (self.options.spectators if self.options.staying else 0)
        while measurements.open_pages < pages and not measurements.faults:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        await asyncio.sleep(WARM_UP_SECONDS)
        before = await ServerUsage.read(self.sites)
        player_cpu, began = time.process_time(), time.perf_counter()
        measurements.measuring, measurements.until = True, began + self.options.seconds
        while (left := measurements.until - time.perf_counter()) > 0:
            await asyncio.sleep(min(REPORT_INTERVAL_SECONDS, left))
            progress = f"{plural(measurements.moves, 'move')}, {plural(measurements.faults.total(), 'fault')}"
            log(f"{time.perf_counter() - began:4.0f} s: {progress}")
        measurements.measuring = False
        self.window, self.player_cpu = time.perf_counter() - began, time.process_time() - player_cpu
        after = await ServerUsage.read(self.sites)
        self.usage = ServerUsage(after.cpu - before.cpu, after.memory, after.pushes - before.pushes)
        for task in idle:
            task.cancel()

    async def _check(self, visitor: Visitor) -> None:
        """Check that every record is valid and has exactly the accepted moves."""
        log(f"checking {plural(len(self.tables_played), 'record')}")
        for table in self.tables_played:
            answer = await visitor.get(f"{table.path}record.json")
            if answer.status != 200:
                self.measurements.faults[f"a record answered {answer.status}"] += 1
                continue
            record = answer.json()
            try:
                verify(record)
            except Fault as fault:
                self.measurements.faults[f"record of {table.code}: {fault}"] += 1
            moves = [row["move"] for each in record["rounds"] for row in each["moves"]]
            if differences := set(enumerate(moves, 1)) ^ set(table.moves.items()):
                self.measurements.faults[
                    f"moves of {table.code} in its record or accepted, not both: {differences}"
                ] += 1

    def _print_report(self) -> None:
        options, measurements, usage = self.options, self.measurements, self.usage
        services = "PostgreSQL and Redis" if options.services else "SQLite"
        spectators = " who stay" if options.staying else ""
        apart = ", the two of a table apart" if options.apart else ""
        print(
            f"{plural(options.tables, 'table')} of {options.preset}, {describe_speed(options)}, moves by {options.by}; "
            f"{plural(options.spectators, 'spectator')}{spectators}; "
            f"{plural(options.processes, 'server process')}{apart}, "
            f"{services}; {plural(os.cpu_count() or 1, 'core')} ({cpu_model()})"
        )
        print_times(measurements.times)
        print_work(measurements.moves, self.window, usage.cpu, self.player_cpu, usage.memory)
        if options.idle:
            print(f"KB an idle socket, {options.idle:<8}{self.idle_socket_bytes / 1000:9.1f}")
        print(f"pushes a move               {usage.pushes / max(1, measurements.moves):9.1f}")
        print_sizes(measurements.frames)
        print_sizes(measurements.wire, "on the wire")
        print_sizes(measurements.full_frames, "with everything")
        print(f"matches, records checked    {len(self.tables_played):9}")
        print(f"matches analysed            {self.analysed:9}")
        faults = (f"{count} x {kind}" for kind, count in measurements.faults.most_common())
        print("faults: " + ("; ".join(faults) or "none"))

    def print_ratios(self, peer: peers.Peer) -> None:
        """Print our figures divided by those of the peer in the same run."""
        moves, peer_moves = max(1, self.measurements.moves), max(1, peer.moves)
        print("\nours / boardgame.io")
        for name, ours, theirs in (
            ("moves/s", moves / self.window, peer_moves / peer.window),
            ("server, CPU-ms a move", self.usage.cpu / moves, peer.cpu / peer_moves),
            ("server, resident MB", self.usage.memory, peer.memory),
            ("bytes a push, median", percentile(self.measurements.wire, 0.5), percentile(peer.frames, 0.5)),
        ):
            print(f"{name:28}{ours / theirs:9.2f}")


def print_peer(peer: peers.Peer) -> None:
    print(f"\nboardgame.io {peer.version}, files, same tables, seconds and think; nobody watches")
    print_times(peer.times)
    print_work(peer.moves, peer.window, peer.cpu, peer.player_cpu, peer.memory)
    print_sizes(peer.frames)
    print(f"matches played              {peer.matches:9}")


def print_times(times: Mapping[str, Sequence[float]]) -> None:
    print(f"{'ms':38}{'n':>7}" + "".join(f"{name:>9}" for name in ("median", "95 %", "99 %", "most")))
    for what, taken in sorted(times.items()):
        cells = (percentile(taken, part) for part in (0.5, 0.95, 0.99, 1))
        print(f"{what:38}{len(taken):7}" + "".join(f"{cell:9.1f}" for cell in cells))


def print_work(moves: int, window: float, cpu: float, player_cpu: float, memory: float) -> None:
    """Print CPU time per move of the server and of the players, and the server's memory."""
    print(f"moves/s                     {moves / window:9.1f}")
    for whose, seconds in (("server", cpu), ("players", player_cpu)):
        each, cores = 1000 * seconds / max(1, moves), f"{100 * seconds / window:.0f} % of a core"
        print(f"{f'{whose}, CPU-ms a move':28}{each:9.1f}  {cores}")
    print(f"server, resident MB         {memory / 1e6:9.0f}")


def print_sizes(frames: Sequence[int], kind: str = "a push") -> None:
    sizes = "".join(f"{percentile(frames, part):9.0f}" for part in (0.5, 0.95, 1))
    print(f"bytes {kind}, median 95 % most {sizes}")


def percentile(numbers: Sequence[float], part: float) -> float:
    """Return the quantile of `numbers` for `part`, from 0 to 1."""
    return sorted(numbers)[max(0, math.ceil(part * len(numbers)) - 1)] if numbers else math.nan


def cpu_model() -> str:
    cpus = Path("/proc/cpuinfo")
    named = re.search(r"model name\s*: (.+)", cpus.read_text()) if cpus.exists() else None
    return named[1] if named else platform.processor() or platform.machine()


def plural(number: int, thing: str) -> str:
    plural = thing + ("es" if thing.endswith("s") else "s")
    return f"{number} {thing if number == 1 else plural}"


def log(*lines: str) -> None:
    print(*lines, sep="\n", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
