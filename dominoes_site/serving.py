"""Daphne as a library, with a graceful stop.

The `daphne` command drops requests in flight, sends sockets no close frame, and may crash or hang on SIGTERM
(docs/decisions/0003). This server stops listening, answers the requests in flight, closes sockets with 1012 ("service
restart", after which pages reconnect), cancels its tasks, and exits with 0.
"""

import asyncio
import faulthandler
import gc
import logging
import os
import re
import resource
import signal
import socket
import sys
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from socket import IPPROTO_TCP, TCP_USER_TIMEOUT
from typing import Any

from daphne.http_protocol import WebRequest
from daphne.server import Server as Daphne
from daphne.ws_protocol import WebSocketProtocol
from django.conf import settings
from twisted.internet import defer, reactor
from twisted.internet.error import CannotListenError
from twisted.web.http import HTTPChannel
from twisted.web.http_headers import Headers

from core.siblings import SIBLINGS
from dominoes_site import start_limit
from dominoes_site.handover import (
    Inheritance,
    Successor,
    is_at_terminal,
    notify_systemd_ready,
    run_systemd_watchdog,
)
from dominoes_site.routing import hand_over
from dominoes_site.sockets import SocketProtocol
from live.broadcast import receive_from_siblings, set_delivery_loop, stop_delivery
from live.layers.mailbox import Mailbox

log = logging.getLogger(__name__)

ARRIVAL_SECONDS = 0.1  # to read what was sent before the signal
ANSWER_SECONDS = 5.0  # at most, for the requests in flight
CLOSE_FRAME_SECONDS = 0.3  # to send the close frames
MAX_FRAME_BYTES = 1 << 19
REQUEST_SECONDS = 15.0  # for a request to arrive completely
STREAM_PATH = re.compile(rb"/games/[^/?]+/stream|/events")
STALLED_MILLISECONDS = (
    10_000  # in which the reader of a stream takes nothing that was sent; then it is dropped
)
IDLE_SECONDS = 60.0  # without a request; longer than a proxy keeps its connections
PING_INTERVAL_SECONDS = 15  # between two pings of a socket
PONG_SECONDS = 10  # at most, for the answer to a ping; then the socket is closed
MAX_BODY_BYTES = 1 << 16
MAX_ADMIN_BODY_BYTES = (
    1 << 20
)  # of somebody with a session: the admin's pages of the site, and games that it imports
STOP_SECONDS = 15.0  # after which a stop that hangs is aborted; one that does not takes at most 10
CANCEL_SECONDS = 2.0  # at most, for cancelled tasks to end
DUTY_RESTART_SECONDS = 1.0  # until a duty that failed starts again

# Headers of a socket that the application reads. A browser sends three times as many, kept while the socket is open.
SOCKET_HEADERS = frozenset({b"host", b"origin", b"cookie", b"accept-language", b"x-forwarded-for"})

MAX_ESCAPES = 100  # backslashes in the cookies of a request

TOO_LARGE = b"413 Content Too Large"
NO_LENGTH = b"411 Length Required"

Duty = Callable[[], Awaitable[None]]


