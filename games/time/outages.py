"""Compensate outages: shift every running deadline by the time in which no process wrote a heartbeat.

One row holds the last heartbeat of any process. A gap of more than `MAX_BEAT_GAP` before the next one is an outage (the
site was down, frozen or could not write); a negative or huge gap means that the system clock was set. Each running
deadline then keeps the time it had left at the last heartbeat, and absent players keep the rest of their grace.

The first to notice compensates, once: the next heartbeat, or the next change of a match in any process
(`locked_match`).

While the operator has all matches stand still, nothing beats: the row keeps the moment of the halt, and the first beat
after it compensates the halt like an outage.

If only one process falls silent, the matches of players connected to it are extended as time passes, until those
players are seen elsewhere, for `MAX_PROCESS_SILENCE` at most: otherwise closing a page would be worth something.
"""

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import (
    Case,
    DateTimeField,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    QuerySet,
    Value,
    When,
)
from django.db.models.expressions import Combinable
from django.utils import timezone

from core.siblings import SIBLINGS
from games.models import Connection, Heartbeat, Match, Process, Seat
from live.broadcast import broadcast_page_changed
from operators.site_settings import get_site, load_site

BEAT_INTERVAL = timedelta(milliseconds=400)
MAX_BEAT_GAP = timedelta(seconds=1)  # between two beats; more is an outage
MIN_BROADCAST_GAP = timedelta(seconds=3)  # shorter ones reach the pages with the next move or poll
MAX_PROCESS_SILENCE = timedelta(seconds=30)  # for pages to reconnect to another process
PROCESS_KEY = SIBLINGS.group + secrets.token_hex(4)

DeadlineShift = Callable[[datetime, datetime], None]

# Cache: key none; bound one value; a stale value costs one query.
_cached_beat: datetime | None = None
_halted_since: datetime | None = None  # as read with the last beat
_broadcast_halt: datetime | None = None  # what this process's pages were last notified of
_own_beat: datetime | None = None  # when this process last wrote its own row
_deadline_shifts: list[DeadlineShift] = []


def register_deadline_shift(shift: DeadlineShift) -> None:
    """Call `shift` with both ends of the gap after an outage, in the same transaction; for deadlines of other apps."""
    _deadline_shifts.append(shift)


def record_beat() -> None:
    """Write the common heartbeat if it is due, and this process's own. Called in a loop in every process."""
    last = _read_beat()
    has_halted = _halted_since is not None
    if has_halted != get_site().halts_matches or not (has_halted or _is_fresh(last)):
        _write_beat()
    if _halted_since is None:
        _compensate_silent_processes()
    if not _is_fresh(_own_beat):
        _write_process_beat()
    _notify_of_halt()


def compensate() -> None:
    """Compensate an outage since the last heartbeat, if connected was one. Without a heartbeat connected was none."""
    if not is_current(timezone.now()):
        _write_beat()


def is_current(now: datetime) -> bool:
    """Return whether the last heartbeat is recent, so that no outage is left to compensate; also during a halt."""
    if _halted_since is None and _cached_beat is not None and abs(now - _cached_beat) <= MAX_BEAT_GAP:
        return True
    last = _read_beat()
    if last is None:
        _cache_beat(now)
    return last is None or _halted_since is not None or abs(now - last) <= MAX_BEAT_GAP


def get_halt() -> datetime | None:
    """Return when the halt of all matches began, as read with the last beat, or None."""
    return _halted_since


def _is_fresh(last: datetime | None) -> bool:
    return last is not None and timedelta(0) <= timezone.now() - last < BEAT_INTERVAL


def _read_beat() -> datetime | None:
    global _halted_since
    row = Heartbeat.objects.filter(pk=Heartbeat.OF_TIME).first()
    _halted_since = row.at if row is not None and row.halted else None
    if row is not None and abs(timezone.now() - row.at) <= MAX_BEAT_GAP:
        _cache_beat(row.at)
    return row.at if row is not None else None


def clear_cache() -> None:
    """Reset to the state of a new process."""
    global _cached_beat, _own_beat, _halted_since, _broadcast_halt
    _cached_beat = _own_beat = _halted_since = _broadcast_halt = None


def _cache_beat(moment: datetime) -> None:
    global _cached_beat
    _cached_beat = moment


def _write_beat() -> None:
    """Write the common heartbeat, compensate an outage or halt since the last one, and begin a halt if one is set."""
    is_new_process = _cached_beat is None
    with transaction.atomic():
        row, first = Heartbeat.objects.select_for_update().get_or_create(
            pk=Heartbeat.OF_TIME, defaults={"at": timezone.now()}
        )
        # Not from the cache alone: the processes would undo each other's changes.
        is_halting = (row.halted or get_site().halts_matches) and load_site().halts_matches
        now = timezone.now()
        if not (row.halted and is_halting):
            if not first and (row.halted or abs(now - row.at) > MAX_BEAT_GAP):
                _compensate_gap(row.at, now, is_new_process)
            row.at, row.halted = now, is_halting
            row.save(update_fields=["at", "halted"])
        transaction.on_commit(lambda: _cache_row(row))


def _cache_row(row: Heartbeat) -> None:
    global _halted_since
    _halted_since = row.at if row.halted else None
    _cache_beat(row.at)


