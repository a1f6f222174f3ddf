"""People play while the server is killed, restarted, frozen and kept from writing at random; then it is proved that
nobody paid for it.

    python -m bench.soak --minutes 60
    python -m bench.soak --minutes 60 --services
    python -m bench.soak --minutes 60 --services --processes 2

Of two processes one at a time is killed, restarted or frozen, and its players look for the other one as their pages
would; memory is not judged then, since a process begins with nobody.

Proved: every answered move stands once, in its place, in its match's record; every record agrees with its rules and
seal; no clock was charged for an outage, but for a second; the ratings are those of a recomputation; memory, threads
and open files of the longest life end where they were after a sixth of it. Exits with 1 if not.
"""

import argparse
import asyncio
import contextlib
import os
import random
import re
import resource
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from websockets.exceptions import WebSocketException

from bench.visitors import Visitor
from games.engine.records import Fault, verify
from tests.server import ROOT, Site

CLOCK, INCREMENT = 40, 1  # seconds
SLACK = 1.0  # seconds that a move may be charged above its own time
SILENT = (
    1.5  # seconds more where one process of several was away: until that is noticed, and at the end of it
)
OPENING, ANSWERING = (
    2.5,
    2.0,
)  # seconds for a new socket and for an answer, as for a page (static/js/connection.js)
WAY = 0.5  # seconds between the opponent's move and this player's knowing of it
QUIET = (6.0, 14.0)  # seconds between two outages
PAUSE = 6.0  # seconds after a round, in which no clock runs
GROWTH = 1.25  # memory, threads and files at the end of a life against those after a sixth of it


@dataclass
class Figures:
    """`away`: from when to when nothing could be played, by time.monotonic(); `charged`: seconds above one's own."""

    away: list[tuple[float, float]] = field(default_factory=list)
    outages: dict[str, int] = field(default_factory=dict)
    answered: dict[str, dict[int, str]] = field(default_factory=dict)
    charged: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    sizes: list[list[tuple[float, float, int, int]]] = field(
        default_factory=list
    )  # by life: age, MB, threads, files
    over: bool = False


class Player:
    """Somebody with an account, who plays whatever is legal, a moment after seeing that it is their turn."""

    def __init__(self, urls: list[str], name: str, figures: Figures) -> None:
        self.visitor, self.name, self.figures = Visitor(urls[0], patience=5), name, figures
        self._urls = urls
        self._away: list[tuple[float, float]] = []  # from when to when there was no line
        self._known = (-1, 0.0, 0.0)  # of my turn: its version, since when, with how much on my clock

    async def sign_up(self) -> None:
        await self.visitor.get("/accounts/signup/")
        password = "ninety-nine bones"
        await self.visitor.post(
            "/accounts/signup/", username=self.name, email="", password1=password, password2=password
        )

    async def play(self, code: str) -> None:
        """Until the match has ended."""
        line = asyncio.create_task(self._hold_a_line(code))
        try:
            await self._play(code)
        finally:
            line.cancel()

    async def _hold_a_line(self, code: str) -> None:
        """The page's socket: where it answers no more, that of the next process."""
        heard = time.monotonic()
        while True:
            try:
                options = {"open_timeout": OPENING, "close_timeout": 0.2, "ping_interval": None}
                async with self.visitor.listen(f"/ws/games/{code}/", **options) as socket:
                    self._away[-1:] = [
                        (since, min(until, time.monotonic())) for since, until in self._away[-1:]
                    ]
                    while True:
                        await socket.send("ping")
                        async with asyncio.timeout(ANSWERING):
                            while await socket.recv() != "pong":
                                pass
                        heard = time.monotonic()
                        await asyncio.sleep(0.5)
            except (OSError, EOFError, TimeoutError, WebSocketException):
                if not self._away or self._away[-1][1] < float("inf"):
                    self._away.append((heard, float("inf")))
                await asyncio.sleep(random.uniform(0.2, 0.7))
                following = (self._urls.index(self.visitor.url) + 1) % len(self._urls)
                await self.visitor.move_to(self._urls[following])

    async def _play(self, code: str) -> None:
        made = self.figures.answered.setdefault(code, {})
        while True:
            seen = await self.visitor.get(f"/games/{code}/state.json")
            if seen.status != 200:
                await asyncio.sleep(0.1)
                continue
            state = seen.json()
            if state["status"] == "finished":
                return
            if state["turn"] != state["you"]:
                await asyncio.sleep(0.1)
                continue
            await self._move(code, state, made)

    async def _move(self, code: str, state: dict, made: dict[int, str]) -> None:
        me, version = state["you"], state["version"]
        if self._known[0] != version:
            self._known = version, time.monotonic(), state["seats"][me]["clock"]
        await asyncio.sleep(random.uniform(0.1, 0.6))
        move = state["legal"][0]
        answer = await self.visitor.post(f"/games/{code}/move", move=move, version=version)
        if answer.status == 200:
            made[version + 1] = move
            after = answer.json()
            same_round = after["status"] == "playing" and after["round"] == state["round"]
            if same_round and move != "draw" and state["deadline"] is not None:
                self._charge(after["seats"][me]["clock"])
        elif answer.status not in (0, 409, 422, 500, 503):
            self.figures.faults.append(f"{code}: a move was answered {answer.status}")

    def _charge(self, left: float) -> None:
        _version, since, before = self._known
        now = time.monotonic()
        lost = [stretch for stretch in self._away if len(self._urls) > 1 and stretch[1] > since]
        own = now - since - within(self.figures.away + lost, since, now)
        self.figures.charged.append(before + INCREMENT - left - own - (SILENT if lost else 0))


