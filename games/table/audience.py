"""Find who is connected to a match, and the talk beside it."""

import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from accounts import relations
from games.models import Match, Seat, Talk
from games.seats import Viewer
from games.time import presence


class TalkLine(NamedTuple):
    """A line of talk; `number` is its primary key, `author` its writer's for staff, who may open a case.

    `own` is whether the viewer has written it.
    """

    number: int
    name: str
    text: str
    author: int | None = None
    own: bool = False


class Emote(NamedTuple):
    """A player's emote while it is displayed; `number` is its primary key."""

    number: int
    name: str


EMOTE_DURATION = timedelta(seconds=6)  # as in static/css/calls.css
NO_EMOTES: Mapping[int, Emote] = {}


class Audience:
    """Presence and talk of one match, each query made once.

    `read_at` is a time before the first query (time.monotonic).
    """

    def __init__(self, match: Match, seats: Sequence[Seat], now: datetime) -> None:
        self.read_at = time.monotonic()
        self.match, self.seats, self.now = match, seats, now
        self.presence = presence.load_presence(match, seats, now)
        self._lines: dict[str, tuple[Talk, ...]] = {}
        self._muted: dict[tuple[int, str], frozenset[int]] = {}

    def talk_for(self, user: Viewer, seat: Seat | None) -> tuple[TalkLine, ...]:
        """Return the talk of the viewer's room, without the lines of people whom they have muted or blocked."""
        lines = self._lines_of(_room_of(seat))
        if not lines:
            return ()
        muted = self.muted_for(user, seat)
        is_staff = user.is_authenticated and user.is_staff
        return tuple(
            TalkLine(
                line.pk,
                line.display_name,
                line.text,
                line.user_id if is_staff else None,
                user.is_authenticated and line.user_id == user.pk,
            )
            for line in lines
            if not line.is_emote and line.user_id not in muted
        )

    def emotes_for(self, user: Viewer, seat: Seat | None) -> Mapping[int, Emote]:
        """Return the players' new emotes by seat, for a player. The style sheet hides them if the player muted them."""
        if seat is None:
            return NO_EMOTES
        since = self.now - EMOTE_DURATION
        emotes = [line for line in self._lines_of(Talk.Room.TABLE) if line.is_emote and line.at > since]
        if not emotes:
            return NO_EMOTES
        muted = self.muted_for(user, seat)
        seat_of = {each.user_id: each.position for each in self.seats}
        return {
            seat_of[line.user_id]: Emote(line.pk, line.text)
            for line in emotes
            if line.user_id in seat_of and line.user_id not in muted
        }

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
