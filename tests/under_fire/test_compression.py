"""Compressed frames over the sockets of the real server."""

import json
import random
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection

from tests.http_client import HttpClient
from tests.server import Site
from tests.under_fire.closing import receive_to_the_end
from tests.under_fire.playing import get_state, on_turn, play_first_legal, sit_down
from tests.waiting import attempts

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
        for _ in attempts(f"a message with {contained!r}"):
            self.frames.append(str(self.socket.recv(timeout=20)))
            if contained in self.frames[-1]:
                break
        return self.frames[-1]

    def receive_version(self, version: int) -> None:
        for _ in attempts(f"version {version}"):
            last = "".join(self.frames[-1:])
            if max((int(found) for found in VERSION.findall(last)), default=-1) >= version:
                break
            self.receive("")

    def get_state(self) -> dict[str, Any]:
        return get_state(self.client, self.code)


@pytest.fixture
def pages(site: Site) -> Iterator[list[Page]]:
    """Open the pages of two players and a spectator, at a table whose rounds are short and have draws."""
    code, people = sit_down(site, preset="draw")
    pages = [Page(client, code) for client in (*people, HttpClient(site.url))]
    for page in pages:
        page.receive('id="sync"')
    yield pages
    for page in pages:
        page.socket.close()


def play_round(pages: list[Page]) -> Iterator[tuple[set[str], list[set[str]]]]:
    """Play the first round over the sockets; yield the laid tiles and the hands before and after each move."""
    rng = random.Random(3)
    states = [page.get_state() for page in pages[:2]]
    before = states[0]
    for _ in attempts("the end of the round"):
        yield {row["tile"] for row in states[0]["layout"]}, [set(state["hand"]) for state in states]
        mover, version = states[0]["turn"], states[0]["version"]
        move = rng.choice(states[mover]["legal"])
        pages[mover].socket.send(json.dumps({"move": move, "version": version}))
        for page in pages:
            page.receive_version(version + 1)
        states = [page.get_state() for page in pages[:2]]
        if states[0]["round"] != before["round"] or states[0]["status"] == "finished":
            return


def test_compressed_frames_contain_no_hidden_tile(pages: list[Page]):
    public = named_in(pages[2].frames[0])  # the lots that were drawn for the lead
    held: list[set[str]] = [set(), set()]
    moves = 0
    for laid, hands in play_round(pages):
        moves += 1
        public |= laid
        for page, own, hand in zip(pages, held, hands, strict=False):
            own |= hand
            assert named_in(page.frames[-1]) <= own | public
        assert named_in(pages[2].frames[-1]) <= public
    assert moves > 8
    for page in pages[:2]:
        patches = [message for message in page.wire if 'id="patches"' in message.text]
        assert patches and all(message.is_compressed for message in patches)
        assert sum(message.size for message in patches) < sum(len(message.text) for message in patches) / 3
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
    mover, state = on_turn([alice.client, bob.client], alice.code)
    page = alice if mover is alice.client else bob
    page.socket.send(json.dumps({"move": state["legal"][0], "version": state["version"]}))
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
    mover, state = on_turn(people, code)
    play_first_legal(mover, code, state)
    for page in (plain, compressed):
        page.receive_version(state["version"] + 1)
        page.socket.send("ping")
        page.receive("pong")
    assert plain.frames[-2] == compressed.frames[-2]


def test_bomb_closes_socket_before_it_is_inflated(site: Site):
    code, people = sit_down(site)
    for parts in (1, 3):
        page = Page(people[0], code)
        page.receive('id="sync"')
        reset_peak_memory(site)
        before = peak_memory(site)
        with suppress(OSError):  # closed at the first part
            for frame in serialize_bomb(parts):
                page.socket.socket.sendall(frame)
        receive_to_the_end(page.socket)
        assert peak_memory(site) - before < 20 * MEGABYTE, f"a bomb of {parts} parts"
        assert people[0].get(f"/games/{code}/state.json").status == 200


def test_message_that_inflates_beyond_limit_closes_socket(site: Site):
    code, people = sit_down(site)
    page = Page(people[0], code)
    page.socket.send("x" * 3_900)
    page.socket.send("ping")
    page.receive("pong")
    page.socket.send("x" * 5_000)
    receive_to_the_end(page.socket)


def serialize_bomb(parts: int) -> Iterator[bytes]:
    """Yield the frames of one message, of 100 KB each, which inflate to 100 MB each."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    for number in range(parts):
        data = b"".join(compressor.compress(b"0" * MEGABYTE) for _ in range(100))
        data += compressor.flush(zlib.Z_SYNC_FLUSH)
        is_first, is_last = number == 0, number == parts - 1
        frame = Frame(Opcode.TEXT if is_first else Opcode.CONT, data, fin=is_last).serialize(mask=True)
        yield bytes([frame[0] | COMPRESSED_BIT if is_first else frame[0]]) + frame[1:]


def reset_peak_memory(site: Site) -> None:
    """Let the server's peak be its present memory, where the system can (Linux: proc(5), clear_refs)."""
    with suppress(OSError):
        Path(f"/proc/{site.process.pid}/clear_refs").write_text("5")


def peak_memory(site: Site) -> int:
    """Return the peak of the server's resident memory in bytes; 0 where the system does not tell."""
    status = Path(f"/proc/{site.process.pid}/status")
    peak = re.search(r"VmHWM:\s+(\d+) kB", status.read_text()) if status.exists() else None
    return int(peak[1]) * 1024 if peak else 0
