"""Count what a move over its socket takes: calls of Python functions by package, statements, and bytes of its frames.

Matches of two people are played in this process over the site's consumers, channel layer and database thread, with the
pages of both open. Left out are Daphne, the referee and the standard library, whose calls depend on the version of
Python and on the timing of threads. The counts are the same each time and on every machine: deals and moves come from
seeds, no time passes, and comprehensions, which Python 3.12 inlines, do not count.

`python -m bench.calls 40` also lists the 40 functions that are called most.
"""

import asyncio
import gc
import json
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from types import FrameType
from typing import Any

from bench import own_site

own_site.set_up(LIMITS="off", PROCESSES="1")

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from accounts.models import User  # noqa: E402
from games.consumers import MatchConsumer  # noqa: E402
from games.models import Match  # noqa: E402
from games.time import outages  # noqa: E402
from live.database_thread import run_in_database_thread  # noqa: E402
from tests import migrated_database  # noqa: E402
from tests.games.playing import begin, legal, on_turn  # noqa: E402
from tests.socket_client import create_session  # noqa: E402
from tests.statements import is_transaction_control  # noqa: E402
from tests.times import standing_clocks  # noqa: E402

PRESETS = ("all-fives", "draw", "gomuggins")  # a table of each
WARM_UP_MOVES, COUNTED_MOVES = 10, 20  # at each table
MOVES = COUNTED_MOVES * len(PRESETS)
TIMEOUT_SECONDS = 120
OWN_MODULES = frozenset({"__main__", "bench", "tests", "time_machine"})  # this program and its helpers
COMPREHENSIONS = frozenset({"<listcomp>", "<dictcomp>", "<setcomp>"})


class Counts:
    """What is counted while `is_counting`: statements, bytes, and calls by module and function in later threads."""

    def __init__(self) -> None:
        self.is_counting = False
        self.calls: Counter[tuple[str, str]] = Counter()
        self.statements = 0
        self.bytes: Counter[str] = Counter()
        threading.setprofile(self._on_event)
        sys.setprofile(self._on_event)

    def _on_event(self, frame: FrameType, event: str, argument: Any) -> None:
        if self.is_counting and event == "call" and frame.f_code.co_name not in COMPREHENSIONS:
            self.calls[frame.f_globals.get("__name__", ""), frame.f_code.co_qualname] += 1

    def trace_statements(self) -> None:
        """Let SQLite report the statements of this thread's connection; Django's log of them would take calls."""
        connection.ensure_connection()
        connection.connection.set_trace_callback(self._on_statement)

    def _on_statement(self, sql: str) -> None:
        if self.is_counting and not is_transaction_control(sql):
            self.statements += 1

    def add_frame(self, receiver: str, frame: str) -> None:
        if self.is_counting:
            self.bytes[receiver] += len(frame.encode())

    def summarize(self) -> dict[str, float]:
        """Return the counts a move by their units."""
        calls: Counter[str] = Counter()
        for (module, _function), number in self._calls_of_site():
            calls[module.partition(".")[0]] += number
        counts = {f"calls in {package}": number for package, number in calls.most_common()}
        counts["statements"] = self.statements
        counts |= {f"bytes to {receiver}": number for receiver, number in self.bytes.items()}
        return {unit: number / MOVES for unit, number in counts.items()}

    def list_functions(self, limit: int) -> dict[str, float]:
        """Return the calls a move of the functions that are called most."""
        calls = sorted(self._calls_of_site(), key=lambda entry: -entry[1])[:limit]
        return {f"{module}.{function}": number / MOVES for (module, function), number in calls}

    def _calls_of_site(self) -> Iterator[tuple[tuple[str, str], int]]:
        for (module, function), number in self.calls.items():
            package = module.partition(".")[0]
            # The constructors of named tuples have a module of their own.
            if package not in sys.stdlib_module_names | OWN_MODULES and not package.startswith("namedtuple_"):
                yield (module, function), number


class Page:
    """A player's open page: the browser's end of its socket."""

    def __init__(self, match: Match, user: User) -> None:
        self._to_server: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._from_server: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._scope = {
            "type": "websocket",
            "path": f"/ws/games/{match.code}/",
            "query_string": b"",
            "headers": [],
            "cookies": {},
            "user": user,
            "session": create_session(user),
            "url_route": {"kwargs": {"code": match.code}},
        }

    async def open(self) -> None:
        """Connect, and wait for the first frame."""
        socket = MatchConsumer.as_asgi()
        self._task = asyncio.create_task(socket(self._scope, self._to_server.get, self._from_server.put))
        self._to_server.put_nowait({"type": "websocket.connect"})
        self.send("shape wide")
        await self.receive_version(0)

    def send(self, text: str) -> None:
        self._to_server.put_nowait({"type": "websocket.receive", "text": text})

    async def receive_version(self, version: int) -> str:
        """Return the next frame with this version of the match."""
        while True:
            frame: str = (await self._from_server.get()).get("text", "")
            if f'data-version="{version}"' in frame:
                return frame


def prepare_database() -> None:
    migrated_database.copy_to(own_site.FOLDER / "boneyard.sqlite3")
    call_command("setup", verbosity=0)


def start_match(preset: str) -> tuple[Match, list[Page]]:
    people = [User.objects.create_user(f"{preset}-{number}") for number in range(2)]
    match = begin(*people, preset=preset)
    return match, [Page(match, person) for person in people]


def choose_move(match: Match, rng: random.Random) -> tuple[int, str]:
    """Return the seat on turn and one of its moves; refresh `match`."""
    seat = on_turn(match)
    return seat.position, rng.choice(legal(match))


async def play_move(match: Match, pages: list[Page], seat: int, move: str, counts: Counts) -> None:
    """Send a move from a page and wait until both have it, and nothing is left to do for it."""
    pages[seat].send(json.dumps({"move": move, "version": match.version}))
    for page in pages:
        frame = await page.receive_version(match.version + 1)
        counts.add_frame("the mover" if page is pages[seat] else "the other", frame)
    await run_in_database_thread(int)  # what the move has left to do there comes first


async def count_moves() -> Counts:
    """Play `COUNTED_MOVES` moves at each table; return what they take."""
    counts, rng = Counts(), random.Random(5)  # noqa: S311
    await run_in_database_thread(prepare_database)
    asyncio.get_running_loop().time = time.perf_counter  # type: ignore[method-assign]
    with standing_clocks():
        await run_in_database_thread(outages.record_beat)
        await run_in_database_thread(counts.trace_statements)
        tables = [await run_in_database_thread(start_match, preset) for preset in PRESETS]
        for _match, pages in tables:
            for page in pages:
                await page.open()
        gc.disable()  # finalizers would run at times that depend on all before
        for number in range(WARM_UP_MOVES + COUNTED_MOVES):
            for match, pages in tables:
                seat, move = await run_in_database_thread(choose_move, match, rng)
                counts.is_counting = number >= WARM_UP_MOVES
                await play_move(match, pages, seat, move, counts)
                counts.is_counting = False
    return counts


def main() -> None:
    counts = asyncio.run(asyncio.wait_for(count_moves(), TIMEOUT_SECONDS))
    limit = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    for unit, number in (counts.summarize() | counts.list_functions(limit)).items():
        print(f"{number:10,.1f} {unit}")


if __name__ == "__main__":
    main()
