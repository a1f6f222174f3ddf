"""The policies by which a simulation plays a round out: they see the hand on turn and the table, nothing else.

They are asked some ten thousand times a move, so what depends on a count and a suit only is worked out once.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import or_

from games.engine.layout import Tip
from games.engine.moves import DRAW, ENDS, INDEX, JOIN, LEAD, PASS, Move, Play, together
from games.engine.playout import Playout
from games.engine.settlement import in_unit
from games.engine.terms import Terms, matched
from games.engine.tiles import DOUBLE, PIPS, SET_SIZES, SUITS, Mask, Tile, members

PLAYS = tuple(JOIN[end] for end in ENDS)
LEAST = -1 << 30
_UNCAPPED = 1 << 30
# A point outweighs every difference in pips; a tile has 24 at most.
_POINT = 32
# A double fits one suit only, so it goes before a tile that weighs a little more.
_DOUBLE = 2
# How many sets of tiles laid together are looked at, to find one to add a tile to.
_SETS = 40
# Where a round is worth 1, lighter hands win it a little more often.
_WORTH_OF_ONE = 0.03

_Ranked = tuple[tuple[Mask, int, Tile], ...]


class Greedy:
    """Most points now, then the heaviest tile."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._sign = sign_of(terms)
        self._in_set = (1 << SET_SIZES[terms.rules.set]) - 1
        # By what the side on turn can still be given, then by count and suit.
        self._ranked: dict[int, dict[int, _Ranked]] = {}

    def play_out(self, playout: Playout) -> int:
        """Plays the round to its end; returns in how many turns."""
        choose = self._chooser()
        turns, play = 0, playout.play
        while playout.end is None:
            play(choose(playout))
            turns += 1
        return turns

    def _chooser(self) -> Callable[[Playout], Move]:
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
        best, move = LEAST, None
        for tip, plays in zip(tips, PLAYS, strict=False):
            if hand & tip.fits:
                key = (count if tip.kind == "lone" else count - tip.worth) << 4 | tip.suit
                for bit, value, tile in ranked.get(key) or self._rank(ranked, key, cap):
                    if hand & bit:
                        if value > best:
                            best, move = value, plays[tile]
                        break
        return move or otherwise(playout)

    def _several(self, playout: Playout) -> Move:
        """The move where one turn may lay several tiles: those that score most together, if one scores less."""
        move = self.move(playout)
        tips, hand = playout.tips, playout.hands[playout.turn]
        if tips is None or move.kind != "play" or tips[0].kind == "lone":
            return move
        points = self._terms.points
        ((tile, end),) = move.plays
        alone = points[playout.count + gain(tips[INDEX[end]], tile)]
        found = best_together(tips, hand, playout.count, points, alone)
        return together(found) if found else move

    def _two_doubles(self, playout: Playout) -> Move:
        """The move where one turn may lay two doubles, which are two tiles less."""
        if playout.tips is not None and (both := playout.layout().two_doubles(playout.hands[playout.turn])):
            return both[0]
        return self.move(playout)

    def _matching(self, playout: Playout) -> Move:
        """The move where the ends are compared."""
        tips, hand = playout.tips, playout.hands[playout.turn]
        if tips is None:
            return self._lead(playout.leadable)
        best, move = LEAST, None
        layout = playout.layout()
        for index, end in enumerate(ENDS[:2]):
            for tile in members(hand & tips[index].fits):
                scored = matched(layout.joined(tile, end).tips)
                value = self._sign * (scored * _POINT + PIPS[tile] + _DOUBLE * DOUBLE[tile])
                if value > best:
                    best, move = value, PLAYS[index][tile]
        return move or otherwise(playout)

    def _lead(self, leadable: Mask) -> Move:
        points, sign = self._terms.points, self._sign
        if self._terms.matching:
            return LEAD[max(members(leadable), key=lambda tile: (sign * DOUBLE[tile], PIPS[tile]))]
        return LEAD[max(members(leadable), key=lambda tile: (sign * points[PIPS[tile]], PIPS[tile]))]

    def _cap(self, playout: Playout) -> int:
        """The most that the side on turn can still be given: with `exact` no more than the target."""
        rules = self._terms.rules
        if rules.opening is not None and not playout.scores[self._terms.side_of[playout.turn]]:
            # Below 0: what must be reached.
            return 0 if rules.opening.kept else -rules.opening.points
        if not rules.exact:
            return _UNCAPPED
        return min(rules.target - playout.scores[self._terms.side_of[playout.turn]], max(self._terms.points))

    def _rank(self, ranked: dict[int, _Ranked], key: int, cap: int) -> _Ranked:
        """The tiles of a suit, the best first, where `key` has the count without the end and the suit."""
        rows = []
        for tile in members(SUITS[key & 15] & self._in_set):
            scored = self._terms.points[(key >> 4) + shown(tile, key & 15)]
            worth = scored * _POINT if given_under(scored, cap) else 0
            rows.append((1 << tile, self._sign * (worth + PIPS[tile] + _DOUBLE * DOUBLE[tile]), tile))
        ranked[key] = tuple(sorted(rows, key=lambda row: -row[1]))
        return ranked[key]


