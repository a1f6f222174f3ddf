"""Compressed frames over the sockets of the real server."""

import json
import random
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection

from tests.http_client import HttpClient
from tests.server import Site
from tests.under_fire.test_kill import sit_down

MEGABYTE = 1 << 20
COMPRESSED_BIT = 0x40  # of a message's first byte
TILE = re.compile(r"(?<![\w-])(\d)-(\d)(?![\w-])")
VERSION = re.compile(r'id="(?:sync|patches)"[^>]*? data-version="(\d+)"')


class Message(NamedTuple):
    """A message as received; `size` is that of its payload on the wire, in bytes."""

    text: str
    is_compressed: bool
    size: int


class Page:
    """A socket of a match's page, with the messages that it has received."""

    def __init__(self, client: HttpClient, code: str, compression: str | None = "deflate") -> None:
        self.client, self.code = client, code
        self.socket: ClientConnection = client.open_socket(f"/ws/games/{code}/", compression)
        self.wire: list[Message] = []  # the first may be missing
        self.frames: list[str] = []
        if self.socket.protocol.extensions:
            self._record_wire()

    def _record_wire(self) -> None:
        extension = self.socket.protocol.extensions[0]
        decode = extension.decode

        def record(frame: Frame, *, max_size: int | None = None) -> Frame:
            decoded = decode(frame, max_size=max_size)
            if frame.opcode is Opcode.TEXT:
                self.wire.append(Message(bytes(decoded.data).decode(), frame.rsv1, len(frame.data)))
            return decoded

        extension.decode = record  # type: ignore[method-assign]

    def receive(self, contained: str) -> str:
        """Return the next message that contains a text."""
        while contained not in (frame := str(self.socket.recv(timeout=20))):
            self.frames.append(frame)
        self.frames.append(frame)
        return frame

    def receive_version(self, version: int) -> None:
        while max((int(found) for found in VERSION.findall("".join(self.frames[-1:]))), default=-1) < version:
            self.receive("")

    @property
    def state(self) -> dict:
        return self.client.get(f"/games/{self.code}/state.json").json()


@pytest.fixture
def pages(site: Site) -> Iterator[list[Page]]:
    """Open the pages of two players and a spectator."""
    code, people = sit_down(site)
    pages = [Page(client, code) for client in (*people, HttpClient(site.url))]
    for page in pages:
        page.receive('id="sync"')
    yield pages
    for page in pages:
        page.socket.close()


def play_round(pages: list[Page]) -> Iterator[set[str]]:
    """Play the first round over the sockets; yield the laid tiles after each move."""
    rng = random.Random(3)
    while True:
        states = [page.state for page in pages[:2]]
        mover = states[0]["turn"]
        version, move = states[0]["version"], rng.choice(states[mover]["legal"])
        pages[mover].socket.send(json.dumps({"move": move, "version": version}))
        for page in pages:
            page.receive_version(version + 1)
        state = pages[0].state
        if state["round"] != states[0]["round"] or state["status"] == "finished":
            return
        yield {row["tile"] for row in state["layout"]}


def test_compressed_frames_contain_no_hidden_tile(pages: list[Page]):
    public = named_in(pages[2].frames[0])  # the lots that were drawn for the lead
    held = [set(page.state["hand"]) for page in pages]
    for page, own in zip(pages, held, strict=True):
        assert named_in(page.frames[0]) <= own | public
    for laid in play_round(pages):
        public |= laid
        for page, own in zip(pages, held, strict=True):
            own |= set(page.state["hand"])
            assert named_in(page.frames[-1]) <= own | public
    for page in pages[:2]:
        moves = [message for message in page.wire if 'id="patches"' in message.text]
        assert moves and all(message.is_compressed for message in moves)
        assert sum(message.size for message in moves) < sum(len(message.text) for message in moves) / 3
    assert not any(message.is_compressed for message in pages[2].wire)


def named_in(frame: str) -> set[str]:
    return {f"{a}-{b}" for a, b in TILE.findall(frame)}


def test_talk_is_sent_uncompressed(pages: list[Page]):
    """Lengths must not tell whether somebody's words repeat what the hand has."""
    alice, bob, _spectator = pages
    alice.client.post(f"/games/{alice.code}/say", text="six five, 6-5", accept="application/json")
    bob.receive("six five, 6-5")
    bob.socket.send("look")
    bob.receive("six five, 6-5")
    state = alice.state
    mover = pages[state["turn"]]
    mover.socket.send(json.dumps({"move": mover.state["legal"][0], "version": state["version"]}))
    bob.receive_version(state["version"] + 1)
    with_talk = [message for message in bob.wire if "six five" in message.text]
    assert len(with_talk) == 2 and not any(message.is_compressed for message in with_talk)
    assert any(message.is_compressed for message in bob.wire if message not in with_talk)


def test_browser_without_compression_gets_the_same_frames(site: Site):
    code, people = sit_down(site)
    plain, compressed = Page(people[0], code, None), Page(people[0], code)
    assert not plain.socket.protocol.extensions and compressed.socket.protocol.extensions
    for page in (plain, compressed):
        page.receive('id="sync"')
    state = plain.state
    mover = people[state["turn"]]
    move = mover.get(f"/games/{code}/state.json").json()["legal"][0]
    mover.post(f"/games/{code}/move", accept="application/json", move=move, version=state["version"])
    for page in (plain, compressed):
        page.receive_version(state["version"] + 1)
        page.socket.send("ping")
        page.receive("pong")
    assert plain.frames[-2] == compressed.frames[-2]


@pytest.mark.parametrize("parts", [1, 3])
def test_bomb_closes_socket_before_it_is_inflated(site: Site, parts: int):
    code, people = sit_down(site)
    page = Page(people[0], code)
    page.receive('id="sync"')
    before = peak_memory(site)
    with suppress(OSError):  # closed at the first part
        for frame in serialize_bomb(parts):
            page.socket.socket.sendall(frame)
    with pytest.raises(ConnectionClosed):
        while True:
            page.socket.recv(timeout=20)
    assert peak_memory(site) - before < 20 * MEGABYTE
    assert people[0].get(f"/games/{code}/state.json").status == 200


def test_message_that_inflates_beyond_limit_closes_socket(site: Site):
    code, people = sit_down(site)
    page = Page(people[0], code)
    page.socket.send("x" * 3_900)
    page.socket.send("ping")
    page.receive("pong")
    page.socket.send("x" * 5_000)
    with pytest.raises(ConnectionClosed):
        while True:
            page.socket.recv(timeout=20)


def serialize_bomb(parts: int) -> Iterator[bytes]:
    """Yield the frames of one message, of 100 KB each, which inflate to 100 MB each."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    for number in range(parts):
        data = b"".join(compressor.compress(b"0" * MEGABYTE) for _ in range(100))
        data += compressor.flush(zlib.Z_SYNC_FLUSH)
        is_first, is_last = number == 0, number == parts - 1
        frame = Frame(Opcode.TEXT if is_first else Opcode.CONT, data, fin=is_last).serialize(mask=True)
        yield bytes([frame[0] | COMPRESSED_BIT if is_first else frame[0]]) + frame[1:]


def peak_memory(site: Site) -> int:
    """Return the peak of the server's resident memory in bytes; 0 where the system does not tell."""
    status = Path(f"/proc/{site.process.pid}/status")
    peak = re.search(r"VmHWM:\s+(\d+) kB", status.read_text()) if status.exists() else None
    return int(peak[1]) * 1024 if peak else 0
