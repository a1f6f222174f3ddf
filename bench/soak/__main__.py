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
import statistics
import sys
import tempfile
import time
from pathlib import Path

from bench.soak.figures import Figures, say
from bench.soak.outages import Machine
from bench.soak.players import CLOCK, INCREMENT, Player
from games.engine.records import Fault, verify
from tests.server import ROOT, Site

SLACK = 1.0  # seconds that a move may be charged above its own time
WAY = 0.5  # seconds between the opponent's move and this player's knowing of it
GROWTH = 1.25  # memory, threads and files at the end of a life against those after a sixth of it


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


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
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
