"""Prepare the puzzle page and the learning overview."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.models import User
from boneyard.analysis.matches import find_moments
from boneyard.analysis.reasons import find_reason
from boneyard.engine import moves as notation
from boneyard.engine.moves import Move
from boneyard.engine.perspective import View
from boneyard.engine.presets import PRESETS
from core.numbers import display_rating
from games import wording as games_wording
from games.drawing.tiles import draw_symbols
from games.models import Match, Seat
from study import puzzles, wording
from study.course import LESSONS
from study.drawing import draw_ghosts, draw_wrong_play
from study.models import Analysis, Puzzle
from study.positions import PlayablePosition

MAX_MOMENTS = 10
_MAX_LESSON_SUIT = max(PRESETS[lesson.preset].rules.set for lesson in LESSONS)


@dataclass(frozen=True)
class PuzzlePage(PlayablePosition):
    """A puzzle for one user. `answer` is the move just tried, `first_try` the user's rated answer."""

    puzzle: Puzzle
    answer: str
    first_try: puzzles.FirstAnswer | None
    revealed: bool
    streak: int
    chosen: str = ""
    plan: str = ""

    @cached_property
    def view(self) -> View:
        return puzzles.view_of(self.puzzle)

    @property
    def names(self) -> list[str]:
        """Return the names by seat; players stay anonymous until the solution is open."""
        match = self.puzzle.match
        seats = match.seats.select_related("user") if match is not None and self.is_open else ()
        names = {seat.position: seat.display_name for seat in seats}
        return [self._name(number, names) for number in range(self.view.seats)]

    def _name(self, seat: int, names: Mapping[int, str]) -> str:
        own = seat == self.viewer_seat
        if seat in names:
            return _("%(name)s (you)") % {"name": names[seat]} if own else names[seat]
        if own:
            return _("you")
        if self.view.terms.side_of[seat] == self.view.terms.side_of[self.viewer_seat]:
            return _("your partner")
        if self.view.seats == 2:
            return _("your opponent")
        return {
            1: _("the player after you"),
            self.view.seats - 1: _("the player before you"),
        }.get((seat - self.viewer_seat) % self.view.seats, _("the player opposite"))

    @property
    def is_open(self) -> bool:
        """Return whether the solution is visible: it was found or revealed, or a first answer was given."""
        return self.revealed or self.first_try is not None

    @property
    def prompt(self) -> str:
        """Return the task, with the score."""
        sides, scores = self.view.terms.side_of, self.view.scores
        own_side = sides[self.viewer_seat]
        others = ", ".join(str(score) for side, score in enumerate(scores) if side != own_side)
        return _(
            "%(game)s. You have %(own)d against %(others)s. One move is clearly better than every other. Which?"
        ) % {
            "game": wording.game_with_target(
                games_wording.game_title(self.puzzle.preset, self.view.rules, self.view.seats),
                self.view.rules,
            ),
            "own": scores[own_side],
            "others": others,
        }

    @cached_property
    def _answer_move(self) -> Move | None:
        return next((move for move in self.view.legal if str(move) == self.answer), None)

    @property
    def overlay(self) -> SafeString | str:
        """Return the best move once the solution is open, else the answer with a cross."""
        answer = self._answer_move
        if self.is_open:
            return draw_ghosts(self.view, answer if answer and self.is_solved else self._best, answer)
        return draw_wrong_play(self.view, answer) if answer else ""

    @property
    def is_solved(self) -> bool:
        return (
            self._answer_move is not None
            and not puzzles.find_grade(self.puzzle, self.view, self._answer_move)[0]
        )

    @property
    def feedback(self) -> str:
        if self._answer_move is None:
            return ""
        place, loss, error = puzzles.find_grade(self.puzzle, self.view, self._answer_move)
        return wording.answer_feedback(loss, error, best=not place, may_retry=not self.is_open)

    @property
    def best(self) -> str:
        return wording.move_in_words(self.view, self._best)

    @property
    def _best(self) -> Move:
        return notation.parse(self.puzzle.tried[0][0])

    @property
    def why(self) -> str:
        """Return why the best move is better than the answer, or than the second best move."""
        other = self._answer_move
        if other is None or self.is_solved:
            other = notation.parse(self.puzzle.tried[1][0])
        kind, best, made = find_reason(self.view, self._best, other)
        words = wording.move_in_words(self.view, other)
        return wording.reason_in_words((kind, best, made), self.best, words, self.view.seats)

    @property
    def rating(self) -> tuple[int, int] | None:
        """Return the user's puzzle rating before and after this puzzle."""
        return (
            None
            if self.first_try is None
            else (display_rating(self.first_try.before), display_rating(self.first_try.after))
        )

    @property
    def difficulty(self) -> int:
        return display_rating(self.puzzle.rating)

    @property
    def solved_share(self) -> str:
        return wording.percent(self.puzzle.solved / self.puzzle.tries) if self.puzzle.tries else ""


def build_puzzle_page(
    puzzle: Puzzle,
    user: User | None,
    session: Mapping[str, Any],
    answer: str = "",
    revealed: bool = False,
    **picked: str,
) -> PuzzlePage:
    """Return the page of a puzzle; `session` holds the answers of an anonymous visitor.

    `picked` are `chosen` and `plan` of a `PlayablePosition`.
    """
    first_try = puzzles.find_first_answer(puzzle, user, session)
    streak = puzzles.find_progress(user, session).streak
    return PuzzlePage(puzzle, answer, first_try, revealed, streak, **picked)


class OwnMoment(NamedTuple):
    """A link to a costly decision of the user, to try again."""

    match: Match
    number: int
    game: str
    others: str
    loss: str


@dataclass(frozen=True)
class LearnPage:
    """The learning overview. `user` is None for anonymous visitors; their answers are in `session`."""

    user: User | None
    today: date
    session: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def daily(self) -> PuzzlePage | None:
        puzzle = puzzles.puzzle_of_the_day(self.today)
        return build_puzzle_page(puzzle, self.user, self.session) if puzzle is not None else None

    @property
    def symbols(self) -> SafeString:
        """Return the SVG symbols for the small boards of the lessons and the puzzle."""
        return draw_symbols(max(_MAX_LESSON_SUIT, self.daily.view.rules.set if self.daily else 0))

    @cached_property
    def progress(self) -> puzzles.Progress:
        return puzzles.find_progress(self.user, self.session)

    @property
    def rating(self) -> int:
        return display_rating(self.progress.rating)

    @property
    def moments(self) -> list[OwnMoment]:
        """Return costly decisions from the user's most recent analysed matches."""
        if self.user is None:
            return []
        seats = Seat.objects.filter(
            user=self.user, taken_over=False, match__analysis__state=Analysis.State.DONE
        )
        moments = []
        seats = seats.select_related("match__analysis").prefetch_related("match__seats__user")
        for seat in seats.order_by("-match__ended_at")[:MAX_MOMENTS]:
            others = ", ".join(other.display_name for other in seat.match.seats.all() if other.pk != seat.pk)
            game = games_wording.game_title(
                seat.match.preset, seat.match.rules, len(seat.match.seats.all()), seat.match.base_preset
            )
            moments += [
                OwnMoment(seat.match, row["number"], game, others, wording.percent(row["loss"]))
                for row in find_moments(seat.match.analysis.result, seat.position)
            ]
        return moments[:MAX_MOMENTS]
