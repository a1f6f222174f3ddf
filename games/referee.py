"""The referee sees to what falls due without a request. A loop in every serving process.

Deadlines are rows (`Match.next_action_at`), so any number of referees may run and any of them may die. A due row is
taken by a guarded update, and a computer's move goes through services like everybody's.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import TypeVar

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections
from django.utils import timezone
from django.utils.crypto import salted_hmac

from core.database import answered, get_outage_reason
from games import outages, services
from games.clocks import CALL_LEAD_TIME, find_calling_computers
from games.computer.players import SEARCHING_LEVELS, choose_move
from games.computer.pool import NoAnswer, WorkerPool
from games.engine import moves as notation
from games.engine.perspective import View, perspective
from games.engine.records import DEFAULT_LEVEL, Level
from games.models import Match
from games.repository import load_snapshot
from games.services import MoveRefused, connections

log = logging.getLogger(__name__)

TICK_SECONDS = 0.15  # seconds
MAX_MATCHES_PER_TICK = 20  # due rows a tick
LEASE_TTL = timedelta(seconds=8)  # longer than a worker may think
RETRY_DELAY = timedelta(minutes=1)  # a row that cannot be advanced must not keep the others waiting
MIN_SEARCH_SECONDS = 0.4  # seconds until a computer that searches answers; a master thought for 0.235 at most when measured
ABANDONED_CHECK_SECONDS = 60.0  # seconds
PRESENCE_RENEWAL_SECONDS = 5.0  # seconds; well within PRESENCE_TTL

FALLBACK_LEVEL: Level = "casual"  # plays by a rule of thumb, in well under a millisecond

T = TypeVar("T")
Duty = Callable[[datetime], object]
Asked = tuple[Match, list[tuple[int, View, str]], bool]


class Referee:
    """`duties` are further things that time decides, called about every second (tables that vanish or start)."""

    def __init__(self, duties: Sequence[Duty] = ()) -> None:
        self.duties = duties
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="referee")
        self._heart = ThreadPoolExecutor(1, thread_name_prefix="heartbeat")  # work must not delay a beat
        self._thinkers = WorkerPool(settings.COMPUTER_WORKERS)
        self._thinking: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Until cancelled."""
        last_presence = last_duties = last_forgotten = 0.0
        clock = asyncio.get_running_loop().time
        beating = asyncio.create_task(self._beat())
        try:
            while True:
                await self._guarded(self._process_due_matches)
                if clock() - last_duties >= 1:
                    last_duties = clock()
                    await self._guarded(self._do_duties)
                if clock() - last_presence >= PRESENCE_RENEWAL_SECONDS:
                    last_presence = clock()
                    await self._guarded(self._keep_presence)
                if clock() - last_forgotten >= ABANDONED_CHECK_SECONDS:
                    last_forgotten = clock()
                    await self._guarded(self._end_abandoned)
                await asyncio.sleep(TICK_SECONDS * random.uniform(0.8, 1.2))  # noqa: S311  only to spread the referees
        finally:
            beating.cancel()
            for task in self._thinking:
                task.cancel()
            await self._thinkers.close()

    async def _guarded(self, part: Callable[[], Awaitable[None]]) -> None:
        # One bad row must not stop the clock of all the others.
        try:
            await part()
        except Exception:
            log.exception("The referee stumbled in %s", part.__name__)

    async def _beat(self) -> None:
        while True:
            await self._guarded(self._keep_time)
            await asyncio.sleep(outages.BEAT_INTERVAL.total_seconds() / 2)

    async def _keep_time(self) -> None:
        await self._in_thread(outages.record_beat, thread=self._heart)
        answered()

    async def _process_due_matches(self) -> None:
        for asked in await self._in_thread(process_due_matches):
            task = asyncio.create_task(self._think(*asked))
            self._thinking.add(task)
            task.add_done_callback(self._thinking.discard)

    async def _do_duties(self) -> None:
        for duty in self.duties:
            await self._in_thread(duty, timezone.now())

    async def _keep_presence(self) -> None:
        await self._in_thread(connections.renew, timezone.now())

    async def _end_abandoned(self) -> None:
        await self._in_thread(end_abandoned)

    async def _think(self, match: Match, computers: list[tuple[int, View, str]], calling: bool) -> None:
        try:
            await (self._call if calling else self._move)(match, computers)
        except Exception:
            log.exception("A computer's move in %s failed", match.code)

    async def _move(self, match: Match, computers: list[tuple[int, View, str]]) -> None:
        clock = asyncio.get_running_loop().time
        for seat, view, level in computers:
            answer_at = clock() + (MIN_SEARCH_SECONDS if level in SEARCHING_LEVELS else 0)
            move, claim = await self._answer(match, view, level)
            # A forced move takes as long as one that was thought about, or it would tell that it was forced.
            await asyncio.sleep(answer_at - clock())
            if move is not None:
                await self._in_thread(play_for_computer, match, seat, move, claim)

    async def _call(self, match: Match, computers: list[tuple[int, View, str]]) -> None:
        for seat, view, level in computers:
            move, claim = await self._answer(match, view, level)
            if move == "muggins":
                await asyncio.sleep(seconds_until_call(match))
                await self._in_thread(play_for_computer, match, seat, move, claim)
                return
        await self._in_thread(services.decline_call, match, match.version)

    async def _answer(self, match: Match, view: View, level: str) -> tuple[str | None, int | None]:
        # From the site's key: what a computer overlooks must not follow from what everybody sees.
        secret = salted_hmac("games.referee", match.code).hexdigest()
        seed = random.getrandbits(32)  # noqa: S311
        try:
            return await self._thinkers.ask(view, level, seed, secret)
        except NoAnswer:
            # What a worker fails at once it may fail at for ever: a simpler move, made here, not the match.
            move, claim = choose_move(view, FALLBACK_LEVEL, seed, secret=secret)
            return None if move is None else str(move), claim

    async def _in_thread(
        self, function: Callable[..., T], *args: object, thread: ThreadPoolExecutor | None = None
    ) -> T:
        return await sync_to_async(_with_connection, thread_sensitive=False, executor=thread or self._thread)(
            function, *args
        )