def _notify_of_halt() -> None:
    """Notify the pages of running matches once a halt has begun or ended.

    Every process does, as soon as it knows: until then it renders its pages as they were.
    """
    global _broadcast_halt
    if _broadcast_halt != _halted_since:
        _broadcast_halt = _halted_since
        _broadcast_clocks(Match.objects.filter(status=Match.Status.PLAYING))


def _compensate_gap(last: datetime, now: datetime, is_new_process: bool) -> None:
    gap = now - last
    playing = Match.objects.filter(status=Match.Status.PLAYING)
    _shift_deadlines(playing, last, now)
    playing.update(looked_at=carry_over("looked_at", last, now))
    Process.objects.update(at=carry_over("at", last, now), mended_at=carry_over("mended_at", last, now))
    moments = ("opened_at", "seen_at", "closed_at")
    Connection.objects.update(**{moment: carry_over(moment, last, now) for moment in moments})
    Seat.objects.filter(match__in=playing, page_at__isnull=False).update(
        page_at=carry_over("page_at", last, now)
    )
    if is_new_process:
        # Their process is gone: grace begins now. A live process renews its sockets in a moment.
        Connection.objects.open_at(now).update(seen_at=now, closed_at=now, clean=False)
    for shift in _deadline_shifts:
        shift(last, now)
    if not is_new_process and abs(gap) >= MIN_BROADCAST_GAP:
        _broadcast_clocks(playing)


def _shift_deadlines(matches: QuerySet[Match], last: datetime, now: datetime) -> None:
    """Move each running deadline so that it has as much time left at `now` as it had at `last`."""
    gap = now - last
    # A turn that began during the gap has cost nothing yet; it restarts now.
    during_gap = {"turn_began_at__gt": last, "turn_began_at__lte": now}
    matches.update(
        turn_began_at=Case(
            When(turn_began_at=F("pause_until"), then=_shifted("turn_began_at", gap)),
            When(turn_began_at=F("wait_until"), then=_shifted("turn_began_at", gap)),
            When(**during_gap, then=Value(now)),
            default=_shifted("turn_began_at", gap),
        ),
        next_action_at=Case(
            When(**during_gap, next_action_at__isnull=False, then=Value(now)),
            default=_shifted("next_action_at", gap),
        ),
        **{moment: _shifted(moment, gap) for moment in (*Match.TURN_DEADLINE_FIELDS, "left_at")},
    )


def _write_process_beat() -> None:
    """Write this process's own heartbeat."""
    global _own_beat
    now = timezone.now()
    # Frozen before this write, the process must not reset what others have compensated in the meantime.
    if not Process.objects.filter(key=PROCESS_KEY, mended_at__lte=now).update(at=now, mended_at=now):
        Process.objects.get_or_create(key=PROCESS_KEY, defaults={"at": now, "mended_at": now})
    _own_beat = now


def _compensate_silent_processes() -> None:
    """Extend the matches of players at silent processes by the time since the last call.

    The lock on the common heartbeat prevents a double extension. No other lock is waited for: a frozen process may hold
    a match's row, and that match then misses this slice.
    """
    silent = Process.objects.filter(mended_at__lt=timezone.now() - MAX_BEAT_GAP)
    if not silent.exists():
        return
    with transaction.atomic():
        common = Heartbeat.objects.select_for_update(skip_locked=True).filter(pk=Heartbeat.OF_TIME).first()
        now = timezone.now()
        if common is None or abs(now - common.at) > MAX_BEAT_GAP:
            return
        since: dict[int, datetime] = {}  # by match; the latest if several of its processes are silent
        for process in silent.select_for_update(skip_locked=True).order_by("mended_at"):
            if now - process.at > MAX_PROCESS_SILENCE:
                process.delete()
                continue
            since |= dict.fromkeys(_find_affected_matches(process), process.mended_at)
            process.mended_at = now
            process.save(update_fields=["mended_at"])
        for last in set(since.values()):
            affected = Match.objects.filter(
                pk__in=[match for match, moment in since.items() if moment == last]
            )
            unlocked = affected.filter(status=Match.Status.PLAYING).select_for_update(skip_locked=True)
            matches = Match.objects.filter(pk__in=list(unlocked.order_by("pk").values_list("pk", flat=True)))
            _shift_deadlines(matches, last, now)
            _broadcast_clocks(matches)


def _find_affected_matches(process: Process) -> list[int]:
    """Return the matches of players connected to `process` and not seen elsewhere since it fell silent."""
    elsewhere = Connection.objects.filter(seat=OuterRef("seat"), seen_at__gt=process.at).exclude(
        process=process.key
    )
    open_sockets = Connection.objects.open_at(process.at)
    connected = open_sockets.filter(process=process.key, seat__left=False)
    away = connected.exclude(seat__page_at__gt=process.at).exclude(Exists(elsewhere))
    return list(away.values_list("match", flat=True).distinct())


def carry_over(field: str, last: datetime, now: datetime) -> Combinable:
    """Return an expression that moves past events by the gap from `last` to `now`; those inside the gap, to `now`."""
    in_gap = {f"{field}__gt": last, f"{field}__lte": now}
    return Case(When(**in_gap, then=Value(now)), default=_shifted(field, now - last))


def _shifted(field: str, gap: timedelta) -> Combinable:
    return ExpressionWrapper(F(field) + gap, output_field=DateTimeField())


def _broadcast_clocks(matches: QuerySet[Match]) -> None:
    for code in matches.values_list("code", flat=True):
        broadcast_page_changed(f"match.{code}", "clock")
