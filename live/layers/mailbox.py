"""Messages for one reader, in the order they came."""

import asyncio
from typing import Any


class Mailbox:
    """What is used here of asyncio.Queue, whose four deques take 3 KB while nothing is in them. One may wait at it."""

    __slots__ = ("_most", "_queue", "_reader")

    def __init__(self, most: int = 0) -> None:
        self._most = most  # 0: any number
        self._queue: list[Any] = []  # by this name Channels looks for what has expired
        self._reader: asyncio.Future[None] | None = None

    def put_nowait(self, message: Any) -> None:
        """From the loop that the reader waits in. Raises asyncio.QueueFull."""
        if 0 < self._most <= len(self._queue):
            raise asyncio.QueueFull
        self._queue.append(message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Any:
        """The first message. Nothing is lost when the reader is cancelled."""
        while not self._queue:
            if self._reader is not None:
                raise RuntimeError("somebody waits at this mailbox already")
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