def _with_connection(function: Callable[..., T], *args: object) -> T:
    close_old_connections()
    return function(*args)


def process_due_matches() -> list[Asked]:
    """Apply the clocks that ran out; lease the matches in which computers are to call or move, with their views."""
    now = timezone.now()
    due = Match.objects.filter(status=Match.Status.PLAYING, next_action_at__lte=now)
    asked = []
    for match in due.order_by("next_action_at")[:MAX_MATCHES_PER_TICK]:
        try:
            if taken := process_match(match, now):
                asked.append(taken)
        except Exception as error:
            if get_outage_reason(error):
                raise  # every other one has it, too
            log.exception("Match %s cannot go on by itself", match.code)
            services.acquire_lease(match, match.version, now + RETRY_DELAY)
    return asked


def seconds_until_call(match: Match) -> float:
    """Seconds until a computer calls: a person may first, for nearly the whole of the pause."""
    if match.wait_until is None:
        return 0
    return max(0.0, (match.wait_until - CALL_LEAD_TIME - timezone.now()).total_seconds())


def end_abandoned() -> None:
    """End the matches that nobody has looked at or moved in for a day."""
    now = timezone.now()
    for match in services.find_abandoned(Match.objects.all(), now)[:MAX_MATCHES_PER_TICK]:
        try:
            services.end_abandoned(match)
        except Exception as error:
            if get_outage_reason(error):
                raise
            log.exception("The forgotten match %s cannot be ended", match.code)


def process_match(match: Match, now: datetime) -> Asked | None:
    """Lease a due match in which computers are to think; if a clock has decided it, apply that instead."""
    if match.left_at is not None:
        services.advance(match, now)
        return None
    snapshot = load_snapshot(match)
    value, seats = snapshot.value, snapshot.seats
    if calling := bool(match.wait_until and now < match.wait_until):
        computers = find_calling_computers(snapshot)
    elif value.turn is not None and seats[value.turn].computer:
        computers = [value.turn]
    else:
        services.advance(match, now)
        return None
    if not services.acquire_lease(match, match.version, now + LEASE_TTL):
        return None
    views = [(i, perspective(value, i), seats[i].level or DEFAULT_LEVEL) for i in computers]
    return match, views, calling


def play_for_computer(match: Match, seat: int, move: str, claim: int | None) -> None:
    try:
        services.play_for_computer(
            match=match,
            seat=seat,
            move=notation.parse(move),
            claim=claim,
            seen_version=match.version,
        )
    except MoveRefused as refused:
        # Somebody called or left in the meantime; the row is due again.
        if refused.reason not in ("stale", "wait"):
            log.warning("A computer's move %s in %s was refused: %s", move, match.code, refused)
