"""A match as it was at one moment, shared by the sockets of this process that had been told before it.

A move nudges all pages of its match at once: what it left is at hand (`repository.get_cached_snapshot`) or its rows are read for the first
of them, and what spectators see is made for the first of these. Who is here and what was said has a moment of its own.
"""

import time
from collections.abc import MutableMapping, Sequence
from threading import Lock

from cachetools import LRUCache
from django.utils import timezone
from django.utils.translation import get_language

from games import repository, wording
from games.board import Shape
from games.drawing.line import SHAPES
from games.models import Seat
from games.repository import Snapshot
from games.seats import Viewer
from games.table.audience import Around
from games.table.page_state import Shown
from games.table.table_view import table_for

KEPT = 0.5  # seconds; a page sets its clock by the time in its parts
KEPT_AROUND = 5.0  # seconds; of a process that dies with its sockets nobody is told

READINGS = 400

_latest: MutableMapping[str, "Reading"] = LRUCache(READINGS)
_lock = Lock()


def forget_all() -> None:
    """Empty the cache, as a new process finds it."""
    with _lock:
        _latest.clear()


class Reading:
    def __init__(self, snapshot: Snapshot, around: Around | None) -> None:
        self.made = time.monotonic()
        self.now = timezone.now()
        self.snapshot = snapshot
        self.match = snapshot.match
        self.around = around or Around(self.match, snapshot.seats, self.now)
        self._watched: dict[tuple[str | None, bool, frozenset[int], Sequence[Shape]], Shown] = {}

    def good_for(self, version: int, since: float, around_since: float) -> bool:
        """Whether it is fresh enough for a page that was told of `version`, and of other changes at `since`."""
        return (
            self.match.version >= version
            and self.snapshot.at >= since
            and self.around.at >= around_since
            and self.made >= time.monotonic() - KEPT
        )

    def shown_to(self, user: Viewer, shapes: Sequence[Shape] = SHAPES) -> Shown:
        """What a page of this viewer shows, with the board in these shapes; the same for all spectators of a
        language."""
        if (seat := self.snapshot.seat_of(user)) is not None:
            return self._shown(seat, user, shapes)
        key = get_language(), user.is_authenticated, self.around.unheard_by(user, None), shapes
        if key not in self._watched:
            self._watched[key] = self._shown(None, user, shapes)
        return self._watched[key]

    def _shown(self, seat: Seat | None, user: Viewer, shapes: Sequence[Shape]) -> Shown:
        with wording.speaking():
            table = table_for(
                self.match,
                self.snapshot.value,
                seat=seat,
                user=user,
                now=self.now,
                rows=self.snapshot.seats,
                around=self.around,
                steady=True,
                shapes=shapes,
            )
            return Shown(table)


def reading(code: str, *, version: int, since: float, around_since: float = 0.0) -> Reading:
    """The latest reading if it is fresh enough for a page that was told this, else a new one."""
    with _lock:
        latest = _latest.get(code)
    if latest is not None and latest.good_for(version, since, around_since):
        return latest
    around = latest.around if latest is not None else None
    if around is not None and around.at < max(around_since, time.monotonic() - KEPT_AROUND):
        around = None
    if around is None:
        # Who is here follows from rows, too, that change without a nudge.
        since = max(since, time.monotonic() - KEPT)
    snapshot = repository.get_cached_snapshot(code, version=version, since=since)
    if snapshot is None:
        snapshot = repository.get_snapshot(code=code)
        repository.cache_snapshot(snapshot)
    made = Reading(snapshot, around)
    with _lock:
        _latest[code] = made
    return made
