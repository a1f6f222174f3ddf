"""Compute a match's clocks and its next deadline.

Deadlines are stored, countdowns are not. The seat on turn is charged from `turn_began_at`, which lies in the future
during a pause, and during a vacation of its player in a match with a clock of days.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boneyard.engine.matches import Match as Value
from boneyard.engine.moves import Move
from boneyard.engine.perspective import View
from boneyard.engine.state import TURN_KINDS
from games.models import Match, Seat
from games.repository import Snapshot
from games.time.day_clocks import BANK_DAYS, DAY_SECONDS, get_days
from games.wording import cached_by_language

ROUND_PAUSE = timedelta(seconds=6)
CHOICE_TIMEOUT = timedelta(seconds=30)  # for the choice about a leaver's seat
MIN_LAST_CALL_PAUSE_SECONDS = 4  # after the play that ends a round (`call_last`)
CALL_CHECK_SHARE = 0.5  # of the call pause, after which computers decide whether to call
CALL_LEAD_TIME = timedelta(seconds=0.3)  # before the end of the pause, when a computer calls: people first
FIRST_TURN_DURATION = timedelta(seconds=45)
MAX_PAUSE_CLOCK_SHARE = 1 / 30  # of a computer's clock: it never loses by pausing


def get_first_turn_end(match: Match, turn: int | None, seen: Value | View) -> datetime | None:
    """Return when the time of the first turn of the seat on turn ends, or None in any other turn.

    With a clock of days a first turn is like any other.
    """
    if turn is None or match.clock_seconds is None or match.clock_seconds >= DAY_SECONDS or not match.playing:
        return None
    if seen.has_had_turn(turn):
        return None
    return match.turn_began_at + _override(FIRST_TURN_DURATION, settings.FIRST_TURN_MS)


def has_first_turn_expired(match: Match, seen: Value | View) -> bool:
    """Return whether the match was called off because its first turn ran out of time."""
    if match.result_how != "aborted" or not match.timed or match.ended_at is None or seen.has_had_turn():
        return False
    if match.days:
        return match.ended_at - match.started_at >= timedelta(days=match.days)
    return match.ended_at - match.started_at >= _override(FIRST_TURN_DURATION, settings.FIRST_TURN_MS)


def get_clock_start(match: Match, turn: int, seen: Value | View) -> datetime | None:
    """Return from when the clock of the seat on turn runs; None if it never runs in this turn.

    In a seat's first turn it runs once the time of that turn is over; but before anybody has had a turn the match is
    then called off.
    """
    if match.clock_seconds is None or not match.playing:
        return None
    first_turn_end = get_first_turn_end(match, turn, seen)
    if first_turn_end is None:
        return match.turn_began_at
    return first_turn_end if seen.has_had_turn() else None


def get_clock_deadline(
    match: Match, seats: Sequence[Seat], turn: int | None, seen: Value | View
) -> datetime | None:
    """Return when the clock of the seat on turn runs out; None if it does not run in this turn."""
    if turn is None or match.left_at is not None:
        return None
    start = get_clock_start(match, turn, seen)
    return None if start is None else start + timedelta(milliseconds=seats[turn].clock_ms or 0)


def get_turn_deadline(
    match: Match, seats: Sequence[Seat], turn: int | None, seen: Value | View
) -> datetime | None:
    """Return when the turn ends by time: the clock runs out, or the match is called off; None in untimed matches."""
    if match.left_at is not None:
        return None
    return get_clock_deadline(match, seats, turn, seen) or get_first_turn_end(match, turn, seen)


def get_running_deadline(
    match: Match, seats: Sequence[Seat], turn: int | None, seen: Value | View, now: datetime
) -> datetime | None:
    """Return the end of what runs now: the time of a first turn, or the clock of the seat on turn."""
    if get_vacation_end(match, now) is not None:
        return None
    first_turn_end = get_first_turn_end(match, turn, seen)
    if match.left_at is None and first_turn_end is not None and now < first_turn_end:
        return first_turn_end
    return get_clock_deadline(match, seats, turn, seen)


def get_vacation_end(match: Match, now: datetime) -> datetime | None:
    """Return until when the clock of the seat on turn stands still for its player's vacation, or None."""
    if match.turn_began_at <= max(now, match.pause_until or now) or not match.days or not match.playing:
        return None
    return match.turn_began_at


def remaining_seconds(
    match: Match, seat: Seat, turn: int | None, seen: Value | View, now: datetime
) -> float | None:
    """Return the seconds on a seat's clock, rounded to a tenth, or None without clocks."""
    if seat.clock_ms is None:
        return None
    time = timedelta(milliseconds=seat.clock_ms)
    if turn == seat.position:
        time -= get_clock_use(match, turn, seen, match.left_at or now) or timedelta(0)
    return round(max(0.0, time.total_seconds()), 1)


