"""Tables of two played over the site's own addresses: two guests with open sockets each, and spectators.

What is legal comes from the pushes, as on a page; moves go over the page's socket, or by POST. A push that does not
come within `PATIENCE` is lost. Every move is remembered, to be compared with the match's record.
"""

import asyncio
import json
import math
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from html import unescape
from zlib import crc32

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException

from bench.visitors import Answer, Visitor

PATIENCE = 20.0  # seconds for a push; then a page asks by itself
STAY = 6.0  # seconds that a spectator stays at a table
TWICE = 20  # one move in this many is sent twice in the same instant

VERSION = re.compile(r'id="(?:sync|changed)"[^>]*? data-version="(\d+)"')
LEGAL = re.compile(r'data-legal(?:=|":)"([^"]*)"')
FOLLOWS = re.compile(r'^<\w+ id="(?:sync|changed)"[^>]*? data-stamp="(\w+)"(?: data-after="(\w+)")?')
TURN = re.compile(r'data-turn(?:=|":)"(\w*)"')

ANSWER, OPPONENT, SPECTATOR = "answer to a move", "move seen by the opponent", "move seen by a spectator"
SOCKET, HTML, JSON = "socket", "text/html", "application/json"  # how a move is sent and answered
TABLE_PAGE, LOBBY = "page of a table", "page of the lobby"


class Unplayable(Exception):
    """The site did not let anybody play, and what it said."""


class Figures:
    """Milliseconds by what took them, faults by kind, and counts; all but the faults only while `measuring`.

    `until` is when play ends (time.perf_counter); `showing` counts the pages whose sockets have shown something;
    `beside` is what else the server is doing, by which times are kept apart.
    """

    def __init__(self) -> None:
        self.measuring = False
        self.until = math.inf
        self.showing = 0
        self.beside = ""
        self.times: dict[str, list[float]] = defaultdict(list)
        self.frames: list[int] = []  # bytes of those that tell what has changed
        self.wholes: list[int] = []  # bytes of those that hold everything, as the first one does
        self.moves = 0
        self.faults: Counter[str] = Counter()

    @property
    def over(self) -> bool:
        return time.perf_counter() > self.until

    def took(self, what: str, since: float) -> None:
        if self.measuring:
            self.times[what + self.beside].append(1000 * (time.perf_counter() - since))

    async def page(self, what: str, visitor: Visitor, path: str) -> str:
        began = time.perf_counter()
        answer = await visitor.get(path)
        self.took(what, began)
        if answer.status != 200:
            self.faults[f"{what}: {answer.status}"] += 1
        return answer.text


@dataclass
class Table:
    """One match, by the version that each move makes: when and from where it was sent, and what was made.

    `url` is the process that has all its pages, where there is one.
    """

    code: str
    url: str = ""
    sent: dict[int, "tuple[float, Page]"] = field(default_factory=dict)
    made: dict[int, str] = field(default_factory=dict)
    over: bool = False

    @property
    def path(self) -> str:
        return f"/games/{self.code}/"

    @property
    def version(self) -> int:
        return max(self.made, default=0)


