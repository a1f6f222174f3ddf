"""Simulated players and spectators over HTTP and WebSockets: two guests per table, with open sockets.

Legal moves are read from the pushes, as in a browser; moves are sent over the socket or by POST. A push that does not
arrive in time is lost. Every move is stored, to be compared with the record of the match.
"""

import asyncio
import json
import math
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from html import unescape
from typing import Any
from zlib import crc32

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException
from websockets.frames import Frame

from bench.visitors import Answer, Visitor
from boneyard.engine.shuffle import commitment_to

PUSH_TIMEOUT_SECONDS = 20.0  # pages poll after this time
MEAN_STAY_SECONDS = 6.0  # of a spectator at a table
DUPLICATE_EVERY = 20  # one move in this many is sent twice at once

VERSION = re.compile(r'id="(?:sync|patches)"[^>]*? data-version="(\d+)"')
LEGAL = re.compile(r'data-legal(?:=|":)"([^"]*)"')
CHECKSUMS = re.compile(r'^<\w+ id="(?:sync|patches)"[^>]*? data-checksum="(\w+)"(?: data-base="(\w+)")?')
TURN = re.compile(r'data-turn(?:=|":)"(\w*)"')

ANSWER, OPPONENT, SPECTATOR = "answer to a move", "move seen by the opponent", "move seen by a spectator"
SOCKET, HTML, JSON = "socket", "text/html", "application/json"  # how a move is sent and answered
TABLE_PAGE, LOBBY = "page of a table", "page of the lobby"


class SetupError(Exception):
    """The site refused a request that play needs."""


class Measurements:
    """Times in milliseconds by label, faults by kind, and counts. Only faults are recorded unless `measuring`.

    until         end of play, as time.perf_counter()
    open_pages    pages whose sockets have received a frame
    label_suffix  appended to the labels of times, to separate phases of the run
    """

    def __init__(self) -> None:
        self.measuring = False
        self.until = math.inf
        self.open_pages = 0
        self.label_suffix = ""
        self.times: dict[str, list[float]] = defaultdict(list)
        self.frames: list[int] = []  # sizes of frames with patches, in bytes
        self.full_frames: list[int] = []  # sizes of frames with everything, in bytes
        self.wire: list[
            int
        ] = []  # sizes of the same frames with patches as they were sent, compressed or not
        self.moves = 0
        self.faults: Counter[str] = Counter()

    @property
    def is_over(self) -> bool:
        return time.perf_counter() > self.until

    def record_time(self, what: str, since: float) -> None:
        if self.measuring:
            self.times[what + self.label_suffix].append(1000 * (time.perf_counter() - since))

    async def load_page(self, what: str, visitor: Visitor, path: str) -> str:
        began = time.perf_counter()
        answer = await visitor.get(path)
        self.record_time(what, began)
        if answer.status != 200:
            self.faults[f"{what}: {answer.status}"] += 1
        return answer.text


@dataclass
class Table:
    """One match. `sent` has time and page of each move by version, `moves` the accepted moves by version.

    `url` is the process that serves all its pages; "" for any process.
    """

    code: str
    url: str = ""
    sent: dict[int, "tuple[float, Page]"] = field(default_factory=dict)
    moves: dict[int, str] = field(default_factory=dict)
    is_over: bool = False

    @property
    def path(self) -> str:
        return f"/games/{self.code}/"

    @property
    def version(self) -> int:
        return max(self.moves, default=0)


