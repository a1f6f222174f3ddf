"""A round played out at speed, for the computers' simulations.

A `Playout` is the same round as rounds.py and matches.py play, but mutable, without log, records and refusals:
it trusts that it is only given legal moves. A law in tests/engine holds it equal to the engine. Points are
taken as claimed rightly wherever they must be claimed.

>>> from .matches import begin
>>> from .presets import PRESETS
>>> playout = Playout.of(begin(PRESETS["block"].rules, 4, bytes(range(32)), "..."))
>>> scores = playout.run(lambda playout, moves: moves[0])
>>> playout.end in ("out", "blocked"), scores == playout.scores
(True, True)
"""

from collections.abc import Callable, Sequence

from .layout import Layout, Tip, join, lead
from .matches import Match
from .moves import DRAW, ENDS, INDEX, JOINS, PASS, Move, leads
from .rounds import RoundEnding, passes
from .settlement import blocked_bonuses, blocked_winner, bonus_given, out_bonuses, points_given
from .terms import Terms
from .tiles import Mask, Tile, pips

_JOINS_L, _JOINS_R, _JOINS_U, _JOINS_D = (JOINS[end] for end in ENDS[:4])
_DRAW, _PASS = (DRAW,), (PASS,)

Choice = Callable[["Playout", tuple[Move, ...]], Move]


class Playout:
    """A round that changes as it is played.

    hands     the tiles of each seat, as sets
    boneyard  the tiles that lie there, the next one first; `drawn` of them are gone
    scores    by side, running
    before    the scores when the round began
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
    ) -> None:
        """A position; all sequences are copied where they change.

        leadable  before the lead, the tiles that may be led; None for all of the hand
        passed    how many seats have passed in succession
        """
        self.terms = terms
        self.hands = list(hands)
        self.boneyard = boneyard
        self.drawn = 0
        self.drawable = 0 if terms.rules.draw == "none" else len(boneyard) - terms.reserve
        self.tips: list[Tip] | None = None
        self.spinner: Tile | None = None
        self.count = 0
        if layout is not None:
            self.tips, self.spinner, self.count = list(layout.tips), layout.spinner, layout.count
        self.turn = turn
        self.leadable = self.hands[turn] if leadable is None else leadable
        self.gone = gone
        self.scores = list(scores)
        self.before = scores if before is None else before
        self.passed = passed
        self.end: RoundEnding | None = None
        self.winner: int | None = None

    @classmethod
    def of(cls, match: Match) -> "Playout":
        """The round in play of a match, every tile known."""
        round_ = match.round
        return cls(
            match.terms,
            hands=round_.hands,
            boneyard=round_.boneyard,
            layout=round_.layout,
            turn=round_.turn,
            scores=match.scores,
            before=match.ended[-1].scores if match.ended else (0,) * len(match.scores),
            gone=round_.gone,
            leadable=round_.leadable(),
            passed=passes(round_.log, round_.gone),
        )

    def legal(self) -> tuple[Move, ...]:
        """What the seat on turn may do, in the engine's order."""
        tips, terms = self.tips, self.terms
        if tips is None:
            return leads(self.leadable)
        hand = self.hands[self.turn]
        left, right, up, down = tips
        moves = _JOINS_L[hand & left.fits] + _JOINS_R[hand & right.fits]
        if up.fits or down.fits:
            moves += _JOINS_U[hand & up.fits] + _JOINS_D[hand & down.fits]
        if self.drawn < self.drawable:
            otherwise, by_choice = _DRAW, terms.free_draw
        else:
            otherwise, by_choice = _PASS, terms.free_pass
        if not moves:
            return otherwise
        if terms.many_ends:
            moves += self.layout().several(hand, terms.points)
        return moves + otherwise if by_choice else moves

    def layout(self) -> Layout:
        """The layout as the engine has it, after the lead."""
        assert self.tips is not None  # noqa: S101 - asked for after the lead only
        return Layout(self.terms.tips, tuple(self.tips), self.spinner, self.count)

    def play(self, move: Move) -> None:
        """Does so for the seat on turn; the move must be legal and the round not over."""
        turn = self.turn
        if move is DRAW:
            self.hands[turn] |= 1 << self.boneyard[self.drawn]
            self.drawn += 1
        elif move is PASS:
            self.passed += 1
            self._next_turn()
        else:
            self._lay(move)
            self.passed = 0
            hand = self.hands[turn] = self.hands[turn] & ~move.tiles
            points = self.terms.points[self.count]
            if not hand:
                points += self.terms.rules.out_points
            if points and self._score(self.terms.side_of[turn], points):
                self.end = "stopped"
                return
            if not hand:
                self._go_out(turn)
                return
            self._next_turn()
        if self.drawn >= self.drawable:
            self._end_if_blocked()

    def run(self, choose: Choice) -> list[int]:
        """Plays the round to its end; gives the scores after it, by side."""
        legal, play = self.legal, self.play
        while self.end is None:
            moves = legal()
            play(moves[0] if len(moves) == 1 else choose(self, moves))
        return self.scores

    def _next_turn(self) -> None:
        after = self.terms.after
        self.turn = after[self.turn] if not self.gone else self.terms.seat_after(self.turn, self.gone)

    def _lay(self, move: Move) -> None:
        table, tips = self.terms.tips, self.tips
        if tips is None:
            layout = lead(table, move.plays[0][0])
            self.tips, self.spinner, self.count = list(layout.tips), layout.spinner, layout.count
            return
        for tile, end in move.plays:
            self.spinner = join(table, tips, self.spinner, INDEX[end], tile)
        left, right, up, down = tips
        self.count = left.worth + right.worth + up.worth + down.worth

    def _score(self, side: int, points: int) -> bool:
        """Whether this ends the match."""
        rules, scores = self.terms.rules, self.scores
        given = points_given(rules, scores[side], points)
        scores[side] += given
        if not given or not self.terms.at_once or scores[side] < rules.target:
            return False
        staying = [scores[other] for other in self.terms.staying(self.gone)]
        return staying.count(max(staying)) == 1

    def _go_out(self, seat: int) -> None:
        weights = tuple(map(pips, self.hands))
        self.end, self.winner = "out", seat
        self._award(out_bonuses(self.terms, weights, seat))

    def _end_if_blocked(self) -> None:
        if self.tips is None:
            return
        left, right, up, down = self.tips
        fits = left.fits | right.fits | up.fits | down.fits
        for seat, hand in enumerate(self.hands):
            if hand & fits and seat not in self.gone and self.passed < self.terms.seats - len(self.gone):
                return
        terms, hands = self.terms, tuple(self.hands)
        weights = tuple(map(pips, hands))
        self.end = "blocked"
        self.winner = blocked_winner(terms, hands, weights, self.gone)
        self._award(blocked_bonuses(terms, weights, self.winner, self.gone))

    def _award(self, bonuses: Sequence[int]) -> None:
        """Give the sides these bonuses, in pips."""
        for side, bonus in enumerate(bonuses):
            if bonus:
                self.scores[side] += bonus_given(self.terms.rules, self.scores[side], bonus)
        if self.terms.rules.team_difference:
            made = [score - was for score, was in zip(self.scores, self.before, strict=True)]
            self.scores = [score - min(made) for score in self.scores]


def at_random(random: Callable[[], float]) -> Choice:
    """Chooses uniformly; `random` gives numbers from 0 to below 1."""

    def choose(_: Playout, moves: tuple[Move, ...]) -> Move:
        return moves[int(random() * len(moves))]

    return choose
