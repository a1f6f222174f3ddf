"""Those who play while it happens, and time their own moves."""

import asyncio
import random
import time

from websockets.exceptions import WebSocketException

from bench.soak.figures import Figures, within
from bench.visitors import Visitor

CLOCK, INCREMENT = 40, 1  # seconds
# Seconds more where one process of several was away: until that is noticed, and at the end of it.
SILENT = 1.5
# Seconds for a new socket and for an answer, as for a page (static/js/connection.js).
OPENING, ANSWERING = 2.5, 2.0


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
