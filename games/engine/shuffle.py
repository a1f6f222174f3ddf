"""The sealed shuffle (docs/record.md): a chain of keys, and the orders they give.

>>> from .tiles import NAMES
>>> keys = chain(bytes(range(32)))
>>> keys.seal[:8], is_preimage(keys.key(1), bytes.fromhex(keys.seal))
('45cd0d40', True)
>>> [NAMES[tile] for tile in shuffled(6, keys.key(1), "lots", 1, 0, "a1b2.")[:2]]
['6-1', '5-4']
"""

import itertools
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from math import ceil
from operator import mod
from typing import Literal

from .tiles import SET_SIZES, Tile

CHAIN_LENGTH = 1000
_WORDS_OF_BLOCK = 8
_ALL_WORDS = 2**32
# A word that is unfair among the tiles of a set begins so.
_MAYBE_UNFAIR = b"\xff\xff\xff"
_HASHED_AT_ONCE = sha256().block_size
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


class Keys:
    """The keys of a match: `key(k)` deals round k, `seal` is published before anybody sits down.

    A holder of the secret has them all; whoever checks a record has only those that were published.
    """

    __slots__ = ("_keys",)

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._keys = tuple(keys)

    @property
    def seal(self) -> str:
        return self._keys[0].hex()

    def key(self, number: int) -> bytes:
        """The key of round `number`. Raises LookupError when it has not been published."""
        if not 0 < number < len(self._keys):
            raise LookupError(number)
        return self._keys[number]

    def __repr__(self) -> str:
        # A secret must not reach a log by way of a traceback.
        return f"<Keys sealed {self.seal}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Keys) and self._keys == other._keys

    def __hash__(self) -> int:
        return hash(self._keys[0])


@lru_cache(maxsize=256)
def chain(secret: bytes) -> Keys:
    """The keys s[0] … s[1000] made from s[1000] = `secret`, 32 bytes."""
    key = secret
    keys = [key]
    for _ in range(CHAIN_LENGTH):
        key = sha256(key).digest()
        keys.append(key)
    return Keys(keys[::-1])


def published_keys(seal: str, secrets: Sequence[str]) -> Keys:
    """The keys of the rounds 1, 2, … as published in hex; `is_preimage` says whether they are genuine."""
    return Keys([bytes.fromhex(key) for key in (seal, *secrets)])


def is_preimage(key: bytes, earlier: bytes) -> bool:
    """Whether `key` is the one that was committed to by the key of the round before it, or by the seal."""
    return sha256(key).digest() == earlier


# What a shuffle of a set goes by: the order before it, among how many tiles each word chooses, what reads so many
# words from blocks, and the numbers of those blocks as they are hash_value.
_Plan = tuple[tuple[Tile, ...], tuple[int, ...], Callable[[bytes], tuple[int, ...]], tuple[bytes, ...]]


def _plan(size: int) -> _Plan:
    words = size - 1
    blocks = ceil(words / _WORDS_OF_BLOCK)
    layout = struct.Struct(f">{words}I{4 * (blocks * _WORDS_OF_BLOCK - words)}x")
    numbers = tuple(b"%d" % number for number in range(blocks))
    return tuple(range(size)), tuple(range(size, 1, -1)), layout.unpack, numbers


_PLANS = {highest: _plan(size) for highest, size in SET_SIZES.items()}


def shuffled(
    highest: int, key: bytes, purpose: Literal["deal", "lots"], number: int, attempt: int, entropy: str
) -> tuple[Tile, ...]:
    """The set up to the suit `highest` in the order of this shuffle; for this purpose."""
    order, choices, words_of, numbers = _PLANS[highest]
    message = f"{purpose}:{number}:{attempt}:{entropy}:".encode("ascii")
    blocks = _blocks(key, message, numbers)
    words: Iterable[int] = words_of(blocks)
    if blocks.find(_MAYBE_UNFAIR) >= 0:
        words = _fair(_all_words(key, message), choices)
    tiles = list(order)
    last = len(tiles) - 1
    for other in map(mod, words, choices):
        tiles[last], tiles[other] = tiles[other], tiles[last]
        last -= 1
    return tuple(tiles)


def _fair(words: Iterator[int], choices: Iterable[int]) -> Sequence[int]:
    """The next word for each number of choices that is fair among so many; the others are thrown away."""
    return [next(word for word in words if word < _ALL_WORDS - _ALL_WORDS % among) for among in choices]


def _all_words(key: bytes, message: bytes) -> Iterator[int]:
    for number in itertools.count():
        yield from struct.unpack(f">{_WORDS_OF_BLOCK}I", _blocks(key, message, [b"%d" % number]))


def _blocks(key: bytes, message: bytes, numbers: Iterable[bytes]) -> bytes:
    """The blocks of these numbers, one after the other."""
    # HMAC as RFC 2104 has it; what stands before a block's number is hash_value once for all blocks.
    padded = key.ljust(_HASHED_AT_ONCE, b"\0")
    inner, outer = sha256(padded.translate(_INNER) + message), sha256(padded.translate(_OUTER))
    blocks = []
    for number in numbers:
        within, around = inner.copy(), outer.copy()
        within.update(number)
        around.update(within.digest())
        blocks.append(around.digest())
    return b"".join(blocks)
