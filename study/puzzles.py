"""Create puzzles from rated matches, store answers, and update ratings."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta

from django.db import transaction
from django.db.models import QuerySet

from accounts import elo
from accounts.models import User
from games import repository
from games.engine import moves as notation
from games.engine.moves import Move
from games.engine.perspective import View, perspective
from games.models import Match
from study.grading.decisions import are_equivalent, find_only_move
from study.models import Puzzle, PuzzleSource, PuzzleTry

MIN_MATCH_AGE = timedelta(days=1)


def sources(now: datetime) -> QuerySet[Match]:
    """Return matches to search for puzzles, newest first: public, rated, played to the end, not searched."""
    ended = Match.objects.filter(status=Match.Status.FINISHED, result_how="target", private=False)
    ended = ended.filter(
        rating_order__isnull=False, annulled_at__isnull=True, ended_at__lt=now - MIN_MATCH_AGE
    )
    return ended.filter(puzzle_source__isnull=True).order_by("-ended_at")


def has_sources(now: datetime) -> bool:
    """Return whether there are matches to search."""
    return sources(now).exists()


def make_puzzles(match: Match) -> list[Puzzle]:
    """Create the puzzles of this match; return [] if it was searched before."""
    _source, created_now = PuzzleSource.objects.get_or_create(match=match)
    if not created_now:
        return []
    created = [
        Puzzle(match=match, number=number, tried=[[str(t.move), t.chance, t.loss, t.error] for t in tried])
        for number, view in _plays(match)
        if (tried := find_only_move(view))
    ]
    return Puzzle.objects.bulk_create(created, ignore_conflicts=True)


def _plays(match: Match) -> Iterator[tuple[int, View]]:
    value = repository.initial_value(match)
    for row in match.moves.order_by("number"):
        move = notation.parse(row.text)
        if move.kind == "play":
            yield row.number, perspective(value, row.seat)
        value = value.play(row.seat, move, row.claim)


def view_of(puzzle: Puzzle) -> View:
    """Return the view of the seat on turn."""
    value = repository.initial_value(puzzle.match)
    for row in puzzle.match.moves.filter(number__lt=puzzle.number).order_by("number"):
        value = value.play(row.seat, notation.parse(row.text), row.claim)
    return perspective(value, value.turn)


def puzzle_of_the_day(day: date) -> Puzzle | None:
    """Return the puzzle of this UTC day. Puzzles created during the day do not change it."""
    midnight = datetime.combine(day, time(), UTC)
    numbers = Puzzle.objects.filter(made_at__lt=midnight).order_by("pk").values_list("pk", flat=True)
    if not numbers:
        return Puzzle.objects.order_by("pk").first()
    return Puzzle.objects.get(pk=numbers[day.toordinal() % len(numbers)])


def pick_unanswered(user: User | None) -> Puzzle | None:
    """Return an unanswered puzzle with a rating near the user's, or None."""
    unanswered = Puzzle.objects.all() if user is None else Puzzle.objects.exclude(answers__user=user)
    target = rating_of(user) if user is not None else elo.START_RATING
    return min(unanswered.order_by("?")[:50], key=lambda puzzle: abs(puzzle.rating - target), default=None)


def rating_of(user: User) -> float:
    """Return the user's puzzle rating."""
    last_try = PuzzleTry.objects.filter(user=user).order_by("-at", "-pk").first()
    return elo.START_RATING if last_try is None else last_try.after


def find_grade(puzzle: Puzzle, view: View, move: Move) -> tuple[int, float, float]:
    """Return the rank of a move (0 is the best), its loss and its error."""
    for place, (text, _chance, loss, error) in enumerate(puzzle.tried):
        if are_equivalent(view, notation.parse(text), move):
            return place, loss, error
    raise LookupError(str(move))


def answer(puzzle: Puzzle, user: User, move: str, solved: bool, now: datetime) -> PuzzleTry:
    """Store the first answer of a user and update both ratings; later answers change nothing."""
    with transaction.atomic():
        puzzle = Puzzle.objects.select_for_update().get(pk=puzzle.pk)
        User.objects.select_for_update().get(pk=user.pk)
        earlier = PuzzleTry.objects.filter(puzzle=puzzle, user=user).first()
        if earlier is not None:
            return earlier
        before = rating_of(user)
        surplus = float(solved) - elo.expected(before, puzzle.rating)
        after = max(elo.MIN_RATING, before + _k(PuzzleTry.objects.filter(user=user).count()) * surplus)
        puzzle.rating = max(elo.MIN_RATING, puzzle.rating - _k(puzzle.tries) * surplus)
        puzzle.tries += 1
        puzzle.solved += solved
        puzzle.save(update_fields=["rating", "tries", "solved"])
        return PuzzleTry.objects.create(
            puzzle=puzzle, user=user, move=move, solved=solved, before=before, after=after, at=now
        )


def _k(answers: int) -> int:
    return elo.k_factor(answers, reached_master=False)
