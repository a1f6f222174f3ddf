"""Computer players: a perspective in, a move out."""

from games.engine.moves import MUGGINS, Move
from games.engine.perspective import View
from games.engine.tiles import PIPS

LEVELS = ("beginner", "casual", "club", "strong", "master")


def choose(view: View, level: str, seed: int) -> tuple[Move | None, int | None]:
    """The move of a computer of this level and what it claims for it.

    Out of turn, where it may call: MUGGINS, or None to let the play go.
    """
    if view.turn != view.seat:
        return (MUGGINS if open_points(view) else None), None
    plays = [move for move in view.legal if move.kind == "play"]
    if not plays:
        return view.legal[0], None
    move = max(plays, key=lambda play: (view.points(play), sum(PIPS[tile] for tile, _ in play.plays)))
    return move, (view.points(move) or None) if view.terms.called else None


def open_points(view: View) -> int:
    """The points of the last play that the viewer could call, counted from the table."""
    layout = view.layout()
    if layout is None or not view.may_call:
        return 0
    last = next(entry for entry in reversed(view.log) if entry.move.kind == "play")
    points = view.terms.points[layout.count]
    return points if last.claim != points else 0
