"""Policies that play out a simulated round, seeing only the hand on turn and the table.

They are called about ten thousand times per move, so values that depend only on count and suit are cached.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import or_

from boneyard.engine.layout import Layout, Tip
from boneyard.engine.moves import DRAW, ENDS, INDEX, JOIN, LEAD, PASS, Move, Play, combined_play
from boneyard.engine.playout import Playout
from boneyard.engine.settlement import in_unit
from boneyard.engine.terms import Terms, matched
from boneyard.engine.tiles import DOUBLE, PIPS, SET_SIZES, SUITS, Mask, Tile, members

PLAYS_BY_END = tuple(JOIN[end] for end in ENDS)
MIN_VALUE = -1 << 30
_UNCAPPED = 1 << 30
_NOTHING_GIVEN = -_UNCAPPED
# One point outweighs any difference in pips; a tile has at most 24.
_POINT_VALUE = 32
# A double fits one suit only, so it goes before a slightly heavier tile.
_DOUBLE_VALUE = 2
# Maximum sets of tiles to extend when several may be laid together.
_MAX_SETS = 40
# Where a round is worth 1, lighter hands win it slightly more often.
_PIP_VALUE_UNIT_ONE = 0.03

_Ranked = tuple[tuple[Mask, int, Tile], ...]


class GreedyPolicy:
    """Plays for most points now, then the heaviest tile."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._sign = points_sign(terms)
        self._in_set = (1 << SET_SIZES[terms.rules.set]) - 1
        # By cap (`_cap`), then by count and suit.
        self._ranked: dict[int, dict[int, _Ranked]] = {}

    def play_out(self, playout: Playout) -> int:
        """Play the round to its end and return the number of turns."""
        choose = self.chooser()
        turns, play = 0, playout.play
        while playout.end is None:
            play(choose(playout))
            turns += 1
        return turns

    def chooser(self) -> Callable[[Playout], Move]:
        """Return the function that chooses the move of the seat on turn."""
        if self._terms.matching:
            return self._matching
        if self._terms.two_doubles:
            return self._two_doubles
        return self._several if self._terms.many_ends else self.move

    def move(self, playout: Playout) -> Move:
        tips, hand, count = playout.tips, playout.hands[playout.turn], playout.count
        if tips is None:
            return self._lead(playout.leadable)
        cap = self._cap(playout)
        ranked = self._ranked.setdefault(cap, {})
        best, move = MIN_VALUE, None
        for tip, plays in zip(tips, PLAYS_BY_END, strict=False):
            if hand & tip.fits:
                key = (count if tip.kind == "lone" else count - tip.worth) << 4 | tip.suit
                for bit, value, tile in ranked.get(key) or self._rank(ranked, key, cap):
                    if hand & bit:
                        if value > best:
                            best, move = value, plays[tile]
                        break
        return move or draw_or_pass(playout)

    def _several(self, playout: Playout) -> Move:
        """Return the move where one turn may lay several tiles: the best set if it scores more than one tile."""
        move = self.move(playout)
        tips, hand = playout.tips, playout.hands[playout.turn]
        if tips is None or move.kind != "play" or tips[0].kind == "lone":
            return move
        points = self._terms.points
        ((tile, end),) = move.plays
        alone = points[playout.count + count_gain(tips[INDEX[end]], tile)]
        plays = best_joint_play(tips, hand, playout.count, points, alone)
        return combined_play(plays) if plays else move

    def _two_doubles(self, playout: Playout) -> Move:
        """Return the move where one turn may lay two doubles; two tiles less are always better."""
        if playout.tips is not None and (both := playout.layout().two_doubles(playout.hands[playout.turn])):
            return both[0]
        return self.move(playout)

    def _matching(self, playout: Playout) -> Move:
        """Return the move where matching ends score."""
        tips, hand = playout.tips, playout.hands[playout.turn]
        if tips is None:
            return self._lead(playout.leadable)
        best, move = MIN_VALUE, None
        layout = playout.layout()
        for index, end in enumerate(ENDS[:2]):
            for tile in members(hand & tips[index].fits):
                scored = matched(layout.joined(tile, end).tips)
                value = self._sign * (scored * _POINT_VALUE + PIPS[tile] + _DOUBLE_VALUE * DOUBLE[tile])
                if value > best:
                    best, move = value, PLAYS_BY_END[index][tile]
        return move or draw_or_pass(playout)

    def _lead(self, leadable: Mask) -> Move:
        points, sign = self._terms.points, self._sign
        if self._terms.matching:
            return LEAD[max(members(leadable), key=lambda tile: (sign * DOUBLE[tile], PIPS[tile]))]
        return LEAD[max(members(leadable), key=lambda tile: (sign * points[PIPS[tile]], PIPS[tile]))]

    def _cap(self, playout: Playout) -> int:
        """Return the most points the side on turn can be given; a negative cap is the minimum needed to open."""
        rules, side = self._terms.rules, self._terms.side_of[playout.turn]
        if side in playout.barred:
            return _NOTHING_GIVEN
        if rules.opening is not None and not playout.scores[side]:
            return 0 if rules.opening.kept else -rules.opening.points
        if not rules.exact:
            return _UNCAPPED
        return min(self._terms.winning_score - playout.scores[side], max(self._terms.points))

    def _rank(self, ranked: dict[int, _Ranked], key: int, cap: int) -> _Ranked:
        """Rank the tiles of a suit, best first; `key` packs the count without the end, and the suit."""
        rows = []
        for tile in members(SUITS[key & 15] & self._in_set):
            scored = self._terms.points[(key >> 4) + end_value(tile, key & 15)]
            worth = scored * _POINT_VALUE if is_given(scored, cap) else 0
            rows.append((1 << tile, self._sign * (worth + PIPS[tile] + _DOUBLE_VALUE * DOUBLE[tile]), tile))
        ranked[key] = tuple(sorted(rows, key=lambda row: -row[1]))
        return ranked[key]


