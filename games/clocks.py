"""Clocks and the one deadline of a match: what runs, what remains, what is due next.

Deadlines are stored, countdowns are not. `turn_began_at` is the moment from which the seat on turn is charged; in a
pause it lies ahead of now.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.utils.translation import gettext as _

from games.engine.matches import Match as Value
from games.engine.moves import Move
from games.engine.perspective import View
from games.models import Match, Seat
from games.repository import Snapshot
from games.wording import cached_by_language

ROUND_PAUSE = timedelta(seconds=6)
CHOICE_TIMEOUT = timedelta(seconds=30)  # whether a computer takes the seat of somebody who has left
CALL_CHECK_SHARE = 0.5  # of the pause: when computers begin to look whether they call
CALL_LEAD_TIME = timedelta(seconds=0.3)  # the end of the pause: when one does, so that people go first
CLOCK_STOPPING_KINDS = frozenset({"play", "pass"})  # a draw does not: the turn goes on


def is_clock_running(match: Match, seat: int, seen: Value | View) -> bool:
    """Whether this seat's clock runs when it is on turn: not before its first play."""
    return match.timed and match.playing and seen.has_played(seat)


def get_clock_deadline(match: Match, seats: Sequence[Seat], turn: int | None, seen: Value | View) -> datetime | None:
    """When the running clock ends; None without one, with nobody on turn, before their first play, or in the choice
    about a leaver's seat."""
    if turn is None or match.left_at is not None or not is_clock_running(match, turn, seen):
        return None
    return match.turn_began_at + timedelta(milliseconds=seats[turn].clock_ms or 0)


def remaining_seconds(match: Match, seat: Seat, turn: int | None, seen: Value | View, now: datetime) -> float | None:
    """Seconds on a seat's clock, to a tenth; None without clocks. Only the clock of the seat on turn runs."""
    if seat.clock_ms is None:
        return None
    time = timedelta(milliseconds=seat.clock_ms)
    if turn == seat.position and is_clock_running(match, turn, seen):
        time -= max(timedelta(0), (match.left_at or now) - match.turn_began_at)
    return round(max(0.0, time.total_seconds()), 1)


def format_clock(seconds: float) -> str:
    """4:12, under ten seconds 0:08.4, from an hour 1:00:00."""
    if seconds < 10:
        return f"0:{seconds:04.1f}"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


@cached_by_language
def describe_clock(clock: tuple[int, int] | None) -> str:
    """Seconds for the match and for each move in words: 5 min + 5 s, 1:30 min + 5 s, no clock."""
    if clock is None:
        return _("no clock")
    minutes, rest = divmod(clock[0], 60)
    first = f"{minutes}:{rest:02d}" if rest else str(minutes)
    return _("%(minutes)s min + %(seconds)d s") % {"minutes": first, "seconds": clock[1]}


def get_wait_end(match: Match, now: datetime) -> datetime | None:
    """Until when nobody may move: for calls, or for the choice about a leaver's seat."""
    if match.left_at is None:
        return get_call_end(match, now)
    return _ahead(match, match.left_at + CHOICE_TIMEOUT, now)


def get_call_end(match: Match, now: datetime) -> datetime | None:
    """Until when the last play can be called, and nobody may move."""
    return _ahead(match, match.wait_until, now)


def _ahead(match: Match, moment: datetime | None, now: datetime) -> datetime | None:
    return moment if match.playing and moment is not None and moment > now else None


def get_turn_duration(match: Match, now: datetime) -> timedelta:
    return max(timedelta(0), now - match.turn_began_at)


def charge_clock(match: Match, seat: Seat, now: datetime) -> None:
    """Take the turn's time off the seat's clock and add the increment. The caller saves `seat`."""
    used = get_turn_duration(match, now) // timedelta(milliseconds=1)
    seat.clock_ms = max(0, (seat.clock_ms or 0) - used) + (match.clock_increment or 0) * 1000


def begin_turn(match: Match, before: Value, after: Value, move: Move, now: datetime) -> None:
    """Set the pauses that `move` brings and the moment from which the next turn is charged."""
    round_ended = len(after.ended) > len(before.ended)
    if round_ended:
        match.pause_until = now + ROUND_PAUSE
    if move.kind == "play" and after.rules.claims == "muggins" and after.seats > 2 and not round_ended:
        match.wait_until = now + _pause(match.call_pause, settings.CALL_PAUSE_MS)
    if round_ended or move.kind in CLOCK_STOPPING_KINDS or after.turn != before.turn:
        match.turn_began_at = max(now, match.pause_until or now, match.wait_until or now)


def end_pause(snapshot: Snapshot, now: datetime) -> None:
    """Everybody has continued after a round: the turn begins now."""
    match = snapshot.match
    match.pause_until = match.turn_began_at = now
    match.next_action_at = get_next_action(snapshot, now)


def extend_deadlines(match: Match, since: datetime, now: datetime) -> None:
    """Nobody is charged for what has passed since then. The caller saves the row."""
    passed = now - since
    match.turn_began_at += passed
    for moment in Match.TURN_DEADLINE_FIELDS:
        if (was := getattr(match, moment)) is not None:
            setattr(match, moment, was + passed)


def get_next_action(snapshot: Snapshot, now: datetime) -> datetime | None:
    """When something falls due without a request: a computer's call or move, or the end of the running clock."""
    wait_until, left_at = snapshot.match.wait_until, snapshot.match.left_at
    if left_at is None and wait_until and wait_until > now and find_calling_computers(snapshot):
        return now + CALL_CHECK_SHARE * (wait_until - now)
    return get_turn_action(snapshot, now)


def get_turn_action(snapshot: Snapshot, now: datetime) -> datetime | None:
    """The same without calls."""
    match, seats, turn = snapshot.match, snapshot.seats, snapshot.value.turn
    if match.left_at is not None:
        return match.left_at + CHOICE_TIMEOUT
    if turn is not None and seats[turn].computer:
        return max(now, match.turn_began_at) + _pause(match.computer_pause, settings.COMPUTER_PAUSE_MS)
    return get_clock_deadline(match, seats, turn, snapshot.value)


def _pause(seconds: int, instead: int | None) -> timedelta:
    """The table's pause, unless the whole site has another (in milliseconds)."""
    return timedelta(seconds=seconds) if instead is None else timedelta(milliseconds=instead)


def find_calling_computers(snapshot: Snapshot) -> list[int]:
    """The seats of computers that may still call the last play."""
    return [
        s.position
        for s in snapshot.seats
        if s.computer and not s.left and snapshot.value.may_call(s.position)
    ]
