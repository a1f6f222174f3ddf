"""When the deals of a match of a set close, and what the close leaves of a match."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

from django.utils.translation import ngettext

from boneyard.engine.perspective import View
from games.models import Match

CLOSING_NOTICE = timedelta(hours=1)

_closing_time_functions: list[Callable[[Match], datetime | None]] = []


def register_closing_time(find: Callable[[Match], datetime | None]) -> None:
    """Let `find` tell when the deals of a concealed match close."""
    _closing_time_functions.append(find)


class Closing(NamedTuple):
    """When the deals of a match close, and whether that is within `CLOSING_NOTICE`."""

    at: datetime
    is_soon: bool


def find_closing(match: Match, now: datetime) -> Closing | None:
    """Return when the deals of a match of shared deals close; None for other matches, and once they are shown."""
    if not match.concealed:
        return None
    at = next(filter(None, (find(match) for find in _closing_time_functions)), None)
    return Closing(at, now > at - CLOSING_NOTICE) if at else None


def describe_close(rounds: int, total: int) -> str:
    """Return *The day closed after 5 of 8 rounds*: why a match of shared deals ended by time."""
    text = ngettext(
        "The day closed after %(n)d of %(total)d round",
        "The day closed after %(n)d of %(total)d rounds",
        total,
    )
    return text % {"n": rounds, "total": total}


def count_whole_rounds(view: View) -> int:
    return sum(ended.end.how != "stopped" for ended in view.ended)
