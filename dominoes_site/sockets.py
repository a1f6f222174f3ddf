"""Daphne's sockets without what they need for the handshake alone: half of what one would keep while idle."""

from collections.abc import Callable
from typing import Any, NamedTuple

from autobahn.twisted import websocket as adapter
from autobahn.websocket import protocol
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol


class Asked(NamedTuple):
    """What is read of the request when a socket closes."""

    path: str


class AtOnce:
    """Mixed into a connection of Twisted's: what the system takes is written at once, and the loop asked to say when it
    takes more only for the rest. To ask, and to ask no more, for every frame was a quarter of what the loop did for a
    move."""

    at_once = False  # else all that one turn of the loop writes goes out together, as is best for an answer
    connected: int
    disconnecting: int
    writeSomeData: Callable[[bytes], int | BaseException]
    _waits = False  # for the system to take more

    def write(self, data: bytes) -> None:
        if self.at_once and self.connected and not self._waits and not self.disconnecting:
            taken = self.writeSomeData(data)
            # That a connection is lost Twisted finds by itself, when the loop writes.
            data = data[taken:] if isinstance(taken, int) else data
        if data:
            super().write(data)  # type: ignore[misc]

    def startWriting(self) -> None:  # noqa: N802
        self._waits = True
        super().startWriting()  # type: ignore[misc]

    def stopWriting(self) -> None:  # noqa: N802
        self._waits = False
        super().stopWriting()  # type: ignore[misc]


def quicken(port: Any) -> None:
    """Have this port of Twisted's accept such connections."""
    port.transport = type("Connection", (AtOnce, port.transport), {})


class Socket(WebSocketProtocol):
    request: Any

    def onOpen(self) -> None:  # noqa: N802  autobahn's, when the handshake is over
        super().onOpen()
        self.request = Asked(self.request.path)
        # Twisted's channel, with the request, would stay as what fills the connection; it has nothing to do any more.
        self.transport.unregisterProducer()
        self.transport.at_once = True

    def serverClose(self, code: int | None = None) -> None:  # noqa: N802  Daphne's, for what the application closes with
        # Autobahn's `sendClose` is for clients, to whom 1008 and 1013 are forbidden.
        self.sendCloseFrame(code=1000 if code is None else code, isReply=False)


def lighten(factory: WebSocketFactory) -> None:
    """Have this factory, whose settings are made, build such sockets. Autobahn copies its settings to each that has
    none of its own or of its class, and tells of each frame in a line for the log, coloured before anybody asks whether
    it is wanted: a tenth of what the loop did for a move."""
    for module in (adapter, protocol):
        vars(module).update(hltype=_uncoloured, hlval=_uncoloured, pformat=_uncoloured)
    settings = {name: getattr(factory, name) for name in Socket.CONFIG_ATTRS}
    plain = {name: value for name, value in settings.items() if not callable(value)}
    factory.protocol = type("Socket", (Socket,), plain)


def _uncoloured(said: object) -> object:
    return said