class Page:
    """A page of a match: the version that it shows and the legal moves of its viewer."""

    def __init__(self, table: Table, visitor: Visitor, measurements: Measurements, role: str) -> None:
        self.table, self.visitor, self.measurements, self.role = table, visitor, measurements, role
        self.version = self.pushed_version = -1  # displayed, and received by the socket
        self.legal: list[str] = []
        self.refusals = 0
        self.socket: ClientConnection | None = None
        self._checksum = ""
        self._push_event = asyncio.Event()

    @asynccontextmanager
    async def opened(self) -> AsyncIterator["Page"]:
        """Load the page and keep its socket open until all moves have arrived."""
        if self.table.url:
            await self.visitor.switch_to(self.table.url)
        self.apply_html(await self.measurements.load_page(TABLE_PAGE, self.visitor, self.table.path))
        listening = asyncio.create_task(self._listen())
        try:
            yield self
            while self.pushed_version < self.table.version:
                await self.wait_for_push()
        finally:
            listening.cancel()

    def apply_html(self, html: str) -> int:
        """Read a page or frame unless it is older than the displayed version; return its version.

        Frames without legal moves leave them unchanged.
        """
        version, legal, turn = VERSION.search(html), LEGAL.search(html), TURN.search(html)
        if version is None or turn is None:
            self.measurements.faults["fragments without version or turn"] += 1
            return self.version
        moves = self.legal if legal is None else unescape(legal[1]).split()
        self.update(int(version[1]), moves, is_over=not turn[1])
        return int(version[1])

    def update(self, version: int, legal: list[str], *, is_over: bool) -> None:
        if version >= self.version:
            self.version, self.legal = version, legal
            self.table.is_over |= is_over

    async def wait_for_push(self) -> None:
        """Wait for the next push. After the timeout count an outstanding one as lost, and reload the page."""
        expected = self.table.version
        self._push_event.clear()
        try:
            await asyncio.wait_for(self._push_event.wait(), PUSH_TIMEOUT_SECONDS)
        except TimeoutError:
            if self.pushed_version < expected:
                self.measurements.faults["push lost"] += 1
                self.pushed_version = self.apply_html(
                    await self.measurements.load_page(TABLE_PAGE, self.visitor, self.table.path)
                )

    async def _listen(self) -> None:
        try:
            async with self.visitor.listen(f"/ws{self.table.path}") as socket:
                await socket.send("shape wide")
                self.socket = socket
                self._watch_wire(socket)
                async for frame in socket:
                    self._on_frame(str(frame))
            self.measurements.faults[f"socket closed with {socket.close_code}"] += 1
        except (OSError, WebSocketException) as error:
            self.measurements.faults[f"socket: {error}"] += 1

    def _watch_wire(self, socket: ClientConnection) -> None:
        """Record the sizes of frames before they are inflated."""
        for extension in socket.protocol.extensions:
            extension.decode = partial(self._inflate, extension.decode)  # type: ignore[method-assign]

    def _inflate(self, decode: Callable[..., Frame], frame: Frame, **options: Any) -> Frame:
        inflated = decode(frame, **options)
        if self.measurements.measuring and bytes(inflated.data).startswith(b'<i id="patches"'):
            self.measurements.wire.append(len(frame.data))
        return inflated

    def _on_frame(self, frame: str) -> None:
        if frame.startswith('<p id="refusal"'):
            self.refusals += 1
            self._push_event.set()
            return
        checksums = CHECKSUMS.match(frame)
        if checksums is None:  # the number of spectators
            return
        if checksums[2] and checksums[2] != self._checksum:
            self.measurements.faults["a frame based on another than the last"] += 1
        self._checksum = checksums[1]
        before, self.pushed_version = self.pushed_version, max(self.pushed_version, self.apply_html(frame))
        if before < 0:  # the first frame has the present state, no move
            self.measurements.open_pages += 1
        else:
            for version in range(before + 1, self.pushed_version + 1):
                sent, mover = self.table.sent.get(version, (0.0, None))
                if mover is None:
                    self.measurements.faults["push of a move that nobody sent"] += 1
                elif mover is not self:
                    self.measurements.record_time(self.role, sent)
        if self.measurements.measuring:
            (self.measurements.frames if checksums[2] else self.measurements.full_frames).append(
                len(frame.encode())
            )
        self._push_event.set()


class PlayerPage(Page):
    """The page of a player who waits and then plays a random legal move."""

    def __init__(
        self, table: Table, visitor: Visitor, measurements: Measurements, *, think: float, accept: str
    ) -> None:
        super().__init__(table, visitor, measurements, OPPONENT)
        self.think, self.accept = think, accept

    async def play(self, *, resigns: bool) -> None:
        """Play until the match is over. At the end of the run one of the two resigns, and the other stops moving."""
        while not self.table.is_over:
            if self.measurements.is_over:
                # Wait for a pending move: if two moves cross, it is unknown which one was accepted.
                is_pending = self.version + 1 in self.table.sent
                await (self.move("resign") if resigns and not is_pending else self.wait_for_push())
            elif self.legal:
                await asyncio.sleep(random.uniform(0.5, 1.5) * self.think)
                if self.legal and not self.measurements.is_over:  # the other may have resigned
                    await self.move(random.choice(self.legal))
            else:
                await self.wait_for_push()

    async def move(self, move: str) -> None:
        """Send a move, sometimes twice at once; it must be accepted once."""
        seen, number = self.version, self.version + 1
        times = 2 if random.randrange(DUPLICATE_EVERY) == 0 else 1
        began = time.perf_counter()
        self.table.sent[number] = began, self
        if self.accept == SOCKET and self.socket is not None:
            await self._move_by_socket(self.socket, move, seen, times, began)
            return
        answers = await asyncio.gather(*(self._send(move, seen) for _ in range(times)))
        if times == 1:
            self.measurements.record_time(ANSWER, began)
        accepted = [answer for answer in answers if answer.status == 200]
        if len(accepted) == 1 and all(answer.status in (200, 409) for answer in answers):
            self.table.moves[number] = move
            self.measurements.moves += self.measurements.measuring
            self._take_answer(accepted[0])
        else:
            await self._fail(answers)

    async def _move_by_socket(
        self, socket: ClientConnection, move: str, seen: int, times: int, began: float
    ) -> None:
        """Send a move by the socket; the answer is a push. A duplicate has none."""
        refusals = self.refusals
        for _ in range(times):
            await socket.send(json.dumps({"move": move, "version": seen}))
        while self.pushed_version <= seen and self.refusals == refusals:
            await self.wait_for_push()
        if times == 1:
            self.measurements.record_time(ANSWER, began)
        if self.refusals == refusals:
            self.table.moves[seen + 1] = move
            self.measurements.moves += self.measurements.measuring
        else:
            self.measurements.faults["a move refused"] += 1

    async def _send(self, move: str, version: int) -> Answer:
        accept = HTML if self.accept == SOCKET else self.accept  # until the socket is open
        return await self.visitor.post(f"{self.table.path}move", accept, move=move, version=version)

    def _take_answer(self, answer: Answer) -> None:
        if self.accept != JSON:
            self.apply_html(answer.text)
            return
        state = answer.json()
        self.update(state["version"], state["legal"], is_over=state["status"] == "finished")

    async def _fail(self, answers: list[Answer]) -> None:
        statuses = [answer.status for answer in answers]
        self.measurements.faults[f"a move answered {statuses}: {answers[0].text[:100]}"] += 1
        await asyncio.sleep(0.1)
        self.apply_html(await self.measurements.load_page(TABLE_PAGE, self.visitor, self.table.path))


