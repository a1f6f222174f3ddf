"""A move graded from the view of the seat that made it: the chance to win the match that it lost.

The best move is looked for in one lot of deals, and compared with the one made in another: a move that was only lucky
in the first lot has no head start in the second.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from random import Random

from games.computer.search import Candidate, Plan, distinct, ranked
from games.computer.worth import Chance
from games.engine.moves import Move
from games.engine.perspective import View
from games.engine.settlement import points_given

_FIRST = 80  # deals in which every move is tried
_CLOSE = 2  # of those the best are compared again, beside the one made
_MORE = 100  # deals at a time for each of them
WANTED = 0.02  # the error of a graded decision at most, in chances of the match
_FINE = 0.015  # where less than that, no more deals are asked for
_ENOUGH = 600  # nor after this many, if the error is as small as wanted
_MOST = 6_000  # an error that is larger even after this many stays
_UNLIMITED = 1 << 60

CLEAR = 0.08  # of a match: how much better the answer of a puzzle is than every other move

MARKS = ((15, "??"), (7, "?"), (3, "?!"))  # from these per cent of a match on, as they are shown

_DIGITS = 4  # of a loss and its error, as they are stored: what is shown, marked and stored is one figure


@dataclass(frozen=True)
class Tried:
    """A move, the chance to win with it, and what it loses against the best, with the standard error."""

    move: Move
    chance: float
    loss: float
    error: float


@dataclass(frozen=True)
class Decision:
    """What a seat did where it had a choice. Chances are of the match, 0 to 1.

    claim, best_claim  what was claimed for the play, and what should have been; None: nothing
    loss, error        what was lost against the best move and claim, and its standard error
    tried              every distinct move, the best first
    """

    seat: int
    move: Move
    claim: int | None
    best: Move
    best_claim: int | None
    loss: float
    error: float
    tried: tuple[Tried, ...]

    @property
    def mark(self) -> str:
        return mark(self.loss, self.error)

    @property
    def chance(self) -> float:
        """The chance to win the match with the best move."""
        return self.tried[0].chance if self.tried else 0.0


def mark(loss: float, error: float) -> str:
    """How a loss is marked: "" where it is less than two errors and so equal to none.

    By the whole per cent that stands beside the mark: 6.95 % is shown as 7 %, and marked as 7 % are.
    """
    if loss < 2 * error:
        return ""
    return next((sign for least, sign in MARKS if round(100 * loss) >= least), "")


def graded(view: View, move: Move, claim: int | None) -> Decision | None:
    """The grade of this move and claim; None where there was nothing to decide. The same for the same arguments."""
    assert view.seat is not None  # only a seat decides
    due, missed = _claims(view, move, claim)
    tried = weighed(view, move) if len(distinct(view)) > 1 else ()
    if not tried and not missed:
        return None
    best = tried[0].move if tried else move
    made = next((each for each in tried if same(view, each.move, move)), None)
    loss, error = (made.loss, made.error) if made is not None else (0.0, 0.0)
    if best != move and made is tried[0]:
        best = move  # it comes to the same
    best_claim = due if best == move else _due(view, best)
    loss, error = round(loss + missed, _DIGITS), round(error, _DIGITS)
    return Decision(view.seat, move, claim, best, best_claim, loss, error, tried)


def only_move(view: View) -> tuple[Tried, ...]:
    """Every distinct move, the best first, where one is better than every other by enough to ask for it: by `CLEAR` of
    a match and four errors, and again in ten times the deals. () elsewhere."""
    if len(distinct(view)) < 3 or not _may_stand_out(view):
        return ()
    found = weighed(view)
    if not _stands_out(found):
        return ()
    again = ranked(view, plan(10 * _ENOUGH), _rng_of("puzzle", view), inf)
    found = tuple(beside(each, again[0]) for each in again)
    return found if _stands_out(found) else ()


def _may_stand_out(view: View) -> bool:
    """Whether a first look leaves it possible: most positions need no second."""
    best, next_best, *_others = ranked(view, plan(_FIRST), _rng_of("puzzle, at first sight", view), inf)
    rough = beside(next_best, best)
    return rough.loss + 2 * rough.error >= CLEAR


def _stands_out(found: Sequence[Tried]) -> bool:
    return all(each.loss >= max(CLEAR, 4 * each.error) for each in found[1:])


def advice(view: View) -> tuple[Move, int | None]:
    """The best move for the seat on turn, and what to claim for it."""
    move = weighed(view)[0].move if len(distinct(view)) > 1 else view.legal[0]
    return move, _due(view, move)


def same(view: View, one: Move, other: Move) -> bool:
    """Whether two legal moves come to the same."""
    return one == other or len(distinct(view._replace(legal=(one, other)))) == 1


def weighed(view: View, *surely: Move) -> tuple[Tried, ...]:
    """Every distinct move, the best first; with `surely` among those compared in many deals."""
    rng = _rng_of("grading", view)
    first = ranked(view, plan(_FIRST), rng, inf)
    close = [each.move for each in first[:_CLOSE]]
    close += [move for move in surely if not any(same(view, move, other) for other in close)]
    again = _compared(view, close, rng)
    best = again[0]
    found = [beside(each, best) for each in again]
    # What is left was tried in fewer deals; beside the best of those.
    reference = next((each for each in first if same(view, each.move, best.move)), first[0])
    for each in first:
        if not any(same(view, each.move, other.move) for other in again):
            rough = beside(each, reference)
            found.append(Tried(each.move, found[0].chance - rough.loss, rough.loss, rough.error))
    return (found[0], *sorted(found[1:], key=lambda each: each.loss))


def _compared(view: View, moves: Sequence[Move], rng: Random) -> list[Candidate]:
    """These moves in the same deals, until every difference to the best is known well enough; the best first."""
    worths: dict[Move, list[float]] = {move: [] for move in moves}
    while True:
        for candidate in ranked(view._replace(legal=tuple(moves)), plan(_MORE), rng, inf):
            worths[candidate.move] += candidate.worths
        found = sorted(
            (Candidate(move, each) for move, each in worths.items()), key=lambda each: -sum(each.worths)
        )
        largest = max(beside(each, found[0]).error for each in found)
        deals = len(found[0].worths)
        if largest <= _FINE or deals >= _MOST or (largest <= WANTED and deals >= _ENOUGH):
            return found


def _rng_of(purpose: str, view: View) -> Random:
    return Random(f"{purpose} {view.move_count} {view.seat}")  # noqa: S311 - repeatable on purpose


def beside(candidate: Candidate, best: Candidate) -> Tried:
    """What a move loses against the best, where both were tried in the same deals."""
    count = len(candidate.worths)
    behind = [its - mine for mine, its in zip(candidate.worths, best.worths, strict=True)]
    mean = sum(behind) / count
    variance = sum((each - mean) ** 2 for each in behind) / (count - 1)
    return Tried(candidate.move, sum(candidate.worths) / count, max(mean, 0.0), sqrt(variance / count))


def plan(samples: int) -> Plan:
    """How a grade thinks, with this many deals."""
    return Plan(
        samples=samples, work=_UNLIMITED, reads_plays=True, by_chance=True, careful=True, stops_early=False
    )


def _due(view: View, move: Move) -> int | None:
    """What should be claimed for this play."""
    if not view.terms.called or move.kind != "play" or view.rules.lowest_wins:
        return None
    return view.points(move) or None


def _claims(view: View, move: Move, claim: int | None) -> tuple[int | None, float]:
    """What should have been claimed for the move made, and what was lost by not doing so."""
    due = _due(view, move)
    if due is None or due == claim:
        return due, 0.0
    assert view.seat is not None  # only a seat claims
    return due, worth_of_points(view, view.seat, due)


def worth_of_points(view: View, seat: int, points: int) -> float:
    """By how much these points raise this seat's chance to win the match, as the scores stand."""
    terms = view.terms
    side = terms.side_of[seat]
    given = points_given(view.rules, view.scores[side], points)
    chance = Chance(terms, side, view.gone)
    after = [score + given * (other == side) for other, score in enumerate(view.scores)]
    return max(0.0, chance(after) - chance(view.scores))
