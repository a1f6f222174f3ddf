"""The sealed shuffle (docs/record.md): a chain of keys, and the orders they give.

>>> from .tiles import NAMES
>>> keys = chain(bytes(range(32)))
>>> keys.seal[:8], follows(keys.key(1), bytes.fromhex(keys.seal))
('45cd0d40', True)
>>> [NAMES[tile] for tile in shuffled(6, keys.key(1), "lots", 1, 0, "a1b2.")[:2]]
['6-1', '5-4']
"""

import hmac
import itertools
import struct
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Literal

from .tiles import SET_SIZES, Tile

CHAIN_LENGTH = 1000
_WORDS = struct.Struct(">8I")
# For each index in the order, the word from which on the words are uneven among the indices up to it.
_LIMITS = tuple(2**32 - 2**32 % (last + 1) for last in range(max(SET_SIZES.values())))


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


def published(seal: str, secrets: Sequence[str]) -> Keys:
    """The keys of the rounds 1, 2, … as published in hex; `follows` says whether they are genuine."""
    return Keys([bytes.fromhex(key) for key in (seal, *secrets)])


def follows(key: bytes, earlier: bytes) -> bool:
    """Whether `key` is the one that was committed to by the key of the round before it, or by the seal."""
    return sha256(key).digest() == earlier


def shuffled(
    highest: int, key: bytes, purpose: Literal["deal", "lots"], number: int, attempt: int, entropy: str
) -> tuple[Tile, ...]:
    """The set up to the suit `highest` in the order of this shuffle; for this purpose."""
    order = list(range(SET_SIZES[highest]))
    last = len(order) - 1
    for word in _words(key, f"{purpose}:{number}:{attempt}:{entropy}:".encode("ascii")):
        if word < _LIMITS[last]:
            other = word % (last + 1)
            order[last], order[other] = order[other], order[last]
            last -= 1
            if not last:
                break
    return tuple(order)


def _words(key: bytes, message: bytes) -> Iterator[int]:
    """The words of all blocks, each block made when its first word is asked for."""
    before = hmac.new(key, message, "sha256")  # what stands before a block's number is hashed once

    def block(number: int) -> tuple[int, ...]:
        whole = before.copy()
        whole.update(b"%d" % number)
        return _WORDS.unpack(whole.digest())

    # The words of a block come from C, only a new block from here.
    return itertools.chain.from_iterable(map(block, itertools.count()))