class Channel(HTTPChannel):
    """An HTTP connection with a deadline for each request, and a limit for its body.

    A request must arrive within REQUEST_SECONDS of its first byte, however steadily it drips. Between requests the
    connection may idle for IDLE_SECONDS.
    """

    _is_receiving = False
    _is_discarding = False
    may_be_handed_over = True

    @property
    def _max_body_bytes(self) -> int:
        if not self._path.startswith(b"/admin/"):
            return MAX_BODY_BYTES
        cookies = self.requests[-1].requestHeaders.getRawHeaders(b"cookie", [])
        name = b"%b=" % settings.SESSION_COOKIE_NAME.encode()
        return MAX_ADMIN_BODY_BYTES if any(name in line for line in cookies) else MAX_BODY_BYTES

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        if self._is_discarding:
            return
        if self.may_be_handed_over:
            self.may_be_handed_over = False
            if hand_over(self.transport, data):
                return
        super().dataReceived(data)

    def resetTimeout(self) -> None:  # noqa: N802  Twisted's name, called for any data
        if not self._is_receiving and not self._handlingRequest:
            self._is_receiving = True
            self.setTimeout(REQUEST_SECONDS)

    def lineLengthExceeded(self, line: bytes) -> None:  # noqa: N802
        """Refuse a request line or a header that is too long. Twisted would close without a response."""
        method = line.partition(b" ")[0]
        self.refuse(b"431 Request Header Fields Too Large" if b":" in method else b"414 URI Too Long")

    def refuse(self, status: bytes) -> None:
        """Answer with a status line alone, and read no more."""
        if self._is_discarding:
            return
        self.transport.write(b"HTTP/1.1 %b\r\nConnection: close\r\nContent-Length: 0\r\n\r\n" % status)
        # Discard the rest until the client closes, or REQUEST_SECONDS are over: closing at once would reset the
        # connection, and the client would not get the response.
        self._is_discarding = True
        self.transport.loseWriteConnection()

    def allHeadersReceived(self) -> None:  # noqa: N802
        # Daphne would serve the site under any path that a client names in this header.
        headers = self.requests[-1].requestHeaders
        headers.removeHeader(b"daphne-root-path")
        # Django parses forms. Twisted would, too, in this loop: 7 s for a part whose header has 60,000 semicolons.
        self.requests[-1]._parsePOSTFormSubmission = False
        tame_cookies(headers)
        if headers.hasHeader(b"transfer-encoding"):
            # Browsers and proxies name a length. Each chunk, even of one byte, would take this loop 18 µs.
            self.refuse(NO_LENGTH)
        elif (self.length or 0) > self._max_body_bytes:
            self.refuse(TOO_LARGE)
        else:
            super().allHeadersReceived()

    def rawDataReceived(self, data: bytes) -> None:  # noqa: N802
        if not self._is_discarding:
            super().rawDataReceived(data)

    def allContentReceived(self) -> None:  # noqa: N802
        if self._is_discarding:
            return
        self._is_receiving = False
        if STREAM_PATH.match(self._path):
            self.transport.getHandle().setsockopt(IPPROTO_TCP, TCP_USER_TIMEOUT, STALLED_MILLISECONDS)
        self.setTimeout(IDLE_SECONDS)  # restored after the response
        super().allContentReceived()


def tame_cookies(headers: Headers) -> None:
    """Remove the backslashes of cookies that have very many: before Python 3.11.10 each takes as long as all (1 s)."""
    lines = headers.getRawHeaders(b"cookie", [])
    if sum(line.count(b"\\") for line in lines) > MAX_ESCAPES:
        headers.setRawHeaders(b"cookie", [line.replace(b"\\", b"") for line in lines])


def raise_open_files_limit() -> None:
    """Raise the limit of open files to the hard limit.

    Each page is an open file, and a connection beyond the limit is closed without a line in the log.
    """
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # macOS reports no limit, and has one
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))


