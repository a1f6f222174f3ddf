from collections.abc import Iterator

import pytest

from tests.services.redis import Redis


@pytest.fixture
def redis() -> Iterator[Redis]:
    redis = Redis()
    yield redis
    redis.stop()
