"""A match as it was at one moment, rendered for all sockets of this process.

A move notifies all pages of its match at once. The rows are taken from `repository.get_cached_snapshot` or read for
the first of these pages; what spectators see is rendered for the first of them. Presence and talk are cached on their
own, as they change without the match.
"""

import time
from collections.abc import Sequence
from threading import Lock

from django.utils import timezone

from boneyard.board import Shape
from core.latest import LatestDict
from games import repository, wording
from games.drawing.line import SHAPES
from games.models import Seat
from games.repository import Snapshot
from games.seats import Viewer
from games.table.audience import Audience
from games.table.page_state import MatchPageState
from games.table.table_view import build_table_view

VIEW_TTL_SECONDS = 0.5  # a page sets its clock by the time of rendering
AUDIENCE_TTL_SECONDS = 5.0  # if a process dies with its sockets, nothing is broadcast
MAX_CACHED_VIEWS = 400

# Cache: key the match's code; bound MAX_CACHED_VIEWS; invalidated by age and by what the caller was notified of
# (SnapshotView.is_fresh_for).
_views: LatestDict[str, "SnapshotView"] = LatestDict(MAX_CACHED_VIEWS)
_lock = Lock()


def clear() -> None:
    """Empty the cache, as in a new process."""
    with _lock:
        _views.clear()


class SnapshotView:
    """A snapshot of a match with its audience, and what its viewers' pages show of it."""

    def __init__(self, snapshot: Snapshot, audience: Audience | None) -> None:
        self.created_at = time.monotonic()
        self.now = timezone.now()
        self.snapshot = snapshot
        self.match = snapshot.match
        self.audience = audience or Audience(self.match, snapshot.seats, self.now)
        # Cache: key what spectators' pages differ by; bound the number of spectators; dropped with this view.
        self._spectator_pages: dict[
            tuple[str | None, bool, frozenset[int], Sequence[Shape]], MatchPageState
        ] = {}

    def is_fresh_for(self, version: int, since: float, audience_since: float) -> bool:
        """Return whether it includes `version` of the match and what changed before these times (time.monotonic)."""
        return (
            self.match.version >= version
            and self.snapshot.at >= since
            and self.audience.read_at >= audience_since
            and self.created_at >= time.monotonic() - VIEW_TTL_SECONDS
        )

    def page_state_for(self, user: Viewer, shapes: Sequence[Shape] = SHAPES) -> MatchPageState:
        """Return what the viewer's page shows, with the board in these shapes; spectators share it by language."""
        if (seat := self.snapshot.seat_of(user)) is not None:
            return self._build_page_state(seat, user, shapes)
        key = wording.active_language(), user.is_authenticated, self.audience.muted_for(user, None), shapes
        if key not in self._spectator_pages:
            self._spectator_pages[key] = self._build_page_state(None, user, shapes)
        return self._spectator_pages[key]

    def _build_page_state(self, seat: Seat | None, user: Viewer, shapes: Sequence[Shape]) -> MatchPageState:
        with wording.pinned_language():
            table = build_table_view(
                self.match,
                self.snapshot.value,
                seat=seat,
                user=user,
                now=self.now,
                rows=self.snapshot.seats,
                audience=self.audience,
                steady=True,
                shapes=shapes,
            )
            return MatchPageState(table)


def get_snapshot_view(code: str, *, version: int, since: float, audience_since: float = 0.0) -> SnapshotView:
    """Return the cached view of a match if it is fresh enough, see `SnapshotView.is_fresh_for`; otherwise a new one."""
    with _lock:
        view = _views.get(code)
    if view is not None and view.is_fresh_for(version, since, audience_since):
        return view
    audience = view.audience if view is not None else None
    if audience is not None and audience.read_at < max(
        audience_since, time.monotonic() - AUDIENCE_TTL_SECONDS
    ):
        audience = None
    if audience is None:
        # Presence also depends on rows that change without a notification.
        since = max(since, time.monotonic() - VIEW_TTL_SECONDS)
    snapshot = repository.get_cached_snapshot(code, version=version, since=since)
    if snapshot is None:
        snapshot = repository.get_snapshot(code=code)
        repository.cache_snapshot(snapshot)
    view = SnapshotView(snapshot, audience)
    with _lock:
        _views[code] = view
    return view
