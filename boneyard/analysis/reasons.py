"""Find the reason why one move is better than another, as data that `study.wording` turns into a sentence.

Several figures of both moves are measured in deals consistent with the view. The reason is the figure with the
largest difference, relative to `_UNIT_DIFFERENCES`; none if that is below `_MIN_WEIGHT`.
"""

from random import Random
from typing import Any, Literal, NamedTuple

from boneyard.computer.beliefs import Beliefs, SampledDeal
from boneyard.engine.layout import Layout
from boneyard.engine.moves import ENDS, Move
from boneyard.engine.perspective import View
from boneyard.engine.tiles import Mask, mask_of, members, pips

_DEALS = 120

Kind = Literal["out", "scores", "shuts", "gives_less", "own", "heavier", "partner", "deals"]

# Differences of these sizes weigh the same.
_UNIT_DIFFERENCES: dict[Kind, float] = {
    "out": 1,
    "scores": 5,
    "shuts": 0.25,
    "gives_less": 3,
    "own": 1,
    "heavier": 6,
    "partner": 0.25,
}
_MIN_WEIGHT = 0.5  # a smaller difference explains no loss: 92 % against 98 %


class Reason(NamedTuple):
    """The figure that distinguishes the best move, with its value for the best move and for the move made.

    out         whether the move goes out
    scores      points of the move
    shuts       probability that the next opponent has a tile that fits
    gives_less  mean points of that opponent's best reply
    own         own tiles that fit afterwards
    heavier     pips that leave the hand
    partner     probability that the partner has a tile that fits
    deals       no figure stands out: the best move won more often
    """

    kind: Kind
    best: float
    made: float

    def as_list(self) -> list[Any]:
        return [self.kind, round(self.best, 3), round(self.made, 3)]


def find_reason(view: View, best: Move, made: Move) -> Reason:
    """Return why `best` is better than `made`. Deterministic for equal arguments."""
    if best.kind != "play" or made.kind != "play":
        return Reason("deals", 0, 0)
    deals = _deals(view)
    one, other = _measure(view, best, deals), _measure(view, made, deals)
    less_is_better = {"shuts", "gives_less"} | ({"scores"} if view.rules.lowest_wins else set())
    reasons = [
        Reason(kind, one[kind], other[kind])
        for kind in one.keys() & other.keys()
        if (one[kind] < other[kind] if kind in less_is_better else one[kind] > other[kind])
    ]
    strongest = max(reasons, key=lambda each: (_weight(each), each.kind), default=None)
    return strongest if strongest and _weight(strongest) >= _MIN_WEIGHT else Reason("deals", 0, 0)


def _weight(reason: Reason) -> float:
    return abs(reason.best - reason.made) / _UNIT_DIFFERENCES[reason.kind]


def _deals(view: View) -> list[SampledDeal]:
    rng = Random(f"reason {view.move_count}")  # noqa: S311 - repeatable on purpose
    beliefs = Beliefs(view, reads_plays=True)
    return list(beliefs.deals(rng, _DEALS))


def _measure(view: View, move: Move, deals: list[SampledDeal]) -> dict[Kind, float]:
    assert view.turn is not None
    terms, layout = view.terms, view.layout_after(move)
    hand = mask_of(view.hand) & ~move.tiles
    side = terms.side_of[view.turn]
    next_ = terms.seat_after(view.turn, view.skipped)
    while terms.side_of[next_] == side and next_ != view.turn:
        next_ = terms.seat_after(next_, view.skipped)
    reasons: dict[Kind, float] = {
        "out": float(view.goes_out(move)),
        "scores": float(view.points(move)),
        "heavier": float(pips(move.tiles)),
    }
    if not hand:
        return reasons
    reasons["own"] = float((hand & layout.fits).bit_count())
    reasons["shuts"] = sum(bool(deal.hands[next_] & layout.fits) for deal in deals) / len(deals)
    if view.rules.count != "none" and not terms.matching:
        reasons["gives_less"] = sum(_best_reply(view, layout, deal.hands[next_]) for deal in deals) / len(
            deals
        )
    partners = [seat for seat in terms.sides[side] if seat != view.turn and seat not in view.gone]
    if partners:
        reasons["partner"] = sum(bool(deal.hands[partners[0]] & layout.fits) for deal in deals) / len(deals)
    return reasons


def _best_reply(view: View, layout: Layout, hand: Mask) -> int:
    """Return the most points that this hand can make in one play."""
    worth = view.terms.worth
    return max(
        (
            worth(layout.joined(tile, end))
            for end, tip in zip(ENDS, layout.tips, strict=False)
            for tile in members(hand & tip.fits)
        ),
        default=0,
    )
