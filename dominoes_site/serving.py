"""Daphne as a library, with a stop that loses nothing.

The bare `daphne` command drops requests in flight, sends the sockets no close frame and can crash or hang on
SIGTERM (docs/decisions/0003). Here: stop listening, answer what was asked, close the sockets with 1012 ("service
restart", on which pages come back by themselves), end the tasks, exit 0.
"""

import asyncio
import faulthandler
import gc
import logging
import os
import resource
import signal
import socket
import sys
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

from daphne.http_protocol import WebRequest
from daphne.server import Server as Daphne
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet import defer, reactor
from twisted.internet.error import CannotListenError
from twisted.web.http import HTTPChannel

from dominoes_site.handover import Inheritance, Successor, keep_systemd_calm, tell_systemd
from dominoes_site.sockets import lighten, quicken
from live.broadcast import set_delivery_loop, stop_delivery
from live.layers.mailbox import Mailbox

log = logging.getLogger(__name__)

ARRIVING = 0.1  # seconds for what was sent before the signal to be read
ANSWERING = 5.0  # seconds at most for the requests in flight
CLOSING = 0.3  # seconds for the close frames to leave
LARGEST_FRAME = 1 << 19  # bytes
READING = 15.0  # seconds for a request to arrive whole
IDLE = 60.0  # seconds without one; longer than a proxy keeps its connections
FUSE = 15.0  # seconds after which a stop that hangs is cut short; what may take time at one takes 10 at most
ENDING = 2.0  # seconds at most for tasks that were told to end
RESTART_AFTER = 1.0  # seconds until a duty that failed begins again

# The headers that the application reads of a socket; a browser sends three times as many, and it keeps them while open.
READ_OF_SOCKETS = frozenset({b"host", b"origin", b"cookie", b"accept-language", b"x-forwarded-for"})

Duty = Callable[[], Awaitable[None]]


class Channel(HTTPChannel):
    """One connection. A request's head and body have READING seconds from the first byte, however steadily they drip;
    between two requests it may rest for IDLE."""

    _reading = False

    def resetTimeout(self) -> None:  # noqa: N802  Twisted's, called for whatever arrives
        if not self._reading and not self._handlingRequest:
            self._reading = True
            self.setTimeout(READING)

    def lineLengthExceeded(self, line: bytes) -> None:  # noqa: N802
        """Refuse an address or a header that is too long, where Twisted would hang up without a word."""
        method = line.partition(b" ")[0]
        status = b"431 Request Header Fields Too Large" if b":" in method else b"414 URI Too Long"
        self.transport.write(b"HTTP/1.1 %b\r\nConnection: close\r\nContent-Length: 0\r\n\r\n" % status)
        # What still comes is read and dropped until the other side, or READING, ends it: closed at once, the
        # system would reset the connection and take the answer with it.
        self.dataReceived = _dropped
        self.transport.loseWriteConnection()

    def allHeadersReceived(self) -> None:  # noqa: N802
        # Daphne would serve the site under a path that anybody may name.
        self.requests[-1].requestHeaders.removeHeader(b"daphne-root-path")
        super().allHeadersReceived()

    def allContentReceived(self) -> None:  # noqa: N802
        self._reading = False
        self.setTimeout(IDLE)  # what it goes back to after the answer
        super().allContentReceived()