class Careful(Greedy):
    """Points and pips, what one can play next, and of what the others may hold as little as possible: neither many
    tiles that fit nor points, if a count scores."""

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        pip, counts = self._sign * worth_of_pip(terms), terms.rules.count != "none"
        # Found by playing this policy against the greedy one.
        self._pips = [
            0.35 * pip * PIPS[t] + ((3 if counts else 0.7) * pip if DOUBLE[t] else 0)
            for t in range(len(PIPS))
        ]
        scale = max(abs(pip), 0.2)
        self._choice = (1.5 if counts else 1.0) * scale
        # Where going out is bad, nobody minds that others can play.
        self._denied = 1.5 * scale if self._sign > 0 else 0.0
        self._replies: dict[int, float] = {}
        self._boneyard: Sequence[Tile] = ()
        self._undrawn: list[Mask] = [0]

    def move(self, playout: Playout) -> Move:
        tips, hand, count = playout.tips, playout.hands[playout.turn], playout.count
        if tips is None:
            return self._lead(playout.leadable)
        points, sign, cap = self._terms.points, self._sign, self._cap(playout)
        unseen = self._unseen(playout) if self._denied else 0
        best, move = float(LEAST), None
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
                value = self._pips[tile] + (sign * scored if given_under(scored, cap) else 0)
                value += self._prospect(
                    base << 4 | PIPS[tile] - suit, after, others, hand & ~(1 << tile), unseen
                )
                if value > best:
                    best, move = value, PLAYS[index][tile]
        return move or otherwise(playout)

    def _unseen(self, playout: Playout) -> Mask:
        """The tiles that the seat on turn sees neither in its hand nor on the table."""
        if playout.boneyard is not self._boneyard:
            # One list for all play-outs of a deal: what is left of it after each draw.
            self._boneyard = playout.boneyard
            tiles = (1 << tile for tile in reversed(playout.boneyard))
            self._undrawn = list(accumulate(tiles, or_, initial=0))[::-1]
        unseen = self._undrawn[playout.drawn]
        for seat, hand in enumerate(playout.hands):
            if seat != playout.turn:
                unseen |= hand
        return unseen

    def _prospect(self, key: int, count: int, others: list[Tip], rest: Mask, unseen: Mask) -> float:
        """What one can play next, less what the others can play or score, at the new end and at the other ends."""
        replies, fits = self._replies, SUITS[key & 15]
        danger = replies[key] if key in replies else self._reply(key)
        for end in others:
            fits |= end.fits
            key = count - end.worth << 4 | end.suit
            danger += replies[key] if key in replies else self._reply(key)
        danger += self._denied * (unseen & fits).bit_count()
        return self._choice * (rest & fits).bit_count() - danger

    def _reply(self, key: int) -> float:
        """What an end gives the next seat, where `key` has the count without the end and its suit."""
        points, base, suit = self._terms.points, key >> 4, key & 15
        tiles = members(SUITS[suit] & self._in_set)
        reply = 0.1 * self._sign * sum(points[base + shown(tile, suit)] for tile in tiles)
        self._replies[key] = reply * 7 / len(tiles)
        return self._replies[key]


@lru_cache(maxsize=32)
def greedy(terms: Terms) -> Greedy:
    """The policy for this table; what it has worked out is kept between moves."""
    return Greedy(terms)


@lru_cache(maxsize=32)
def careful(terms: Terms) -> Careful:
    """Likewise."""
    return Careful(terms)


def sign_of(terms: Terms) -> int:
    """Whether points and empty hands are good, or bad where the lowest score wins. Where it wins and every side
    is charged with its own tiles, nobody is given points, and an empty hand is as good as elsewhere."""
    rules = terms.rules
    return -1 if rules.lowest_wins and rules.out_bonus != "own" else 1


def given_under(scored: int, cap: int) -> bool:
    """Whether a side is given these points (see `Greedy._cap`)."""
    return scored <= cap if cap > 0 else scored >= -cap


def otherwise(playout: Playout) -> Move:
    """What the seat on turn does if nothing fits."""
    return DRAW if playout.drawable else PASS


def shown(tile: Tile, suit: int) -> int:
    """What a tile joined by this suit adds to the count."""
    return 2 * suit if DOUBLE[tile] else PIPS[tile] - suit


def gain(tip: Tip, tile: Tile) -> int:
    """By how much the count changes when the tile is joined to this end.

    A lone double goes on to count in full: what its covered half loses, its other half gains.
    """
    return shown(tile, tip.suit) - (0 if tip.kind == "lone" else tip.worth)


def worth_of_pip(terms: Terms) -> float:
    """What a pip of a bonus is worth in points."""
    rules = terms.rules
    if rules.out_bonus == rules.blocked_bonus == "none":
        return 0.0
    if rules.bonus_unit == "one":
        return _WORTH_OF_ONE
    return in_unit(100, rules.bonus_unit) / 100


def best_together(
    tips: Sequence[Tip], hand: Mask, count: int, points: tuple[int, ...], least: int
) -> tuple[Play, ...]:
    """Two tiles or more at different ends that score most, and more than `least`; () if there are none.

    Only `_SETS` sets are looked at, since large hands have thousands.
    """
    found: tuple[Play, ...] = ()
    sets: list[tuple[int, int, Mask, tuple[Play, ...]]] = [(0, count, hand, ())]
    ends = [(end, tip) for end, tip in zip(ENDS, tips, strict=False) if hand & tip.fits]
    for first, so_far, rest, plays in sets:
        for next_, (end, tip) in enumerate(ends[first:], first + 1):
            for tile in members(rest & tip.fits):
                after, more = so_far + gain(tip, tile), (*plays, (tile, end))
                if plays and points[after] > least:
                    found, least = more, points[after]
                if next_ < len(ends) and len(sets) < _SETS:
                    sets.append((next_, after, rest & ~(1 << tile), more))
    return found
