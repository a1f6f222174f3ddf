"""Players that measure how their clocks are charged."""

import asyncio
import random
import time

from websockets.exceptions import WebSocketException

from bench.soak.soak_log import SoakLog, overlap
from bench.visitors import Visitor

CLOCK_SECONDS, INCREMENT_SECONDS = 40, 1
# With several processes: until an outage is noticed, and at its end.
DETECTION_SECONDS = 1.5
# As in static/js/connection.js.
OPEN_TIMEOUT_SECONDS, ANSWER_TIMEOUT_SECONDS = 2.5, 2.0


class Player:
    """A user who plays the first legal move shortly after the turn begins."""

    def __init__(self, urls: list[str], name: str, soak_log: SoakLog) -> None:
        self.visitor, self.name, self.soak_log = Visitor(urls[0], patience=5), name, soak_log
        self._urls = urls
        self._disconnected: list[tuple[float, float]] = []  # periods without a socket, by time.monotonic()
        self._turn_start = (-1, 0.0, 0.0)  # version, time and clock at the start of the turn

    async def sign_up(self) -> None:
        await self.visitor.get("/accounts/signup/")
        password = "ninety-nine bones"
        answer = await self.visitor.post(
            "/accounts/signup/", username=self.name, email="", password1=password, password2=password
        )
        assert answer.status == 200, answer.text

    async def play(self, code: str) -> None:
        """Play until the match has ended."""
        socket_task = asyncio.create_task(self._hold_socket(code))
        try:
            await self._play(code)
        finally:
            socket_task.cancel()

    async def _hold_socket(self, code: str) -> None:
        """Keep a socket open; if it does not answer, switch to the next process."""
        last_pong = time.monotonic()
        while True:
            try:
                options = {"open_timeout": OPEN_TIMEOUT_SECONDS, "close_timeout": 0.2, "ping_interval": None}
                async with self.visitor.listen(f"/ws/games/{code}/", **options) as socket:
                    self._disconnected[-1:] = [
                        (since, min(until, time.monotonic())) for since, until in self._disconnected[-1:]
                    ]
                    while True:
                        await socket.send("ping")
                        async with asyncio.timeout(ANSWER_TIMEOUT_SECONDS):
                            while await socket.recv() != "pong":
                                pass
                        last_pong = time.monotonic()
                        await asyncio.sleep(0.5)
            except (OSError, EOFError, TimeoutError, WebSocketException):
                if not self._disconnected or self._disconnected[-1][1] < float("inf"):
                    self._disconnected.append((last_pong, float("inf")))
                await asyncio.sleep(random.uniform(0.2, 0.7))
                next_index = (self._urls.index(self.visitor.url) + 1) % len(self._urls)
                await self.visitor.switch_to(self._urls[next_index])

    async def _play(self, code: str) -> None:
        accepted = self.soak_log.accepted.setdefault(code, {})
        while True:
            response = await self.visitor.get(f"/games/{code}/state.json")
            if response.status != 200:
                await asyncio.sleep(0.1)
                continue
            state = response.json()
            if state["status"] == "finished":
                return
            if state["turn"] != state["you"]:
                await asyncio.sleep(0.1)
                continue
            await self._move(code, state, accepted)

    async def _move(self, code: str, state: dict, accepted: dict[int, str]) -> None:
        me, version = state["you"], state["version"]
        if self._turn_start[0] != version:
            self._turn_start = version, time.monotonic(), state["seats"][me]["clock"]
        await asyncio.sleep(random.uniform(0.1, 0.6))
        move = state["legal"][0]
        answer = await self.visitor.post(f"/games/{code}/move", move=move, version=version)
        if answer.status == 200:
            accepted[version + 1] = move
            after = answer.json()
            same_round = after["status"] == "playing" and after["round"] == state["round"]
            has_played = state["round"] > 1 or any(tile["seat"] == me for tile in state["layout"])
            if same_round and move != "draw" and has_played:  # no clock runs in a first turn
                self._charge(after["seats"][me]["clock"])
        elif answer.status not in (0, 409, 422, 500, 503):
            self.soak_log.faults.append(f"{code}: a move was answered {answer.status}")

    def _charge(self, clock_left: float) -> None:
        _version, since, clock_before = self._turn_start
        now = time.monotonic()
        lost_contact = [period for period in self._disconnected if len(self._urls) > 1 and period[1] > since]
        own_seconds = now - since - overlap(self.soak_log.unavailable + lost_contact, since, now)
        charged = clock_before + INCREMENT_SECONDS - clock_left
        tolerance = DETECTION_SECONDS if lost_contact else 0
        self.soak_log.overcharges.append(charged - own_seconds - tolerance)
