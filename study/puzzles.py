"""Create puzzles from rated matches, store answers, and update ratings."""

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts import elo
from accounts.models import User
from boneyard.analysis.decisions import are_equivalent, find_only_move
from boneyard.computer.selfplay import begin_seeded
from boneyard.engine import moves as notation
from boneyard.engine.moves import Move
from boneyard.engine.perspective import View, perspective
from boneyard.engine.presets import PRESETS
from games import repository
from games.models import Match
from study.models import Puzzle, PuzzleSource, PuzzleTry

MIN_MATCH_AGE = timedelta(days=1)
MAX_SESSION_ANSWERS = 100  # kept for an anonymous visitor, newest


class FirstAnswer(NamedTuple):
    """The ratings of a solver before and after the first answer to a puzzle."""

    before: float
    after: float


class Progress(NamedTuple):
    """The puzzle rating of a solver, the number of rated answers, and those solved in a row up to the last."""

    rating: float
    answers: int
    streak: int

    def after(self, puzzle_rating: float, solved: bool) -> "Progress":
        """Return the progress after an answer to a puzzle of this rating."""
        surplus = float(solved) - elo.expected(self.rating, puzzle_rating)
        rating = max(elo.MIN_RATING, self.rating + _k(self.answers) * surplus)
        return Progress(rating, self.answers + 1, self.streak + 1 if solved else 0)


BEGINNING = Progress(elo.START_RATING, 0, 0)


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
    if puzzle.match is None:
        return _shipped_view(puzzle.position)
    value = repository.initial_value(puzzle.match)
    for row in puzzle.match.moves.filter(number__lt=puzzle.number).order_by("number"):
        value = value.play(row.seat, notation.parse(row.text), row.claim)
    return perspective(value, value.turn)


def _shipped_view(position: Mapping[str, Any]) -> View:
    value = begin_seeded(PRESETS[position["game"]].rules, position["seats"], position["seed"])
    for seat, move, *claim in position["moves"]:
        value = value.play(seat, notation.parse(move), *claim)
    return perspective(value, value.turn)


def puzzle_of_the_day(day: date) -> Puzzle | None:
    """Return the puzzle of this UTC day. Puzzles created from matches during the day do not change it."""
    midnight = datetime.combine(day, time(), UTC)
    older = Puzzle.objects.filter(Q(match__isnull=True) | Q(made_at__lt=midnight))
    numbers = older.order_by("pk").values_list("pk", flat=True)
    if not numbers:
        return Puzzle.objects.order_by("pk").first()
    return Puzzle.objects.get(pk=numbers[day.toordinal() % len(numbers)])


def pick_unanswered(user: User | None, session: Mapping[str, Any]) -> Puzzle | None:
    """Return an unanswered puzzle with a rating near the solver's, or None."""
    if user is None:
        unanswered = Puzzle.objects.exclude(pk__in=map(int, session.get("answers", ())))
    else:
        unanswered = Puzzle.objects.exclude(answers__user=user)
    target = find_progress(user, session).rating
    return min(unanswered.order_by("?")[:50], key=lambda puzzle: abs(puzzle.rating - target), default=None)


def find_progress(user: User | None, session: Mapping[str, Any]) -> Progress:
    """Return the progress of a user, or of an anonymous visitor from their `session` data."""
    if user is None:
        return Progress(*session.get("progress", BEGINNING))
    tries = PuzzleTry.objects.filter(user=user)
    if (last_try := tries.order_by("-at", "-pk").first()) is None:
        return BEGINNING
    failed = tries.filter(solved=False).order_by("-at", "-pk").first()
    later = tries if failed is None else tries.filter(Q(at__gt=failed.at) | Q(at=failed.at, pk__gt=failed.pk))
    return Progress(last_try.after, tries.count(), later.count())


def find_first_answer(puzzle: Puzzle, user: User | None, session: Mapping[str, Any]) -> FirstAnswer | None:
    """Return the first answer of a user, or of an anonymous visitor, to a puzzle."""
    if user is None:
        row = session.get("answers", {}).get(str(puzzle.pk))
        return FirstAnswer(*row) if row else None
    first = PuzzleTry.objects.filter(puzzle=puzzle, user=user).first()
    return FirstAnswer(first.before, first.after) if first else None


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
        progress = find_progress(user, {})
        before, after = progress.rating, progress.after(puzzle.rating, solved).rating
        surplus = float(solved) - elo.expected(before, puzzle.rating)
        puzzle.rating = max(elo.MIN_RATING, puzzle.rating - _k(puzzle.tries) * surplus)
        puzzle.tries += 1
        puzzle.solved += solved
        puzzle.save(update_fields=["rating", "tries", "solved"])
        return PuzzleTry.objects.create(
            puzzle=puzzle, user=user, move=move, solved=solved, before=before, after=after, at=now
        )


def answer_anonymously(puzzle: Puzzle, session: Mapping[str, Any], solved: bool) -> dict[str, Any]:
    """Return the session data of an anonymous visitor after an answer. The puzzle's rating does not change."""
    answers = dict(session.get("answers", {}))
    progress = find_progress(None, session)
    if str(puzzle.pk) in answers:
        return dict(session)
    after = progress.after(puzzle.rating, solved)
    answers[str(puzzle.pk)] = [progress.rating, after.rating]
    for oldest in list(answers)[:-MAX_SESSION_ANSWERS]:
        del answers[oldest]
    return {"progress": list(after), "answers": answers}


def _k(answers: int) -> int:
    return elo.k_factor(answers, reached_master=False)
