"""Daphne's WebSocket protocol, with the close codes that a server may send, and compression (docs/decisions/0007)."""

from collections.abc import Iterable
from time import monotonic
from typing import Any

from autobahn.websocket.compress import PerMessageDeflateOffer, PerMessageDeflateOfferAccept
from daphne.ws_protocol import WebSocketProtocol
from django.conf import settings

MATCH_PATH = "/ws/games/"  # only these frames are worth compressing
WINDOW_BITS = 12  # with MEMORY_LEVEL 30 KB a socket, once it has sent a compressed frame
MEMORY_LEVEL = 4
MAX_INFLATED_BYTES = 4_000  # of a message from a browser; a match's page reads 1,000 characters
MAX_FRAMES = 40  # from a browser at once; a page sends at most 30 messages in 10 seconds, and answers pings
FRAMES_PER_SECOND = 4.0  # from a browser in the long run
TOO_MANY_FRAMES = 1008  # "policy violation", as for too many messages


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
    """A WebSocket connection. Only match pages compress, and only the messages that ask for it.

    A frame of 6 bytes takes the loop of all tables 50 µs, and a chunk that Twisted reads has 11,000 of them. So frames
    have a budget, also pings and pongs, which no application sees. Whoever sends more is read no further.
    """

    data: bytes  # received, and not yet processed by autobahn
    _frames_left = float(MAX_FRAMES)
    _last_frame_at = 0.0  # on the monotonic clock

    def onConnect(self, request: Any) -> Any:  # noqa: N802  autobahn's name
        if request.path.startswith(MATCH_PATH):
            self.perMessageCompressionAccept = accept_compression
        return super().onConnect(request)

    def processData(self) -> bool:  # noqa: N802  autobahn's name, for each header and each payload of a frame
        begins_frame = self.current_frame is None and len(self.data) >= 2
        if begins_frame and settings.LIMITS and not self._take_frame():
            self.data = b""
            self.sendCloseFrame(code=TOO_MANY_FRAMES, isReply=False)  # once; a second later it is dropped
            return False
        processes_on: bool = super().processData()
        return processes_on

    def _take_frame(self) -> bool:
        now = monotonic()
        refilled = self._frames_left + (now - self._last_frame_at) * FRAMES_PER_SECOND
        self._frames_left, self._last_frame_at = min(refilled, float(MAX_FRAMES)) - 1, now
        return self._frames_left >= 0

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
