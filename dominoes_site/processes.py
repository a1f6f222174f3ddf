"""The parent of several web processes: it opens the port, starts them, and replaces those that end or hang.

The processes share the listening socket and talk through Unix sockets (live.bus; docs/decisions/0011). The parent
itself serves no requests. On SIGTERM it stops all of them; on SIGHUP it starts its successor, which takes over the port
as for a single process (handover.py). If they were started at a terminal, SIGHUP stops them: it was closed.
"""

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from core.siblings import SIBLINGS
from dominoes_site.handover import (
    Inheritance,
    Successor,
    is_at_terminal,
    notify_systemd_ready,
    run_systemd_watchdog,
)
from dominoes_site.parent import PARENT_ID_VARIABLE
from live.bus import note_end, open_pair

log = logging.getLogger(__name__)

LISTEN_BACKLOG = 512  # connections that wait while all processes are busy
MAX_SILENCE_SECONDS = 15  # a process that serves is killed after so long without a beat
MAX_START_SECONDS = 150  # a process that does not serve by then is killed; `start_limit` ends most before
RESTART_SECONDS = 1.0  # until a process that ended is started again
STOP_SECONDS = 18.0  # longer than `serving.STOP_SECONDS`, after which a process aborts its own stop
SYSTEMD_VARIABLES = ("NOTIFY_SOCKET", "WATCHDOG_USEC")  # for the parent only


def open_port(host: str, port: int) -> socket.socket:
    """Listen at an address. Raise `OSError`."""
    family, kind, protocol, _name, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(LISTEN_BACKLOG)
    except OSError:
        listener.close()
        raise
    listener.setblocking(False)
    return listener


class Parent:
    """The parent of `count` processes that listen at `listener`; `when_ready` is called once all of them serve."""

    def __init__(
        self,
        listener: socket.socket,
        count: int,
        when_ready: Callable[[], None],
        inheritance: Inheritance | None = None,
    ) -> None:
        self._listener, self._when_ready = listener, when_ready
        self._predecessor = inheritance.predecessor if inheritance is not None else None
        pairs = [open_pair() for _ in range(count + 1)]  # the last one is the parent's
        self._inboxes, self._outboxes = zip(*pairs, strict=True)
        self._siblings = replace(SIBLINGS, outboxes=tuple(outbox.fileno() for outbox in self._outboxes))
        self._running: dict[int, asyncio.subprocess.Process] = {}
        self._silent_seconds: dict[int, int] = {}  # of each process since its last beat, or since its start
        self._serving: set[int] = set()  # processes that have sent a beat
        self._is_ready = self._has_failed = False
        self._stop_requested = asyncio.Event()
        self._successor: Successor | None = None

    async def run(self) -> int:
        """Serve until told to stop; return the exit status."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop_requested.set)
        on_hangup = self._stop_requested.set if is_at_terminal() else self._start_successor
        loop.add_signal_handler(signal.SIGHUP, on_hangup)
        loop.add_reader(self._inboxes[-1], self._read_beats)
        keepers = [asyncio.create_task(self._keep(number)) for number in range(self._siblings.count)]
        watches = [asyncio.create_task(self._watch()), asyncio.create_task(run_systemd_watchdog())]
        await self._stop_requested.wait()
        self._listener.close()
        for process in self._running.values():
            _signal(process, signal.SIGTERM)
        _done, hanging = await asyncio.wait(keepers, timeout=STOP_SECONDS)
        for process in self._running.values():
            _signal(process, signal.SIGKILL)
        for task in (*hanging, *watches):
            task.cancel()
        if self._successor is not None:
            self._successor.start_serving()
        return 1 if hanging or self._has_failed else 0

    async def _keep(self, number: int) -> None:
        """Run one of the processes until the stop; start it again when it ends."""
        while not self._stop_requested.is_set():
            status = await self._run(number)
            if self._stop_requested.is_set():
                self._has_failed |= status != 0 and self._is_ready
            elif not self._is_ready and status != -signal.SIGKILL:  # it has said why
                self._has_failed = True
                self._stop_requested.set()
            else:
                log.error("Web process %d ended with status %d and is started again", number, status)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stop_requested.wait(), RESTART_SECONDS)

    async def _run(self, number: int) -> int:
        """Start a process and wait for its end; return its status."""
        try:
            process = self._running[number] = await self._start(number)
        except OSError as error:
            log.error("Web process %d could not be started: %s", number, error)
            return 1
        self._silent_seconds[number] = 0
        if self._stop_requested.is_set():
            _signal(process, signal.SIGTERM)
        status = await process.wait()
        del self._running[number]
        del self._silent_seconds[number]
        self._serving.discard(number)
        note_end(number, self._inboxes[number], self._outboxes[:-1])
        return status

    async def _start(self, number: int) -> asyncio.subprocess.Process:
        inbox = self._inboxes[number].fileno()
        env = {name: value for name, value in os.environ.items() if name not in SYSTEMD_VARIABLES}
        env |= self._siblings.to_environment(number, inbox)
        inheritance = Inheritance(self._listener.fileno(), None if self._is_ready else self._predecessor)
        env |= inheritance.to_environment() | {PARENT_ID_VARIABLE: str(os.getpid())}
        return await asyncio.create_subprocess_exec(
            sys.executable,
            *sys.argv,
            env=env,
            pass_fds=[inbox, *self._siblings.outboxes, *inheritance.descriptors],
            process_group=0,  # Ctrl+C reaches the parent alone
        )

    def _read_beats(self) -> None:
        with suppress(BlockingIOError):
            while True:
                number = int(self._inboxes[-1].recv(16))
                if number in self._running:
                    self._silent_seconds[number] = 0
                    self._serving.add(number)
        if not self._is_ready and len(self._serving) == self._siblings.count:
            self._is_ready = True
            notify_systemd_ready()
            self._when_ready()

    async def _watch(self) -> None:
        """Kill processes that hang. Seconds in which the parent itself was frozen do not count."""
        while True:
            await asyncio.sleep(1)
            for number, process in self._running.items():
                self._silent_seconds[number] += 1
                limit = MAX_SILENCE_SECONDS if number in self._serving else MAX_START_SECONDS
                if self._silent_seconds[number] == limit:
                    log.error("Web process %d has hung for %d s and is killed", number, limit)
                    _signal(process, signal.SIGKILL)

    def _start_successor(self) -> None:
        if self._successor is None or not self._successor.is_running:
            self._successor = Successor(self._listener.fileno())


def _signal(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        process.send_signal(number)
