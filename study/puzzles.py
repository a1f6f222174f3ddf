"""Puzzles: made of positions of rated matches, answered, and rated with those who answer."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta

from django.db import transaction
from django.db.models import QuerySet

from accounts import elo
from accounts.models import User
from games import values
from games.engine import moves as notation
from games.engine.moves import Move
from games.engine.perspective import View, perspective
from games.models import Match
from study.grading.decisions import only_move, same
from study.models import Puzzle, PuzzleSource, PuzzleTry

OLD_ENOUGH = timedelta(days=1)


def sources(now: datetime) -> QuerySet[Match]:
    """The matches that puzzles may be made of, the latest first: rated, played to the end, a day old, not looked
    through yet."""
    ended = Match.objects.filter(status=Match.Status.FINISHED, result_how="target", private=False)
    ended = ended.filter(rating_order__isnull=False, annulled_at__isnull=True, ended_at__lt=now - OLD_ENOUGH)
    return ended.filter(puzzle_source__isnull=True).order_by("-ended_at")


def are_wanted(now: datetime) -> bool:
    """Whether there are matches to look through."""
    return sources(now).exists()


def make_of(match: Match) -> list[Puzzle]:
    """The puzzles of this match; none if it is or was looked through already."""
    _source, first = PuzzleSource.objects.get_or_create(match=match)
    if not first:
        return []
    found = [
        Puzzle(match=match, number=number, tried=[[str(t.move), t.chance, t.loss, t.error] for t in tried])
        for number, view in _turns(match)
        if (tried := only_move(view))
    ]
    return Puzzle.objects.bulk_create(found, ignore_conflicts=True)


def _turns(match: Match) -> Iterator[tuple[int, View]]:
    value = values.opening(match)
    for row in match.moves.order_by("number"):
        move = notation.parse(row.text)
        if move.kind == "play":
            yield row.number, perspective(value, row.seat)
        value = value.play(row.seat, move, row.claim)


def view_of(puzzle: Puzzle) -> View:
    """What the seat saw that was on turn."""
    value = values.opening(puzzle.match)
    for row in puzzle.match.moves.filter(number__lt=puzzle.number).order_by("number"):
        value = value.play(row.seat, notation.parse(row.text), row.claim)
    return perspective(value, value.turn)


def of_the_day(day: date) -> Puzzle | None:
    """The same for everybody all this day (UTC), whatever puzzles are made meanwhile; before it there may be none."""
    midnight = datetime.combine(day, time(), UTC)
    numbers = Puzzle.objects.filter(made_at__lt=midnight).order_by("pk").values_list("pk", flat=True)
    if not numbers:
        return Puzzle.objects.order_by("pk").first()
    return Puzzle.objects.get(pk=numbers[day.toordinal() % len(numbers)])


def another(user: User | None) -> Puzzle | None:
    """One that this person has not answered, as hard as may be right for them."""
    open_ = Puzzle.objects.all() if user is None else Puzzle.objects.exclude(answers__user=user)
    near = rating_of(user) if user is not None else elo.START
    return min(open_.order_by("?")[:50], key=lambda puzzle: abs(puzzle.rating - near), default=None)


def rating_of(user: User) -> float:
    """Somebody's own puzzle rating."""
    latest = PuzzleTry.objects.filter(user=user).order_by("-at", "-pk").first()
    return elo.START if latest is None else latest.after


def loss_of(puzzle: Puzzle, view: View, move: Move) -> tuple[int, float, float]:
    """The place of a move among those tried, from 0 for the best, its loss and error."""
    for place, (text, _chance, loss, error) in enumerate(puzzle.tried):
        if same(view, notation.parse(text), move):
            return place, loss, error
    raise LookupError(str(move))


def answer(puzzle: Puzzle, user: User, move: str, solved: bool, now: datetime) -> PuzzleTry:
    """Store somebody's first answer, which changes both ratings; later ones change nothing."""
    with transaction.atomic():
        puzzle = Puzzle.objects.select_for_update().get(pk=puzzle.pk)
        User.objects.select_for_update().get(pk=user.pk)
        known = PuzzleTry.objects.filter(puzzle=puzzle, user=user).first()
        if known is not None:
            return known
        before = rating_of(user)
        surplus = float(solved) - elo.expected(before, puzzle.rating)
        after = max(elo.FLOOR, before + _k(PuzzleTry.objects.filter(user=user).count()) * surplus)
        puzzle.rating = max(elo.FLOOR, puzzle.rating - _k(puzzle.tries) * surplus)
        puzzle.tries += 1
        puzzle.solved += solved
        puzzle.save(update_fields=["rating", "tries", "solved"])
        return PuzzleTry.objects.create(
            puzzle=puzzle, user=user, move=move, solved=solved, before=before, after=after, at=now
        )


def _k(answers: int) -> int:
    return elo.k_factor(answers, reached_master=False)
