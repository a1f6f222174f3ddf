"""Compute a match's clocks and its next deadline.

Deadlines are stored, countdowns are not. The seat on turn is charged from `turn_began_at`, which lies in the future
during a pause.
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
CHOICE_TIMEOUT = timedelta(seconds=30)  # for the choice about a leaver's seat
CALL_CHECK_SHARE = 0.5  # of the call pause, after which computers decide whether to call
CALL_LEAD_TIME = timedelta(seconds=0.3)  # before the end of the pause, when a computer calls: people first
CLOCK_STOPPING_KINDS = frozenset({"play", "pass"})  # not "draw": the turn continues


def is_clock_running(match: Match, seat: int, seen: Value | View) -> bool:
    """Return whether this seat's clock runs while it is on turn: from its first play on."""
    return match.timed and match.playing and seen.has_played(seat)


def get_clock_deadline(
    match: Match, seats: Sequence[Seat], turn: int | None, seen: Value | View
) -> datetime | None:
    """Return when the running clock ends, or None if no clock runs."""
    if turn is None or match.left_at is not None or not is_clock_running(match, turn, seen):
        return None
    return match.turn_began_at + timedelta(milliseconds=seats[turn].clock_ms or 0)


def remaining_seconds(
    match: Match, seat: Seat, turn: int | None, seen: Value | View, now: datetime
) -> float | None:
    """Return the seconds on a seat's clock, rounded to a tenth, or None without clocks."""
    if seat.clock_ms is None:
        return None
    time = timedelta(milliseconds=seat.clock_ms)
    if turn == seat.position and is_clock_running(match, turn, seen):
        time -= max(timedelta(0), (match.left_at or now) - match.turn_began_at)
    return round(max(0.0, time.total_seconds()), 1)


def format_clock(seconds: float) -> str:
    """Format seconds as 4:12, under ten seconds as 0:08.4, from an hour on as 1:00:00."""
    if seconds < 10:
        return f"0:{seconds:04.1f}"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


@cached_by_language
def describe_clock(clock: tuple[int, int] | None) -> str:
    """Describe seconds for the match and for each move: 5 min + 5 s, 1:30 min + 5 s, no clock."""
    if clock is None:
        return _("no clock")
    minutes, rest = divmod(clock[0], 60)
    first = f"{minutes}:{rest:02d}" if rest else str(minutes)
    return _("%(minutes)s min + %(seconds)d s") % {"minutes": first, "seconds": clock[1]}


def get_wait_end(match: Match, now: datetime) -> datetime | None:
    """Return until when nobody may move, because of calls or the choice about a leaver's seat, or None."""
    if match.left_at is None:
        return get_call_end(match, now)
    return _if_future(match, match.left_at + CHOICE_TIMEOUT, now)


def get_call_end(match: Match, now: datetime) -> datetime | None:
    """Return until when the last play can be called and nobody may move, or None."""
    return _if_future(match, match.wait_until, now)


def _if_future(match: Match, moment: datetime | None, now: datetime) -> datetime | None:
    return moment if match.playing and moment is not None and moment > now else None


def get_turn_duration(match: Match, now: datetime) -> timedelta:
    return max(timedelta(0), now - match.turn_began_at)


def charge_clock(match: Match, seat: Seat, now: datetime) -> None:
    """Subtract the turn's duration from the seat's clock and add the increment. The caller saves `seat`."""
    used = get_turn_duration(match, now) // timedelta(milliseconds=1)
    seat.clock_ms = max(0, (seat.clock_ms or 0) - used) + (match.clock_increment or 0) * 1000


def begin_turn(match: Match, before: Value, after: Value, move: Move, now: datetime) -> None:
    """Set the pauses that follow `move` and the time from which the next turn is charged."""
    round_ended = len(after.ended) > len(before.ended)
    if round_ended:
        match.pause_until = now + ROUND_PAUSE
    if move.kind == "play" and after.rules.claims == "muggins" and after.seats > 2 and not round_ended:
        match.wait_until = now + _pause(match.call_pause, settings.CALL_PAUSE_MS)
    if round_ended or move.kind in CLOCK_STOPPING_KINDS or after.turn != before.turn:
        match.turn_began_at = max(now, match.pause_until or now, match.wait_until or now)


def end_pause(snapshot: Snapshot, now: datetime) -> None:
    """End the pause after a round: the turn begins now. The caller saves the row."""
    match = snapshot.match
    match.pause_until = match.turn_began_at = now
    match.next_action_at = get_next_action(snapshot, now)


def extend_deadlines(match: Match, since: datetime, now: datetime) -> None:
    """Extend the turn's deadlines by the time since `since`. The caller saves the row."""
    elapsed = now - since
    match.turn_began_at += elapsed
    for moment in Match.TURN_DEADLINE_FIELDS:
        if (was := getattr(match, moment)) is not None:
            setattr(match, moment, was + elapsed)


def get_next_action(snapshot: Snapshot, now: datetime) -> datetime | None:
    """Return when the referee has to act next: a computer's call or move, or the end of the running clock."""
    wait_until, left_at = snapshot.match.wait_until, snapshot.match.left_at
    if left_at is None and wait_until and wait_until > now and find_calling_computers(snapshot):
        return now + CALL_CHECK_SHARE * (wait_until - now)
    return get_turn_action(snapshot, now)


def get_turn_action(snapshot: Snapshot, now: datetime) -> datetime | None:
    """Return the same, calls aside."""
    match, seats, turn = snapshot.match, snapshot.seats, snapshot.value.turn
    if match.left_at is not None:
        return match.left_at + CHOICE_TIMEOUT
    if turn is not None and seats[turn].computer:
        return max(now, match.turn_began_at) + _pause(match.computer_pause, settings.COMPUTER_PAUSE_MS)
    return get_clock_deadline(match, seats, turn, snapshot.value)


def _pause(seconds: int, override: int | None) -> timedelta:
    """Return the table's pause unless the site's settings override it (in milliseconds)."""
    return timedelta(seconds=seconds) if override is None else timedelta(milliseconds=override)


def find_calling_computers(snapshot: Snapshot) -> list[int]:
    """Return the seats of computers that may still call the last play."""
    return [
        s.position
        for s in snapshot.seats
        if s.computer and not s.left and snapshot.value.may_call(s.position)
    ]
