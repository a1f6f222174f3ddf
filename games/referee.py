"""Run everything that falls due without a request, in a loop in every serving process.

Deadlines are stored (`Match.next_action_at`), so any number of referees may run, and any of them may die. A referee
leases a due row with a conditional update; a computer's move goes through the services like a person's.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import NamedTuple, TypeVar

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections
from django.utils import timezone
from django.utils.crypto import salted_hmac

from boneyard.computer.players import SEARCHING_LEVELS, choose_move
from boneyard.computer.pool import NoAnswer, WorkerPool
from boneyard.engine import moves as notation
from boneyard.engine.matches import Match as Value
from boneyard.engine.perspective import View, perspective
from boneyard.engine.records import DEFAULT_LEVEL, Level
from boneyard.engine.shared_deals import compute_seed, isolate_round
from core.database import get_outage_reason, note_success
from core.faults import contain
from core.siblings import SIBLINGS
from games import services
from games.models import Match, Seat
from games.repository import load_snapshot
from games.services import MoveRefused, connections
from games.time import outages
from games.time.clocks import CALL_LEAD_TIME, find_calling_computers

log = logging.getLogger(__name__)

TICK_SECONDS = 0.15
MAX_MATCHES_PER_TICK = 20
LEASE_TTL = timedelta(seconds=8)  # longer than the limit of a worker
RETRY_DELAY = timedelta(minutes=1)  # of a match that cannot be advanced, so that it does not block the others
MIN_SEARCH_SECONDS = 0.4  # for every searched move; the slowest one measured took 0.29
ABANDONED_CHECK_SECONDS = 60.0
PRESENCE_RENEWAL_SECONDS = 5.0  # well within PRESENCE_TTL

FALLBACK_LEVEL: Level = "casual"  # answers in well under a millisecond

T = TypeVar("T")
Duty = Callable[[datetime], object]


class ComputerTurn(NamedTuple):
    """The input of a computer's choice.

    figure  the number of its persona, which has a style; None in a seat that was a person's
    seed    in a match of shared deals, else ""
    """

    seat: int
    view: View
    level: str
    figure: int | None
    seed: str


ComputerTask = tuple[Match, list[ComputerTurn], bool]  # whether to call


class Referee:
    """The loop. `duties` are called about every second with the current time, e.g. to delete or start tables."""

    def __init__(self, duties: Sequence[Duty] = ()) -> None:
        self.duties = duties
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="referee")
        # A thread of its own, so that work does not delay a heartbeat.
        self._heartbeat_thread = ThreadPoolExecutor(1, thread_name_prefix="heartbeat")
        # One without workers leaves due matches to its siblings.
        self._worker_count = SIBLINGS.get_share(settings.COMPUTER_WORKERS)
        self._workers = WorkerPool(self._worker_count)
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Run until cancelled."""
        last_presence = last_duties = last_abandoned = 0.0
        clock = asyncio.get_running_loop().time
        heartbeat = asyncio.create_task(self._run_heartbeat())
        try:
            while True:
                if self._worker_count:
                    await self._run_logged(self._process_due_matches)
                if clock() - last_duties >= 1:
                    last_duties = clock()
                    await self._run_logged(self._run_duties)
                if clock() - last_presence >= PRESENCE_RENEWAL_SECONDS:
                    last_presence = clock()
                    await self._run_logged(self._renew_connections)
                if clock() - last_abandoned >= ABANDONED_CHECK_SECONDS:
                    last_abandoned = clock()
                    await self._run_logged(self._end_abandoned)
                await asyncio.sleep(TICK_SECONDS * random.uniform(0.8, 1.2))  # noqa: S311  only to spread the referees
        finally:
            heartbeat.cancel()
            for task in self._tasks:
                task.cancel()
            await self._workers.close()

    async def _run_logged(self, step: Callable[[], Awaitable[None]]) -> None:
        # An error must not stop the clocks of all matches.
        try:
            await step()
        except Exception:
            log.exception("The referee failed in %s", step.__name__)

    async def _run_heartbeat(self) -> None:
        while True:
            await self._run_logged(self._record_beat)
            await asyncio.sleep(outages.BEAT_INTERVAL.total_seconds() / 2)

    async def _record_beat(self) -> None:
        await self._in_thread(outages.record_beat, thread=self._heartbeat_thread)
        note_success()

    async def _process_due_matches(self) -> None:
        for match, views, is_call in await self._in_thread(process_due_matches):
            task = asyncio.create_task(self._run_task(match, views, is_call))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _run_duties(self) -> None:
        for duty in self.duties:
            with contain(log, f"The duty {self._get_name(duty)}"):
                await self._in_thread(duty, timezone.now())

    @staticmethod
    def _get_name(duty: Duty) -> str:
        inner = getattr(duty, "duty", duty)  # of one that runs now and then
        return getattr(inner, "__name__", type(inner).__name__)

    async def _renew_connections(self) -> None:
        await self._in_thread(connections.renew, timezone.now())

    async def _end_abandoned(self) -> None:
        await self._in_thread(end_abandoned)

    async def _run_task(self, match: Match, computers: list[ComputerTurn], is_call: bool) -> None:
        try:
            await (self._call if is_call else self._move)(match, computers)
        except Exception:
            log.exception("A computer's move in %s failed", match.code)

    async def _move(self, match: Match, computers: list[ComputerTurn]) -> None:
        clock = asyncio.get_running_loop().time
        for turn in computers:
            answer_at = clock() + (MIN_SEARCH_SECONDS if turn.level in SEARCHING_LEVELS else 0)
            move, claim = await self._answer(match, turn)
            # A forced move takes as long as any other, or its timing would reveal the hand.
            await asyncio.sleep(answer_at - clock())
            if move is not None:
                await self._in_thread(play_for_computer, match, turn.seat, move, claim)

    async def _call(self, match: Match, computers: list[ComputerTurn]) -> None:
        for turn in computers:
            move, claim = await self._answer(match, turn)
            if move == "muggins":
                await asyncio.sleep(seconds_until_call(match))
                await self._in_thread(play_for_computer, match, turn.seat, move, claim)
                return
        await self._in_thread(services.decline_call, match, match.version)

    async def _answer(self, match: Match, turn: ComputerTurn) -> tuple[str | None, int | None]:
        if turn.seed:
            # Without an answer the row is due again: a simpler move would give this player other opponents.
            return await self._workers.ask(turn.view, turn.level, int(turn.seed, 16), turn.seed, turn.figure)
        # From the site's key: a computer's mistakes must not be predictable from public data.
        secret = salted_hmac("games.referee", match.code).hexdigest()
        seed = random.getrandbits(32)  # noqa: S311
        try:
            return await self._workers.ask(turn.view, turn.level, seed, secret, turn.figure)
        except NoAnswer:
            # A worker may fail at this view every time: play a simpler move instead of blocking the match.
            move, claim = choose_move(turn.view, FALLBACK_LEVEL, seed, secret=secret)
            return None if move is None else str(move), claim

    async def _in_thread(
        self, function: Callable[..., T], *args: object, thread: ThreadPoolExecutor | None = None
    ) -> T:
        return await sync_to_async(
            _call_with_connection, thread_sensitive=False, executor=thread or self._thread
        )(function, *args)


