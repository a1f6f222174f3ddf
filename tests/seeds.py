"""Repeatable chance: deals, codes and made-up names of a test follow from SEED and the test's name.

`SEED=… make test` tries other deals. A failure prints its seed.
"""

import fcntl
import hmac
import os
import random
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TypeVar

USUAL_SEED = "boneyard"
SEED = os.environ.get("SEED", USUAL_SEED)
SEED_FILE = "seed"  # in a server's VAR_DIR: the test's key, and how many blocks have been drawn
BLOCK_BYTES = 32
# The modules of the site that draw what a page may show. Session keys, tokens and the like stay random.
DRAWING_MODULES = (
    "accounts.guests",
    "accounts.personal",
    "events.services.entries",
    "games.services.beginnings",
    "lobbies.services.rows",
)

Item = TypeVar("Item")


def derive_key(name: str, seed: str = SEED) -> bytes:
    """Return the key of the test or server with this name."""
    return hmac.digest(seed.encode(), name.encode(), "sha256")


def current_test() -> str:
    """Return the name of the running test, as pytest writes it."""
    return os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]


def derive_block(key: bytes, number: int) -> bytes:
    """Return block `number` of a key's stream: `BLOCK_BYTES` bytes."""
    return hmac.digest(key, number.to_bytes(8, "big"), "sha256")


class SeededSecrets:
    """The functions of `secrets` that the site uses, fed by blocks of a stream."""

    def __init__(self, draw_block: Callable[[], bytes]) -> None:
        self._draw_block = draw_block

    def token_bytes(self, count: int = BLOCK_BYTES) -> bytes:
        return b"".join(self._draw_block() for _ in range(-(-count // BLOCK_BYTES)))[:count]

    def randbelow(self, limit: int) -> int:
        return int.from_bytes(self._draw_block()) % limit

    def choice(self, items: Sequence[Item]) -> Item:
        return items[self.randbelow(len(items))]


class SeededRandom:
    """The functions of `random` that the referee uses: computers choose by the key last written to `folder`."""

    uniform = staticmethod(random.uniform)  # spreads the referees in time

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def getrandbits(self, count: int) -> int:
        """Return the same bits for each move of a test: how many were drawn before depends on time."""
        key, _number = _exchange(self._folder, lambda was: was).split()
        return int.from_bytes(bytes.fromhex(key)) % (1 << count)


def count_blocks(key: bytes) -> Callable[[], bytes]:
    """Return a function that draws the blocks of `key` in order."""
    numbers = iter(range(1 << 62))
    return lambda: derive_block(key, next(numbers))


def write_key(folder: Path, key: bytes) -> None:
    """Let the server with this VAR_DIR draw from the beginning of this key's stream."""
    _exchange(folder, lambda _was: f"{key.hex()} 0")


def draw_from(folder: Path) -> Callable[[], bytes]:
    """Return a function that draws the next block of the key last written to `folder`, in any process."""

    def draw_block() -> bytes:
        key, number = _exchange(folder, _count).split()
        return derive_block(bytes.fromhex(key), int(number))

    return draw_block


def drawing_modules() -> list[ModuleType]:
    return [import_module(name) for name in DRAWING_MODULES]


def _count(was: str) -> str:
    key, number = was.split()
    return f"{key} {int(number) + 1}"


def _exchange(folder: Path, change: Callable[[str], str]) -> str:
    """Replace the seed file's text under a lock; return what it was."""
    handle = os.open(folder / SEED_FILE, os.O_RDWR | os.O_CREAT)
    with os.fdopen(handle, "r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        was = file.read()
        file.seek(0)
        file.truncate()
        file.write(change(was))
        file.flush()
    return was
