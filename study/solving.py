"""A puzzle as its page shows it, and how somebody has done with puzzles."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.figures import shown
from accounts.models import User
from games import wording as games_wording
from games.drawing.tiles import symbols
from games.engine import moves as notation
from games.engine.moves import Move
from games.engine.perspective import View
from games.engine.presets import PRESETS
from games.models import Match, Seat
from games.table.movelist import move_list
from games.table.telling import move_lines
from study import puzzles, wording
from study.course import LESSONS
from study.grading.analysis import moments_of
from study.grading.decisions import CLEAR
from study.grading.reasons import reason
from study.models import Analysis, Puzzle, PuzzleTry
from study.positions import Position

MOMENTS = 10
_LESSONS = max(PRESETS[lesson.preset].rules.set for lesson in LESSONS)  # their highest suit


@dataclass(frozen=True)
class Solving(Position):
    """A puzzle before somebody: `answer` is the move just tried, `first` their first answer."""

    puzzle: Puzzle
    answer: str
    first: PuzzleTry | None
    told: bool

    @cached_property
    def view(self) -> View:
        return puzzles.view_of(self.puzzle)

    @property
    def names(self) -> list[str]:
        """Nobody is named before the answer."""
        seats = self.puzzle.match.seats.select_related("user") if self.open else ()
        shown = {seat.position: seat.shown_name for seat in seats}
        return [self._name(number, shown) for number in range(self.view.seats)]

    def _name(self, seat: int, shown: Mapping[int, str]) -> str:
        own = seat == self.seat_shown
        if seat in shown:
            return _("%(name)s (you)") % {"name": shown[seat]} if own else shown[seat]
        if own:
            return _("you")
        if self.view.terms.side_of[seat] == self.view.terms.side_of[self.seat_shown]:
            return _("your partner")
        return _("seat %(n)d") % {"n": seat + 1}

    @property
    def moves(self) -> SafeString:
        """The round so far: passes and draws tell."""
        return move_list(move_lines(self.view.log, self.view.terms), self.names, self.view.terms, None)

    @property
    def open(self) -> bool:
        """Whether the answer may be seen: it was found, or asked for, or a first answer was given."""
        return self.told or self.first is not None

    @property
    def task(self) -> str:
        """What is asked, with the score."""
        match, sides, scores = self.puzzle.match, self.view.terms.side_of, self.view.scores
        mine = sides[self.seat_shown]
        others = ", ".join(str(score) for side, score in enumerate(scores) if side != mine)
        return _(
            "%(game)s. You stand at %(own)d, the others at %(others)s. One move is better than every other by at least"
            " %(clear)s %% of a match. Which?"
        ) % {
            "game": wording.first_to(
                games_wording.game_title(match.preset, match.rules, match.seats.count()),
                self.view.rules.target,
            ),
            "own": scores[mine],
            "others": others,
            "clear": wording.percent(CLEAR),
        }

    @cached_property
    def _tried(self) -> Move | None:
        return next((move for move in self.view.legal if str(move) == self.answer), None)

    @property
    def solved(self) -> bool:
        return self._tried is not None and not puzzles.loss_of(self.puzzle, self.view, self._tried)[0]

    @property
    def said(self) -> str:
        if self._tried is None:
            return ""
        place, loss, error = puzzles.loss_of(self.puzzle, self.view, self._tried)
        return wording.judged(loss, error, best=not place, more=not self.open)

    @property
    def best(self) -> str:
        return wording.move_in_words(self.view, self._best)

    @property
    def _best(self) -> Move:
        return notation.parse(self.puzzle.tried[0][0])

    @property
    def why(self) -> str:
        """Why the best move is better than the next, or than the one tried."""
        other = self._tried
        if other is None or self.solved:
            other = notation.parse(self.puzzle.tried[1][0])
        kind, best, made = reason(self.view, self._best, other)
        return wording.reason((kind, best, made), self.best, wording.move_in_words(self.view, other))

    @property
    def rating(self) -> tuple[int, int] | None:
        """The reader's puzzle rating before and after this one."""
        return None if self.first is None else (shown(self.first.before), shown(self.first.after))

    @property
    def solved_share(self) -> str:
        return wording.percent(self.puzzle.solved / self.puzzle.tries) if self.puzzle.tries else ""


def solving(puzzle: Puzzle, user: User | None, answer: str = "", told: bool = False) -> Solving:
    first = PuzzleTry.objects.filter(puzzle=puzzle, user=user).first() if user is not None else None
    return Solving(puzzle, answer, first, told)


class Again(NamedTuple):
    """A decision of one's own to be made again: the move's number in the match, its game, against whom, what was
    lost."""

    match: Match
    number: int
    game: str
    others: str
    loss: str


@dataclass(frozen=True)
class Learner:
    """What /learn/ shows to somebody; `user` None: to a stranger."""

    user: User | None
    today: date

    @cached_property
    def daily(self) -> Solving | None:
        puzzle = puzzles.of_the_day(self.today)
        return solving(puzzle, self.user) if puzzle is not None else None

    @property
    def symbols(self) -> SafeString:
        """The shapes for the lessons' small boards, and for the puzzle's."""
        return symbols(max(_LESSONS, self.daily.view.rules.set if self.daily else 0))

    @property
    def rating(self) -> int | None:
        return shown(puzzles.rating_of(self.user)) if self.user is not None else None

    @property
    def answers(self) -> int:
        return PuzzleTry.objects.filter(user=self.user).count() if self.user is not None else 0

    @property
    def moments(self) -> list[Again]:
        """Decisions of one's own latest analysed matches to play again."""
        if self.user is None:
            return []
        seats = Seat.objects.filter(
            user=self.user, taken_over=False, match__analysis__state=Analysis.State.DONE
        )
        found = []
        latest = seats.select_related("match__analysis").prefetch_related("match__seats__user")
        for seat in latest.order_by("-match__ended_at")[:MOMENTS]:
            others = ", ".join(other.shown_name for other in seat.match.seats.all() if other.pk != seat.pk)
            game = games_wording.game_title(seat.match.preset, seat.match.rules, len(seat.match.seats.all()))
            found += [
                Again(seat.match, row["number"], game, others, wording.percent(row["loss"]))
                for row in moments_of(seat.match.analysis.result, seat.position)
            ]
        return found[:MOMENTS]
