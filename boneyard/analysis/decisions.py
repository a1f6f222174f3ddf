"""Grade one move from the view of its seat: how much of the chance to win the match it lost.

The best move is selected in one sample of deals and compared with the move made in another sample, so that a move
that was only lucky in the first sample gains nothing in the second.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random

from boneyard.computer.evaluation import WinChance
from boneyard.computer.players import due_claim
from boneyard.computer.search import Candidate, SearchPlan, distinct_moves, rank_moves
from boneyard.engine.moves import Move
from boneyard.engine.perspective import View
from boneyard.engine.settlement import awarded_points

_FIRST_DEALS = 80  # every move is evaluated in these
_FINALISTS = 2  # the best moves of the first pass, compared again together with the move made
_DEALS_PER_PASS = 100  # per finalist
MAX_ERROR = 0.02  # standard error of a grade, as a chance to win the match
_TARGET_ERROR = 0.015  # stop at once below this error
_MIN_DEALS = 600  # stop after this many deals if the error is at most MAX_ERROR
_MAX_DEALS = 6_000  # stop whatever the error is
_UNLIMITED_WORK = 1 << 60

_PUZZLE_ERRORS = 4  # standard errors by which a puzzle's answer beats every other move
# Deals of each pass of the quick search, and the errors by which the answer must stand out in it. Every pass has
# deals of its own; the last one gives the grades.
_QUICK_PASSES = ((60, 1), (200, 2), (1_000, _PUZZLE_ERRORS))

MIN_PUZZLE_MARGIN = 0.08  # chance to win the match by which a puzzle's answer beats every other move

MARKS = ((15, "??"), (7, "?"), (3, "?!"))  # minimum loss in whole per cent, as displayed

_STORED_DIGITS = 4  # losses are rounded before they are marked, so that marks agree with stored figures
_POINTS_DIGITS = 2


@dataclass(frozen=True)
class GradedMove:
    """A move, the chance to win the match with it, and its loss against the best move with the standard error.

    `points` is the loss in points; less than 0 if the move wins more points and fewer matches.
    """

    move: Move
    chance: float
    loss: float
    error: float
    points: float = 0.0


@dataclass(frozen=True)
class Decision:
    """A graded move of a seat that had a choice. Chances are those to win the match, from 0 to 1.

    claim, best_claim  points claimed for the play and points it makes; None for no claim
    loss, error        loss against the best move and claim, and its standard error
    points             loss in points, as in `GradedMove`
    candidates         every distinct move, best first
    """

    seat: int
    move: Move
    claim: int | None
    best: Move
    best_claim: int | None
    loss: float
    error: float
    points: float
    candidates: tuple[GradedMove, ...]

    @property
    def mark(self) -> str:
        return mark(self.loss, self.error)

    @property
    def chance(self) -> float:
        """Return the chance to win the match with the best move."""
        return self.candidates[0].chance if self.candidates else 0.0


def mark(loss: float, error: float) -> str:
    """Return the mark of a loss: "??", "?", "?!", or "" if the loss is below two standard errors or below 3 %.

    The loss is rounded to whole per cent first, because that figure is displayed next to the mark.
    """
    if loss < 2 * error:
        return ""
    return next((sign for least, sign in MARKS if round(100 * loss) >= least), "")


def grade_move(view: View, move: Move, claim: int | None) -> Decision | None:
    """Grade a move and its claim; return None if the seat had no choice. Deterministic for equal arguments."""
    assert view.seat is not None
    due = due_claim(view, move)
    missed_points = 0 if due is None or due == claim else given_points(view, view.seat, due)
    missed = win_chance_of_points(view, view.seat, missed_points)
    candidates = compare_moves(view, move) if len(distinct_moves(view)) > 1 else ()
    if not candidates and not missed:
        return None
    best = candidates[0].move if candidates else move
    made = next((each for each in candidates if are_equivalent(view, each.move, move)), None)
    loss, error, points = (made.loss, made.error, made.points) if made is not None else (0.0, 0.0, 0.0)
    if best != move and made is candidates[0]:
        best = move  # equivalent moves
    best_claim = due if best == move else due_claim(view, best)
    loss, error = round(loss + missed, _STORED_DIGITS), round(error, _STORED_DIGITS)
    points = round(points + missed_points, _POINTS_DIGITS)
    return Decision(view.seat, move, claim, best, best_claim, loss, error, points, candidates)


def find_only_move(view: View) -> tuple[GradedMove, ...]:
    """Return every distinct move, best first, if the best one makes a puzzle; otherwise ().

    It must beat every other move by `MIN_PUZZLE_MARGIN` and by four standard errors, and again in ten times the deals.
    """
    if len(distinct_moves(view)) < 3 or not _may_stand_out(view):
        return ()
    candidates = compare_moves(view)
    if not _stands_out(candidates):
        return ()
    confirmed = rank_moves(view, grading_plan(10 * _MIN_DEALS), _rng_for("puzzle", view))
    candidates = tuple(compare_to_best(each, confirmed[0]) for each in confirmed)
    return candidates if _stands_out(candidates) else ()


def find_only_move_quickly(view: View) -> tuple[GradedMove, ...]:
    """Return what `find_only_move` returns, decided in fewer deals, to search a large number of positions."""
    candidates: tuple[GradedMove, ...] = ()
    if len(distinct_moves(view)) < 3:
        return candidates
    for deals, errors in _QUICK_PASSES:
        ranked = rank_moves(view, grading_plan(deals), _rng_for(f"puzzle, {deals} deals", view))
        if candidates and ranked[0].move != candidates[0].move:
            return ()
        candidates = tuple(compare_to_best(each, ranked[0]) for each in ranked)
        if not _stands_out(candidates, errors):
            return ()
    return candidates


def _may_stand_out(view: View) -> bool:
    """Return whether a small sample leaves a puzzle possible; it rejects most positions cheaply."""
    best, next_best, *_others = rank_moves(
        view, grading_plan(_FIRST_DEALS), _rng_for("puzzle, at first sight", view)
    )
    rough = compare_to_best(next_best, best)
    return rough.loss + 2 * rough.error >= MIN_PUZZLE_MARGIN


def _stands_out(candidates: Sequence[GradedMove], errors: int = _PUZZLE_ERRORS) -> bool:
    return all(each.loss >= max(MIN_PUZZLE_MARGIN, errors * each.error) for each in candidates[1:])


def are_equivalent(view: View, one: Move, other: Move) -> bool:
    """Return whether two legal moves lead to equivalent positions."""
    return one == other or len(distinct_moves(view._replace(legal=(one, other)))) == 1


def compare_moves(view: View, *required: Move) -> tuple[GradedMove, ...]:
    """Return every distinct move, best first; `required` moves are always among the finalists."""
    rng = _rng_for("grading", view)
    first = rank_moves(view, grading_plan(_FIRST_DEALS), rng)
    finalists = [each.move for each in first[:_FINALISTS]]
    finalists += [
        move for move in required if not any(are_equivalent(view, move, other) for other in finalists)
    ]
    compared = _compare_finalists(view, finalists, rng)
    best = compared[0]
    candidates = [compare_to_best(each, best) for each in compared]
    # The other moves were evaluated in the first pass only: compare them with its best move.
    reference = next((each for each in first if are_equivalent(view, each.move, best.move)), first[0])
    for each in first:
        if not any(are_equivalent(view, each.move, other.move) for other in compared):
            rough = compare_to_best(each, reference)
            candidates.append(
                GradedMove(
                    each.move, candidates[0].chance - rough.loss, rough.loss, rough.error, rough.points
                )
            )
    return (candidates[0], *sorted(candidates[1:], key=lambda each: each.loss))


def _compare_finalists(view: View, moves: Sequence[Move], rng: Random) -> list[Candidate]:
    """Evaluate moves in the same deals until every difference is precise enough; return them best first."""
    played: dict[Move, Candidate] = {move: Candidate(move, [], []) for move in moves}
    while True:
        for candidate in rank_moves(view._replace(legal=tuple(moves)), grading_plan(_DEALS_PER_PASS), rng):
            played[candidate.move].worths.extend(candidate.worths)
            played[candidate.move].leads.extend(candidate.leads)
        compared = sorted(played.values(), key=lambda each: -sum(each.worths))
        largest = max(compare_to_best(each, compared[0]).error for each in compared)
        deals = len(compared[0].worths)
        if largest <= _TARGET_ERROR or deals >= _MAX_DEALS or (largest <= MAX_ERROR and deals >= _MIN_DEALS):
            return compared


def _rng_for(purpose: str, view: View) -> Random:
    return Random(f"{purpose} {view.move_count} {view.seat}")  # noqa: S311 - repeatable on purpose


def compare_to_best(candidate: Candidate, best: Candidate) -> GradedMove:
    """Return a move with its loss against the best; both must have been evaluated in the same deals."""
    count = len(candidate.worths)
    behind = [its - mine for mine, its in zip(candidate.worths, best.worths, strict=True)]
    mean = sum(behind) / count
    variance = sum((each - mean) ** 2 for each in behind) / (count - 1)
    points = (sum(best.leads) - sum(candidate.leads)) / count
    return GradedMove(
        candidate.move, sum(candidate.worths) / count, max(mean, 0.0), sqrt(variance / count), points
    )


def grading_plan(samples: int) -> SearchPlan:
    """Return the search settings for grading with this many deals."""
    return SearchPlan(
        samples=samples,
        work=_UNLIMITED_WORK,
        reads_plays=True,
        by_chance=True,
        careful=True,
        stops_early=False,
        keeps_leads=True,
    )


def given_points(view: View, seat: int, points: int) -> int:
    """Return how many of these points the seat's side would receive now."""
    side = view.terms.side_of[seat]
    return 0 if side in view.barred else awarded_points(view.rules, view.scores[side], points)


def win_chance_of_points(view: View, seat: int, given: int) -> float:
    """Return by how much these points raise the seat's chance to win the match at the current scores."""
    if not given:
        return 0.0
    terms = view.terms
    side = terms.side_of[seat]
    chance = WinChance(terms, side, view.gone, terms.max_rounds - view.round)
    after = [score + given * (other == side) for other, score in enumerate(view.scores)]
    return max(0.0, chance(after) - chance(view.scores))
