"""Request, take and store analyses; count the deals of finished matches."""

from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from boneyard.analysis import ENGINE
from games import repository
from games.models import Match, Seat
from study.deal_statistics import count_record
from study.models import Analysis, Counted, PuzzleRun, PuzzleTry, SeatStudied
from study.refusals import StudyRefused

MAX_ANALYSES_PER_DAY = 20  # per user in 24 hours
MAX_GUEST_ANALYSES_PER_DAY = 5  # lower: one person can create several guests
STALE_AFTER = timedelta(minutes=2)  # without progress; then another process takes the analysis over
MAX_TRIES = 3
MAX_MATCHES_PER_RUN = 20  # runs once a minute; a match takes some milliseconds


def request_analysis(match: Match, user: User | AnonymousUser) -> Analysis:
    """Queue the analysis of a finished match and return it; return an existing one unless it may be requested again.

    Raise `StudyRefused` if the match is running, the user is anonymous or has reached the daily limit.
    """
    if match.playing:
        raise StudyRefused("playing", 404)
    existing = Analysis.objects.filter(match=match).first()
    if existing is not None and not may_request_again(existing):
        return existing
    if not user.is_authenticated:
        raise StudyRefused("nobody", 403)
    since = timezone.now() - timedelta(days=1)
    with transaction.atomic():
        # Serialise the requests of one user: two at once could both pass the limit.
        User.objects.select_for_update().get(pk=user.pk)
        limit = MAX_GUEST_ANALYSES_PER_DAY if user.is_guest else MAX_ANALYSES_PER_DAY
        if Analysis.objects.filter(asked_by=user, asked_at__gt=since).count() >= limit:
            raise StudyRefused("limit", 429)
        if existing is None:
            return _create(match, user)
        reset = {"state": Analysis.State.QUEUED, "progress": 0, "tries": 0, "taken_at": None}
        Analysis.objects.filter(pk=existing.pk, state=existing.state).update(
            **reset, asked_by=user, asked_at=timezone.now()
        )
    existing.refresh_from_db()
    return existing


def may_request_again(analysis: Analysis) -> bool:
    """Return whether the analysis failed, or an older engine made it."""
    if analysis.state == Analysis.State.FAILED:
        return True
    return analysis.state == Analysis.State.DONE and analysis.engine != ENGINE


def _create(match: Match, user: User) -> Analysis:
    try:
        with transaction.atomic():
            return Analysis.objects.create(match=match, asked_by=user)
    except IntegrityError:  # requested concurrently
        return Analysis.objects.get(match=match)


def has_waiting_analysis(now: datetime) -> bool:
    """Return whether an analysis waits for a process."""
    return _open(now).exists()


def take_next(now: datetime) -> Analysis | None:
    """Take the oldest waiting analysis for this process; return None if there is none."""
    for row in _open(now).order_by("asked_at")[:5]:
        untouched = Analysis.objects.filter(pk=row.pk, state=row.state, taken_at=row.taken_at)
        if row.tries >= MAX_TRIES:
            untouched.update(state=Analysis.State.FAILED)
        elif untouched.update(state=Analysis.State.RUNNING, taken_at=now, tries=row.tries + 1):
            row.refresh_from_db()
            return row
    return None


def _open(now: datetime) -> QuerySet[Analysis]:
    stale = Q(state=Analysis.State.RUNNING, taken_at__lt=now - STALE_AFTER)
    return Analysis.objects.filter(Q(state=Analysis.State.QUEUED) | stale)


def store_progress(analysis: Analysis, progress: float) -> None:
    """Store the share done (0 to 1). This also keeps the analysis from becoming stale."""
    Analysis.objects.filter(pk=analysis.pk).update(progress=progress, taken_at=timezone.now())


def mark_failed(analysis: Analysis) -> None:
    Analysis.objects.filter(pk=analysis.pk).update(state=Analysis.State.FAILED)


def store_result(analysis: Analysis, result: dict[str, Any]) -> None:
    """Store the result for the match and a summary per seat."""
    with transaction.atomic():
        Analysis.objects.filter(pk=analysis.pk).update(
            state=Analysis.State.DONE, progress=1, engine=result["engine"], result=result
        )
        SeatStudied.objects.filter(seat__match=analysis.match_id).delete()
        SeatStudied.objects.bulk_create(
            _seat_summary(seat, result) for seat in analysis.match.seats.all() if not seat.taken_over
        )


def _seat_summary(seat: Seat, result: dict[str, Any]) -> SeatStudied:
    losses = [each["loss"] for each in result["decisions"] if each["seat"] == seat.position]
    side = next(n for n, seats in enumerate(result["sides"]) if seat.position in seats)
    return SeatStudied(
        seat=seat,
        decisions=len(losses),
        lost=sum(losses),
        lost_squared=sum(each * each for each in losses),
        luck=None if result["luck"] is None else result["luck"][side],
    )


def export(user: User) -> dict[str, Any]:
    """Return the analyses that a user requested, their answers to puzzles and their runs of ten minutes."""
    requested = (
        Analysis.objects.filter(asked_by=user).order_by("asked_at").values_list("match__code", "asked_at")
    )
    return {
        "analyses": [{"match": code, "at": at.isoformat()} for code, at in requested],
        "puzzles": [
            {
                "puzzle": answer.puzzle_id,
                "move": answer.move,
                "rating": answer.after,
                "at": answer.at.isoformat(),
            }
            for answer in PuzzleTry.objects.filter(user=user).order_by("at")
        ],
        "puzzle_runs": [
            {"at": run.began_at.isoformat(), "solved": run.solved, "missed": run.missed}
            for run in PuzzleRun.objects.filter(user=user).order_by("began_at")
        ],
    }


def forget(user: User) -> None:
    """Delete a user's puzzle answers and runs, and clear `asked_by` of their analyses."""
    Analysis.objects.filter(asked_by=user).update(asked_by=None)
    PuzzleTry.objects.filter(user=user).delete()
    PuzzleRun.objects.filter(user=user).delete()


def count_matches(now: datetime) -> None:
    """Count the deals of some finished matches that are not counted yet; not shared deals, which many play."""
    uncounted = Match.objects.filter(status=Match.Status.FINISHED, counted__isnull=True, deals="").order_by(
        "ended_at"
    )
    for match in uncounted[:MAX_MATCHES_PER_RUN]:
        Counted.objects.get_or_create(
            match=match, defaults={"counts": count_record(repository.build_record(match))}
        )
