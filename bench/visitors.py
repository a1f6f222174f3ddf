"""Somebody at the site, for asyncio: cookies and forms over kept connections of plain HTTP, and sockets.

As much of HTTP as Daphne answers with, and no more.
"""

import asyncio
import gzip
import json
import time
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from websockets.asyncio.client import connect
from websockets.typing import Origin

KEPT = 30.0  # seconds; the server drops connections that idle for a minute
PATIENCE = 30.0  # seconds for an answer

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Answer(NamedTuple):
    """`status` is 0 where there was no answer; the body tells why."""

    status: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    def json(self) -> Any:
        return json.loads(self.body)


class Visitor:
    """Keeps cookies, sends the token of the present session with every form, and follows no redirect."""

    def __init__(self, url: str, patience: float = PATIENCE, language: str = "en") -> None:
        self.url = url
        self.patience, self.language = patience, language
        self._at = urlsplit(url)
        self._cookies: dict[str, str] = {}
        self._idle: list[tuple[float, Connection]] = []

    async def get(self, path: str) -> Answer:
        return await self._ask("GET", path, "text/html")

    async def post(self, path: str, accept: str = "application/json", **fields: str | int) -> Answer:
        form = {"csrfmiddlewaretoken": self._cookies.get("csrftoken", ""), **fields}
        return await self._ask("POST", path, accept, urlencode(form).encode())

    def listen(self, path: str, **options: Any) -> connect:
        """A socket of this visitor, to be entered with `async with`."""
        return connect(
            self.url.replace("http", "ws", 1) + path,
            origin=Origin(self.url),
            additional_headers={"Cookie": self._cookie, "Accept-Language": self.language},
            proxy=None,
            **options,
        )

    async def move_to(self, url: str) -> None:
        """Go on at another process of the same site."""
        if url != self.url:
            await self.leave()
            self.url, self._at = url, urlsplit(url)

    async def leave(self) -> None:
        for _since, (_reader, writer) in self._idle:
            writer.close()
        self._idle.clear()

    @property
    def _cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self._cookies.items())

    async def _ask(self, method: str, path: str, accept: str, body: bytes = b"") -> Answer:
        head = [
            f"{method} {path} HTTP/1.1",
            f"Host: {self._at.netloc}",
            f"Accept: {accept}",
            "Accept-Encoding: gzip",
            f"Accept-Language: {self.language}",
            f"Cookie: {self._cookie}",
            f"Content-Length: {len(body)}",
            "Content-Type: application/x-www-form-urlencoded",
        ]
        if accept == "text/html" and method == "POST":
            head.append("HX-Request: true")
        try:
            async with asyncio.timeout(self.patience):
                reader, writer = await self._connection()
                writer.write("\r\n".join([*head, "", ""]).encode() + body)
                answer = await self._read(reader)
        except (OSError, EOFError, TimeoutError) as error:
            return Answer(0, {}, repr(error).encode())
        self._idle.append((time.monotonic(), (reader, writer)))
        return answer

    async def _connection(self) -> Connection:
        while self._idle:
            since, connection = self._idle.pop()
            if time.monotonic() - since < KEPT:
                return connection
            connection[1].close()
        return await asyncio.open_connection(self._at.hostname, self._at.port)

    async def _read(self, reader: asyncio.StreamReader) -> Answer:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").splitlines()[:-1]
        headers: dict[str, str] = {}
        for line in lines:
            name, _colon, value = line.partition(":")
            if name.lower() == "set-cookie":
                cookie, _equals, content = value.partition(";")[0].strip().partition("=")
                self._cookies[cookie] = content
            headers[name.lower()] = value.strip()
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        return Answer(int(first.split()[1]), headers, body)
