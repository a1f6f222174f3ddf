"""Let players play while the server is killed, restarted, frozen or without disk space at random; then check the data.

    python -m bench.soak --minutes 60
    python -m bench.soak --minutes 60 --services
    python -m bench.soak --minutes 60 --services --processes 2
    python -m bench.soak --minutes 60 --processes 2
    python -m bench.soak --minutes 30 --processes 2 --only "process killed"

With several processes one at a time is affected, and its players switch to another one, as pages do; memory is not
checked then, since a new process starts without players. On SQLite the processes are those of one `manage.py serve`,
which are affected one at a time or together; --only limits the outages to these kinds.

Checks: every accepted move is in the record of its match, once and in its place; every record is valid; no clock is
charged for an outage by more than the tolerance; ratings equal a recomputation; memory, threads and open files of the
longest server process do not grow after a sixth of its life. Exits with 1 if a check fails.
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

from bench.soak.outages import OutageMaker
from bench.soak.players import CLOCK_SECONDS, INCREMENT_SECONDS, Player
from bench.soak.soak_log import SoakLog, log
from boneyard.engine.verification import Fault, verify
from tests.server import ROOT, Site

CHARGE_TOLERANCE_SECONDS = 1.0
DELIVERY_SECONDS = 0.5  # from the opponent's move until the player knows of it
MAX_GROWTH = 1.25  # of memory, threads and files after a sixth of the life


async def play_matches(pair: tuple[Player, Player], soak_log: SoakLog) -> None:
    """Play match after match until the run is over."""
    while not soak_log.is_over:
        one, two = pair
        clock = f"{CLOCK_SECONDS}+{INCREMENT_SECONDS}"
        response = await one.visitor.post(
            "/tables/new", preset="all-fives", seats=2, rated="on", private="on", clock=clock
        )
        if response.status != 200:
            await asyncio.sleep(0.5)
            continue
        code = response.json()["table"]
        await two.visitor.post(f"/tables/{code}/sit", seat=1)
        for player in pair:
            await player.visitor.post(f"/tables/{code}/commit", commitment="")
        if (await one.visitor.get(f"/games/{code}/state.json")).status == 200:
            await asyncio.gather(*(player.play(code) for player in pair))


async def check_records(player: Player, soak_log: SoakLog) -> None:
    """Check that every record is valid and has the accepted moves."""
    for code, accepted in soak_log.accepted.items():
        answer = await player.visitor.get(f"/games/{code}/record.json")
        if answer.status != 200:
            soak_log.faults.append(f"{code}: its record was answered {answer.status}")
            continue
        record = answer.json()
        stored = [move["move"] for round_ in record["rounds"] for move in round_["moves"]]
        soak_log.faults += [
            f"{code}: move {number} was {move}, and is not in the record"
            for number, move in accepted.items()
            if stored[number - 1 : number] != [move]
        ]
        try:
            verify(record)
        except Fault as fault:
            soak_log.faults.append(f"{code}: {fault}")


async def run(sites: list[Site], options: argparse.Namespace, soak_log: SoakLog) -> None:
    urls = [site.url for site in sites]
    if not options.services:
        urls *= options.processes  # one address leads to all of them
    url_lists = [
        urls[number % len(urls) :] + urls[: number % len(urls)] for number in range(2 * options.tables)
    ]
    players = [Player(own_urls, f"soak-{number}", soak_log) for number, own_urls in enumerate(url_lists)]
    for player in players:
        await player.sign_up()
    outage_maker = OutageMaker(sites, soak_log, options.only)
    async with asyncio.TaskGroup() as group:
        for pair in zip(players[::2], players[1::2], strict=True):
            group.create_task(play_matches(pair, soak_log))
        group.create_task(outage_maker.run(time.monotonic() + 60 * options.minutes))
    await check_records(players[0], soak_log)


def check_run(sites: list[Site], soak_log: SoakLog, *, several: bool) -> None:
    if not soak_log.overcharges:
        soak_log.faults.append("nobody played")
    ratings = sites[0].manage("recompute_ratings")
    if "No difference." not in ratings:
        soak_log.faults.append(ratings)
    late = [charge for charge in soak_log.overcharges if charge > CHARGE_TOLERANCE_SECONDS + DELIVERY_SECONDS]
    soak_log.faults += [f"a move was charged {charge:.1f} s above its own time" for charge in late]
    for text in [site.log.read_text() for site in sites]:
        if "Traceback" in text:
            log(text[-3000:])
    longest_life = max(soak_log.process_sizes, key=len, default=[])
    if not several and len(longest_life) >= 24:
        early, last = longest_life[len(longest_life) // 6], longest_life[-1]
        soak_log.faults += [
            f"{what} grew from {before:.0f} to {after:.0f}"
            for what, before, after in zip(("memory", "threads", "files"), early[1:], last[1:], strict=True)
            if after > before * MAX_GROWTH
        ]


def print_report(soak_log: SoakLog) -> None:
    moves = sum(map(len, soak_log.accepted.values()))
    outages = ", ".join(f"{times} times {name}" for name, times in sorted(soak_log.outages.items()))
    unavailable = sum(until - since for since, until in soak_log.unavailable)
    print(f"{len(soak_log.accepted)} matches, {moves} answered moves; {outages}; {unavailable:.0f} s away")
    if soak_log.overcharges:
        print(
            f"charged above one's own time: {statistics.median(soak_log.overcharges):.2f} s median, "
            f"{max(soak_log.overcharges):.2f} s at most, of {len(soak_log.overcharges)} moves"
        )
    if longest_life := max(soak_log.process_sizes, key=len, default=[]):
        age, memory, threads, files = longest_life[-1]
        print(f"after {age:.0f} s: {memory:.0f} MB, {threads} threads, {files} open files")
    for fault in soak_log.faults[:50]:
        print("FAULT", fault)
    print(f"{len(soak_log.faults)} faults" if soak_log.faults else "no fault")


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--only", action="append", default=[], metavar="OUTAGE")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--services", action="store_true", help="use PostgreSQL and Redis instead of SQLite")
    options = parser.parse_args()
    if options.services and "REDIS_URL" not in os.environ:
        program = [sys.executable, str(ROOT / "bin" / "with-services"), sys.executable, "-m", "bench.soak"]
        os.execv(sys.executable, [*program, *sys.argv[1:]])
    random.seed(options.seed)
    soak_log = SoakLog()
    with tempfile.TemporaryDirectory(prefix="boneyard-soak-") as folder:
        names = ("DATABASE_URL", "REDIS_URL") if options.services else ()
        sites = []
        each = 1 if options.services else options.processes  # processes of a site
        for number in range(options.processes // each):
            env = {name: os.environ[name] for name in names}
            site = Site(Path(folder), PROCESSES=str(each), **env)
            site.log = Path(folder) / f"server-{number}.log"
            sites.append(site)
        with contextlib.ExitStack() as stack:
            for site in sites:
                site.start()
                stack.callback(lambda site=site: site.process and site.stop())
            asyncio.run(run(sites, options, soak_log))
            check_run(sites, soak_log, several=options.processes > 1)
    print_report(soak_log)
    return 1 if soak_log.faults else 0


if __name__ == "__main__":
    sys.exit(main())
