"""Unrated runs of puzzles: as many as one can solve in ten minutes."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db.models import Max

from accounts.models import User
from study.models import Puzzle, PuzzleRun

RUSH_SECONDS = 600
MISS_SECONDS = 20  # taken off for a wrong answer, so that guessing gains nothing
FIRST_RATING = 1100.0
RATING_STEP = 40.0  # added to the rating of the next puzzle for each solved one
MAX_SHUFFLED_PUZZLES = 30


class Rush(NamedTuple):
    """A run, as stored in the session. Times are seconds since the epoch; `puzzle` is the key of the current one.

    best  the most puzzles solved in a run, this one included
    """

    began: float = 0
    until: float = 0
    solved: int = 0
    missed: int = 0
    puzzle: int = 0
    seen: tuple[int, ...] = ()
    best: int = 0

    def is_running(self, now: float) -> bool:
        return self.puzzle > 0 and now < self.until

    def count_left(self, now: float) -> int:
        """Return the whole seconds left."""
        return max(0, round(self.until - now))


def load(session: Mapping[str, Any]) -> Rush:
    state = Rush(**session.get("rush", {}))
    return state._replace(seen=tuple(state.seen))


def start(user: User | None, before: Rush, now: float) -> Rush:
    """Return a new run with its first puzzle, the easiest."""
    best = before.best if user is None else find_best(user)
    return _next_puzzle(Rush(began=now, until=now + RUSH_SECONDS, best=best))


def answer(user: User | None, run: Rush, solved: bool, now: float) -> Rush:
    """Return the run after an answer in time, and store the result of a user."""
    if solved:
        run = run._replace(solved=run.solved + 1, best=max(run.best, run.solved + 1))
    else:
        run = run._replace(missed=run.missed + 1, until=run.until - MISS_SECONDS)
    if user is not None:
        PuzzleRun.objects.update_or_create(
            user=user,
            began_at=datetime.fromtimestamp(run.began, UTC),
            defaults={"solved": run.solved, "missed": run.missed},
        )
    return _next_puzzle(run)


def find_best(user: User) -> int:
    """Return the most puzzles that a user has solved in a run."""
    return PuzzleRun.objects.filter(user=user).aggregate(best=Max("solved"))["best"] or 0


def _next_puzzle(run: Rush) -> Rush:
    """Return the run with another puzzle, near the rating that it has reached; 0 if there are no more."""
    target = FIRST_RATING + RATING_STEP * run.solved
    unseen = Puzzle.objects.exclude(pk__in=run.seen).order_by("?")[:MAX_SHUFFLED_PUZZLES]
    puzzle = min(unseen, key=lambda each: abs(each.rating - target), default=None)
    if puzzle is None:
        return run._replace(puzzle=0)
    return run._replace(puzzle=puzzle.pk, seen=(*run.seen, puzzle.pk))
