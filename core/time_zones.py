"""Time zones by the names that browsers send, whatever the system has: newer ones lack Europe/Kiev, some have none."""

from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

UTC_NAME = "UTC"
NON_PLACES = frozenset({"Factory", "localtime", "posixrules"})  # no browser sends them


@cache
def list_zones() -> frozenset[str]:
    """Return the zones of the IANA's data, also by names that were replaced by others."""
    return frozenset(files("tzdata").joinpath("zones").read_text().split()) - NON_PLACES


@cache
def _list_by_lower_case() -> dict[str, str]:
    return {name.lower(): name for name in list_zones()}


def find_zone_name(name: str) -> str | None:
    """Return the name of a zone as the data write it, whatever the case that it was typed in; None if there is none."""
    return _list_by_lower_case().get(name.strip().lower())


def get_zone(name: str) -> ZoneInfo:
    """Return the zone of this name; UTC if nothing here knows it any more."""
    try:
        return ZoneInfo(name)  # the system's data, else those of tzdata
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo(UTC_NAME)
