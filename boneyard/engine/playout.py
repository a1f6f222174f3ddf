"""Fast play to the end of a round, for the computers' simulations.

`Playout` follows the same rules as rounds.py and matches.py, but is mutable, keeps no log and does not check moves:
it must be given legal moves only. Property tests in tests/engine compare it with the engine. Points that must be
claimed count as claimed correctly. full_playout.py adds the options that few games use and chooses the class.

>>> from .full_playout import playout_from_match
>>> from .matches import begin
>>> from .presets import PRESETS
>>> playout = playout_from_match(begin(PRESETS["block"].rules, 4, bytes(range(32)), "..."))
>>> scores = playout.run(lambda moves: moves[0])
>>> playout.end in ("out", "blocked"), scores == playout.scores
(True, True)
"""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from operator import sub
from typing import NamedTuple

from .layout import NO_TIP, Layout, Tip, join, lead, moves_at
from .moves import DRAW, ENDS, INDEX, JOINS, PASS, Move, leads
from .rounds import RoundEnding
from .settlement import (
    FinalPosition,
    blocked_winner,
    lost_by_reset,
    pips_taken,
    round_bonuses,
    split_award,
)
from .terms import Terms
from .tiles import DOUBLE, Mask, Tile

_JOINS_L, _JOINS_R, _JOINS_U, _JOINS_D = (JOINS[end] for end in ENDS[:4])
_DRAW: tuple[Move, ...] = (DRAW,)
_PASS: tuple[Move, ...] = (PASS,)


class RoundHistory(NamedTuple):
    """The events before a playout that `FullPlayout` needs.

    kept       by side, the points kept until the side opens (`opening.kept`)
    carried    what tied blocks carry to the winner of the round
    won        the number of rounds of the match with a winner
    leader     the seat that had the lead; None for the seat on turn
    closer     the seat that laid the last tile; None for the seat on turn
    lone_lead  whether only the lead has been laid
    barred     the sides that are given nothing more in the round (`past_target: round`)
    """

    kept: Sequence[int] = ()
    carried: int = 0
    won: int = 0
    leader: int | None = None
    closer: int | None = None
    lone_lead: bool = False
    barred: frozenset[int] = frozenset()


# The history before the first lead of a match.
NO_HISTORY = RoundHistory()

Choice = Callable[[tuple[Move, ...]], Move]


