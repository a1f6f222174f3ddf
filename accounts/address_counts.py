"""Count what comes from one address within a period."""

from allauth.account.adapter import get_adapter
from django.core.cache import cache
from django.http import HttpRequest

HOUR_SECONDS, DAY_SECONDS = 3600, 86_400


def count(request: HttpRequest, what: str, period_seconds: int) -> int:
    """Count one more; return the number within the period that began with the first."""
    key = f"{what}:{get_adapter().get_client_ip(request)}"
    if cache.add(key, 1, period_seconds):
        return 1
    try:
        return cache.incr(key)
    except ValueError:  # the period ended between the two calls
        return 1
