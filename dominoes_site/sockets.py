"""Daphne's WebSocket protocol, with the close codes that a server may send."""

from daphne.ws_protocol import WebSocketProtocol


class SocketProtocol(WebSocketProtocol):
    def serverClose(self, code: int | None = None) -> None:  # noqa: N802  Daphne's name
        # Daphne calls autobahn's `sendClose`, which accepts only a client's codes: not 1008 or 1013.
        self.sendCloseFrame(code=1000 if code is None else code, isReply=False)
