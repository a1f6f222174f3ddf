"""What surrounds the play: who is here, and the talk."""

import time
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from accounts import relations
from games import presence
from games.models import Match, Seat, Talk
from games.seats import Viewer


class SaidLine(NamedTuple):
    """A line of talk; `number` is its row's key."""

    number: int
    name: str
    text: str


class Around:
    """What surrounds the play: who is here, and the talk of each room, read once.

    `at` is a moment before that (time.monotonic).
    """

    def __init__(self, match: Match, seats: Sequence[Seat], now: datetime) -> None:
        self.at = time.monotonic()
        self.match = match
        self.here = presence.load_presence(match, seats, now)
        self._talk: dict[str, tuple[Talk, ...]] = {}
        self._unheard: dict[tuple[int, str], frozenset[int]] = {}

    def heard_by(self, user: Viewer, seat: Seat | None) -> tuple[SaidLine, ...]:
        """The room's lines without those of people whom the viewer has muted, or who are blocked from them."""
        if not self._said(seat):
            return ()
        unheard = self.unheard_by(user, seat)
        return tuple(
            SaidLine(line.pk, line.name, line.text)
            for line in self._said(seat)
            if line.user_id not in unheard
        )

    def unheard_by(self, user: Viewer, seat: Seat | None) -> frozenset[int]:
        others = {line.user_id for line in self._said(seat) if line.user_id is not None}
        if not user.is_authenticated or not others:
            return frozenset()
        key = user.pk, _room(seat)
        if key not in self._unheard:
            self._unheard[key] = frozenset(relations.unheard_by(user, others))
        return self._unheard[key]

    def _said(self, seat: Seat | None) -> tuple[Talk, ...]:
        room = _room(seat)
        if room not in self._talk:
            self._talk[room] = tuple(Talk.objects.newest_lines(self.match, room))
        return self._talk[room]


def _room(seat: Seat | None) -> str:
    return Talk.Room.TABLE if seat else Talk.Room.WATCHERS
