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
from functools import reduce
from operator import or_
from typing import NamedTuple

from .extras import of_last_tile, of_round
from .layout import Branching, Layout, Tip, join, lead, moves_at
from .matches import Match
from .moves import DRAW, ENDS, INDEX, JOINS, PASS, Move, leads
from .rounds import RoundEnding, passes
from .settlement import Round, blocked_winner, bonuses_of, given, points_given
from .terms import Terms, matched
from .tiles import DOUBLE, Mask, Tile

_JOINS_L, _JOINS_R, _JOINS_U, _JOINS_D = (JOINS[end] for end in ENDS[:4])
_DRAW: tuple[Move, ...] = (DRAW,)
_PASS: tuple[Move, ...] = (PASS,)


class Earlier(NamedTuple):
    """What the rounds of a match leave to the next: what tied blocks carry to its winner, and how many had one."""

    carried: int = 0
    won: int = 0


# Before the first round.
NOTHING = Earlier()

Choice = Callable[["Playout", tuple[Move, ...]], Move]


class Playout:
    """A round that changes as it is played.

    hands     the tiles of each seat, as sets
    boneyard  the tiles that lie there, the next one first; `drawn` of them are gone
    scores    by side, running
    before    the scores when the round began
    kept      by side, what waits to be added to what a side opens with
    earlier   what the rounds before left to this one
    leader    the seat that had the lead; `closer` laid the last tile
    passed    how many seats have passed since the last play or draw
    lone_lead whether nothing but the lead has been laid
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
        "kept",
        "earlier",
        "leader",
        "closer",
        "lone_lead",
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
        kept: Sequence[int] = (),
        earlier: Earlier = NOTHING,
        leader: int | None = None,
        closer: int | None = None,
        lone_lead: bool = False,
    ) -> None:
        """A position; all sequences are copied where they change.

        leadable        before the lead, the tiles that may be led; None for all of the hand
        passed          how many seats have passed in succession
        leader, closer  None for the seat on turn
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
        self.kept = list(kept)
        self.earlier = earlier
        self.leader = turn if leader is None else leader
        self.closer = turn if closer is None else closer
        self.lone_lead = lone_lead
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
            kept=match.kept,
            earlier=Earlier(match.carried, match.rounds_won),
            leader=round_.leader,
            closer=None if round_.layout is None else round_.closer,
            lone_lead=len(round_.laid) == 1,
        )

    def legal(self) -> tuple[Move, ...]:
        """What the seat on turn may do, in the engine's order."""
        tips, terms = self.tips, self.terms
        if tips is None:
            return leads(self.leadable)
        hand = self.hands[self.turn]
        if terms.house:
            return self._legal_by_house_rules(tips, hand)
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

    def _legal_by_house_rules(self, tips: list[Tip], hand: Mask) -> tuple[Move, ...]:
        terms = self.terms
        moves = moves_at(tips, hand)
        stuck = not moves
        if not stuck and terms.many_ends:
            moves += self.layout().several(hand, terms.points)
        if not stuck and terms.two_doubles:
            moves += self.layout().two_doubles(hand)
        can_draw = self.drawn < self.drawable
        if can_draw and (stuck or terms.free_draw):
            moves += _DRAW
        if terms.any_pass or (not can_draw and (stuck or terms.free_pass)):
            moves += _PASS
        return moves

    def layout(self) -> Layout:
        """The layout as the engine has it, after the lead."""
        assert self.tips is not None  # noqa: S101 - asked for after the lead only
        kind = Branching if self.terms.branching else Layout
        return kind(self.terms.tips, tuple(self.tips), self.spinner, self.count)

    def play(self, move: Move) -> None:
        """Does so for the seat on turn; the move must be legal and the round not over."""
        turn, terms = self.turn, self.terms
        if terms.house:
            self._play_by_house_rules(move)
            return
        if move is DRAW:
            self.hands[turn] |= 1 << self.boneyard[self.drawn]
            self.drawn += 1
        elif move is PASS:
            self.passed += 1
            self._next_turn()
        else:
            hand = self.hands[turn] = self.hands[turn] & ~move.tiles
            before = self.layout() if not hand and terms.beside and self.tips is not None else None
            self._lay(move)
            self.closer = turn
            self.passed = 0
            points = terms.points[self.count]
            if not hand:
                points += terms.rules.out_points
            if points and self._score(terms.side_of[turn], points):
                self.end = "stopped"
                return
            if not hand:
                self._go_out(turn, move, before)
                return
            self._next_turn()
        if self.drawn >= self.drawable:
            self._end_if_blocked()

    def _play_by_house_rules(self, move: Move) -> None:
        turn, terms = self.turn, self.terms
        if move is DRAW:
            self.hands[turn] |= 1 << self.boneyard[self.drawn]
            self.drawn += 1
            self.passed = 0
        elif move is PASS:
            self.passed += 1
            self._next_turn()
            if terms.pass_extra and self._passed_by_all():
                return
        else:
            self._lay_by_house_rules(move)
        if self.end is None and (self.drawn >= self.drawable or terms.any_pass):
            self._end_if_blocked()

    def _lay_by_house_rules(self, move: Move) -> None:
        turn, terms, leader = self.turn, self.terms, self.closer
        awarded = terms.pass_extra and self._lead_was_passed()
        hand = self.hands[turn] = self.hands[turn] & ~move.tiles
        before = None if hand or self.tips is None else self.layout()
        self.lone_lead = self.tips is None
        self._lay(move)
        self.closer = turn
        self.passed = 0
        points = matched(self.tips or ()) if terms.matching else terms.points[self.count]
        if not hand:
            points += terms.rules.out_points
        stopped = points and self._score(terms.side_of[turn], points)
        if stopped or (awarded and terms.at_once and self._has_won(terms.side_of[leader])):
            self.end = "stopped"
        elif not hand:
            self._go_out(turn, move, before)
        else:
            self._next_turn()

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
        tile, end = move.plays[0]
        index = INDEX[end]
        covered = tips[index]
        if covered.kind == "tile" and not DOUBLE[tile] and len(move.plays) == 1:
            # Most plays: nothing changes but this end.
            made = tips[index] = table.made[covered.suit][tile]
            self.count += made.worth - covered.worth
            return
        for tile, end in move.plays:
            self.spinner = join(table, tips, self.spinner, INDEX[end], tile)
        if len(tips) == 4:
            self.count = tips[0].worth + tips[1].worth + tips[2].worth + tips[3].worth
        else:
            self.count = sum([tip.worth for tip in tips])

    def _score(self, side: int, points: int) -> bool:
        """Whether this ends the match."""
        rules, scores = self.terms.rules, self.scores
        if self.terms.openings:
            got = self._give(side, points)
        else:
            got = points_given(rules, scores[side], points)
            scores[side] += got
        return bool(got) and self.terms.at_once and self._has_won(side)

    def _give(self, side: int, points: int, ceiling: int | None = None) -> int:
        waiting = self.kept[side] if self.kept else 0
        got, waiting = given(self.terms.rules, self.scores[side], waiting, points, ceiling)
        self.scores[side] += got
        if self.kept:
            self.kept[side] = waiting
        return got

    def _has_won(self, side: int) -> bool:
        """Whether this side has the target, and one side is the best."""
        if self.scores[side] < self.terms.rules.target:
            return False
        staying = [self.scores[other] for other in self.terms.staying(self.gone)]
        return staying.count(max(staying)) == 1

    def _lead_was_passed(self) -> bool:
        """Awards `pass_lead` if this play earns it; whether anything was given."""
        points = self.terms.rules.extras.pass_lead
        if not points or not self.lone_lead or self.passed != 1:
            return False
        leader = self.closer
        if leader == self.turn or leader in self.gone or self.terms.seats - len(self.gone) < 3:
            return False
        return self._give(self.terms.side_of[leader], points) > 0

    def _passed_by_all(self) -> bool:
        """Awards `pass_round` if this pass earns it; whether that ends the match."""
        points = self.terms.rules.extras.pass_round
        if not points or self.turn != self.closer or self.passed < self.terms.seats - len(self.gone) - 1:
            return False
        side = self.terms.side_of[self.closer]
        if self._give(side, points) and self.terms.at_once and self._has_won(side):
            self.end = "stopped"
        return self.end is not None

    def _go_out(self, seat: int, move: Move, before: Layout | None) -> None:
        self.end, self.winner = "out", seat
        beside = 0
        if self.terms.beside:
            beside = sum(number for _, number in of_last_tile(self.terms.rules.extras, move, before))
        self._award(tuple(map(self.terms.pips, self.hands)), beside)

    def _end_if_blocked(self) -> None:
        tips, terms, hands = self.tips, self.terms, self.hands
        if tips is None:
            return
        if self.passed < terms.seats - len(self.gone):
            if self.drawn < self.drawable:
                return
            fits = tips[0].fits | tips[1].fits | tips[2].fits | tips[3].fits
            if terms.branching:
                fits = reduce(or_, [tip.fits for tip in tips])
            gone = self.gone
            for seat, hand in enumerate(hands):
                if hand & fits and seat not in gone:
                    return
        weights = tuple(map(terms.pips, hands))
        self.end = "blocked"
        self.winner = blocked_winner(terms, Round(hands, self.gone, self.leader, self.closer), weights)
        self._award(weights)

    def _award(self, weights: Sequence[int], beside: int = 0) -> None:
        """Give the sides what the winner's round brings, `beside` what it earned by its last tile."""
        terms, rules, winner = self.terms, self.terms.rules, self.winner
        if winner is not None:
            if terms.beside:
                earned = of_round(rules.extras, self.earlier.won, self.end == "blocked")
                beside += sum(number for _, number in earned)
            carried = self.earlier.carried
            for side, bonus in enumerate(
                bonuses_of(terms, self.end == "blocked", winner, weights, self.gone, carried, beside)
            ):
                if bonus:
                    self._give(side, bonus, rules.bonus_ceiling)
        if rules.team_difference:
            made = [score - was for score, was in zip(self.scores, self.before, strict=True)]
            self.scores = [score - min(made) for score in self.scores]


def at_random(random: Callable[[], float]) -> Choice:
    """Chooses uniformly; `random` gives numbers from 0 to below 1."""

    def choose(_: Playout, moves: tuple[Move, ...]) -> Move:
        return moves[int(random() * len(moves))]

    return choose