def within(stretches: list[tuple[float, float]], began: float, ended: float) -> float:
    """How much of the time between two moments lies in any of these."""
    total, reached = 0.0, began
    for since, until in sorted(stretches):
        total += max(0.0, min(ended, until) - max(reached, since))
        reached = max(reached, min(ended, until))
    return total


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
        # Open at once: who moves meanwhile must know of it.
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
                self.figures.faults.append(f"a stop ended with {status}: …{self.site.said[-500:]}")
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


async def tables(pair: tuple[Player, Player], figures: Figures) -> None:
    """Match after match of these two, until it is over."""
    while not figures.over:
        one, two = pair
        made = await one.visitor.post(
            "/tables/new", preset="all-fives", seats=2, rated="on", private="on", clock=f"{CLOCK}+{INCREMENT}"
        )
        if made.status != 200:
            await asyncio.sleep(0.5)
            continue
        code = made.json()["table"]
        await two.visitor.post(f"/tables/{code}/sit", seat=1)
        for player in pair:
            await player.visitor.post(f"/tables/{code}/nonce", nonce="a1b2")
        if (await one.visitor.get(f"/games/{code}/state.json")).status == 200:
            await asyncio.gather(*(player.play(code) for player in pair))


async def prove(player: Player, figures: Figures) -> None:
    """What was answered against the records."""
    for code, made in figures.answered.items():
        answer = await player.visitor.get(f"/games/{code}/record.json")
        if answer.status != 200:
            figures.faults.append(f"{code}: its record was answered {answer.status}")
            continue
        record = answer.json()
        stored = [move["move"] for round_ in record["rounds"] for move in round_["moves"]]
        figures.faults += [
            f"{code}: move {number} was {move}, and is not in the record"
            for number, move in made.items()
            if stored[number - 1 : number] != [move]
        ]
        try:
            verify(record)
        except Fault as fault:
            figures.faults.append(f"{code}: {fault}")


async def run(sites: list[Site], chosen: argparse.Namespace, figures: Figures) -> None:
    urls = [site.url for site in sites]
    turned = [urls[number % len(urls) :] + urls[: number % len(urls)] for number in range(2 * chosen.tables)]
    players = [Player(own, f"player-{number}", figures) for number, own in enumerate(turned)]
    for player in players:
        await player.sign_up()
    machine = Machine(sites, figures)
    async with asyncio.TaskGroup() as group:
        for pair in zip(players[::2], players[1::2], strict=True):
            group.create_task(tables(pair, figures))
        group.create_task(machine.run(time.monotonic() + 60 * chosen.minutes))
    await prove(players[0], figures)


def judge(sites: list[Site], figures: Figures) -> None:
    if not figures.charged:
        figures.faults.append("nobody played")
    ratings = sites[0].manage("recompute_ratings")
    if "No difference." not in ratings:
        figures.faults.append(ratings)
    late = [charge for charge in figures.charged if charge > SLACK + WAY]
    figures.faults += [f"a move was charged {charge:.1f} s above its own time" for charge in late]
    for log in [site.log.read_text() for site in sites]:
        if "Traceback" in log:
            say(log[-3000:])
    longest = max(figures.sizes, key=len, default=[])
    if len(sites) == 1 and len(longest) >= 24:
        early, last = longest[len(longest) // 6], longest[-1]
        figures.faults += [
            f"{what} grew from {before:.0f} to {after:.0f}"
            for what, before, after in zip(("memory", "threads", "files"), early[1:], last[1:], strict=True)
            if after > before * GROWTH
        ]


def tell(figures: Figures) -> None:
    moves = sum(map(len, figures.answered.values()))
    outages = ", ".join(f"{times} times {name}" for name, times in sorted(figures.outages.items()))
    away = sum(until - since for since, until in figures.away)
    print(f"{len(figures.answered)} matches, {moves} answered moves; {outages}; {away:.0f} s away")
    if figures.charged:
        print(
            f"charged above one's own time: {statistics.median(figures.charged):.2f} s median, "
            f"{max(figures.charged):.2f} s at most, of {len(figures.charged)} moves"
        )
    if longest := max(figures.sizes, key=len, default=[]):
        age, memory, threads, files = longest[-1]
        print(f"after {age:.0f} s: {memory:.0f} MB, {threads} threads, {files} open files")
    for fault in figures.faults[:50]:
        print("FAULT", fault)
    print(f"{len(figures.faults)} faults" if figures.faults else "no fault")


def say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--services", action="store_true", help="with PostgreSQL and Redis, not with SQLite")
    chosen = parser.parse_args()
    if chosen.services and "REDIS_URL" not in os.environ:
        program = [sys.executable, str(ROOT / "bin" / "with-services"), sys.executable, "-m", "bench.soak"]
        os.execv(sys.executable, [*program, *sys.argv[1:]])
    random.seed(chosen.seed)
    figures = Figures()
    with tempfile.TemporaryDirectory(prefix="boneyard-soak-") as folder:
        names = ("DATABASE_URL", "REDIS_URL") if chosen.services else ()
        sites = []
        for number in range(chosen.processes):
            site = Site(Path(folder), **{name: os.environ[name] for name in names})
            site.log = Path(folder) / f"server-{number}.log"
            sites.append(site)
        with contextlib.ExitStack() as stack:
            for site in sites:
                site.start()
                stack.callback(lambda site=site: site.process and site.stop())
            asyncio.run(run(sites, chosen, figures))
            judge(sites, figures)
    tell(figures)
    return 1 if figures.faults else 0


if __name__ == "__main__":
    sys.exit(main())
