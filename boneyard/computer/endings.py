"""Solve endings of two seats in which only the end of the round scores: the best response to the other seat.

The other seat is modelled as in `inference`: a softmax over the values of the careful policy, by its own hand. All
hands that it may hold are followed at once, so that a move never depends on what cannot be known.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import exp
from typing import NamedTuple

from boneyard.engine.layout import Layout
from boneyard.engine.moves import DRAW, ENDS, JOIN, PASS, Move
from boneyard.engine.perspective import View
from boneyard.engine.tiles import Mask, mask_of, members

from .greedy import careful_policy

MAX_HIDDEN_TILES = 7
# Replies that the other seat makes less often are left out.
_MIN_REPLY_SHARE = 0.1
# Work, in units of about a microsecond, of a turn, of a hand in it, of a play of the other seat, and of an end.
_TURN_WORK = 6
_HAND_WORK = 3
_APPRAISAL_WORK = 6
_END_WORK = 12

# The other seat's possible hands, each with its weight.
Hands = Mapping[Mask, float]
# The value of a position after its last move, by the hands and the boneyard: (hands, boneyard, layout, turn, move).
EndValue = Callable[[Sequence[Mask], Sequence[int], Layout, int, Move], float]


class TooMuchWork(Exception):
    """The ending has more lines than the limit of the work allows."""


class _Position(NamedTuple):
    """The part of a position that the seat knows.

    unlaid    the tiles that are not on the table
    drawable  the number of tiles that can still be drawn
    """

    layout: Layout
    unlaid: Mask
    hand: Mask
    drawable: int


def is_solvable(view: View) -> bool:
    """Return whether the ending of this view can be solved."""
    terms = view.terms
    return (
        view.seats == 2
        and bool(view.laid)
        and not view.gone
        and view.rules.count == "none"
        and not (terms.needs_full_playout or terms.many_ends or terms.two_doubles)
        and not (terms.free_pass or terms.any_pass)
        and view.boneyard + view.tiles[1 - _seat(view)] <= MAX_HIDDEN_TILES
    )


def _seat(view: View) -> int:
    assert view.seat is not None  # only a seat on turn chooses a move
    return view.seat


class Ending:
    """The ending of a view, in which each move can be valued once."""

    def __init__(self, view: View, end_value: EndValue, max_work: int) -> None:
        self._seat = _seat(view)
        self._terms = view.terms
        self._policy = careful_policy(view.terms)
        self._end_value = end_value
        self._max_work = max_work
        self.work = 0
        self._ends: dict[tuple[Mask, Mask, Mask | None], float] = {}
        self._replies: dict[tuple[object, Mask, Mask], list[tuple[Move, float]]] = {}
        self._after: dict[tuple[object, Move], Layout] = {}
        layout = view.layout()
        assert layout is not None  # an ending is after the lead
        hand = mask_of(view.hand)
        drawable = max(0, view.boneyard - view.terms.reserve) if view.terms.drawable else 0
        self._start = _Position(layout, hand | view.unseen, hand, drawable)

    def value(self, move: Move, hands: Hands) -> float:
        """Return the sum of the values of this move against these hands, by their weights."""
        return self._draw(self._start, hands) if move is DRAW else self._play(self._start, hands, move)

    def _own_turn(self, position: _Position, hands: Hands) -> float:
        """Return the value of the best choice, the same for all hands."""
        layout, _unlaid, hand, drawable = position
        self._count(_TURN_WORK + hand.bit_count() + _HAND_WORK * len(hands))
        moves = self._distinct(layout, hand)
        if moves:
            best = max(self._play(position, hands, move) for move in moves)
            return max(best, self._draw(position, hands)) if drawable and self._terms.free_draw else best
        if drawable:
            return self._draw(position, hands)
        fits = layout.fits
        blocked = sum(
            weight * self._ended(position, other, None) for other, weight in hands.items() if not other & fits
        )
        playing = {other: weight for other, weight in hands.items() if other & fits}
        return blocked + (self._other_turn(position, playing) if playing else 0.0)

    def _play(self, position: _Position, hands: Hands, move: Move) -> float:
        layout, unlaid, hand, drawable = position
        rest = hand & ~move.tiles
        if not rest:
            return sum(weight * self._ended(position, other, move) for other, weight in hands.items())
        return self._other_turn(
            _Position(self._lay(layout, move), unlaid & ~move.tiles, rest, drawable), hands
        )

    def _draw(self, position: _Position, hands: Hands) -> float:
        """Return the value of drawing a tile: each is as likely in the boneyard of a hand."""
        layout, unlaid, hand, drawable = position
        drawn: dict[int, dict[Mask, float]] = defaultdict(dict)
        for other, weight in hands.items():
            boneyard = unlaid & ~hand & ~other
            self._count(boneyard.bit_count())
            for tile in members(boneyard):
                drawn[tile][other] = weight / boneyard.bit_count()
        return sum(
            self._own_turn(_Position(layout, unlaid, hand | 1 << tile, drawable - 1), group)
            for tile, group in drawn.items()
        )

    def _other_turn(self, position: _Position, hands: Hands) -> float:
        """Return the value of the other seat's turn; what it plays and how often it draws is seen."""
        layout, unlaid, hand, drawable = position
        fits, total = layout.fits, 0.0
        seen: dict[tuple[int, Move], dict[Mask, float]] = defaultdict(lambda: defaultdict(float))
        draws = 0
        while hands:
            self._count(_TURN_WORK + _HAND_WORK * len(hands))
            drawing: dict[Mask, float] = defaultdict(float)
            for other, weight in hands.items():
                if other & fits:
                    for move, share in self._replies_of(layout, unlaid, other):
                        seen[draws, move][other] += weight * share
                elif drawable > draws:
                    boneyard = unlaid & ~hand & ~other
                    for tile in members(boneyard):
                        drawing[other | 1 << tile] += weight / boneyard.bit_count()
                elif hand & fits:
                    seen[draws, PASS][other] += weight
                else:
                    total += weight * self._ended(position, other, None)
            hands, draws = drawing, draws + 1
        for (drawn, move), group in seen.items():
            left = drawable - drawn
            if move is PASS:
                total += self._own_turn(_Position(layout, unlaid, hand, left), group)
                continue
            total += self._after_reply(_Position(layout, unlaid, hand, left), group, move)
        return total

    def _after_reply(self, position: _Position, hands: Hands, move: Move) -> float:
        layout, unlaid, hand, drawable = position
        out = hands.get(move.tiles, 0.0)
        total = out * self._ended(position, move.tiles, move) if out else 0.0
        rest = {other & ~move.tiles: weight for other, weight in hands.items() if other != move.tiles}
        if rest:
            after = _Position(self._lay(layout, move), unlaid & ~move.tiles, hand, drawable)
            total += self._own_turn(after, rest)
        return total

    def _replies_of(self, layout: Layout, unlaid: Mask, other: Mask) -> list[tuple[Move, float]]:
        """Return the plays of the other seat with this hand, and the share of each."""
        key = layout.tips, unlaid, other
        if key not in self._replies:
            policy, weights = self._policy, []
            moves = self._distinct(layout, other)
            self._count(_APPRAISAL_WORK * len(moves))
            for move in moves:
                ((tile, _),) = move.plays
                value, fits = policy.appraise(self._lay(layout, move), tile, unlaid & ~move.tiles)
                value += policy.fitting_value * (other & ~move.tiles & fits).bit_count()
                weights.append(value)
            best = max(weights)
            shares = [exp((value - best) / policy.temperature) for value in weights]
            least = _MIN_REPLY_SHARE * sum(shares)
            frequent = [(move, share) for move, share in zip(moves, shares, strict=True) if share >= least]
            whole = sum(share for _, share in frequent)
            self._replies[key] = [(move, share / whole) for move, share in frequent]
        return self._replies[key]

    def _distinct(self, layout: Layout, hand: Mask) -> Sequence[Move]:
        """Return the plays of a hand; of two that leave the same ends only the first."""
        moves: dict[object, Move] = {}
        for end, tip in zip(ENDS, layout.tips, strict=False):
            for tile in members(hand & tip.fits):
                moves.setdefault((tile, tip.kind, tip.suit), JOIN[end][tile])
        return list(moves.values())

    def _lay(self, layout: Layout, move: Move) -> Layout:
        key = layout.tips, move
        if key not in self._after:
            ((tile, end),) = move.plays
            self._after[key] = layout.joined(tile, end)
        return self._after[key]

    def _ended(self, position: _Position, other: Mask, move: Move | None) -> float:
        """Return the value when the last tile is laid by this move, or with None when nobody can play."""
        layout, unlaid, hand, _drawable = position
        own = move is None or bool(hand & move.tiles)
        key = hand, other, None if move is None else move.tiles
        if key not in self._ends:
            self._count(_END_WORK)
            hands = (hand, other) if self._seat == 0 else (other, hand)
            boneyard = list(members(unlaid & ~hand & ~other))
            turn = self._seat if own else 1 - self._seat
            self._ends[key] = self._end_value(hands, boneyard, layout, turn, move or PASS)
        return self._ends[key]

    def _count(self, work: int) -> None:
        self.work += work
        if self.work > self._max_work:
            raise TooMuchWork


def possible_hands(weighed: Iterator[tuple[Mask, float]]) -> dict[Mask, float]:
    """Return the weight of each hand among sampled ones."""
    hands: dict[Mask, float] = defaultdict(float)
    for hand, weight in weighed:
        hands[hand] += weight
    return dict(hands)