def _call_with_connection(function: Callable[..., T], *args: object) -> T:
    close_old_connections()
    return function(*args)


def process_due_matches() -> list[ComputerTask]:
    """Apply expired clocks; lease the matches in which computers have to call or move, and return their tasks.

    Do nothing during a halt.
    """
    if outages.get_halt() is not None:
        return []
    now = timezone.now()
    due = Match.objects.filter(status=Match.Status.PLAYING, next_action_at__lte=now)
    tasks = []
    for match in due.order_by("next_action_at")[:MAX_MATCHES_PER_TICK]:
        try:
            if task := process_match(match, now):
                tasks.append(task)
        except Exception as error:
            if get_outage_reason(error):
                raise  # all other matches are affected, too
            log.exception("Match %s cannot be advanced", match.code)
            services.acquire_lease(match, match.version, now + RETRY_DELAY)
    return tasks


def seconds_until_call(match: Match) -> float:
    """Return the seconds until a computer calls: just before the pause ends, so that people can call first."""
    if match.wait_until is None:
        return 0
    return max(0.0, (match.wait_until - CALL_LEAD_TIME - timezone.now()).total_seconds())


def end_abandoned() -> None:
    """End the matches that nobody has viewed or moved in for a day."""
    now = timezone.now()
    for match in services.find_abandoned(Match.objects.all(), now)[:MAX_MATCHES_PER_TICK]:
        try:
            services.end_abandoned(match)
        except Exception as error:
            if get_outage_reason(error):
                raise
            log.exception("The abandoned match %s cannot be ended", match.code)


def process_match(match: Match, now: datetime) -> ComputerTask | None:
    """Lease a due match for its computers and return their task; apply an expired clock instead and return None."""
    if match.left_at is not None:
        services.advance(match, now)
        return None
    snapshot = load_snapshot(match)
    value, seats = snapshot.value, snapshot.seats
    if is_call := bool(match.wait_until and now < match.wait_until):
        computers = find_calling_computers(snapshot)
    elif value.turn is not None and seats[value.turn].computer:
        computers = [value.turn]
    else:
        services.advance(match, now)
        return None
    if not services.acquire_lease(match, match.version, now + LEASE_TTL):
        return None
    return match, [_build_turn(match, value, seats[i]) for i in computers], is_call


def _build_turn(match: Match, value: Value, seat: Seat) -> ComputerTurn:
    level = seat.level or DEFAULT_LEVEL
    figure = seat.figure if seat.cast else None
    view = perspective(value, seat.position)
    if not match.deals:
        return ComputerTurn(seat.position, view, level, figure, "")
    view = isolate_round(view)
    return ComputerTurn(seat.position, view, level, figure, compute_seed(value.round.deal.key, view))


def play_for_computer(match: Match, seat: int, move: str, claim: int | None) -> None:
    try:
        services.play_for_computer(
            match=match,
            seat=seat,
            move=notation.parse(move),
            claim=claim,
            seen_version=match.version,
        )
    except MoveRefused as refusal:
        # A player called or left in the meantime, or all matches stand still; the row is due again.
        if refusal.reason not in ("stale", "wait", "unavailable"):
            log.warning("A computer's move %s in %s was refused: %s", move, match.code, refusal)
