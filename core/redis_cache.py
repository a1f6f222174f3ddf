"""Django's Redis cache, which behaves as if empty while Redis is unavailable. Rate limits then let requests pass."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

TIMEOUT_SECONDS = 0.5  # for one command
RETRY_SECONDS = 2.0  # without commands after an error

T = TypeVar("T")


class Client(RedisCacheClient):
    _unavailable_until = 0.0

    def add(self, key: Any, value: Any, timeout: Any) -> bool:
        return self._try(True, super().add, key, value, timeout)

    def get(self, key: Any, default: Any) -> Any:
        return self._try(default, super().get, key, default)

    def set(self, key: Any, value: Any, timeout: Any) -> None:
        self._try(None, super().set, key, value, timeout)

    def touch(self, key: Any, timeout: Any) -> bool:
        return self._try(False, super().touch, key, timeout)

    def delete(self, key: Any) -> bool:
        return self._try(False, super().delete, key)

    def get_many(self, keys: Any) -> dict[Any, Any]:
        return self._try({}, super().get_many, keys)

    def has_key(self, key: Any) -> bool:
        return self._try(False, super().has_key, key)

    def incr(self, key: Any, delta: int) -> int:
        return self._try(delta, super().incr, key, delta)

    def set_many(self, data: Any, timeout: Any) -> None:
        self._try(None, super().set_many, data, timeout)

    def delete_many(self, keys: Any) -> None:
        self._try(None, super().delete_many, keys)

    def clear(self) -> bool:
        return self._try(False, super().clear)

    def _try(self, fallback: T, command: Callable[..., T], *arguments: Any) -> T:
        if time.monotonic() < self._unavailable_until:
            return fallback
        try:
            return command(*arguments)
        except (RedisError, OSError):
            self._unavailable_until = time.monotonic() + RETRY_SECONDS
            return fallback


class Cache(RedisCache):
    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = Client
        timeouts = {"socket_timeout": TIMEOUT_SECONDS, "socket_connect_timeout": TIMEOUT_SECONDS}
        self._options: dict[str, Any] = (
            params.get("OPTIONS", {}) | timeouts | {"retry": Retry(NoBackoff(), 0)}
        )