class Page:
    """A match's page before somebody: the version it shows and their legal moves."""

    def __init__(self, table: Table, visitor: Visitor, figures: Figures, role: str) -> None:
        self.table, self.visitor, self.figures, self.role = table, visitor, figures, role
        self.version = self.pushed = -1  # shown, and brought by the socket
        self.legal: list[str] = []
        self.refusals = 0
        self.socket: ClientConnection | None = None
        self._stamp = ""
        self._news = asyncio.Event()

    @asynccontextmanager
    async def opened(self) -> AsyncIterator["Page"]:
        """Loaded, with its socket open until all moves were seen."""
        if self.table.url:
            await self.visitor.move_to(self.table.url)
        self.show(await self.figures.page(TABLE_PAGE, self.visitor, self.table.path))
        listening = asyncio.create_task(self._listen())
        try:
            yield self
            while self.pushed < self.table.version:
                await self.wait()
        finally:
            listening.cancel()

    def show(self, html: str) -> int:
        """Take in what a page or its parts tell, unless they are older than what is shown; their version. Moves that
        are not told are the same as before."""
        version, legal, turn = VERSION.search(html), LEGAL.search(html), TURN.search(html)
        if version is None or turn is None:
            self.figures.faults["parts without version or turn"] += 1
            return self.version
        moves = self.legal if legal is None else unescape(legal[1]).split()
        self.take(int(version[1]), moves, over=not turn[1])
        return int(version[1])

    def take(self, version: int, legal: list[str], *, over: bool) -> None:
        if version >= self.version:
            self.version, self.legal = version, legal
            self.table.over |= over

    async def wait(self) -> None:
        """For the next push. If what is owed does not come, it is lost, and the page is loaded again."""
        owed = self.table.version
        self._news.clear()
        try:
            await asyncio.wait_for(self._news.wait(), PATIENCE)
        except TimeoutError:
            if self.pushed < owed:
                self.figures.faults["push lost"] += 1
                self.pushed = self.show(await self.figures.page(TABLE_PAGE, self.visitor, self.table.path))

    async def _listen(self) -> None:
        try:
            async with self.visitor.listen(f"/ws{self.table.path}") as socket:
                await socket.send("shape wide")
                self.socket = socket
                async for frame in socket:
                    self._hear(str(frame))
            self.figures.faults[f"socket closed with {socket.close_code}"] += 1
        except (OSError, WebSocketException) as error:
            self.figures.faults[f"socket: {error}"] += 1

    def _hear(self, frame: str) -> None:
        if frame.startswith('<p id="refusal"'):
            self.refusals += 1
            self._news.set()
            return
        follows = FOLLOWS.match(frame)
        if follows is None:  # how many are watching
            return
        if follows[2] and follows[2] != self._stamp:
            self.figures.faults["a frame that follows another than the last"] += 1
        self._stamp = follows[1]
        before, self.pushed = self.pushed, max(self.pushed, self.show(frame))
        if before < 0:  # the first frame tells how things stand, not what happened
            self.figures.showing += 1
        else:
            for version in range(before + 1, self.pushed + 1):
                sent, mover = self.table.sent.get(version, (0.0, None))
                if mover is None:
                    self.figures.faults["push of a move that nobody sent"] += 1
                elif mover is not self:
                    self.figures.took(self.role, sent)
        if self.figures.measuring:
            (self.figures.frames if follows[2] else self.figures.wholes).append(len(frame.encode()))
        self._news.set()


class Hand(Page):
    """The page of a player, who thinks for some seconds and plays any legal move."""

    def __init__(
        self, table: Table, visitor: Visitor, figures: Figures, *, think: float, accept: str
    ) -> None:
        super().__init__(table, visitor, figures, OPPONENT)
        self.think, self.accept = think, accept

    async def play(self, *, resigns: bool) -> None:
        """Until the match is over. When play ends one of the two resigns, and the other moves no more."""
        while not self.table.over:
            if self.figures.over:
                # A move that is under way is waited for: of two that cross nobody could tell which was made.
                under_way = self.version + 1 in self.table.sent
                await (self.move("resign") if resigns and not under_way else self.wait())
            elif self.legal:
                await asyncio.sleep(random.uniform(0.5, 1.5) * self.think)
                if self.legal and not self.figures.over:  # the other may have resigned
                    await self.move(random.choice(self.legal))
            else:
                await self.wait()

    async def move(self, move: str) -> None:
        """Send a move, sometimes twice in the same instant: it must be made once."""
        seen, number = self.version, self.version + 1
        times = 2 if random.randrange(TWICE) == 0 else 1
        began = time.perf_counter()
        self.table.sent[number] = began, self
        if self.accept == SOCKET and self.socket is not None:
            await self._move_by_socket(self.socket, move, seen, times, began)
            return
        answers = await asyncio.gather(*(self._send(move, seen) for _ in range(times)))
        if times == 1:
            self.figures.took(ANSWER, began)
        made = [answer for answer in answers if answer.status == 200]
        if len(made) == 1 and all(answer.status in (200, 409) for answer in answers):
            self.table.made[number] = move
            self.figures.moves += self.figures.measuring
            self._take_answer(made[0])
        else:
            await self._fail(answers)

    async def _move_by_socket(
        self, socket: ClientConnection, move: str, seen: int, times: int, began: float
    ) -> None:
        """The answer to a move is the push of what it has made, to one too many a refusal."""
        refusals = self.refusals
        for _ in range(times):
            await socket.send(json.dumps({"move": move, "version": seen}))
        # All answers are waited for: a late refusal would be taken for that of the next move.
        while (self.pushed > seen) + self.refusals - refusals < times:
            await self.wait()
        if times == 1:
            self.figures.took(ANSWER, began)
        if self.refusals < refusals + times:
            self.table.made[seen + 1] = move
            self.figures.moves += self.figures.measuring
        else:
            self.figures.faults["a move refused"] += 1

    async def _send(self, move: str, version: int) -> Answer:
        accept = HTML if self.accept == SOCKET else self.accept  # while the socket is not open
        return await self.visitor.post(f"{self.table.path}move", accept, move=move, version=version)

    def _take_answer(self, answer: Answer) -> None:
        if self.accept != JSON:
            self.show(answer.text)
            return
        state = answer.json()
        self.take(state["version"], state["legal"], over=state["status"] == "finished")

    async def _fail(self, answers: list[Answer]) -> None:
        statuses = [answer.status for answer in answers]
        self.figures.faults[f"a move answered {statuses}: {answers[0].text[:100]}"] += 1
        await asyncio.sleep(0.1)
        self.show(await self.figures.page(TABLE_PAGE, self.visitor, self.table.path))


