"""Who is connected to a match, and the talk beside it."""

import time
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from accounts import relations
from games import presence
from games.models import Match, Seat, Talk
from games.seats import Viewer


class TalkLine(NamedTuple):
    """A line of talk; `number` is its primary key."""

    number: int
    name: str
    text: str


class Audience:
    """Presence and talk of one match, each query made once.

    `read_at` is a time before the first query (time.monotonic).
    """

    def __init__(self, match: Match, seats: Sequence[Seat], now: datetime) -> None:
        self.read_at = time.monotonic()
        self.match = match
        self.presence = presence.load_presence(match, seats, now)
        self._lines: dict[str, tuple[Talk, ...]] = {}
        self._muted: dict[tuple[int, str], frozenset[int]] = {}

    def talk_for(self, user: Viewer, seat: Seat | None) -> tuple[TalkLine, ...]:
        """Return the talk of the viewer's room, without the lines of people whom they have muted or blocked."""
        lines = self._lines_of(_room_of(seat))
        if not lines:
            return ()
        muted = self.muted_for(user, seat)
        return tuple(TalkLine(line.pk, line.name, line.text) for line in lines if line.user_id not in muted)

    def muted_for(self, user: Viewer, seat: Seat | None) -> frozenset[int]:
        """Return the keys of the people whose lines the viewer does not see."""
        room = _room_of(seat)
        senders = {line.user_id for line in self._lines_of(room) if line.user_id is not None}
        if not user.is_authenticated or not senders:
            return frozenset()
        key = user.pk, room
        if key not in self._muted:
            self._muted[key] = frozenset(relations.hidden_from(user, senders))
        return self._muted[key]

    def _lines_of(self, room: str) -> tuple[Talk, ...]:
        if room not in self._lines:
            self._lines[room] = tuple(Talk.objects.newest_lines(self.match, room))
        return self._lines[room]


def _room_of(seat: Seat | None) -> str:
    return Talk.Room.TABLE if seat else Talk.Room.WATCHERS
