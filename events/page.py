"""What the page of a day displays to one viewer."""

from dataclasses import dataclass
from datetime import datetime

from events.field import LoadedField, Result, find_own_entry
from games.seats import Viewer


@dataclass(frozen=True)
class DayPage:
    loaded: LoadedField
    own: Result | None
    now: datetime


def build_page(loaded: LoadedField, viewer: Viewer, now: datetime) -> DayPage:
    entry = find_own_entry(loaded.deals, viewer.pk)
    return DayPage(loaded, loaded.build_result(entry) if entry else None, now)
