"""The sealed shuffle: docs/record.md, "The sealed shuffle"."""

import hashlib
import hmac
from collections.abc import Iterator

from tests.engine.reference.tiles import Tile, whole_set

ROUNDS = 1000


def chain(secret: bytes) -> list[bytes]:
    """Return s[0] … s[1000]; s[1000] is the secret and s[0] the seal."""
    links = [secret]
    for _ in range(ROUNDS):
        links.append(hashlib.sha256(links[-1]).digest())
    return list(reversed(links))


def words(key: bytes, purpose: str, number: int, attempt: int, entropy: str) -> Iterator[int]:
    """Yield the endless 32-bit words of one shuffle."""
    block = 0
    while True:
        message = f"{purpose}:{number}:{attempt}:{entropy}:{block}"
        digest = hmac.new(key, message.encode("ascii"), hashlib.sha256).digest()
        for place in range(0, 32, 4):
            yield int.from_bytes(digest[place : place + 4], "big")
        block += 1


def shuffled(highest: int, key: bytes, purpose: str, number: int, attempt: int, entropy: str) -> list[Tile]:
    """Return the set in the order of one shuffle."""
    tiles = whole_set(highest)
    stream = words(key, purpose, number, attempt, entropy)
    for last in range(len(tiles) - 1, 0, -1):
        choices = last + 1
        word = next(stream)
        while word >= 2**32 - 2**32 % choices:
            word = next(stream)
        other = word % choices
        tiles[last], tiles[other] = tiles[other], tiles[last]
    return tiles
