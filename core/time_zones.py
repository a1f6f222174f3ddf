"""Time zones by the names that browsers send, whatever the system has: newer ones lack Europe/Kiev, some have none."""

from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

UTC_NAME = "UTC"


@cache
def list_zones() -> frozenset[str]:
    """Return every name of the IANA's data, also those that were replaced by others."""
    return frozenset(files("tzdata").joinpath("zones").read_text().split())


def get_zone(name: str) -> ZoneInfo:
    """Return the zone of this name; UTC if nothing here knows it any more."""
    try:
        return ZoneInfo(name)  # the system's data, else those of tzdata
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo(UTC_NAME)
