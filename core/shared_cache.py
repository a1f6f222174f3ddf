"""The cache that the web processes of one `manage.py serve` share, in files (docs/decisions/0011)."""

import pickle
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.filebased import FileBasedCache
from django.core.files import locks


class Cache(FileBasedCache):
    """Django's file cache with an atomic `add` and `incr`. `incr` keeps the expiry, as rate limits need."""

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        with self._lock():
            return bool(super().add(key, value, timeout, version))

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        """Add to a counter and return it. Raise `ValueError` for one that has expired."""
        with self._lock():
            try:
                content = Path(self._key_to_file(key, version)).open("rb")  # type: ignore[attr-defined]
            except FileNotFoundError:
                raise ValueError(f"no key {key}") from None
            with content:
                expiry: float = pickle.load(content)  # noqa: S301  written by this site, as in Django's own methods
                number: int = pickle.loads(zlib.decompress(content.read())) + delta  # noqa: S301
            if expiry <= time.time():
                raise ValueError(f"no key {key}")
            self.set(key, number, expiry - time.time(), version)
            return number

    @contextmanager
    def _lock(self) -> Iterator[None]:
        self._createdir()  # type: ignore[attr-defined]
        with (Path(self._dir) / "lock").open("w") as file:  # type: ignore[attr-defined]
            locks.lock(file, locks.LOCK_EX)
            yield  # closing the file unlocks it
