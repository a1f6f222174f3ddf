"""Daphne's sockets without what they need for the handshake alone: half of what one would keep while idle."""

from typing import Any, NamedTuple

from autobahn.twisted import websocket as adapter
from autobahn.websocket import protocol
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol


class Asked(NamedTuple):
    """What is read of the request when a socket closes."""

    path: str


class Socket(WebSocketProtocol):
    request: Any

    def onOpen(self) -> None:  # noqa: N802  autobahn's, when the handshake is over
        super().onOpen()
        self.request = Asked(self.request.path)
        # Twisted's channel, with the request, would stay as what fills the connection; it has nothing to do any more.
        self.transport.unregisterProducer()

    def sendData(self, data: bytes, sync: bool = False, chopsize: int | None = None) -> None:  # noqa: N802
        """Autobahn's. What waits to be sent goes out at once, not when the loop has asked the system whether it may."""
        super().sendData(data, sync, chopsize)
        if self.transport.connected and not self.transport.disconnecting:
            self.transport.doWrite()  # what the system does not take stays, and so does a connection that is lost

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