class Playout:
    """A mutable round of a game for which `Terms.needs_full_playout` is false.

    hands     the tiles of each seat, as sets
    boneyard  the boneyard, the next tile first; `drawn` tiles are gone, `drawable` can still be drawn
    scores    the running scores by side
    before    the scores when the round began
    passed    the number of seats that have passed since the last play or draw
    barred    the sides that are given nothing more in the round
    end       how the round ended (stopped: the match was won within it), else None
    """

    __slots__ = (
        "terms",
        "hands",
        "boneyard",
        "drawn",
        "drawable",
        "tips",
        "spinner",
        "count",
        "turn",
        "leadable",
        "gone",
        "next_seat",
        "scores",
        "before",
        "passed",
        "barred",
        "end",
        "winner",
    )

    def __init__(
        self,
        terms: Terms,
        *,
        hands: Sequence[Mask],
        boneyard: Sequence[Tile],
        layout: Layout | None,
        turn: int,
        scores: Sequence[int],
        before: Sequence[int] | None = None,
        gone: frozenset[int] = frozenset(),
        leadable: Mask | None = None,
        passed: int = 0,
        history: RoundHistory = NO_HISTORY,
    ) -> None:
        """Start from a position. Sequences that change are copied.

        leadable  before the lead, the tiles that may be led; None for the whole hand
        passed    the number of seats that have passed in succession
        """
        self.terms = terms
        self.hands = list(hands)
        self.boneyard = boneyard
        self.drawn = 0
        self.drawable = max(0, len(boneyard) - terms.reserve) if terms.drawable else 0
        self.tips: list[Tip] | None = None
        self.spinner: Tile | None = None
        self.count = 0
        if layout is not None:
            _, tips, self.spinner, self.count = layout
            self.tips = list(tips)
        self.turn = turn
        self.leadable = self.hands[turn] if leadable is None else leadable
        self.gone = gone
        self.next_seat = terms.next_seat
        if gone:
            self.next_seat = tuple([terms.seat_after(seat, gone) for seat in range(terms.seats)])
        self.scores = list(scores)
        self.before = scores if before is None else before
        self.passed = passed
        self.barred: AbstractSet[int] = history.barred
        self.end: RoundEnding | None = None
        self.winner: int | None = None

    def legal(self) -> tuple[Move, ...]:
        """Return the legal moves of the seat on turn, in the order of `Round.legal`."""
        if self.tips is None:
            return leads(self.leadable)
        terms, hand, layout = self.terms, self.hands[self.turn], self.layout()
        moves = layout.moves(hand)
        stuck = not moves
        if not stuck and terms.many_ends:
            moves += layout.several(hand, terms.points)
        if not stuck and terms.two_doubles:
            moves += layout.two_doubles(hand)
        if self.drawable and (stuck or terms.free_draw):
            moves += _DRAW
        if terms.any_pass or (not self.drawable and (stuck or terms.free_pass)):
            moves += _PASS
        return moves

    def layout(self) -> Layout:
        """Return the layout. Call after the lead only."""
        assert self.tips is not None
        return Layout(self.terms.tip_table, tuple(self.tips), self.spinner, self.count)

    def play(self, move: Move) -> None:
        """Make a move of the seat on turn. It is not checked: it must be legal and the round not over."""
        turn, terms, tiles = self.turn, self.terms, move.tiles
        if tiles:
            joins, tips, table = move.joins, self.tips, terms.tip_table
            if (
                tips is not None
                and joins is not None
                and (covered := tips[joins[1]]).plain
                and (self.spinner is not None or not DOUBLE[joins[0]] or not table.first_double)
            ):
                tip = tips[joins[1]] = table.joined[covered.suit][joins[0]]
                self.count += tip.worth - covered.worth
            else:
                self._lay(move)
            self.passed = 0
            hands = self.hands
            hand = hands[turn] = hands[turn] ^ tiles
            points = terms.points[self.count]
            if not hand:
                self._go_out(turn, points)
                return
            if points:
                if terms.unconditional_points:
                    self.scores[terms.side_of[turn]] += points
                elif self._score(terms.side_of[turn], points):
                    self.end = "stopped"
                    return
            self.turn = self.next_seat[turn]
        elif move is DRAW:
            self.hands[turn] |= 1 << self.boneyard[self.drawn]
            self.drawn += 1
            self.drawable -= 1
        else:
            self.passed += 1
            self.turn = self.next_seat[turn]
        if not self.drawable:
            self._end_if_blocked()

    def run(self, choose: Choice) -> list[int]:
        """Play the round to its end with `choose` and return the scores by side.

        `choose` is called only where there is more than one legal move.
        """
        legal, play, hands, terms = self.legal, self.play, self.hands, self.terms
        plays_only = terms.plays_only and not terms.needs_full_playout
        while self.end is None:
            tips = self.tips
            if tips is None or not plays_only:
                moves = legal()
            else:
                # Inlined `legal`: the call would double the cost.
                left, right, up, down = tips
                hand = hands[self.turn]
                try:
                    moves = _JOINS_L[hand & left.fits] + _JOINS_R[hand & right.fits]
                    if up is not NO_TIP:
                        moves += _JOINS_U[hand & up.fits] + _JOINS_D[hand & down.fits]
                except KeyError:
                    moves = moves_at(tips, hand)
                if not moves:
                    if self.drawable:
                        self._draw_until_playable()
                        continue
                    moves = _PASS
            play(choose(moves) if len(moves) > 1 else moves[0])
        return self.scores

    def _draw_until_playable(self) -> None:
        """Draw for the seat on turn until a tile fits or no tile can be drawn."""
        assert self.tips is not None  # before the lead every tile fits
        left, right, up, down = self.tips
        fits = left.fits | right.fits | up.fits | down.fits
        hand, drawn = self.hands[self.turn], self.drawn
        last = drawn + self.drawable
        while drawn < last and not hand & fits:
            hand |= 1 << self.boneyard[drawn]
            drawn += 1
        self.hands[self.turn], self.drawn, self.drawable = hand, drawn, last - drawn
        if drawn == last:
            self._end_if_blocked()

    def _lay(self, move: Move) -> None:
        table, tips = self.terms.tip_table, self.tips
        if tips is None:
            _, led, self.spinner, self.count = lead(table, move.plays[0][0])
            self.tips = list(led)
            return
        for tile, end in move.plays:
            self.spinner = join(table, tips, self.spinner, INDEX[end], tile)
        if len(tips) == 4:
            self.count = tips[0].worth + tips[1].worth + tips[2].worth + tips[3].worth
        else:
            self.count = sum([tip.worth for tip in tips])

    def _go_out(self, turn: int, points: int) -> None:
        terms = self.terms
        points += terms.rules.out_points
        if points and self._score(terms.side_of[turn], points):
            self.end = "stopped"
        else:
            self._finish("out", turn, terms.weights(self.hands))

    def _score(self, side: int, points: int) -> bool:
        """Add points to a side's score and return whether that ends the match."""
        return self._award(side, points) > 0 and self.terms.at_once and self._has_won(side)

    def _has_won(self, side: int) -> bool:
        """Return whether this side has reached the target and one side alone has the best score."""
        if self.scores[side] < self.terms.winning_score:
            return False
        staying = [self.scores[other] for other in self.terms.staying(self.gone)]
        return staying.count(max(staying)) == 1

    def _end_if_blocked(self) -> None:
        tips, terms, hands, gone = self.tips, self.terms, self.hands, self.gone
        if tips is None:
            return
        if self.passed < terms.seats - len(gone):
            left, right, up, down = tips
            fits = left.fits | right.fits | up.fits | down.fits
            # Nearly always the seat on turn has a tile that fits.
            if hands[self.turn] & fits:
                return
            for seat, hand in enumerate(hands):
                if hand & fits and seat not in gone:
                    return
        self._block(FinalPosition(hands, gone, self.turn, self.turn))

    def _block(self, final: FinalPosition) -> None:
        weights = self.terms.weights(self.hands)
        self._finish("blocked", blocked_winner(self.terms, final, weights), weights)

    def _finish(self, how: RoundEnding, winner: int | None, weights: Sequence[int]) -> None:
        """End the round and add its bonuses; `weights` is what each hand counts."""
        self.end, self.winner = how, winner
        rules = self.terms.rules
        if winner is not None:
            for side, bonus in enumerate(self._bonuses(winner, weights)):
                if bonus:
                    self._award(side, bonus, rules.bonus_ceiling)
            if self.terms.partner_pays and how == "out":
                self.scores[self.terms.side_of[winner]] -= pips_taken(self.terms, winner, weights)
        if rules.team_difference:
            gains = [score - before for score, before in zip(self.scores, self.before, strict=True)]
            self.scores = [score - min(gains) for score in self.scores]
        if rules.reset != "none":
            if lost := lost_by_reset(self.terms, self.gone, self.before, self.scores):
                self.scores = [*map(sub, self.scores, lost)]

    def _bonuses(self, winner: int, weights: Sequence[int]) -> list[int]:
        return round_bonuses(self.terms, self.end == "blocked", winner, weights, self.gone)

    def _award(self, side: int, points: int, ceiling: int | None = None) -> int:
        awarded, _ = split_award(self.terms.rules, self.scores[side], 0, points, ceiling)
        self.scores[side] += awarded
        return awarded
