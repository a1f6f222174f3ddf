"""The sealed shuffle (docs/record.md): a chain of keys and the orders that they determine.

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
from hashlib import pbkdf2_hmac, sha256
from math import ceil
from operator import mod
from typing import Literal

from .tiles import SET_SIZES, Tile

CHAIN_LENGTH = 1000
OWNER_ROUNDS = 10_000
_WORDS_PER_BLOCK = 8
_WORD_COUNT = 2**32
# Every word that would bias the choice among the tiles of a set begins with these bytes.
_BIASED_PREFIX = b"\xff\xff\xff"
_HMAC_BLOCK_SIZE = sha256().block_size
_INNER_PAD, _OUTER_PAD = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


class Keys:
    """The keys of a match: `key(k)` deals round k; `seal` is published before anybody sits down.

    The server has all keys; a verifier of a record has only the published ones.
    """

    __slots__ = ("_keys",)

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._keys = tuple(keys)

    @property
    def seal(self) -> str:
        return self._keys[0].hex()

    def key(self, number: int) -> bytes:
        """Return the key of round `number`. Raise `LookupError` if it has not been published."""
        if not 0 < number < len(self._keys):
            raise LookupError(number)
        return self._keys[number]

    def __repr__(self) -> str:
        # Keep secrets out of tracebacks and logs.
        return f"<Keys sealed {self.seal}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Keys) and self._keys == other._keys

    def __hash__(self) -> int:
        return hash(self._keys[0])


@lru_cache(maxsize=256)
def chain(secret: bytes) -> Keys:
    """Return the keys s[0] … s[1000] derived from s[1000] = `secret`, 32 bytes."""
    key = secret
    keys = [key]
    for _ in range(CHAIN_LENGTH):
        key = sha256(key).digest()
        keys.append(key)
    return Keys(keys[::-1])


def owner_digest(code: str, seal: str) -> str:
    """Return what tells a holder of the code of a match or set whether the seal is its own, and nobody else the code.

    Its many rounds keep the code of a private match, ten characters, from being found by trying all.
    """
    return pbkdf2_hmac("sha256", code.encode(), seal.encode(), OWNER_ROUNDS).hex()


def published_keys(seal: str, secrets: Sequence[str]) -> Keys:
    """Return the keys of rounds 1, 2, … as published in hex. Check them with `is_preimage`."""
    return Keys([bytes.fromhex(key) for key in (seal, *secrets)])


def is_preimage(key: bytes, digest: bytes) -> bool:
    """Return whether SHA-256 of `key` is `digest`, the key of the round before or the seal."""
    return sha256(key).digest() == digest


def commitment_to(nonce: str) -> str:
    """Return the commitment to a nonce, in hex: it is published before any nonce is."""
    return sha256(f"nonce:{nonce}".encode("ascii")).hexdigest()


# For one size of set: the unshuffled order, the number of tiles each word chooses from, a function that unpacks
# the words from the blocks, and the numbers of those blocks as hashed.
_Plan = tuple[tuple[Tile, ...], tuple[int, ...], Callable[[bytes], tuple[int, ...]], tuple[bytes, ...]]


def _plan(size: int) -> _Plan:
    words = size - 1
    blocks = ceil(words / _WORDS_PER_BLOCK)
    layout = struct.Struct(f">{words}I{4 * (blocks * _WORDS_PER_BLOCK - words)}x")
    numbers = tuple(b"%d" % number for number in range(blocks))
    return tuple(range(size)), tuple(range(size, 1, -1)), layout.unpack, numbers


_PLANS = {highest: _plan(size) for highest, size in SET_SIZES.items()}


def shuffled(
    highest: int, key: bytes, purpose: Literal["deal", "lots"], number: int, attempt: int, entropy: str
) -> tuple[Tile, ...]:
    """Return the set up to the suit `highest`, shuffled for this purpose, round `number` and `attempt`."""
    order, choices, unpack, numbers = _PLANS[highest]
    message = f"{purpose}:{number}:{attempt}:{entropy}:".encode("ascii")
    blocks = _blocks(key, message, numbers)
    words: Iterable[int] = unpack(blocks)
    if blocks.find(_BIASED_PREFIX) >= 0:
        words = _unbiased(_word_stream(key, message), choices)
    tiles = list(order)
    last = len(tiles) - 1
    for other in map(mod, words, choices):
        tiles[last], tiles[other] = tiles[other], tiles[last]
        last -= 1
    return tuple(tiles)


def shuffled_items(
    items: Sequence[int], key: bytes, purpose: str, number: int, entropy: str
) -> tuple[int, ...]:
    """Return any items, at most 2**32, shuffled as a set is (docs/record.md), attempt 0."""
    order = list(items)
    choices = range(len(order), 1, -1)
    words = _unbiased(_word_stream(key, f"{purpose}:{number}:0:{entropy}:".encode("ascii")), choices)
    for last, word, count in zip(range(len(order) - 1, 0, -1), words, choices, strict=True):
        other = word % count
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def _unbiased(words: Iterator[int], choices: Iterable[int]) -> Sequence[int]:
    """Return one word for each number of choices; discard words that would bias the choice."""
    return [next(word for word in words if word < _WORD_COUNT - _WORD_COUNT % count) for count in choices]


def _word_stream(key: bytes, message: bytes) -> Iterator[int]:
    for number in itertools.count():
        yield from struct.unpack(f">{_WORDS_PER_BLOCK}I", _blocks(key, message, [b"%d" % number]))


def _blocks(key: bytes, message: bytes, numbers: Iterable[bytes]) -> bytes:
    """Return the concatenated HMAC-SHA-256 blocks with these numbers."""
    # RFC 2104. The prefix before a block's number is hashed once for all blocks.
    padded = key.ljust(_HMAC_BLOCK_SIZE, b"\0")
    inner, outer = sha256(padded.translate(_INNER_PAD) + message), sha256(padded.translate(_OUTER_PAD))
    blocks = []
    for number in numbers:
        block_inner, block_outer = inner.copy(), outer.copy()
        block_inner.update(number)
        block_outer.update(block_inner.digest())
        blocks.append(block_outer.digest())
    return b"".join(blocks)
