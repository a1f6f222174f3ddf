"""Why one move is better than another, as data; `study.wording` makes a sentence of it.

What can be said of a move is measured in deals that agree with the view. Of all differences the one is told that
weighs most against what it usually comes to.
"""

from random import Random
from typing import Any, Literal, NamedTuple

from games.computer.beliefs import Beliefs, Dealt
from games.engine.layout import Layout
from games.engine.moves import ENDS, Move
from games.engine.perspective import View
from games.engine.tiles import Mask, mask_of, members, pips

_DEALS = 120

Kind = Literal["out", "scores", "shuts", "gives_less", "own", "heavier", "partner", "deals"]

# How large a difference of each kind is worth a word: differences of these sizes weigh the same.
_SCALE: dict[Kind, float] = {
    "out": 1,
    "scores": 5,
    "shuts": 0.25,
    "gives_less": 3,
    "own": 1,
    "heavier": 6,
    "partner": 0.25,
}


class Reason(NamedTuple):
    """What speaks for the best move, and that figure for it and for the move made.

    out         it goes out
    scores      points
    shuts       how likely the next seat of another side has a tile that fits
    gives_less  the points that seat's best reply gives, on average
    own         how many own tiles fit afterwards
    heavier     pips that leave the hand
    partner     how likely the partner has a tile that fits
    deals       nothing stands out: it won more often
    """

    kind: Kind
    best: float
    made: float

    def as_list(self) -> list[Any]:
        return [self.kind, round(self.best, 3), round(self.made, 3)]


def reason(view: View, best: Move, made: Move) -> Reason:
    """Why `best` is better; the same for the same arguments."""
    if best.kind != "play" or made.kind != "play":
        return Reason("deals", 0, 0)
    deals = _deals(view)
    one, other = _measured(view, best, deals), _measured(view, made, deals)
    less_is_better = {"shuts", "gives_less"} | ({"scores"} if view.rules.lowest_wins else set())
    found = [
        Reason(kind, one[kind], other[kind])
        for kind in one.keys() & other.keys()
        if (one[kind] < other[kind] if kind in less_is_better else one[kind] > other[kind])
    ]
    found.append(Reason("deals", 0, 0))
    return max(found, key=lambda each: (abs(each.best - each.made) / _SCALE.get(each.kind, 1), each.kind))


def _deals(view: View) -> list[Dealt]:
    rng = Random(f"reason {view.move_count}")  # noqa: S311 - repeatable on purpose
    beliefs = Beliefs(view, reads_plays=True)
    return [beliefs.deal(rng) for _ in range(_DEALS)]


def _measured(view: View, move: Move, deals: list[Dealt]) -> dict[Kind, float]:
    assert view.turn is not None  # only a seat on turn decides
    terms, layout = view.terms, view.after(move)
    hand = mask_of(view.hand) & ~move.tiles
    side = terms.side_of[view.turn]
    next_ = terms.seat_after(view.turn, view.gone)
    while terms.side_of[next_] == side and next_ != view.turn:
        next_ = terms.seat_after(next_, view.gone)
    found: dict[Kind, float] = {
        "out": float(not hand),
        "scores": float(view.points(move)),
        "heavier": float(pips(move.tiles)),
    }
    if not hand:
        return found
    found["own"] = float((hand & layout.fits).bit_count())
    found["shuts"] = sum(bool(deal.hands[next_] & layout.fits) for deal in deals) / len(deals)
    if view.rules.count != "none" and not terms.matching:
        found["gives_less"] = sum(_reply(view, layout, deal.hands[next_]) for deal in deals) / len(deals)
    partners = [seat for seat in terms.sides[side] if seat != view.turn and seat not in view.gone]
    if partners:
        found["partner"] = sum(bool(deal.hands[partners[0]] & layout.fits) for deal in deals) / len(deals)
    return found


def _reply(view: View, layout: Layout, hand: Mask) -> int:
    """The most points that this hand can make in one play."""
    worth = view.terms.worth
    return max(
        (
            worth(layout.joined(tile, end))
            for end, tip in zip(ENDS, layout.tips, strict=False)
            for tile in members(hand & tip.fits)
        ),
        default=0,
    )
