"""What a crowd costs: `python -m bench.crowd [SPECTATORS] [--lobby VIEWERS]`.

Two play, and SPECTATORS come to watch all at once. In ms: how long it took until a move was answered, and until the
opponent saw it; alone, and while the crowd comes and stays. Then VIEWERS look at the lobby while tables come and go:
the server's CPU time per change, and how long until the first and the last of them saw it.
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
from bench.load import Spent
from bench.tables import Figures
from bench.visitors import Visitor
from tests.server import Site

THINK = 0.3  # seconds
MOVES = 20
CHANGES = 10
BETWEEN = 3.0  # seconds between two changes of the lobby
SETTLING = 3.0  # seconds for those who come
VERSION = re.compile(r'data-version="(\d+)"')
TABLE = re.compile(r'id="open-(\w+)"')


class Seen:
    """The versions that a page was pushed, with the moment."""

    def __init__(self) -> None:
        self.at: dict[int, float] = {}
        self.bytes = 0

    async def look(self, visitor: Visitor, code: str) -> None:
        async with visitor.listen(f"/ws/games/{code}/") as socket:
            async for frame in socket:
                self.bytes += len(frame)
                for version in map(int, VERSION.findall(str(frame))):
                    self.at.setdefault(version, time.monotonic())


async def play(code: str, people: list[Visitor], seen: list[Seen], moves: int) -> None:
    """So many moves, and what they took."""
    answered, pushed = [], []
    for _ in range(moves):
        await asyncio.sleep(THINK)
        states = [(await person.get(f"/games/{code}/state.json")).json() for person in people]
        state = states[states[0]["turn"]]
        mover = state["turn"]
        began = time.monotonic()
        answer = await people[mover].post(
            f"/games/{code}/move", move=state["legal"][0], version=state["version"]
        )
        answered.append(time.monotonic() - began)
        assert answer.status == 200, answer.text
        if answer.json()["status"] == "finished":
            break
        while state["version"] + 1 not in seen[1 - mover].at:  # noqa: ASYNC110
            await asyncio.sleep(0.002)
        pushed.append(seen[1 - mover].at[state["version"] + 1] - began)
    for what, took in (("answered", answered), ("seen by the opponent", pushed)):
        print(f"  {what}: {statistics.median(took) * 1000:.0f} median, {max(took) * 1000:.0f} longest")


async def come(visitor: Visitor, code: str) -> None:
    await visitor.get(f"/games/{code}/")
    await Seen().look(visitor, code)


async def look_at_lobby(visitor: Visitor, seen: dict[str, list[float]]) -> None:
    """Note when each table that comes is first shown, by its code."""
    async with visitor.listen("/ws/lobby/") as socket:
        async for frame in socket:
            for code in set(TABLE.findall(str(frame))):
                seen[code].append(time.monotonic())


async def fill_lobby(url: str, viewers: int) -> None:
    seen: dict[str, list[float]] = defaultdict(list)
    hosts = [await tables.guest(url, Figures()) for _ in range(CHANGES)]
    async with asyncio.TaskGroup() as group:
        looking = [group.create_task(look_at_lobby(Visitor(url), seen)) for _ in range(viewers)]
        await asyncio.sleep(SETTLING + viewers / 100)
        before = await Spent.by([url])
        await asyncio.sleep(CHANGES * BETWEEN)
        idle = (await Spent.by([url])).cpu - before.cpu
        before = await Spent.by([url])
        took: list[tuple[float, float]] = []
        for host in hosts:
            began = time.monotonic()
            code = await tables.made(host, "all-fives", clock="1800+20")
            await asyncio.sleep(BETWEEN)
            assert len(seen[code]) == viewers, f"{viewers - len(seen[code])} viewers were not told"
            took.append((min(seen[code]) - began, max(seen[code]) - began))
        spent = (await Spent.by([url])).cpu - before.cpu
        for task in looking:
            task.cancel()
    print(f"the lobby, {viewers} viewers")
    print(
        f"  server, CPU-ms a change: {1000 * (spent - idle) / CHANGES:.0f} ({1000 * idle / CHANGES:.0f} without)"
    )
    first, last = (1000 * statistics.median(each) for each in zip(*took, strict=True))
    print(f"  seen after: {first:.0f} by the first, {last:.0f} by the last (medians)")


async def run(url: str, spectators: int) -> None:
    people = [await tables.guest(url, Figures()) for _ in range(2)]
    table = await tables.begun(people, "all-fives")
    seen = [Seen(), Seen()]
    async with asyncio.TaskGroup() as group:
        looking = [
            group.create_task(one.look(person, table.code)) for one, person in zip(seen, people, strict=True)
        ]
        await asyncio.sleep(1)
        print("alone")
        await play(table.code, people, seen, 6)
        crowd = [group.create_task(come(Visitor(url), table.code)) for _ in range(spectators)]
        before = seen[0].bytes
        print(f"while {spectators} come to watch")
        await play(table.code, people, seen, MOVES)
        print(f"  a player's page got {(seen[0].bytes - before) / 1024:.0f} KB")
        for task in (*crowd, *looking):
            task.cancel()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("spectators", nargs="?", type=int, default=200)
    parser.add_argument("--lobby", type=int, default=1000, metavar="VIEWERS")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
        site = Site(Path(folder))
        site.start()
        try:
            asyncio.run(run(site.url, chosen.spectators))
            asyncio.run(fill_lobby(site.url, chosen.lobby))
        finally:
            site.stop()


if __name__ == "__main__":
    main()