def format_clock(seconds: float) -> str:
    """Format seconds as 4:12, under ten seconds as 0:08.4, from an hour on as 1:00:00, from a day on as 2 d 5 h."""
    if seconds >= DAY_SECONDS:
        days, rest = divmod(int(seconds), DAY_SECONDS)
        return _("{days} d {hours} h").format(days=days, hours=rest // 3600)
    if seconds < 10:
        return f"0:{seconds:04.1f}"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


@cached_by_language
def describe_clock(clock: tuple[int, int] | None) -> str:
    """Describe a clock: 5 min + 5 s, 1:30 min + 5 s, 3 days a move and 3 in the bank, no clock."""
    if clock is None:
        return _("no clock")
    if days := get_days(clock[0]):
        return _("%(days)s a move, and %(bank)s in the bank") % {
            "days": format_days(days),
            "bank": format_days(BANK_DAYS),
        }
    minutes, rest = divmod(clock[0], 60)
    first = f"{minutes}:{rest:02d}" if rest else str(minutes)
    return _("%(minutes)s min + %(seconds)d s") % {"minutes": first, "seconds": clock[1]}


def format_days(days: int) -> str:
    return ngettext("%(n)d day", "%(n)d days", days) % {"n": days}


def get_wait_end(match: Match, now: datetime) -> datetime | None:
    """Return until when nobody may move, because of calls or the choice about a leaver's seat, or None."""
    if match.left_at is None:
        return get_call_end(match, now)
    return _if_future(match, match.left_at + CHOICE_TIMEOUT, now)


def get_call_end(match: Match, now: datetime) -> datetime | None:
    """Return until when the last play can be called and nobody may move, or None."""
    return _if_future(match, match.wait_until, now)


def _if_future(match: Match, moment: datetime | None, now: datetime) -> datetime | None:
    return moment if moment is not None and moment > now and match.playing else None


def get_clock_use(match: Match, turn: int, seen: Value | View, now: datetime) -> timedelta | None:
    """Return what this turn has taken from the clock of the seat on turn; None if its clock has not run."""
    start, first_turn_end = get_clock_start(match, turn, seen), get_first_turn_end(match, turn, seen)
    if start is None or (first_turn_end is not None and now < first_turn_end):
        return None
    return max(timedelta(0), now - start)


def charge_clock(match: Match, seat: Seat, use: timedelta) -> None:
    """Subtract the time used from the seat's clock and add the increment. The caller saves `seat`.

    A clock of days gives back what the turn took, at most the time of a move.
    """
    used = use // timedelta(milliseconds=1)
    if match.days:
        given_back = min(match.turn_used_ms + used, (match.clock_seconds or 0) * 1000)
        seat.clock_ms = max(0, (seat.clock_ms or 0) - used) + given_back
        return
    seat.clock_ms = max(0, (seat.clock_ms or 0) - used) + (match.clock_increment or 0) * 1000


def begin_turn(match: Match, before: Value, after: Value, move: Move, now: datetime) -> None:
    """Set the pauses that follow `move` and the time from which the next turn is charged."""
    round_ended = len(after.ended) > len(before.ended)
    if round_ended:
        match.pause_until = now + _override(ROUND_PAUSE, settings.ROUND_PAUSE_MS)
        match.wait_until = None
    elif after.closing_seat is not None and before.closing_seat is None:
        seconds = max(match.call_pause, MIN_LAST_CALL_PAUSE_SECONDS)
        match.wait_until = now + _pause(seconds, settings.CALL_PAUSE_MS)
    elif move.kind == "play" and after.rules.claims == "muggins" and after.seats > 2:
        match.wait_until = now + _pause(match.call_pause, settings.CALL_PAUSE_MS)
    if round_ended or move.kind in TURN_KINDS or after.turn != before.turn:
        match.turn_began_at = max(now, match.pause_until or now, match.wait_until or now)
        match.turn_used_ms = 0


def end_pause(snapshot: Snapshot, now: datetime) -> None:
    """End the pause after a round: the turn begins now, or after a vacation. The caller saves the row."""
    match = snapshot.match
    if get_vacation_end(match, now) is None:
        match.turn_began_at = now
    match.pause_until = now
    match.next_action_at = get_next_action(snapshot, now)


def extend_deadlines(match: Match, since: datetime, now: datetime) -> None:
    """Extend the turn's deadlines by the time since `since`. The caller saves the row."""
    elapsed = now - since
    match.turn_began_at += elapsed
    for moment in Match.TURN_DEADLINE_FIELDS:
        if (was := getattr(match, moment)) is not None:
            setattr(match, moment, was + elapsed)


def get_next_action(snapshot: Snapshot, now: datetime) -> datetime | None:
    """Return when the referee has to act next: a computer's call or move, or the end of a clock or of a call pause."""
    wait_until, left_at = snapshot.match.wait_until, snapshot.match.left_at
    if left_at is None and wait_until and wait_until > now and find_calling_computers(snapshot):
        return now + CALL_CHECK_SHARE * (wait_until - now)
    return get_turn_action(snapshot, now)


def get_turn_action(snapshot: Snapshot, now: datetime) -> datetime | None:
    """Return the same, calls aside."""
    match, seats, turn = snapshot.match, snapshot.seats, snapshot.value.turn
    if match.left_at is not None:
        return match.left_at + CHOICE_TIMEOUT
    if snapshot.value.closing_seat is not None:
        return match.wait_until or now
    if turn is not None and seats[turn].computer:
        return max(now, match.turn_began_at) + _computer_pause(match, seats[turn])
    return get_turn_deadline(match, seats, turn, snapshot.value)


def _computer_pause(match: Match, seat: Seat) -> timedelta:
    """Return how long a computer waits before its move: the table's pause in its own tempo, within its clock."""
    tempo = seat.cast.manner.tempo if seat.cast else 1
    pause = _pause(match.computer_pause, settings.COMPUTER_PAUSE_MS) * tempo
    if seat.clock_ms is None:
        return pause
    return min(pause, MAX_PAUSE_CLOCK_SHARE * timedelta(milliseconds=seat.clock_ms))


def _pause(seconds: int, override: int | None) -> timedelta:
    """Return the table's pause unless the site's settings override it."""
    return _override(timedelta(seconds=seconds), override)


def _override(duration: timedelta, milliseconds: int | None) -> timedelta:
    return duration if milliseconds is None else timedelta(milliseconds=milliseconds)


def find_calling_computers(snapshot: Snapshot) -> list[int]:
    """Return the seats of computers that may still call the last play."""
    return [
        s.position
        for s in snapshot.seats
        if s.computer and not s.left and snapshot.value.may_call(s.position)
    ]
