"""A small message queue for one reader."""

import asyncio
from typing import Any


class Mailbox:
    """A queue with the part of asyncio.Queue's interface that is used here, for one reader.

    An empty asyncio.Queue takes 3 KB, for its deques.
    """

    __slots__ = ("_max_size", "_queue", "_reader")

    def __init__(self, max_size: int = 0) -> None:
        self._max_size = max_size  # 0: unlimited
        self._queue: list[Any] = []  # Channels looks for expired messages under this name
        self._reader: asyncio.Future[None] | None = None

    def put_nowait(self, message: Any) -> None:
        """Append a message; call from the reader's event loop. Raise `asyncio.QueueFull`."""
        if 0 < self._max_size <= len(self._queue):
            raise asyncio.QueueFull
        self._queue.append(message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Any:
        """Remove and return the first message. A cancelled reader loses none. Raise `RuntimeError` for a second one."""
        while not self._queue:
            if self._reader is not None:
                raise RuntimeError("the mailbox already has a reader")
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        return self._queue.pop(0)

    def get_nowait(self) -> Any:
        return self._queue.pop(0)

    def empty(self) -> bool:
        return not self._queue
