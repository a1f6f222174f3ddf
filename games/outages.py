"""What an outage must not cost anybody: the time without a beat is given back.

One row holds the latest beat of any referee. Where the next one comes late, the site was away, frozen, or could store
nothing; where it comes from the past or the far future, the system's clock was set. In each case what was left of every
running deadline at the last beat is left again now, and who is absent has the rest of the grace from the return.

Whoever comes first mends it, once: the beat, or a change of a match in any process (`locked_match`).

Where other processes keep time while one is silent, the matches of those who sit at that one stand still: what passes
is given back second by second, until they have been seen elsewhere, and for MAX_PROCESS_SILENCE at most, or closing a page would
be worth something.
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
from django.utils import timezone

from games.models import Connection, Heartbeat, Match, Process, Seat
from live.broadcast import broadcast_page_changed

BEAT = timedelta(milliseconds=400)
GAP = timedelta(seconds=1)  # between two beats; more is an outage
MIN_BROADCAST_GAP = timedelta(seconds=3)  # less is made good by the next move, or the page's own question
MAX_PROCESS_SILENCE = timedelta(seconds=30)  # for a page to find another process when its own has fallen silent
PROCESS_KEY = secrets.token_hex(8)  # this one

Shift = Callable[[timedelta], None]

_last_beat: datetime | None = None  # the latest beat that this process knows of; an old one only costs a look
_own_beat: datetime | None = None  # when this process last said that it lives
_shifts_of_others: list[Shift] = []


def contribute(shift: Shift) -> None:
    """Have `shift` move the deadlines of another app, too, by the length of a gap; in the same transaction."""
    _shifts_of_others.append(shift)



def beat() -> None:
    """Say that time is being kept, and by whom. Called every moment, in every process; for all, one of them writes."""
    if not _is_fresh(_stored_beat()):
        _write_beat()
    _stand_still()
    if not _is_fresh(_own_beat):
        _write_own_beat()


def mend() -> None:
    """Give back what an outage took, if there was one since the last beat; no beat, no outage."""
    if not is_current(timezone.now()):
        _write_beat()


def is_current(now: datetime) -> bool:
    if _last_beat is not None and abs(now - _last_beat) <= GAP:
        return True
    last = _stored_beat()
    if last is None:
        _remember(now)
    return last is None or abs(now - last) <= GAP


def _is_fresh(last: datetime | None) -> bool:
    return last is not None and timedelta(0) <= timezone.now() - last < BEAT


def _stored_beat() -> datetime | None:
    last = Heartbeat.objects.filter(pk=Heartbeat.OF_TIME).values_list("at", flat=True).first()
    if last is not None and abs(timezone.now() - last) <= GAP:
        _remember(last)
    return last


def forget() -> None:
    """Know of no beat, as a new process does."""
    global _last_beat, _own_beat
    _last_beat = _own_beat = None


def _remember(moment: datetime) -> None:
    global _last_beat
    _last_beat = moment


def _write_beat() -> None:
    """Write the beat of all processes, and give back what an outage took since the last one."""
    started_anew = _last_beat is None
    with transaction.atomic():
        row, first = Heartbeat.objects.select_for_update().get_or_create(
            pk=Heartbeat.OF_TIME, defaults={"at": timezone.now()}
        )
        now = timezone.now()
        if not first and abs(now - row.at) > GAP:
            _give_back(row.at, now, started_anew)
        row.at = now
        row.save(update_fields=["at"])
        transaction.on_commit(lambda: _remember(now))


def _give_back(last: datetime, now: datetime, started_anew: bool) -> None:
    gap = now - last
    playing = Match.objects.filter(status=Match.Status.PLAYING)
    _shift(playing, last, now)
    playing.update(looked_at=_later("looked_at", gap))
    Process.objects.update(at=_later("at", gap), mended_at=_later("mended_at", gap))
    moments = ("opened_at", "seen_at", "closed_at")
    Connection.objects.update(**{moment: _later(moment, gap) for moment in moments})
    Seat.objects.filter(match__in=playing, page_at__isnull=False).update(page_at=_later("page_at", gap))
    if started_anew:
        # Their process is gone: grace begins now. One that lives says so of its sockets in a moment.
        here = Connection.objects.open_at(now)
        here.update(seen_at=now, closed_at=now, clean=False)
    for shift in _shifts_of_others:
        shift(gap)
    if not started_anew and abs(gap) >= MIN_BROADCAST_GAP:
        _tell(playing)


def _shift(matches: QuerySet[Match], last: datetime, now: datetime) -> None:
    """What was left of each running deadline at `last` is left at `now`."""
    gap = now - last
    # A turn that began after the last beat has cost nothing yet; its match's row is judged, and set right, at once.
    meanwhile = {"turn_began_at__gt": last, "turn_began_at__lte": now}
    matches.update(
        turn_began_at=Case(
            When(turn_began_at=F("pause_until"), then=_later("turn_began_at", gap)),
            When(turn_began_at=F("wait_until"), then=_later("turn_began_at", gap)),
            When(**meanwhile, then=Value(now)),
            default=_later("turn_began_at", gap),
        ),
        next_action_at=Case(
            When(**meanwhile, next_action_at__isnull=False, then=Value(now)),
            default=_later("next_action_at", gap),
        ),
        **{moment: _later(moment, gap) for moment in (*Match.TURN_DEADLINE_FIELDS, "left_at")},
    )


def _write_own_beat() -> None:
    """Write that this process lives."""
    global _own_beat
    now = timezone.now()
    # Frozen on the way to it, this process must not take back what others have made good of its silence meanwhile.
    if not Process.objects.filter(key=PROCESS_KEY, mended_at__lte=now).update(at=now, mended_at=now):
        Process.objects.get_or_create(key=PROCESS_KEY, defaults={"at": now, "mended_at": now})
    _own_beat = now


def _stand_still() -> None:
    """Give those who sit at silent processes the time that has passed since this was done last.

    Whoever gives time back has the row of the common beat first, so that none of it is given twice, and waits here for
    no other row: a frozen process may hold that of a match, which then has nothing of this slice.
    """
    silent = Process.objects.filter(mended_at__lt=timezone.now() - GAP)
    if not silent.exists():
        return
    with transaction.atomic():
        common = Heartbeat.objects.select_for_update(skip_locked=True).filter(pk=Heartbeat.OF_TIME).first()
        now = timezone.now()
        if common is None or abs(now - common.at) > GAP:
            return
        since: dict[int, datetime] = {}  # the latest for a match with people at several silent processes
        for process in silent.select_for_update(skip_locked=True).order_by("mended_at"):
            if now - process.at > MAX_PROCESS_SILENCE:
                process.delete()
                continue
            since |= dict.fromkeys(_sitting_at(process), process.mended_at)
            process.mended_at = now
            process.save(update_fields=["mended_at"])
        for last in set(since.values()):
            held = Match.objects.filter(pk__in=[match for match, moment in since.items() if moment == last])
            free = held.filter(status=Match.Status.PLAYING).select_for_update(skip_locked=True)
            matches = Match.objects.filter(pk__in=list(free.order_by("pk").values_list("pk", flat=True)))
            _shift(matches, last, now)
            _tell(matches)


def _sitting_at(process: Process) -> list[int]:
    """The matches of players whose sockets are there, and who have not been seen anywhere else since it fell silent."""
    elsewhere = Connection.objects.filter(seat=OuterRef("seat"), seen_at__gt=process.at).exclude(
        process=process.key
    )
    open_then = Connection.objects.open_at(process.at)
    there = open_then.filter(process=process.key, seat__left=False)
    away = there.exclude(seat__page_at__gt=process.at).exclude(Exists(elsewhere))
    return list(away.values_list("match", flat=True).distinct())


def _later(field: str, gap: timedelta) -> ExpressionWrapper:
    return ExpressionWrapper(F(field) + gap, output_field=DateTimeField())


def _tell(matches: QuerySet[Match]) -> None:
    for code in matches.values_list("code", flat=True):
        broadcast_page_changed(f"match.{code}", "clock")