async def guest(url: str, figures: Figures) -> Visitor:
    """Somebody who came through the door."""
    visitor = Visitor(url)
    await figures.page(LOBBY, visitor, "/")
    answer = await visitor.post("/accounts/guest/", next="/")
    if answer.status not in (302, 303):
        raise Unplayable(f"a guest was not let in: {answer.status} {answer.text[:200]}")
    return visitor


async def made(host: Visitor, preset: str, **fields: str | int) -> str:
    """The code of a new table for two."""
    return (await _asked(host, "/tables/new", preset=preset, seats=2, **fields))["table"]


async def begun(pair: Sequence[Visitor], preset: str, urls: Sequence[str] = ()) -> Table:
    """A new match of these two, from the form for a table to the second nonce. Of several processes of the site the
    code decides at which they meet, as it does behind the proxy of docs/deploy.md."""
    host, other = pair
    code = await made(host, preset, clock="none", private="on")
    table = Table(code, urls[crc32(code.encode()) % len(urls)] if urls else "")
    if table.url:
        for visitor in pair:
            await visitor.move_to(table.url)
    await _asked(other, f"/tables/{code}/sit", seat=1)
    for visitor in pair:
        await _asked(visitor, f"/tables/{code}/nonce", nonce=f"{random.getrandbits(64):x}")
    return table


async def _asked(visitor: Visitor, path: str, **fields: str | int) -> dict[str, str]:
    answer = await visitor.post(path, "application/json", **fields)
    if answer.status != 200:
        raise Unplayable(f"{path} answered {answer.status}: {answer.text[:200]}")
    return answer.json()


async def play(hands: Sequence[Hand], watching: Sequence[Page] = ()) -> None:
    """The whole match, the pages of both and of these spectators open."""
    async with AsyncExitStack() as pages:
        for page in (*hands, *watching):
            await pages.enter_async_context(page.opened())
        async with asyncio.TaskGroup() as playing:
            for hand in hands:
                playing.create_task(hand.play(resigns=hand is hands[0]))


async def sit_by(visitor: Visitor, table: Table, coming: asyncio.Semaphore) -> None:
    """An open socket and nothing else; `coming` is released once it has shown something."""
    async with visitor.listen(f"/ws{table.path}") as socket:
        await socket.recv()
        coming.release()
        async for _frame in socket:
            pass


async def watch(visitor: Visitor, playing: Sequence[Table], figures: Figures) -> None:
    """From the lobby to a table, some seconds there, and on to the next."""
    while not figures.over:
        await figures.page(LOBBY, visitor, "/")
        if running := [table for table in playing if not table.over]:
            page = Page(random.choice(running), visitor, figures, SPECTATOR)
            async with page.opened():
                await asyncio.sleep(min(STAY * random.uniform(0.5, 1.5), figures.until - time.perf_counter()))
        else:
            await asyncio.sleep(0.1)
