"""Counters in the cache, for rate limits."""

from django.core.cache import cache


def count(key: str, period_seconds: int) -> int:
    """Count one more; return the number within the period that began with the first."""
    if cache.add(key, 1, period_seconds):
        return 1
    try:
        return cache.incr(key)
    except ValueError:  # the period ended between the two calls
        return 1
