"""Computer players: a perspective in, a move out. See docs/computer.md."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from games.engine.moves import MUGGINS, Move
from games.engine.perspective import View
from games.engine.records import LEVELS as LEVELS
from games.engine.records import Level as Level
from games.engine.settlement import could_be_given

from .one_ply import looks_ahead, most_points, most_room, plays
from .search import Plan, search

_BEGINNER_GUESSES = 0.6


def _guesses_often(view: View, rng: Random) -> Move:
    return most_points(view) if rng.random() > _BEGINNER_GUESSES else rng.choice(plays(view) or view.legal)


class Play(NamedTuple):
    """How a level plays: by a rule of thumb or by a search with a plan; how often it sees what it might call, and says
    what its play is worth.

    Where no count scores the plan is another: a round's end, worth much and far away, is judged badly in few deals.
    """

    by: Callable[[View, Random], Move] | Plan
    uncounted: Plan | None = None
    sees: float = 1.0
    claims: float = 1.0


PLAYS: dict[Level, Play] = {
    "beginner": Play(_guesses_often, sees=0.2, claims=0.7),
    "casual": Play(lambda view, _rng: most_room(view), sees=0.6),
    "club": Play(lambda view, _rng: looks_ahead(view), sees=0.9),
    "strong": Play(
        Plan(samples=40, work=250_000, margin=1.0),
        Plan(samples=40, work=250_000, careful=True, margin=1.0),
    ),
    "master": Play(
        Plan(samples=150, work=500_000, reads_plays=True, by_chance=True, careful=True, stops_early=True),
        Plan(
            samples=400,
            work=250_000,
            reads_plays=True,
            by_chance=True,
            careful=True,
            stops_early=True,
            margin=1.0,
        ),
    ),
}
# The levels whose thinking takes time, and none where there is no choice.
SEARCHING = frozenset(level for level, play in PLAYS.items() if isinstance(play.by, Plan))


def choose(view: View, level: Level, seed: int, *, secret: str = "") -> tuple[Move | None, int | None]:
    """The move of a computer of this level and what it claims for it; the same for the same arguments.

    `secret` is the same through a match and known to nobody at the table; on it depends what is overlooked.
    Out of turn, where it may call: MUGGINS, or None to let the play go. On turn it may call, too, before it moves.
    """
    if calls(view, level, secret):
        return MUGGINS, None
    if view.turn != view.seat:
        return None, None
    rng = Random(f"{level} {seed}")  # noqa: S311 - repeatable on purpose; nothing is kept secret here
    move = _move(view, level, rng)
    return move, _claim(view, move, rng.random() < PLAYS[level].claims)


def calls(view: View, level: Level, secret: str = "") -> bool:
    """Whether a computer of this level calls the last play.

    What it overlooks it overlooks for good: the same answer however often it is asked in one position.
    """
    if view.rules.lowest_wins or not open_points(view):
        return False
    attention = Random(f"{secret} {view.seat} {view.move_count} {view.laid}")  # noqa: S311 - as above
    return attention.random() < PLAYS[level].sees


def open_points(view: View) -> int:
    """The points of the last play that the viewer could call, counted from the table."""
    layout = view.layout()
    if layout is None or view.seat is None or not view.may_call:
        return 0
    last = next(entry for entry in reversed(view.log) if entry.move.kind == "play")
    points = view.terms.worth(layout)
    if last.claim == points or not all(
        could_be_given(view.terms, view.scores, seat, points) for seat in (last.seat, view.seat)
    ):
        return 0
    return points


def _move(view: View, level: Level, rng: Random) -> Move:
    if len(view.legal) == 1:
        return view.legal[0]
    play = PLAYS[level]
    by = play.uncounted if play.uncounted and view.rules.count == "none" else play.by
    return search(view, by, rng) if isinstance(by, Plan) else by(view, rng)


def _claim(view: View, move: Move, remembers: bool) -> int | None:
    # Where the lowest score wins, points not claimed are points that only others can take.
    if not view.terms.called or move.kind != "play" or not remembers or view.rules.lowest_wins:
        return None
    return view.points(move) or None
