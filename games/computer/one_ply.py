"""The players that look at their own move only, or one reply further."""

from collections.abc import Sequence
from math import prod

from games.engine.layout import Layout
from games.engine.moves import ENDS, Move
from games.engine.perspective import View
from games.engine.settlement import points_given
from games.engine.tiles import SET_SIZES, SUITS, Mask, mask_of, members, pips

from .greedy import gain, sign_of, worth_of_pip

# What a pip less in hand is worth in points, and a tile more that can be played next (docs/computer.md).
_PIP = 0.35
_CHOICE = 0.6
# Where no count scores: what it is worth that the next seat can play nothing, each seat after it half as much,
# and less to harm a partner than an opponent; and a tile less that somebody else might play next.
_STUCK = 4.0
_STUCK_PARTNER = -2.0
_DENIED = 0.15


def plays(view: View) -> list[Move]:
    """The legal plays, without draws and passes."""
    return [move for move in view.legal if move.kind == "play"]


def most_points(view: View) -> Move:
    """Most points now, then the heaviest tile; a play before a draw or pass by choice."""
    sign = sign_of(view.terms)
    return max(
        plays(view) or view.legal, key=lambda move: (sign * points_of(view, move), sign * pips(move.tiles))
    )


def most_room(view: View) -> Move:
    """Most points now; where no count scores, what leaves the most to play oneself, and to all others the least."""
    if view.rules.count != "none":
        return most_points(view)
    return max(plays(view) or view.legal, key=lambda move: _room(view, move))


def _room(view: View, move: Move) -> float:
    if move.kind != "play":
        return 0.0
    fits = view.after(move).fits
    rest, unseen = mask_of(view.hand) & ~move.tiles, _unseen(view)
    room = (rest & fits).bit_count() - _DENIED * (unseen & fits).bit_count()
    return sign_of(view.terms) * (_PIP * pips(move.tiles) + room)


def points_of(view: View, move: Move) -> int:
    """What the move brings: nothing where the rules give less than it makes, or it is no play."""
    return _given(view, view.points(move)) if move.kind == "play" else 0


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
    sign = sign_of(view.terms)
    layout = view.after(move)
    rest = mask_of(view.hand) & ~move.tiles
    pip = worth_of_pip(view.terms)
    worth = _given(view, view.points(move)) - _reply(view, layout, chances) + _PIP * pip * pips(move.tiles)
    worth += _passes(view, layout)
    if view.rules.count == "none":
        worth += max(pip, 0.2) * _stuckness(view, layout)
    return sign * worth + _CHOICE * max(pip, 0.2) * (rest & layout.fits).bit_count()


def _stuckness(view: View, layout: Layout) -> float:
    """What it is worth that the others may have nothing that fits this layout, in pips."""
    terms, own = view.terms, view.terms.side_of[_on_turn(view)]
    worth, weight = 0.0, 1.0
    for seat in _others(view):
        stuck = _STUCK_PARTNER if terms.side_of[seat] == own else _STUCK
        worth += weight * stuck * _stuck(view, seat, layout)
        weight /= 2
    return worth


def _others(view: View) -> list[int]:
    """The other seats at the table, the next first."""
    turn = _on_turn(view)
    seats = [(turn + step) % view.seats for step in range(1, view.seats)]
    return [seat for seat in seats if seat not in view.gone]


def _on_turn(view: View) -> int:
    assert view.turn is not None  # only a seat on turn thinks about its move
    return view.turn


def _unseen(view: View) -> Mask:
    return (1 << SET_SIZES[view.rules.set]) - 1 & ~view.seen


def _passes(view: View, layout: Layout) -> float:
    """What the others' passes are expected to bring (`pass_lead`, `pass_round`) if this layout is left to them."""
    extras = view.rules.extras
    if not view.terms.pass_extra:
        return 0.0
    stuck = [_stuck(view, seat, layout) for seat in _others(view)]
    worth = extras.pass_round * prod(stuck)
    if not view.laid and len(stuck) > 1:
        worth += extras.pass_lead * stuck[0] * (1 - stuck[1])
    return worth


def _stuck(view: View, seat: int, layout: Layout) -> float:
    """How likely nothing that this seat holds fits."""
    possible = _unseen(view) & ~_of_suits(view.lacks[seat])
    if not possible:
        return 1.0
    return (1 - (possible & layout.fits).bit_count() / possible.bit_count()) ** view.tiles[seat]


def _given(view: View, points: int) -> int:
    """What the seat on turn would be given of these points."""
    side = view.terms.side_of[_on_turn(view)]
    if view.kept:
        # What is too few to open with now is given later.
        return points
    return points_given(view.rules, view.scores[side], points)


def _chances_of_reply(view: View) -> list[float]:
    """For each tile how likely the next seat of another side holds it."""
    terms, seat, hidden = view.terms, _on_turn(view), _unseen(view)
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
    terms = view.terms
    best: dict[int, int] = {}
    for end, tip in zip(ENDS, layout.tips, strict=False):
        for tile in members(tip.fits):
            if chances[tile]:
                if terms.matching:
                    scored = terms.worth(layout.joined(tile, end))
                else:
                    scored = terms.points[layout.count + gain(tip, tile)]
                best[tile] = max(best.get(tile, 0), scored)
    expected, none_better = 0.0, 1.0
    for tile, scored in sorted(best.items(), key=lambda item: -item[1]):
        if not scored:
            break
        expected += none_better * chances[tile] * scored
        none_better *= 1 - chances[tile]
    return expected
