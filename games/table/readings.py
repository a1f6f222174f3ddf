"""A match's rows as they were at one moment, shared by the sockets of this process that had been told before it.

A move nudges all pages of its match at once: the rows are read for the first of them, and what spectators see is
rendered for the first of these. For the thread only that all sockets share; pages and their forms read for themselves.
"""

import time
from weakref import WeakValueDictionary

from django.utils import timezone
from django.utils.translation import get_language

from games import values
from games.models import Match, Seat
from games.seats import Viewer
from games.table.context import Around, parts, table_for, unheard_by

KEPT = 0.5  # seconds; a page sets its clock by the time in its parts

_latest: WeakValueDictionary[str, "Reading"] = WeakValueDictionary()  # alive as long as a socket shows it


class Reading:
    def __init__(self, code: str) -> None:
        self.at = time.monotonic()  # before the first query
        self.now = timezone.now()
        self.match = Match.objects.get(code=code)
        self.value = values.value_of(self.match)
        self.around = Around(self.match, self.now)
        self._watched: dict[tuple[str | None, bool, frozenset[int]], str] = {}

    def good_for(self, version: int, since: float) -> bool:
        """Whether it is fresh enough for a page that was told of `version`, and of other changes at `since`."""
        return self.match.version >= version and self.at >= max(since, time.monotonic() - KEPT)

    def parts_for(self, user: Viewer) -> str:
        """The parts of the page for this viewer; the same for all spectators of a language."""
        if (seat := self._seat_of(user)) is not None:
            return self._parts(seat, user)
        unheard = frozenset(unheard_by(user, self.around.talk(None)))
        key = get_language(), user.is_authenticated, unheard
        if key not in self._watched:
            self._watched[key] = self._parts(None, user)
        return self._watched[key]

    def _seat_of(self, user: Viewer) -> Seat | None:
        own = (seat for seat in self.around.seats if seat.user_id == user.pk and not seat.taken_over)
        return next(own, None) if user.is_authenticated else None

    def _parts(self, seat: Seat | None, user: Viewer) -> str:
        return parts(
            table_for(self.match, self.value, seat=seat, user=user, now=self.now, around=self.around)
        )


def reading(code: str, *, version: int, since: float) -> Reading:
    """The latest reading if it is fresh enough for a page that was told this, else a new one; the page keeps it."""
    latest = _latest.get(code)
    if latest is None or not latest.good_for(version, since):
        latest = _latest[code] = Reading(code)
    return latest