class CarefulPolicy(GreedyPolicy):
    """Weighs points, pips and the next own play against what the others may hold: fitting tiles and points."""

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        pip, counts = self._sign * pip_value(terms), terms.rules.count != "none"
        # Weights tuned by playing this policy against the greedy one.
        self._pips = [
            0.35 * pip * PIPS[t] + ((3 if counts else 0.7) * pip if DOUBLE[t] else 0)
            for t in range(len(PIPS))
        ]
        scale = max(abs(pip), 0.2)
        self._choice = (1.5 if counts else 1.0) * scale
        # Where going out is bad, denying plays to the others has no value.
        self._denied = 1.5 * scale if self._sign > 0 else 0.0
        # How players choose (`inference`), tuned by the likelihood of true deals: pips weigh twice as much to them.
        self.fitting_value = self._choice + self._denied
        unit = 5.0 if terms.rules.count == "fives" else 1.0
        self.temperature = 1.2 * unit if counts else 2.5 * scale
        self._more_pips = 0.35 * pip
        self._replies: dict[int, float] = {}
        self._boneyard: Sequence[Tile] = ()
        self._undrawn: list[Mask] = [0]

    def move(self, playout: Playout) -> Move:
        tips, hand, count = playout.tips, playout.hands[playout.turn], playout.count
        if tips is None:
            return self._lead(playout.leadable)
        points, sign, cap = self._terms.points, self._sign, self._cap(playout)
        unseen = self._unseen(playout) if self._denied else 0
        best, move = float(MIN_VALUE), None
        for index, tip in enumerate(tips):
            fitting = hand & tip.fits
            if not fitting:
                continue
            suit = tip.suit
            base = count if tip.kind == "lone" else count - tip.worth
            others = [end for other, end in enumerate(tips) if other != index and end.fits]
            for tile in members(fitting):
                adds = 2 * suit if DOUBLE[tile] else PIPS[tile] - suit
                after = base + adds
                scored = points[after]
                value = self._pips[tile] + (sign * scored if is_given(scored, cap) else 0)
                value += self._prospect(
                    base << 4 | PIPS[tile] - suit, after, others, hand & ~(1 << tile), unseen
                )
                if value > best:
                    best, move = value, PLAYS_BY_END[index][tile]
        return move or draw_or_pass(playout)

    def appraise(self, after: Layout, tile: Tile, unlaid: Mask) -> tuple[float, Mask]:
        """Return the value of playing this tile, and the tiles that fit after it.

        Each other tile of the hand that fits adds `fitting_value`. `after` is the layout after the play, and `unlaid`
        the other tiles that are not on the table.
        """
        replies, fits, danger = self._replies, 0, 0.0
        for tip in after.tips:
            if tip.fits:
                fits |= tip.fits
                key = (after.count if tip.kind == "lone" else after.count - tip.worth) << 4 | tip.suit
                danger += replies[key] if key in replies else self._reply(key)
        danger += self._denied * (unlaid & fits).bit_count()
        value = self._pips[tile] + self._more_pips * PIPS[tile] + self._sign * self._terms.worth(after)
        return value - danger, fits

    def _unseen(self, playout: Playout) -> Mask:
        """Return the tiles that are neither in the hand on turn nor on the table."""
        if playout.boneyard is not self._boneyard:
            # All play-outs of a deal share one boneyard: precompute the rest after each draw.
            self._boneyard = playout.boneyard
            tiles = (1 << tile for tile in reversed(playout.boneyard))
            self._undrawn = list(accumulate(tiles, or_, initial=0))[::-1]
        unseen = self._undrawn[playout.drawn]
        for seat, hand in enumerate(playout.hands):
            if seat != playout.turn:
                unseen |= hand
        return unseen

    def _prospect(self, key: int, count: int, others: list[Tip], rest: Mask, unseen: Mask) -> float:
        """Return the value of the own next plays less that of the others' plays and points, at all ends."""
        replies, fits = self._replies, SUITS[key & 15]
        danger = replies[key] if key in replies else self._reply(key)
        for end in others:
            fits |= end.fits
            key = count - end.worth << 4 | end.suit
            danger += replies[key] if key in replies else self._reply(key)
        danger += self._denied * (unseen & fits).bit_count()
        return self._choice * (rest & fits).bit_count() - danger

    def _reply(self, key: int) -> float:
        """Return the value of an end to the next seat; `key` packs the count without the end, and its suit."""
        points, base, suit = self._terms.points, key >> 4, key & 15
        tiles = members(SUITS[suit] & self._in_set)
        reply = 0.1 * self._sign * sum(points[base + end_value(tile, suit)] for tile in tiles)
        self._replies[key] = reply * 7 / len(tiles)
        return self._replies[key]


