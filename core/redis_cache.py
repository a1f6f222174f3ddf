"""The cache over Redis, which may be away: then nothing is in it, and limits that cannot be counted let in."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

PATIENCE = 0.5  # seconds for one word with Redis
AGAIN = 2.0  # seconds in which one that did not answer is not asked

T = TypeVar("T")


class Client(RedisCacheClient):
    _away_until = 0.0

    def add(self, key: Any, value: Any, timeout: Any) -> bool:
        return self._ask(True, super().add, key, value, timeout)

    def get(self, key: Any, default: Any) -> Any:
        return self._ask(default, super().get, key, default)

    def set(self, key: Any, value: Any, timeout: Any) -> None:
        self._ask(None, super().set, key, value, timeout)

    def touch(self, key: Any, timeout: Any) -> bool:
        return self._ask(False, super().touch, key, timeout)

    def delete(self, key: Any) -> bool:
        return self._ask(False, super().delete, key)

    def get_many(self, keys: Any) -> dict[Any, Any]:
        return self._ask({}, super().get_many, keys)

    def has_key(self, key: Any) -> bool:
        return self._ask(False, super().has_key, key)

    def incr(self, key: Any, delta: int) -> int:
        return self._ask(delta, super().incr, key, delta)

    def set_many(self, data: Any, timeout: Any) -> None:
        self._ask(None, super().set_many, data, timeout)

    def delete_many(self, keys: Any) -> None:
        self._ask(None, super().delete_many, keys)

    def clear(self) -> bool:
        return self._ask(False, super().clear)

    def _ask(self, otherwise: T, deed: Callable[..., T], *arguments: Any) -> T:
        if time.monotonic() < self._away_until:
            return otherwise
        try:
            return deed(*arguments)
        except (RedisError, OSError):
            self._away_until = time.monotonic() + AGAIN
            return otherwise


class Cache(RedisCache):
    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = Client
        patience = {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE}
        self._options: dict[str, Any] = (
            params.get("OPTIONS", {}) | patience | {"retry": Retry(NoBackoff(), 0)}
        )