async def log_in_guest(url: str, measurements: Measurements) -> Visitor:
    """Open the lobby and log in as a guest."""
    visitor = Visitor(url)
    await measurements.load_page(LOBBY, visitor, "/")
    answer = await visitor.post("/accounts/guest/", next="/")
    if answer.status not in (302, 303):
        raise SetupError(f"a guest was not let in: {answer.status} {answer.text[:200]}")
    return visitor


async def create_table(host: Visitor, preset: str, **fields: str | int) -> str:
    """Create a table for two and return its code."""
    return (await _post_json(host, "/tables/new", preset=preset, seats=2, **fields))["table"]


async def start_match(pair: Sequence[Visitor], preset: str, urls: Sequence[str] = ()) -> Table:
    """Start a match of two visitors, from creating a table to the second nonce.

    With several processes the code decides which one serves the match, as the proxy of docs/deploy.md does.
    """
    host, other = pair
    code = await create_table(host, preset, clock="none", private="on")
    table = Table(code, urls[crc32(code.encode()) % len(urls)] if urls else "")
    if table.url:
        for visitor in pair:
            await visitor.switch_to(table.url)
    await _post_json(other, f"/tables/{code}/sit", seat=1)
    nonces = {visitor: f"{random.getrandbits(64):x}" for visitor in pair}
    for visitor, nonce in nonces.items():
        await _post_json(visitor, f"/tables/{code}/commit", commitment=commitment_to(nonce))
    for visitor, nonce in nonces.items():
        await _post_json(visitor, f"/tables/{code}/nonce", nonce=nonce)
    return table


async def _post_json(visitor: Visitor, path: str, **fields: str | int) -> dict[str, str]:
    answer = await visitor.post(path, "application/json", **fields)
    if answer.status != 200:
        raise SetupError(f"{path} answered {answer.status}: {answer.text[:200]}")
    return answer.json()


async def play_match(players: Sequence[PlayerPage], spectators: Sequence[Page] = ()) -> None:
    """Play a whole match with the pages of players and spectators open."""
    async with AsyncExitStack() as pages:
        for page in (*players, *spectators):
            await pages.enter_async_context(page.opened())
        async with asyncio.TaskGroup() as tables:
            for player in players:
                tables.create_task(player.play(resigns=player is players[0]))


async def hold_idle_socket(visitor: Visitor, table: Table, slots: asyncio.Semaphore) -> None:
    """Open a socket and only receive; release `slots` after the first frame."""
    async with visitor.listen(f"/ws{table.path}") as socket:
        await socket.recv()
        slots.release()
        async for _frame in socket:
            pass


async def watch_tables(visitor: Visitor, tables: Sequence[Table], measurements: Measurements) -> None:
    """Visit one table after the other, by way of the lobby, for some seconds each."""
    while not measurements.is_over:
        await measurements.load_page(LOBBY, visitor, "/")
        if open_tables := [table for table in tables if not table.is_over]:
            page = Page(random.choice(open_tables), visitor, measurements, SPECTATOR)
            async with page.opened():
                await asyncio.sleep(
                    min(
                        MEAN_STAY_SECONDS * random.uniform(0.5, 1.5), measurements.until - time.perf_counter()
                    )
                )
        else:
            await asyncio.sleep(0.1)
