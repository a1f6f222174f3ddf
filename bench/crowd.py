"""Measure the cost of many spectators: `python -m bench.crowd [SPECTATORS] [--within SECONDS] [--lobby VIEWERS]`.

Two play; first alone, then while SPECTATORS arrive all at once, or evenly within SECONDS by way of the lobby. Prints
the ms until a move is answered and until the opponent receives it. Then VIEWERS have the lobby open while tables are
created: prints the server's CPU time per change, and the ms until the first and the last viewer receives it.
"""

import argparse
import asyncio
import re
import statistics
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from bench import tables
from bench.load import ServerUsage
from bench.tables import Measurements
from bench.visitors import Visitor
from tests.server import Site

THINK_SECONDS = 0.3
CROWD_MOVES = 20
LOBBY_CHANGES = 10
LOBBY_CHANGE_INTERVAL_SECONDS = 3.0
SETTLING_SECONDS = 3.0
VERSION = re.compile(r'data-version="(\d+)"')
TABLE = re.compile(r'id="open-(\w+)"')


class PushLog:
    """The versions that a page received, with their times."""

    def __init__(self) -> None:
        self.at: dict[int, float] = {}
        self.bytes = 0

    async def listen(self, visitor: Visitor, code: str) -> None:
        async with visitor.listen(f"/ws/games/{code}/") as socket:
            async for frame in socket:
                self.bytes += len(frame)
                for version in map(int, VERSION.findall(str(frame))):
                    self.at.setdefault(version, time.monotonic())


async def play(code: str, people: list[Visitor], logs: list[PushLog], move_count: int) -> None:
    """Play a number of moves and print their times."""
    answer_times, seen_times = [], []
    for _ in range(move_count):
        await asyncio.sleep(THINK_SECONDS)
        states = [(await person.get(f"/games/{code}/state.json")).json() for person in people]
        state = states[states[0]["turn"]]
        turn = state["turn"]
        start = time.monotonic()
        answer = await people[turn].post(
            f"/games/{code}/move", move=state["legal"][0], version=state["version"]
        )
        answer_times.append(time.monotonic() - start)
        assert answer.status == 200, answer.text
        if answer.json()["status"] == "finished":
            break
        while state["version"] + 1 not in logs[1 - turn].at:  # noqa: ASYNC110
            await asyncio.sleep(0.002)
        seen_times.append(logs[1 - turn].at[state["version"] + 1] - start)
    for what, times in (("answered", answer_times), ("seen by the opponent", seen_times)):
        print(f"  {what}: {statistics.median(times) * 1000:.0f} median, {max(times) * 1000:.0f} longest")


async def open_page(visitor: Visitor, code: str, delay: float = 0.0) -> None:
    await asyncio.sleep(delay)
    if delay:
        await visitor.get("/")
    await visitor.get(f"/games/{code}/")
    await PushLog().listen(visitor, code)


async def watch_lobby(visitor: Visitor, logs: dict[str, list[float]]) -> None:
    """Record when each new table is first received, by its code."""
    async with visitor.listen("/ws/lobby/") as socket:
        async for frame in socket:
            for code in set(TABLE.findall(str(frame))):
                logs[code].append(time.monotonic())


async def measure_lobby(site: Site, viewers: int) -> None:
    logs: dict[str, list[float]] = defaultdict(list)
    hosts = [await tables.log_in_guest(site.url, Measurements()) for _ in range(LOBBY_CHANGES)]
    async with asyncio.TaskGroup() as group:
        listeners = [group.create_task(watch_lobby(Visitor(site.url), logs)) for _ in range(viewers)]
        await asyncio.sleep(SETTLING_SECONDS + viewers / 100)
        before = await ServerUsage.read([site])
        await asyncio.sleep(LOBBY_CHANGES * LOBBY_CHANGE_INTERVAL_SECONDS)
        idle = (await ServerUsage.read([site])).cpu - before.cpu
        before = await ServerUsage.read([site])
        times: list[tuple[float, float]] = []
        for host in hosts:
            start = time.monotonic()
            code = await tables.create_table(host, "all-fives", clock="1800+20")
            await asyncio.sleep(LOBBY_CHANGE_INTERVAL_SECONDS)
            assert len(logs[code]) == viewers, f"{viewers - len(logs[code])} viewers missed it"
            times.append((min(logs[code]) - start, max(logs[code]) - start))
        cpu = (await ServerUsage.read([site])).cpu - before.cpu
        for task in listeners:
            task.cancel()
    print(f"the lobby, {viewers} viewers")
    print(
        f"  server, CPU-ms a change: {1000 * (cpu - idle) / LOBBY_CHANGES:.0f}"
        f" ({1000 * idle / LOBBY_CHANGES:.0f} without)"
    )
    first, last = (1000 * statistics.median(each) for each in zip(*times, strict=True))
    print(f"  seen after: {first:.0f} by the first, {last:.0f} by the last (medians)")


async def measure_table(url: str, spectators: int, within: float) -> None:
    people = [await tables.log_in_guest(url, Measurements()) for _ in range(2)]
    table = await tables.start_match(people, "all-fives")
    logs = [PushLog(), PushLog()]
    async with asyncio.TaskGroup() as group:
        listeners = [
            group.create_task(one.listen(person, table.code))
            for one, person in zip(logs, people, strict=True)
        ]
        await asyncio.sleep(1)
        print("alone")
        await play(table.code, people, logs, 6)
        crowd = [
            group.create_task(open_page(Visitor(url), table.code, within * number / spectators))
            for number in range(spectators)
        ]
        before = logs[0].bytes
        print(f"while {spectators} come to watch")
        await play(table.code, people, logs, max(CROWD_MOVES, int(within / THINK_SECONDS)))
        print(f"  a player's page got {(logs[0].bytes - before) / 1024:.0f} KB")
        for task in (*crowd, *listeners):
            task.cancel()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("spectators", nargs="?", type=int, default=200)
    parser.add_argument(
        "--within", type=float, default=0.0, metavar="SECONDS", help="they arrive (0: at once)"
    )
    parser.add_argument("--lobby", type=int, default=1000, metavar="VIEWERS")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
        site = Site(Path(folder))
        site.start()
        try:
            asyncio.run(measure_table(site.url, options.spectators, options.within))
            asyncio.run(measure_lobby(site, options.lobby))
        finally:
            site.stop()


if __name__ == "__main__":
    main()
