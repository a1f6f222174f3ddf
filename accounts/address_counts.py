"""Count requests from one address within a period."""

from allauth.account.adapter import get_adapter
from django.http import HttpRequest

from core import counters

HOUR_SECONDS, DAY_SECONDS = 3600, 86_400


def count(request: HttpRequest, what: str, period_seconds: int) -> int:
    """Count one more; return the number within the period that began with the first."""
    return counters.count(f"{what}:{get_adapter().get_client_ip(request)}", period_seconds)
