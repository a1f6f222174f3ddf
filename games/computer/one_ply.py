"""The players that look at their own move only, or one reply further."""

from collections.abc import Sequence

from games.engine.layout import Layout
from games.engine.moves import Move
from games.engine.perspective import View
from games.engine.settlement import points_given
from games.engine.tiles import SET_SIZES, SUITS, Mask, mask_of, members, pips

from .greedy import gain, worth_of_pip

# What a pip less in hand is worth in points, and a tile more that can be played next (docs/computer.md).
_PIP = 0.35
_CHOICE = 0.6


def plays(view: View) -> list[Move]:
    """The legal plays, without draws and passes."""
    return [move for move in view.legal if move.kind == "play"]


def most_points(view: View) -> Move:
    """Most points now, then the heaviest tile; a play before a draw or pass by choice."""
    sign = -1 if view.rules.lowest_wins else 1
    return max(
        plays(view) or view.legal, key=lambda move: (sign * points_of(view, move), sign * pips(move.tiles))
    )


def points_of(view: View, move: Move) -> int:
    return view.points(move) if move.kind == "play" else 0


def looks_ahead(view: View) -> Move:
    """Points and pips, less the best reply expected, and what one can play next."""
    return by_first_sight(view, plays(view) or view.legal)[0]


def by_first_sight(view: View, moves: Sequence[Move]) -> list[Move]:
    """These moves, the best by `looks_ahead` first."""
    chances = _chances_of_reply(view)
    return sorted(moves, key=lambda move: -_worth(view, move, chances))


def _worth(view: View, move: Move, chances: Sequence[float]) -> float:
    if move.kind != "play":
        return 0.0
    sign = -1 if view.rules.lowest_wins else 1
    layout = view.after(move)
    rest = mask_of(view.hand) & ~move.tiles
    pip = worth_of_pip(view.terms)
    worth = _given(view, view.points(move)) - _reply(view, layout, chances) + _PIP * pip * pips(move.tiles)
    return sign * worth + _CHOICE * max(pip, 0.2) * (rest & layout.fits).bit_count()


def _given(view: View, points: int) -> int:
    """What the seat on turn would be given of these points."""
    assert view.turn is not None  # noqa: S101 - only a seat on turn thinks about its move
    return points_given(view.rules, view.scores[view.terms.side_of[view.turn]], points)


def _chances_of_reply(view: View) -> list[float]:
    """For each tile how likely the next seat of another side holds it."""
    terms, seat = view.terms, view.turn
    assert seat is not None  # noqa: S101 - only a seat on turn thinks about its move
    hidden = (1 << SET_SIZES[view.rules.set]) - 1 & ~view.seen
    chances = [0.0] * SET_SIZES[view.rules.set]
    next_ = terms.seat_after(seat, view.gone)
    if not hidden or terms.side_of[next_] == terms.side_of[seat]:
        return chances
    possible = hidden & ~_of_suits(view.lacks[next_])
    for tile in members(possible or hidden):
        chances[tile] = min(1.0, view.tiles[next_] / (possible or hidden).bit_count())
    return chances


def _of_suits(suits: frozenset[int]) -> Mask:
    mask = 0
    for suit in suits:
        mask |= SUITS[suit]
    return mask


def _reply(view: View, layout: Layout, chances: Sequence[float]) -> float:
    """The points that the next seat's best reply is expected to score."""
    points = view.terms.points
    best: dict[int, int] = {}
    for tip in layout.tips:
        for tile in members(tip.fits):
            if chances[tile]:
                scored = points[layout.count + gain(tip, tile)]
                best[tile] = max(best.get(tile, 0), scored)
    expected, none_better = 0.0, 1.0
    for tile, scored in sorted(best.items(), key=lambda item: -item[1]):
        if not scored:
            break
        expected += none_better * chances[tile] * scored
        none_better *= 1 - chances[tile]
    return expected
