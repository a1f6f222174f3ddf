"""A match in the strip of its player's other pages."""

import time
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from boneyard.engine.perspective import View, perspective
from core.numbers import format_points
from games import repository
from games.drawing.tiles import draw_lone_tile
from games.models import Match, Seat
from games.repository import Snapshot
from games.table.outcome import describe_result, find_shared_result
from games.table.plates import LOW_TIME_SECONDS, describe_vacation
from games.table.visible_value import get_visible_value
from games.time.clocks import format_clock, get_running_deadline, get_vacation_end, remaining_seconds
from games.time.outages import get_halt
from games.wording import game_title, side_names

MAX_SNAPSHOT_AGE_SECONDS = 5.0


class StripEntry(NamedTuple):
    """A running match, a table where one waits, or a match that has just ended.

    state    "turn" (one's own), "theirs", "pause", "table" or "over"
    who      the opponents; of an ended match its result
    about    the game, of an ended match with the opponents
    score    of each side, one's own first; "" where the result is the comparison with a field
    seconds  on the clock that is displayed, or None; `counting` whether it runs
    hides    in how many seconds the entry of an ended match goes, or None
    seats    of a table: whether each is taken
    """

    state: str
    code: str
    address: str
    who: str
    about: str
    fact: SafeString | str
    button: str
    tile: SafeString | str = ""
    score: str = ""
    seconds: float | None = None
    counting: bool = False
    hides: float | None = None
    seats: tuple[bool, ...] = ()

    @property
    def clock(self) -> str:
        return format_clock(self.seconds or 0)

    @property
    def label(self) -> str:
        if self.state == "table":
            return _("Your table")
        if self.state == "over":
            return _("Your match")
        return _("Your match against %(names)s") % {"names": self.who}

    @property
    def classes(self) -> str:
        low = self.seconds is not None and self.seconds < LOW_TIME_SECONDS
        return f"strip is-{self.state}{' is-low' if low else ''}"

    @property
    def rank(self) -> tuple[int, float]:
        """Return the key by which entries are sorted, the most urgent first."""
        order = ("turn", "theirs", "pause", "table", "over")
        return order.index(self.state), float("inf") if self.seconds is None else self.seconds


def is_own_turn(seat: Seat) -> bool:
    """Return whether it is the turn of this seat of a running match; without a query if its value is cached."""
    return repository.get_value(seat.match).turn == seat.position


def build_running_entry(row: Match, position: int, now: datetime) -> StripEntry:
    """Return the entry of a match being played; `row` was just read."""
    halt = get_halt()
    now = halt or now
    snapshot = _get_snapshot(row)
    view = perspective(get_visible_value(snapshot.match, snapshot.value, position), position)
    match = snapshot.match if snapshot.match.version > row.version else row  # the newer times
    paused = match.pause_until is not None and match.pause_until > now
    state = "pause" if paused else "turn" if view.turn == position else "theirs"
    is_still = paused or halt is not None
    deadline = None if is_still else get_running_deadline(match, snapshot.seats, view.turn, view, now)
    return StripEntry(
        state=state,
        code=row.code,
        address=row.get_absolute_url(),
        who=_opponents(view, snapshot.seats),
        about=game_title(match.preset, view.rules, view.seats, match.base_preset),
        fact=_describe_turn(state, match, view, snapshot.seats, now),
        button=_("Play") if state == "turn" else _("Open"),
        tile=_draw_last_tile(view),
        score=_format_score(view),
        seconds=_seconds(state, match, snapshot.seats, view, deadline, now),
        counting=deadline is not None,
    )


def build_ended_entry(row: Match, position: int, hides: float) -> StripEntry:
    """Return the entry of a match that has just ended, displayed for `hides` seconds."""
    snapshot = _get_snapshot(row)
    view = perspective(get_visible_value(snapshot.match, snapshot.value, position), position)
    names = [seat.display_name for seat in snapshot.seats]
    game = game_title(row.preset, view.rules, view.seats, row.base_preset)
    shared = find_shared_result(snapshot.match)
    result = describe_result(snapshot.match, view, view.result, names) if view.result else ""
    return StripEntry(
        state="over",
        code=row.code,
        address=row.get_absolute_url(),
        who=shared or result,
        about=f"{_opponents(view, snapshot.seats)}, {game}",
        fact=_describe_ended(row),
        button=_("Result"),
        tile=_draw_last_tile(view),
        score="" if shared else _format_score(view),  # points would be a second verdict
        hides=hides,
    )


def _describe_ended(row: Match) -> str:
    if row.night:
        return _("Result")
    return _("Result and comparison") if row.deals else _("Result and rematch")


def _get_snapshot(row: Match) -> Snapshot:
    since = time.monotonic() - MAX_SNAPSHOT_AGE_SECONDS
    snapshot = repository.get_cached_snapshot(row.code, version=row.version, since=since)
    if snapshot is None:
        snapshot = repository.get_snapshot(code=row.code)
        repository.cache_snapshot(snapshot)
    return snapshot


def _own_side(view: View) -> int:
    return view.terms.side_of[view.seat or 0]


def _opponents(view: View, seats: Sequence[Seat]) -> str:
    names = side_names(view.sides, [seat.display_name for seat in seats])
    return ", ".join(name for side, name in enumerate(names) if side != _own_side(view))


def _format_score(view: View) -> str:
    own = _own_side(view)
    others = [score for side, score in enumerate(view.scores) if side != own]
    return " – ".join(map(format_points, [view.scores[own], *others]))


def _describe_turn(
    state: str, match: Match, view: View, seats: Sequence[Seat], now: datetime
) -> SafeString | str:
    if state == "pause" and match.pause_until is not None:
        seconds = (match.pause_until - now).total_seconds()
        time_left = format_html(
            '<time data-left="{}">{}</time>', f"{seconds:.1f}", format_clock(max(10, seconds))
        )
        words = _("round %(n)d ended, next in %(time)s")
        return format_html(words.replace("%(n)d", "{}").replace("%(time)s", "{}"), view.round - 1, time_left)
    if (end := get_vacation_end(match, now)) is not None:
        return describe_vacation(end, you=state == "turn")
    if state == "turn":
        return _("Your turn")
    if view.turn is None or len(seats) == 2:
        return _("to play")
    return _("%(name)s to play") % {"name": seats[view.turn].display_name}


def _seconds(
    state: str, match: Match, seats: Sequence[Seat], view: View, deadline: datetime | None, now: datetime
) -> float | None:
    if deadline is not None:
        return max(0.0, (deadline - now).total_seconds())
    if view.turn is None or state == "pause":
        return None
    return remaining_seconds(match, seats[view.turn], view.turn, view, now)


def _draw_last_tile(view: View) -> SafeString | str:
    """Draw the tile played last, of the round before if this one has none."""
    logs = [view.log, *(ended.log for ended in reversed(view.ended))]
    plays = (entry.move.plays for log in logs for entry in reversed(log) if entry.move.kind == "play")
    last = next(plays, None)
    return draw_lone_tile(last[-1][0]) if last else ""
