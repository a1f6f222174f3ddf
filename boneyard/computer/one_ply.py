"""Heuristic players that look at their own move only, or one reply further.

The preference of a style is added to the value of a move.
"""

from collections.abc import Sequence
from math import prod

from boneyard.engine.layout import Layout
from boneyard.engine.moves import ENDS, Move
from boneyard.engine.perspective import View
from boneyard.engine.settlement import awarded_points
from boneyard.engine.tiles import SET_SIZES, SUITS, Mask, mask_of, members, pips

from .greedy import count_gain, pip_value, points_sign
from .styles import PLAIN, Style

# Points that one pip less in hand is worth, and one more tile that can be played next (docs/computer.md).
_PIP_VALUE = 0.35
_PLAYABLE_TILE_VALUE = 0.6
# Points that a pip is worth at least, also where the rules give less for it.
_MIN_PIP_VALUE = 0.2
# Where no count scores: value of the next seat being stuck (halved for each seat after it), of a stuck partner, and
# of one unseen tile less that fits.
_STUCK_VALUE = 4.0
_STUCK_PARTNER_VALUE = -2.0
_DENIED_TILE_VALUE = 0.15
# Casual counts no tiles of larger sets: counting made it as strong as club at Cuba (docs/computer.md).
_MAX_SET_COUNTED = 6


def legal_plays(view: View) -> list[Move]:
    """Return the legal plays, without draws and passes."""
    return [move for move in view.legal if move.kind == "play"]


def take_most_points(view: View, style: Style = PLAIN) -> Move:
    """Return the play with most points, then the heaviest tile; never draw or pass by choice."""
    sign = points_sign(view.terms)

    def value(move: Move) -> tuple[int, float]:
        return sign * points_for(view, move), sign * pips(move.tiles) + style.preference(view, move)

    return max(legal_plays(view) or view.legal, key=value)


def keep_most_options(view: View, style: Style = PLAIN) -> Move:
    """Return the play with most points; where no count scores, the one that leaves the most options to oneself and
    the fewest to the others, but with sets beyond double six the heaviest tile."""
    if view.rules.count != "none" or view.rules.set > _MAX_SET_COUNTED:
        return take_most_points(view, style)
    return max(legal_plays(view) or view.legal, key=lambda move: _options_value(view, move, style))


def _options_value(view: View, move: Move, style: Style) -> float:
    if move.kind != "play":
        return 0.0
    fits = view.layout_after(move).fits
    rest, unseen = mask_of(view.hand) & ~move.tiles, view.unseen
    room = (rest & fits).bit_count() - _DENIED_TILE_VALUE * (unseen & fits).bit_count()
    value = points_sign(view.terms) * (_PIP_VALUE * pips(move.tiles) + room)
    return value + _PIP_VALUE * style.preference(view, move)


def points_for(view: View, move: Move) -> int:
    """Return the points the rules give for the move; 0 if it is not a play."""
    return _points_given(view, view.points(move)) if move.kind == "play" else 0


def best_by_heuristic(view: View, style: Style = PLAIN) -> Move:
    """Return the best move by points, pips, expected reply and what can be played next."""
    return rank_by_heuristic(view, legal_plays(view) or view.legal, style)[0]


def rank_by_heuristic(view: View, moves: Sequence[Move], style: Style = PLAIN) -> list[Move]:
    """Return these moves, best first, by the value that `best_by_heuristic` uses."""
    chances = _chances_of_reply(view)
    unit = _PIP_VALUE * max(pip_value(view.terms), _MIN_PIP_VALUE)

    def value(move: Move) -> float:
        return _move_value(view, move, chances) + unit * style.preference(view, move)

    return sorted(moves, key=value, reverse=True)


def _move_value(view: View, move: Move, chances: Sequence[float]) -> float:
    if move.kind != "play":
        return 0.0
    sign = points_sign(view.terms)
    layout = view.layout_after(move)
    rest = mask_of(view.hand) & ~move.tiles
    pip = pip_value(view.terms)
    worth = (
        _points_given(view, view.points(move))
        - _expected_reply(view, layout, chances)
        + _PIP_VALUE * pip * pips(move.tiles)
    )
    worth += _pass_value(view, layout)
    if view.rules.count == "none":
        worth += max(pip, _MIN_PIP_VALUE) * _stuck_value(view, layout)
    return sign * worth + _PLAYABLE_TILE_VALUE * max(pip, _MIN_PIP_VALUE) * (rest & layout.fits).bit_count()


def _stuck_value(view: View, layout: Layout) -> float:
    """Return the value, in pips, of the others possibly having no tile that fits this layout."""
    terms, own = view.terms, view.terms.side_of[_on_turn(view)]
    worth, weight = 0.0, 1.0
    for seat in _others(view):
        stuck = _STUCK_PARTNER_VALUE if terms.side_of[seat] == own else _STUCK_VALUE
        worth += weight * stuck * _stuck_probability(view, seat, layout)
        weight /= 2
    return worth


def _others(view: View) -> list[int]:
    """Return the other seats at the table, the next one first."""
    turn = _on_turn(view)
    seats = [(turn + step) % view.seats for step in range(1, view.seats)]
    return [seat for seat in seats if seat not in view.skipped]


def _on_turn(view: View) -> int:
    assert view.turn is not None  # only a seat on turn chooses a move
    return view.turn


def _pass_value(view: View, layout: Layout) -> float:
    """Return the points expected from the others' passes (`pass_lead`, `pass_round`) after this layout."""
    extras = view.rules.extras
    if not view.terms.pass_extra:
        return 0.0
    stuck = [_stuck_probability(view, seat, layout) for seat in _others(view)]
    worth = extras.pass_round * prod(stuck)
    if not view.laid and len(stuck) > 1:
        worth += extras.pass_lead * stuck[0] * (1 - stuck[1])
    return worth


def _stuck_probability(view: View, seat: int, layout: Layout) -> float:
    """Return the probability that no tile of this seat fits."""
    possible = view.unseen & ~_of_suits(view.lacks[seat])
    if not possible:
        return 1.0
    return (1 - (possible & layout.fits).bit_count() / possible.bit_count()) ** view.tiles[seat]


def _points_given(view: View, points: int) -> int:
    """Return how many of these points the rules give to the seat on turn."""
    side = view.terms.side_of[_on_turn(view)]
    if side in view.barred:
        return 0
    if view.kept:
        # Points too few to open with are kept for later.
        return points
    return awarded_points(view.rules, view.scores[side], points)


def _chances_of_reply(view: View) -> list[float]:
    """Return for each tile the probability that the next seat holds it; zeros if that is the partner."""
    terms, seat, hidden = view.terms, _on_turn(view), view.unseen
    chances = [0.0] * SET_SIZES[view.rules.set]
    next_ = terms.seat_after(seat, view.skipped)
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


def _expected_reply(view: View, layout: Layout, chances: Sequence[float]) -> float:
    """Return the expected points of the next seat's best reply."""
    terms = view.terms
    best: dict[int, int] = {}
    for end, tip in zip(ENDS, layout.tips, strict=False):
        for tile in members(tip.fits):
            if chances[tile]:
                if terms.matching:
                    scored = terms.worth(layout.joined(tile, end))
                else:
                    scored = terms.points[layout.count + count_gain(tip, tile)]
                best[tile] = max(best.get(tile, 0), scored)
    expected, none_better = 0.0, 1.0
    for tile, scored in sorted(best.items(), key=lambda item: -item[1]):
        if not scored:
            break
        expected += none_better * chances[tile] * scored
        none_better *= 1 - chances[tile]
    return expected
