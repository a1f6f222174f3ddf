"""The cache in files that the processes of one server share."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.shared_cache import Cache


@pytest.fixture
def caches(tmp_path) -> list[Cache]:
    """Return the caches of four processes."""
    return [Cache(str(tmp_path / "cache"), {}) for _ in range(4)]


def test_all_processes_count_together(caches):
    assert caches[0].add("guests", 0, 60)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: caches[number % 4].incr("guests"), range(100)))
    assert caches[0].get("guests") == 100


def test_only_one_process_adds_a_key(caches):
    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(lambda cache: cache.add("hint", 1, 60), caches)) == 1


def test_counter_keeps_its_expiry(caches, monkeypatch):
    now = time.time()
    caches[0].add("guests", 1, 60)
    monkeypatch.setattr(time, "time", lambda: now + 50)
    assert caches[1].incr("guests") == 2
    monkeypatch.setattr(time, "time", lambda: now + 61)
    with pytest.raises(ValueError):
        caches[1].incr("guests")
    assert caches[1].add("guests", 1, 60)


def test_unknown_counter_is_refused(caches):
    with pytest.raises(ValueError):
        caches[0].incr("guests")