class Server(Daphne):
    """A server for `application` at `endpoint` (Twisted's notation), which also runs `duties` on its loop.

    A duty is an async function that runs until it is cancelled. `when_ready` is called once requests are answered.
    After `run`, `listen_failure` is why the endpoint could not be listened at, or None.
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
            ping_interval=PING_INTERVAL_SECONDS,
            ping_timeout=PONG_SECONDS,
            # In both directions: clients send little, but a table of 91 tiles takes some 100 KB.
            websocket_max_message_size=MAX_FRAME_BYTES,
            websocket_max_frame_size=MAX_FRAME_BYTES,
            server_name="",
            verbosity=0,
        )
        self.duties, self.when_ready = duties, when_ready
        self._inheritance = inheritance
        if inheritance is not None:
            self.endpoints: list[str] = []  # the port is inherited
        self._successor: Successor | None = None
        self.listen_failure: Exception | None = None
        self._ports: list[Any] = []
        self._duty_tasks: list[asyncio.Task[None]] = []
        self._unanswered_requests = 0  # when the stop gave up waiting

    def run(self) -> None:
        raise_open_files_limit()
        reactor.callWhenRunning(self._start)
        super().run()
        if self._unanswered_requests:
            # Python would join their threads, which wait for a silent database or for this loop.
            sys.stdout.flush()
            os._exit(0)

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        """Like Daphne's, but with a mailbox as a socket's queue and fewer headers, which takes less memory."""
        if scope["type"] != "websocket":
            return super().create_application(protocol, scope)
        mailbox = Mailbox()
        headers = [(name, value) for name, value in scope["headers"] if name in SOCKET_HEADERS]
        scope |= {"asgi": {"version": "3.0"}, "headers": headers}
        send = partial(self.handle_reply, protocol)
        application = self.application(scope=scope, receive=mailbox.get, send=send)
        self.connections[protocol]["application_instance"] = asyncio.ensure_future(application)
        return mailbox

    def listen_success(self, port: Any) -> None:
        self._ports.append(port)
        super().listen_success(port)

    def listen_error(self, failure: Any) -> None:
        error = failure.value
        self.listen_failure = error.socketError if isinstance(error, CannotListenError) else error
        self.stop()

    def _start(self) -> None:
        self.http_factory.protocol = Channel
        self.ws_factory.protocol = SocketProtocol
        if self._inheritance is not None:
            with self._inheritance.take() as port:
                self._ports.append(reactor.adoptStreamPort(port.fileno(), port.family, self.http_factory))
        set_delivery_loop(asyncio.get_event_loop())
        receive_from_siblings(self._adopt)
        asyncio.get_event_loop().add_signal_handler(signal.SIGHUP, self._handle_hangup, is_at_terminal())
        self._duty_tasks = [asyncio.ensure_future(_run_forever(duty)) for duty in self.duties]
        self._duty_tasks.append(asyncio.ensure_future(run_systemd_watchdog()))
        notify_systemd_ready()
        start_limit.end()
        _tune_garbage_collector()
        self.when_ready()

    def _adopt(self, connection: socket.socket, data: bytes) -> None:
        """Serve a connection that a sibling has handed over, with what it has read of it."""
        with connection:
            transport = reactor.adoptStreamConnection(
                connection.fileno(), connection.family, self.http_factory
            )
        transport.protocol.may_be_handed_over = False
        transport.protocol.dataReceived(data)

    def _handle_hangup(self, at_terminal: bool) -> None:
        if SIBLINGS.count > 1:
            return  # the parent stops them, or has the successor
        if at_terminal:
            signal.raise_signal(signal.SIGTERM)
        else:
            self._start_successor()

    def _start_successor(self) -> None:
        if self._successor is not None and self._successor.is_running:
            return
        port = next(iter(self._ports), None)
        if port is None or port.addressFamily == socket.AF_UNIX:
            log.warning("A socket file is not handed over: restart one process after the other")
            return
        # A shutdown would affect the successor, which shares the socket; without it the port is only closed.
        port._shouldShutdown = False
        self._successor = Successor(port.fileno())

    # Stopping. Twisted calls this on SIGTERM and SIGINT, and stops when the Deferred fires.

    def kill_all_applications(self) -> defer.Deferred:
        timer = threading.Timer(STOP_SECONDS, _abort)
        timer.daemon = True
        timer.start()
        return defer.Deferred.fromFuture(asyncio.ensure_future(self._stop()))

    async def _stop(self) -> None:
        # Stop listening first: a page reconnects as soon as its socket closes, and must not reach this process.
        for port in self._ports:
            await defer.maybeDeferred(port.stopListening).asFuture(asyncio.get_running_loop())
        await _cancel(self._duty_tasks)
        await asyncio.sleep(ARRIVAL_SECONDS)
        deadline = asyncio.get_running_loop().time() + ANSWER_SECONDS
        await self._wait_for_responses(deadline)
        for protocol in self._get_open_sockets():
            protocol.sendCloseFrame(code=1012, reasonUtf8=b"restart", isReply=False)
        await asyncio.sleep(CLOSE_FRAME_SECONDS)
        await self._wait_for_responses(deadline)
        self._unanswered_requests = self._count_requests_in_flight()
        if self._unanswered_requests:
            log.warning("%d requests were not answered in time", self._unanswered_requests)
        if self._successor is not None:
            self._successor.start_serving()
        # All tasks, those of the channel layer too: Python 3.11 crashes when it collects a queue's pending reader.
        await _cancel([task for task in asyncio.all_tasks() if task is not asyncio.current_task()])
        stop_delivery()

    async def _wait_for_responses(self, deadline: float) -> None:
        while self._count_requests_in_flight():
            if asyncio.get_running_loop().time() > deadline:
                return
            await asyncio.sleep(0.02)

    def _count_requests_in_flight(self) -> int:
        return sum(
            isinstance(protocol, WebRequest)
            and "disconnected" not in details
            and "application_instance" in details
            for protocol, details in self.connections.items()
        )

    def _get_open_sockets(self) -> list[Any]:
        return [
            protocol
            for protocol, details in self.connections.items()
            if isinstance(protocol, WebSocketProtocol)
            and protocol.state == WebSocketProtocol.STATE_OPEN
            and "disconnected" not in details
        ]


def _tune_garbage_collector() -> None:
    """Exclude existing objects from garbage collection, and collect old generations rarely.

    Collecting them was a sixth of the cost of a move, and a collection of the oldest generation stops every table for
    a tenth of a second. A match leaves few reference cycles, and most of them are young.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(1_000, 200, 10)


async def _run_forever(duty: Duty) -> None:
    while True:
        try:
            await duty()
        except Exception:
            log.exception("A duty of the server failed and begins again")
        await asyncio.sleep(DUTY_RESTART_SECONDS)


async def _cancel(tasks: list[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=CANCEL_SECONDS)


def _abort() -> None:
    log.critical("The stop hung and was cut short; what its threads were doing:")
    faulthandler.dump_traceback()
    os._exit(1)
