"""Computer players: choose a move from a perspective (docs/computer.md)."""

from collections.abc import Callable
from math import exp
from random import Random
from typing import NamedTuple

from boneyard.engine.moves import MUGGINS, Move
from boneyard.engine.perspective import View
from boneyard.engine.records import LEVELS as LEVELS
from boneyard.engine.records import Level as Level
from boneyard.engine.settlement import can_be_awarded, passes_target

from .one_ply import best_by_heuristic, keep_most_options, legal_plays, take_most_points
from .pairs_network import PublicRound, network_for, score_moves
from .search import SearchPlan, search
from .styles import PLAIN, Style, style_of

# Of the choices of all levels: raise it when the same view and seed give another move. Sets of deals store it.
PLAYER_VERSION = "6"
_BEGINNER_GUESS_RATE = 0.6
# In standard deviations of a round's points, as the scores of a play: the temperature of the softmax from which strong
# draws its play (docs/computer.md), and what a pip of a style is worth.
_SCORE_TEMPERATURE = 0.03
_PIP_SCORE = 0.01


def _guess_often(view: View, rng: Random, style: Style) -> Move:
    return (
        take_most_points(view, style)
        if rng.random() > _BEGINNER_GUESS_RATE
        else rng.choice(legal_plays(view) or view.legal)
    )


def _draw_by_score(view: View, rng: Random, style: Style) -> Move:
    """Return a play drawn from the softmax of the scores of a network, for which there must be one."""
    network = network_for(view.terms)
    assert network is not None
    moves = PublicRound.from_view(view).distinct(view.legal)
    scores = [
        score + _PIP_SCORE * style.preference(view, move)
        for move, score in zip(moves, score_moves(view, network, moves), strict=True)
    ]
    best = max(scores)
    return rng.choices(moves, [exp((score - best) / _SCORE_TEMPERATURE) for score in scores])[0]


# How a level chooses a move: a function, or the settings of a search.
Method = Callable[[View, Random, Style], Move] | SearchPlan


class Strategy(NamedTuple):
    """The strategy of a level.

    by         its usual method
    uncounted  the search settings where no count scores: the end of a round is worth much and far away, so it takes
               more deals
    pairs      its method in pairs that a network was trained for
    sees       the probability that it notices points it may call
    claims     the probability that it claims the points of its play
    """

    by: Method
    uncounted: SearchPlan | None = None
    pairs: Method | None = None
    sees: float = 1.0
    claims: float = 1.0


_STRONG = SearchPlan(samples=40, work=250_000, margin=1.0)
_MASTER = SearchPlan(
    samples=1500, work=200_000, reads_plays=True, by_chance=True, careful=True, stops_early=True
)

STRATEGIES: dict[Level, Strategy] = {
    "beginner": Strategy(_guess_often, sees=0.2, claims=0.7),
    "casual": Strategy(lambda view, _rng, style: keep_most_options(view, style), sees=0.6),
    "club": Strategy(lambda view, _rng, style: best_by_heuristic(view, style), sees=0.9),
    "strong": Strategy(_STRONG, uncounted=_STRONG._replace(careful=True), pairs=_draw_by_score),
    "master": Strategy(
        _MASTER._replace(samples=600, work=250_000, later_moves=2),
        uncounted=_MASTER._replace(margin=1.0, ending_work=100_000, later_moves=3),
        pairs=_MASTER._replace(score_weight=3.0),
    ),
}
# A search takes time, but only where there is a choice: the referee must hide that difference.
SEARCHING_LEVELS = frozenset(level for level, play in STRATEGIES.items() if isinstance(play.by, SearchPlan))


def choose_move(
    view: View, level: Level, seed: int, *, secret: str = "", figure: int | None = None
) -> tuple[Move | None, int | None]:
    """Return the move of a computer of this level and its claim; deterministic for equal arguments.

    `secret` is fixed for a match and unknown to its players; it decides which of the opponents' points are overlooked.
    `figure` is the number of the persona, which has a style; None plays without one. Out of turn the move is MUGGINS or
    None (no call). On turn the computer may also call before it moves.
    """
    if should_call(view, level, secret):
        return MUGGINS, None
    if view.turn != view.seat:
        return None, None
    rng = Random(f"{level} {seed}")  # noqa: S311 - repeatable on purpose; not a secret
    move = _move(view, level, rng, style_of(figure))
    return move, _claim(view, move, rng.random() < STRATEGIES[level].claims)


def recommend_move(view: View) -> tuple[Move, int | None]:
    """Return a hint for the seat on turn: the move of a master and the points to claim; the same for equal views."""
    rng = Random(f"hint {view.move_count}")  # noqa: S311 - as above
    move = _move(view, "master", rng, PLAIN)
    return move, _claim(view, move, remembers=True)


def should_call(view: View, level: Level, secret: str = "") -> bool:
    """Return whether a computer of this level calls the last play; always the same in one position."""
    if view.rules.lowest_wins or not open_points(view):
        return False
    attention = Random(f"{secret} {view.seat} {view.move_count} {view.laid}")  # noqa: S311 - as above
    return attention.random() < STRATEGIES[level].sees


def open_points(view: View) -> int:
    """Return the points of the last play that the viewer could call."""
    layout = view.layout()
    if layout is None or view.seat is None or not view.may_call:
        return 0
    last = next(entry for entry in reversed(view.log) if entry.move.kind == "play")
    points = view.terms.worth(layout)
    if view.is_out(last.seat):
        points += view.rules.out_points
    if last.claim == points or not all(
        can_be_awarded(view.terms, view.scores, view.barred, seat, points) for seat in (last.seat, view.seat)
    ):
        return 0
    return points


def _move(view: View, level: Level, rng: Random, style: Style) -> Move:
    if len(view.legal) == 1:
        return view.legal[0]
    method = _method_for(view, STRATEGIES[level])
    return search(view, method, rng, style) if isinstance(method, SearchPlan) else method(view, rng, style)


def _method_for(view: View, strategy: Strategy) -> Method:
    if strategy.pairs and network_for(view.terms):
        return strategy.pairs
    return strategy.uncounted if strategy.uncounted and view.rules.count == "none" else strategy.by


def _claim(view: View, move: Move, remembers: bool) -> int | None:
    return due_claim(view, move) if remembers else None


def due_claim(view: View, move: Move) -> int | None:
    """Return the points to claim with this move of the viewer, or None."""
    # Where the lowest score wins, unclaimed points can only go to the others, whom they hurt.
    if not view.terms.must_claim or move.kind != "play" or view.rules.lowest_wins:
        return None
    points, side = view.points(move), view.terms.side_of[view.turn or 0]
    # A claim that `exact` refuses can cost the rest of the round; points left unclaimed cannot be called then.
    if view.terms.bars and passes_target(view.rules, view.scores[side], points):
        return None
    return points or None
