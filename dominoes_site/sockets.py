"""Daphne's WebSocket protocol, with the close codes that a server may send, and compression (docs/decisions/0007)."""

from collections.abc import Iterable
from typing import Any

from autobahn.websocket.compress import PerMessageDeflateOffer, PerMessageDeflateOfferAccept
from daphne.ws_protocol import WebSocketProtocol

MATCH_PATH = "/ws/games/"  # only these frames are worth compressing
WINDOW_BITS = 12  # with MEMORY_LEVEL 30 KB a socket, once it has sent a compressed frame
MEMORY_LEVEL = 4
MAX_INFLATED_BYTES = 4_000  # of a message from a browser; a match's page reads 1,000 characters


def accept_compression(offers: Iterable[Any]) -> PerMessageDeflateOfferAccept | None:
    """Accept the first offer of permessage-deflate, or none.

    A message from the browser that inflates to more than MAX_INFLATED_BYTES ends the connection.
    """
    for offer in offers:
        if isinstance(offer, PerMessageDeflateOffer):
            return PerMessageDeflateOfferAccept(
                offer,
                request_no_context_takeover=True,
                window_bits=min(WINDOW_BITS, offer.request_max_window_bits or WINDOW_BITS),
                mem_level=MEMORY_LEVEL,
                max_message_size=MAX_INFLATED_BYTES,
            )
    return None


class SocketProtocol(WebSocketProtocol):
    """A WebSocket connection. Only match pages compress, and only the messages that ask for it."""

    def onConnect(self, request: Any) -> Any:  # noqa: N802  autobahn's name
        if request.path.startswith(MATCH_PATH):
            self.perMessageCompressionAccept = accept_compression
        return super().onConnect(request)

    def handle_reply(self, message: dict[str, Any]) -> None:
        """Send a message; compress it if it has `compress` and the browser supports it."""
        if message.get("compress"):
            self.sendMessage(message["text"].encode())
        else:
            super().handle_reply(message)

    def serverSend(self, content: Any, binary: bool = False) -> None:  # noqa: N802  Daphne's name
        self.sendMessage(content if binary else content.encode(), binary, doNotCompress=True)

    def serverClose(self, code: int | None = None) -> None:  # noqa: N802  Daphne's name
        # Daphne calls autobahn's `sendClose`, which accepts only a client's codes: not 1008 or 1013.
        self.sendCloseFrame(code=1000 if code is None else code, isReply=False)
