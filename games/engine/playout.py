"""A round played out at speed, for the computers' simulations.

A `Playout` is the same round as rounds.py and matches.py play, but mutable, without log, records and refusals:
it trusts that it is only given legal moves. A law in tests/engine holds it equal to the engine. Points are
taken as claimed rightly wherever they must be claimed. What only some games look at is in full_playout.py,
which also says by which of the two a game is played out.

>>> from .full_playout import playout_from_match
>>> from .matches import begin
>>> from .presets import PRESETS
>>> playout = playout_from_match(begin(PRESETS["block"].rules, 4, bytes(range(32)), "..."))
>>> scores = playout.run(lambda moves: moves[0])
>>> playout.end in ("out", "blocked"), scores == playout.scores
(True, True)
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from .layout import NO_TIP, Layout, Tip, join, lead, moves_at
from .moves import DRAW, ENDS, INDEX, JOINS, PASS, Move, leads
from .rounds import RoundEnding
from .settlement import Round, blocked_winner, round_bonuses, split_award
from .terms import Terms
from .tiles import DOUBLE, Mask, Tile

_JOINS_L, _JOINS_R, _JOINS_U, _JOINS_D = (JOINS[end] for end in ENDS[:4])
_DRAW: tuple[Move, ...] = (DRAW,)
_PASS: tuple[Move, ...] = (PASS,)


class RoundHistory(NamedTuple):
    """What happened before a round is played out, as far as only some games ask for it.

    kept       by side, what waits to be added to what a side opens with
    carried    what tied blocks carry to the round's winner
    won        how many rounds of the match have had a winner
    leader     the seat that had the lead; None for the seat on turn
    closer     the seat that laid the last tile; None likewise
    lone_lead  whether nothing but the lead has been laid
    """

    kept: Sequence[int] = ()
    carried: int = 0
    won: int = 0
    leader: int | None = None
    closer: int | None = None
    lone_lead: bool = False


# Before the first lead of a match.
NO_HISTORY = RoundHistory()

Choice = Callable[[tuple[Move, ...]], Move]


class Playout:
    """A round that changes as it is played, of a game that looks at no option of the games at home.

    hands     the tiles of each seat, as sets
    boneyard  the tiles that lie there, the next one first; `drawn` of them are gone, `drawable` can still be drawn
    scores    by side, running
    before    the scores when the round began
    passed    how many seats have passed since the last play or draw
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
        earlier: RoundHistory = NO_HISTORY,
    ) -> None:
        """A position; all sequences are copied where they change.

        leadable  before the lead, the tiles that may be led; None for all of the hand
        passed    how many seats have passed in succession
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
        self.end: RoundEnding | None = None
        self.winner: int | None = None

    def legal(self) -> tuple[Move, ...]:
        """What the seat on turn may do, in the engine's order."""
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
        """The layout as the engine has it, after the lead."""
        assert self.tips is not None  # asked for after the lead only
        return Layout(self.terms.tip_table, tuple(self.tips), self.spinner, self.count)

    def play(self, move: Move) -> None:
        """Does so for the seat on turn; the move must be legal and the round not over."""
        turn, terms, tiles = self.turn, self.terms, move.tiles
        if tiles:
            joins, tips, table = move.joins, self.tips, terms.tip_table
            if (
                tips is not None
                and joins is not None
                and (covered := tips[joins[1]]).plain
                and (self.spinner is not None or not DOUBLE[joins[0]] or not table.first_double)
            ):
                made = tips[joins[1]] = table.made[covered.suit][joins[0]]
                self.count += made.worth - covered.worth
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
        """Plays the round to its end; gives the scores after it, by side."""
        legal, play, hands, terms = self.legal, self.play, self.hands, self.terms
        plays_only = terms.plays_only and not terms.needs_full_playout
        while self.end is None:
            tips = self.tips
            if tips is None or not plays_only:
                moves = legal()
            else:
                # `legal` without its call, which would cost as much again.
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
        """Draws for the seat on turn, which has nothing that fits, as long as that is all it may do."""
        assert self.tips is not None  # the lead fits
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
        """Whether this ends the match."""
        return self._give(side, points) > 0 and self.terms.at_once and self._has_won(side)

    def _has_won(self, side: int) -> bool:
        """Whether this side has the target, and one side is the best."""
        if self.scores[side] < self.terms.rules.target:
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
            # Nearly always the seat on turn has something that fits.
            if hands[self.turn] & fits:
                return
            for seat, hand in enumerate(hands):
                if hand & fits and seat not in gone:
                    return
        self._block(Round(hands, gone, self.turn, self.turn))

    def _block(self, over: Round) -> None:
        weights = self.terms.weights(self.hands)
        self._finish("blocked", blocked_winner(self.terms, over, weights), weights)

    def _finish(self, how: RoundEnding, winner: int | None, weights: Sequence[int]) -> None:
        """End the round and give the sides what its winner brings; `weights` are what the hands count."""
        self.end, self.winner = how, winner
        rules = self.terms.rules
        if winner is not None:
            for side, bonus in enumerate(self._bonuses(winner, weights)):
                if bonus:
                    self._give(side, bonus, rules.bonus_ceiling)
        if rules.team_difference:
            made = [score - was for score, was in zip(self.scores, self.before, strict=True)]
            self.scores = [score - min(made) for score in self.scores]

    def _bonuses(self, winner: int, weights: Sequence[int]) -> list[int]:
        return round_bonuses(self.terms, self.end == "blocked", winner, weights, self.gone)

    def _give(self, side: int, points: int, ceiling: int | None = None) -> int:
        got, _ = split_award(self.terms.rules, self.scores[side], 0, points, ceiling)
        self.scores[side] += got
        return got
