"""Every change to an analysis (asked for, begun, done), and the counting of deals."""

from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from games import values
from games.models import Match, Seat
from study.grading import ENGINE
from study.models import Analysis, Counted, PuzzleTry, SeatStudied
from study.numbers import counted
from study.refusals import StudyRefused

A_DAY = 20  # analyses that one person may ask for in 24 hours
A_DAY_OF_A_GUEST = 5  # fewer, since anybody is easily several guests
SILENT = timedelta(minutes=2)  # after that somebody else takes over what a process had begun
TRIES = 3
COUNTED_AT_ONCE = 20  # matches a minute: some milliseconds each


def ask(match: Match, user: User | AnonymousUser) -> Analysis:
    """Have a finished match analysed; what was asked for before is not asked for again, unless it failed or an older
    engine made it. Raises StudyRefused."""
    if match.playing:
        raise StudyRefused("playing", 404)
    known = Analysis.objects.filter(match=match).first()
    if known is not None and not may_be_asked_again(known):
        return known
    if not user.is_authenticated:
        raise StudyRefused("nobody", 403)
    since = timezone.now() - timedelta(days=1)
    with transaction.atomic():
        # One person's questions come one after the other, or two at once would both be the last allowed.
        User.objects.select_for_update().get(pk=user.pk)
        most = A_DAY_OF_A_GUEST if user.is_guest else A_DAY
        if Analysis.objects.filter(asked_by=user, asked_at__gt=since).count() >= most:
            raise StudyRefused("limit", 429)
        if known is None:
            return _first(match, user)
        fresh = {"state": Analysis.State.QUEUED, "progress": 0, "tries": 0, "taken_at": None}
        Analysis.objects.filter(pk=known.pk, state=known.state).update(
            **fresh, asked_by=user, asked_at=timezone.now()
        )
    known.refresh_from_db()
    return known


def may_be_asked_again(analysis: Analysis) -> bool:
    """Whether the analysis may be asked for once more."""
    if analysis.state == Analysis.State.FAILED:
        return True
    return analysis.state == Analysis.State.DONE and analysis.engine != ENGINE


def _first(match: Match, user: User) -> Analysis:
    try:
        with transaction.atomic():
            return Analysis.objects.create(match=match, asked_by=user)
    except IntegrityError:  # somebody else asked in the same moment
        return Analysis.objects.get(match=match)


def is_waiting(now: datetime) -> bool:
    """Whether there is work."""
    return _open(now).exists()


def take(now: datetime) -> Analysis | None:
    """The analysis that has waited longest, taken for this process; None without work."""
    for row in _open(now).order_by("asked_at")[:5]:
        untouched = Analysis.objects.filter(pk=row.pk, state=row.state, taken_at=row.taken_at)
        if row.tries >= TRIES:
            untouched.update(state=Analysis.State.FAILED)
        elif untouched.update(state=Analysis.State.RUNNING, taken_at=now, tries=row.tries + 1):
            row.refresh_from_db()
            return row
    return None


def _open(now: datetime) -> QuerySet[Analysis]:
    silent = Q(state=Analysis.State.RUNNING, taken_at__lt=now - SILENT)
    return Analysis.objects.filter(Q(state=Analysis.State.QUEUED) | silent)


def tell(analysis: Analysis, progress: float) -> None:
    """Store how much is done, 0 to 1, which also shows that a process is at it."""
    Analysis.objects.filter(pk=analysis.pk).update(progress=progress, taken_at=timezone.now())


def fail(analysis: Analysis) -> None:
    Analysis.objects.filter(pk=analysis.pk).update(state=Analysis.State.FAILED)


def finish(analysis: Analysis, result: dict[str, Any]) -> None:
    """Store what was found out, for the match and for each seat."""
    with transaction.atomic():
        Analysis.objects.filter(pk=analysis.pk).update(
            state=Analysis.State.DONE, progress=1, engine=result["engine"], result=result
        )
        SeatStudied.objects.filter(seat__match=analysis.match_id).delete()
        SeatStudied.objects.bulk_create(
            _studied(seat, result) for seat in analysis.match.seats.all() if not seat.taken_over
        )


def _studied(seat: Seat, result: dict[str, Any]) -> SeatStudied:
    lost = [each["loss"] for each in result["decisions"] if each["seat"] == seat.position]
    side = next(n for n, seats in enumerate(result["sides"]) if seat.position in seats)
    return SeatStudied(
        seat=seat,
        decisions=len(lost),
        lost=sum(lost),
        lost_squared=sum(each * each for each in lost),
        luck=None if result["luck"] is None else result["luck"][side],
    )


def export(user: User) -> dict[str, Any]:
    """What this person has had analysed, and what they answered to puzzles."""
    asked = Analysis.objects.filter(asked_by=user).order_by("asked_at").values_list("match__code", "asked_at")
    return {
        "analyses": [{"match": code, "at": at.isoformat()} for code, at in asked],
        "puzzles": [
            {
                "puzzle": answer.puzzle_id,
                "move": answer.move,
                "rating": answer.after,
                "at": answer.at.isoformat(),
            }
            for answer in PuzzleTry.objects.filter(user=user).order_by("at")
        ],
    }


def forget(user: User) -> None:
    """Analyses stay for the others, without whoever asked; answers to puzzles go."""
    Analysis.objects.filter(asked_by=user).update(asked_by=None)
    PuzzleTry.objects.filter(user=user).delete()


def count_matches(now: datetime) -> None:
    """Count the deals of some finished matches that have not been counted yet."""
    waiting = Match.objects.filter(status=Match.Status.FINISHED, counted__isnull=True).order_by("ended_at")
    for match in waiting[:COUNTED_AT_ONCE]:
        Counted.objects.get_or_create(match=match, defaults={"counts": counted(values.record_of(match))})