@lru_cache(maxsize=32)
def greedy_policy(terms: Terms) -> GreedyPolicy:
    """Return the greedy policy for this table; its caches last between moves."""
    return GreedyPolicy(terms)


@lru_cache(maxsize=32)
def careful_policy(terms: Terms) -> CarefulPolicy:
    """Return the careful policy for this table; its caches last between moves."""
    return CarefulPolicy(terms)


def points_sign(terms: Terms) -> int:
    """Return 1 if points and empty hands are good, -1 if they are bad because the lowest score wins.

    Where every side writes its own pips nobody is given points, and an empty hand is good as usual.
    """
    rules = terms.rules
    return -1 if rules.lowest_wins and rules.out_bonus != "own" else 1


def is_given(scored: int, cap: int) -> bool:
    """Return whether a side is given these points (see `GreedyPolicy._cap`)."""
    return scored <= cap if cap > 0 else scored >= -cap


def draw_or_pass(playout: Playout) -> Move:
    """Return the move of the seat on turn if no tile fits."""
    return DRAW if playout.drawable else PASS


def end_value(tile: Tile, suit: int) -> int:
    """Return what a tile joined by this suit adds to the count."""
    return 2 * suit if DOUBLE[tile] else PIPS[tile] - suit


def count_gain(tip: Tip, tile: Tile) -> int:
    """Return how much the count changes when the tile is joined to this end.

    A lone double still counts in full: its other half gains what its covered half loses.
    """
    return end_value(tile, tip.suit) - (0 if tip.kind == "lone" else tip.worth)


def pip_value(terms: Terms) -> float:
    """Return the value of one pip of a bonus in points."""
    rules = terms.rules
    if rules.out_bonus == rules.blocked_bonus == "none":
        return 0.0
    if rules.bonus_unit == "one":
        return _PIP_VALUE_UNIT_ONE
    return in_unit(100, rules.bonus_unit) / 100


def best_joint_play(
    tips: Sequence[Tip], hand: Mask, count: int, points: tuple[int, ...], least: int
) -> tuple[Play, ...]:
    """Return the two or more tiles at different ends that score most, and more than `least`; () if there are none.

    At most `_MAX_SETS` sets are extended, since large hands have thousands.
    """
    best: tuple[Play, ...] = ()
    sets: list[tuple[int, int, Mask, tuple[Play, ...]]] = [(0, count, hand, ())]
    ends = [(end, tip) for end, tip in zip(ENDS, tips, strict=False) if hand & tip.fits]
    for first, so_far, rest, plays in sets:
        for next_, (end, tip) in enumerate(ends[first:], first + 1):
            for tile in members(rest & tip.fits):
                after, more = so_far + count_gain(tip, tile), (*plays, (tile, end))
                if plays and points[after] > least:
                    best, least = more, points[after]
                if next_ < len(ends) and len(sets) < _MAX_SETS:
                    sets.append((next_, after, rest & ~(1 << tile), more))
    return best
