"""Open nights for tests: those of the site, at an hour of UTC each week unless said otherwise."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone

from nights import services
from nights.models import Night

MONDAY = datetime(2026, 11, 2, tzinfo=UTC)


def make_open_night(weekday: int = 2, hour: int = 19, **fields: Any) -> Night:
    """Return a night that the site holds every week; `fields` are those of `Night`."""
    starts_at = MONDAY + timedelta(days=weekday, hours=hour)
    night = Night(**{"starts_at": starts_at, "zone": "UTC", "weekly": True} | fields)
    services.save_for_site(night, timezone.now())
    return night
