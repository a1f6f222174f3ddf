"""An asyncio client of the site: cookies, forms, keep-alive connections and WebSockets.

Supports only the HTTP that Daphne sends.
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

MAX_IDLE_SECONDS = 30.0  # the server closes idle connections after a minute
ANSWER_TIMEOUT_SECONDS = 30.0

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Answer(NamedTuple):
    """A response. `status` is 0 if there was none; the body then has the reason."""

    status: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    def json(self) -> Any:
        return json.loads(self.body)


class Visitor:
    """A client with its own cookies. Sends the CSRF token with every form, and does not follow redirects."""

    def __init__(self, url: str, patience: float = ANSWER_TIMEOUT_SECONDS, language: str = "en") -> None:
        self.url = url
        self.patience, self.language = patience, language
        self._url_parts = urlsplit(url)
        self._cookies: dict[str, str] = {}
        self._idle: list[tuple[float, Connection]] = []

    async def get(self, path: str) -> Answer:
        return await self._request("GET", path, "text/html")

    async def post(self, path: str, accept: str = "application/json", **fields: str | int) -> Answer:
        form = {"csrfmiddlewaretoken": self._cookies.get("csrftoken", ""), **fields}
        return await self._request("POST", path, accept, urlencode(form).encode())

    def listen(self, path: str, **options: Any) -> connect:
        """Return a WebSocket connection with this client's cookies, to enter with `async with`."""
        return connect(
            self.url.replace("http", "ws", 1) + path,
            origin=Origin(self.url),
            additional_headers={"Cookie": self._cookie, "Accept-Language": self.language},
            proxy=None,
            **options,
        )

    async def switch_to(self, url: str) -> None:
        """Use another process of the same site from now on."""
        if url != self.url:
            await self.close()
            self.url, self._url_parts = url, urlsplit(url)

    async def close(self) -> None:
        for _since, (_reader, writer) in self._idle:
            writer.close()
        self._idle.clear()

    @property
    def _cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self._cookies.items())

    async def _request(self, method: str, path: str, accept: str, body: bytes = b"") -> Answer:
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: {self._url_parts.netloc}",
            f"Accept: {accept}",
            "Accept-Encoding: gzip",
            f"Accept-Language: {self.language}",
            f"Cookie: {self._cookie}",
            f"Content-Length: {len(body)}",
            "Content-Type: application/x-www-form-urlencoded",
        ]
        if accept == "text/html" and method == "POST":
            lines.append("HX-Request: true")
        try:
            async with asyncio.timeout(self.patience):
                reader, writer = await self._connection()
                writer.write("\r\n".join([*lines, "", ""]).encode() + body)
                answer = await self._read(reader)
        except (OSError, EOFError, TimeoutError) as error:
            return Answer(0, {}, repr(error).encode())
        self._idle.append((time.monotonic(), (reader, writer)))
        return answer

    async def _connection(self) -> Connection:
        while self._idle:
            since, connection = self._idle.pop()
            if time.monotonic() - since < MAX_IDLE_SECONDS:
                return connection
            connection[1].close()
        return await asyncio.open_connection(self._url_parts.hostname, self._url_parts.port)

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
