"""Pool of worker processes that receive a perspective and answer with a move.

A late or dead worker is killed and replaced, and the referee makes a simpler move instead. The pool stores nothing:
answers go through the services like a person's move, guarded by the match version.
"""

import asyncio
import logging
import os
import pickle
import sys
import threading
from asyncio.subprocess import PIPE, Process
from pathlib import Path

from boneyard.computer.__main__ import HINT, LENGTH
from boneyard.engine.perspective import View

log = logging.getLogger(__name__)

PROJECT_ROOT = Path(__file__).resolve().parents[2]
# A safety limit: a master's move took 0.3 s of processor time at most when measured.
TIMEOUT_SECONDS = 5.0
LOW_PRIORITY = 10  # niceness


class NoAnswer(Exception):
    """A worker that was late, died, or sent a malformed answer."""


class WorkerPool:
    """At most `workers` processes, started on first use; bound to the event loop that created it.

    `low_priority` gives them what other processes leave of the processor.
    """

    def __init__(self, workers: int, *, low_priority: bool = False) -> None:
        self._low_priority = low_priority
        self._free: asyncio.LifoQueue[Process | None] = asyncio.LifoQueue()
        for _ in range(workers):
            self._free.put_nowait(None)

    async def ask(
        self, view: View, level: str, seed: int, secret: str, figure: int | None
    ) -> tuple[str | None, int | None]:
        """Return the move (as text; None: no call) and the claim, as `players.choose_move`. Raise `NoAnswer`."""
        worker = await self._free.get()
        try:
            if worker is None or worker.returncode is not None:
                worker = await self._start()
            async with asyncio.timeout(TIMEOUT_SECONDS):
                return await self._exchange(worker, (view, level, seed, secret, figure))
        except Exception as error:  # unpickling garbage may raise anything
            log.warning("A computer's worker gave no answer: %r", error)
            self._kill(worker)
            worker = None
            raise NoAnswer from error
        finally:
            self._free.put_nowait(worker)

    async def close(self) -> None:
        while not self._free.empty():
            worker = self._free.get_nowait()
            self._kill(worker)
            if worker is not None:
                await worker.wait()

    async def _start(self) -> Process:
        worker = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "boneyard.computer", stdin=PIPE, stdout=PIPE, cwd=PROJECT_ROOT
        )
        if self._low_priority:
            os.setpriority(os.PRIO_PROCESS, worker.pid, LOW_PRIORITY)
        return worker

    @staticmethod
    async def _exchange(worker: Process, request: tuple[object, ...]) -> tuple[str | None, int | None]:
        assert worker.stdin is not None and worker.stdout is not None  # both are pipes
        body = pickle.dumps(request)
        worker.stdin.write(LENGTH.pack(len(body)) + body)
        await worker.stdin.drain()
        (length,) = LENGTH.unpack(await worker.stdout.readexactly(LENGTH.size))
        answer: tuple[str | None, int | None] = pickle.loads(await worker.stdout.readexactly(length))  # noqa: S301  our own child
        return answer

    @staticmethod
    def _kill(worker: Process | None) -> None:
        if worker is not None and worker.returncode is None:
            worker.kill()


class HintWorker:
    """One worker for the hints of this process, on an event loop in a thread of its own.

    Request threads wait for it one after the other; it takes nothing from the workers and threads that make moves.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pool: WorkerPool | None = None

    def ask(self, view: View) -> tuple[str | None, int | None]:
        """Return the recommended move as text, and the claim. Raise `NoAnswer`."""
        with self._lock:
            if self._loop is None or self._pool is None:
                self._loop, self._pool = asyncio.new_event_loop(), WorkerPool(1, low_priority=True)
                threading.Thread(target=self._loop.run_forever, name="hints", daemon=True).start()
            answer = self._pool.ask(view, HINT, 0, "", None)
            return asyncio.run_coroutine_threadsafe(answer, self._loop).result()


hint_worker = HintWorker()