def allow_many_files() -> None:
    """Have as many open files as the system lets a process ask for. Each page is one, and whoever comes after the last
    is hung up on without a line in the log."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # macOS names no limit and has one
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _dropped(data: bytes) -> None:
    pass


class Server(Daphne):
    """Serves `application` at `endpoint` (Twisted's notation), with `duties` running on its loop meanwhile.

    A duty is an async function that runs until cancelled. `when_ready` is called once requests are answered.
    After `run`, `refused` is why the endpoint could not be listened at, or None.
    """

    def __init__(
        self,
        application: Any,
        endpoint: str,
        duties: list[Duty],
        when_ready: Callable[[], None],
        inheritance: Inheritance | None = None,
    ) -> None:
        super().__init__(
            application,
            endpoints=[endpoint],
            websocket_timeout=-1,  # a page may stay open for days
            ping_interval=15,
            ping_timeout=10,
            # Applies in both directions: clients send little, but a table of 91 tiles is some 100 KB.
            websocket_max_message_size=LARGEST_FRAME,
            websocket_max_frame_size=LARGEST_FRAME,
            server_name="",
            verbosity=0,
        )
        self.duties, self.when_ready = duties, when_ready
        self._inheritance = inheritance
        if inheritance is not None:
            self.endpoints: list[str] = []  # its port is there already
        self._successor: Successor | None = None
        self.refused: Exception | None = None
        self._ports: list[Any] = []
        self._on_duty: list[asyncio.Task[None]] = []
        self._unanswered = 0  # requests, when the stop would wait no longer

    def run(self) -> None:
        allow_many_files()
        reactor.callWhenRunning(self._begin)
        super().run()
        if self._unanswered:
            # Their threads wait for a database that says nothing, or for this loop; Python would wait for them.
            sys.stdout.flush()
            os._exit(0)

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        """As Daphne's, with less memory for a socket: what comes for it waits in a mailbox."""
        if scope["type"] != "websocket":
            return super().create_application(protocol, scope)
        mailbox = Mailbox()
        headers = [(name, value) for name, value in scope["headers"] if name in READ_OF_SOCKETS]
        scope |= {"asgi": {"version": "3.0"}, "headers": headers}
        send = partial(self.handle_reply, protocol)
        application = self.application(scope=scope, receive=mailbox.get, send=send)
        self.connections[protocol]["application_instance"] = asyncio.ensure_future(application)
        return mailbox

    def listen_success(self, port: Any) -> None:
        self._listens(port)
        super().listen_success(port)

    def listen_error(self, failure: Any) -> None:
        error = failure.value
        self.refused = error.socketError if isinstance(error, CannotListenError) else error
        self.stop()

    def _listens(self, port: Any) -> None:
        quicken(port)
        self._ports.append(port)

    def _begin(self) -> None:
        self.http_factory.protocol = Channel
        lighten(self.ws_factory)
        if self._inheritance is not None:
            with self._inheritance.take() as port:
                adopted = reactor.adoptStreamPort(port.fileno(), port.family, self.http_factory)
                self._listens(adopted)
        set_delivery_loop(asyncio.get_event_loop())
        asyncio.get_event_loop().add_signal_handler(signal.SIGHUP, self._hand_over)
        self._on_duty = [asyncio.ensure_future(_keep_doing(duty)) for duty in self.duties]
        self._on_duty.append(asyncio.ensure_future(keep_systemd_calm()))
        tell_systemd()
        _spare_the_collector()
        self.when_ready()

    def _hand_over(self) -> None:
        if self._successor is not None and self._successor.coming:
            return
        port = next(iter(self._ports), None)
        if port is None or port.addressFamily == socket.AF_UNIX:
            log.warning("A socket file is not handed over: restart one process after the other")
            return
        # Shutting it down would shut it down for the successor, too; so at the end it is only closed.
        port._shouldShutdown = False
        self._successor = Successor(port.fileno())

    # Stopping: Twisted calls this on SIGTERM and SIGINT and runs on until the answer fires.

    def kill_all_applications(self) -> defer.Deferred:
        fuse = threading.Timer(FUSE, _cut_short)
        fuse.daemon = True
        fuse.start()
        return defer.Deferred.fromFuture(asyncio.ensure_future(self._retire()))

    async def _retire(self) -> None:
        # Stop listening first: a page whose socket closes reconnects at once, and must not reach us.
        for port in self._ports:
            await defer.maybeDeferred(port.stopListening).asFuture(asyncio.get_running_loop())
        await _end(self._on_duty)
        await asyncio.sleep(ARRIVING)
        deadline = asyncio.get_running_loop().time() + ANSWERING
        await self._answer_what_was_asked(deadline)
        for protocol in self._sockets():
            protocol.sendCloseFrame(code=1012, reasonUtf8=b"restart", isReply=False)
        await asyncio.sleep(CLOSING)
        await self._answer_what_was_asked(deadline)
        self._unanswered = self._in_flight()
        if self._unanswered:
            log.warning("%d requests were not answered in time", self._unanswered)
        if self._successor is not None:
            self._successor.may_begin()
        # All tasks, including the channel layer's: Python 3.11 crashes when it collects a queue's pending reader.
        await _end([task for task in asyncio.all_tasks() if task is not asyncio.current_task()])
        stop_delivery()

    async def _answer_what_was_asked(self, deadline: float) -> None:
        while self._in_flight():
            if asyncio.get_running_loop().time() > deadline:
                return
            await asyncio.sleep(0.02)

    def _in_flight(self) -> int:
        return sum(
            isinstance(protocol, WebRequest)
            and "disconnected" not in details
            and "application_instance" in details
            for protocol, details in self.connections.items()
        )

    def _sockets(self) -> list[Any]:
        return [
            protocol
            for protocol, details in self.connections.items()
            if isinstance(protocol, WebSocketProtocol)
            and protocol.state == WebSocketProtocol.STATE_OPEN
            and "disconnected" not in details
        ]


def _spare_the_collector() -> None:
    """What exists now will stay: looking through it again and again was a sixth of what a move costs. And what a match
    leaves is kept or goes by itself, little of it in circles: the young is looked through often and in a moment, what
    has stayed seldom, which holds up every table for a tenth of a second."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(1_000, 200, 10)


async def _keep_doing(duty: Duty) -> None:
    while True:
        try:
            await duty()
        except Exception:
            log.exception("A duty of the server failed and begins again")
        await asyncio.sleep(RESTART_AFTER)


async def _end(tasks: list[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=ENDING)


def _cut_short() -> None:
    log.critical("The stop hung and was cut short; what its threads were doing:")
    faulthandler.dump_traceback()
    os._exit(1)
