"""What a crowd costs a match: two play, and so many come to watch at once: `python -m bench.crowd [SPECTATORS]`.

In ms: how long a move took to be answered, and to be seen by the opponent; alone, and while the crowd comes and stays.
"""

import argparse
import asyncio
import re
import statistics
import tempfile
import time
from pathlib import Path

from bench import tables
from bench.tables import Figures
from bench.visitors import Visitor
from tests.server import Site

THINK = 0.3  # seconds
MOVES = 20
VERSION = re.compile(r'data-version="(\d+)"')


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
    spectators = parser.parse_args().spectators
    with tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
        site = Site(Path(folder))
        site.start()
        try:
            asyncio.run(run(site.url, spectators))
        finally:
            site.stop()


if __name__ == "__main__":
    main()
