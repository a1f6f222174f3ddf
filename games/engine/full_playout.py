"""A round played out at speed by the rules of the games at home: passes that bring points, sides that have to
open, every double branching, and what else `Terms.house` names.

>>> from .presets import PRESETS
>>> from .terms import terms
>>> playout_class(terms(PRESETS["block"].rules, 4)).__name__, playout_class(terms(PRESETS["dominican"].rules, 4)).__name__
('Playout', 'FullPlayout')
"""

from collections.abc import Sequence
from functools import reduce
from operator import or_

from .extras import last_tile_extras, round_extras
from .layout import Branching, Layout
from .matches import Match
from .moves import DRAW, PASS, Move
from .playout import NO_HISTORY, Playout, RoundHistory
from .rounds import count_passes
from .settlement import Round, round_bonuses, split_award
from .terms import Terms, matched
from .tiles import Mask, Tile


class FullPlayout(Playout):
    """A round that changes as it is played, of any game at all.

    kept, leader, closer, lone_lead  as in `RoundHistory`, and they change
    beside                           what the tile that went out earned beside the pips
    """

    __slots__ = ("earlier", "kept", "leader", "closer", "lone_lead", "beside")

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
        super().__init__(
            terms,
            hands=hands,
            boneyard=boneyard,
            layout=layout,
            turn=turn,
            scores=scores,
            before=before,
            gone=gone,
            leadable=leadable,
            passed=passed,
        )
        self.earlier = earlier
        self.kept = list(earlier.kept)
        self.leader = turn if earlier.leader is None else earlier.leader
        self.closer = turn if earlier.closer is None else earlier.closer
        self.lone_lead = earlier.lone_lead
        self.beside = 0

    def layout(self) -> Layout:
        assert self.tips is not None  # asked for after the lead only
        kind = Branching if self.terms.branching else Layout
        return kind(self.terms.tip_table, tuple(self.tips), self.spinner, self.count)

    def play(self, move: Move) -> None:
        turn, terms = self.turn, self.terms
        if move is DRAW:
            self.hands[turn] |= 1 << self.boneyard[self.drawn]
            self.drawn += 1
            self.drawable -= 1
            self.passed = 0
        elif move is PASS:
            self.passed += 1
            self.turn = terms.seat_after(turn, self.gone)
            if terms.pass_extra and self._passed_by_all():
                return
        else:
            self._lay_and_score(move)
        if self.end is None and (not self.drawable or terms.any_pass):
            self._end_if_blocked()

    def _lay_and_score(self, move: Move) -> None:
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
            self.beside = sum(number for _, number in last_tile_extras(terms.rules.extras, move, before))
            self._finish("out", turn, terms.weights(self.hands))
        else:
            self.turn = terms.seat_after(turn, self.gone)

    def _give(self, side: int, points: int, ceiling: int | None = None) -> int:
        waiting = self.kept[side] if self.kept else 0
        got, waiting = split_award(self.terms.rules, self.scores[side], waiting, points, ceiling)
        self.scores[side] += got
        if self.kept:
            self.kept[side] = waiting
        return got

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

    def _end_if_blocked(self) -> None:
        tips, gone = self.tips, self.gone
        if tips is None:
            return
        if self.passed < self.terms.seats - len(gone):
            if self.drawable:
                return
            fits = reduce(or_, [tip.fits for tip in tips])
            if any(hand & fits and seat not in gone for seat, hand in enumerate(self.hands)):
                return
        self._block(Round(self.hands, gone, self.leader, self.closer))

    def _bonuses(self, winner: int, weights: Sequence[int]) -> list[int]:
        terms, earlier, blocked = self.terms, self.earlier, self.end == "blocked"
        beside = self.beside + sum(
            number for _, number in round_extras(terms.rules.extras, earlier.won, blocked)
        )
        return round_bonuses(terms, blocked, winner, weights, self.gone, earlier.carried, beside)


def playout_class(terms: Terms) -> type[Playout]:
    """By which of the two a round of this table is played out."""
    return FullPlayout if terms.needs_full_playout else Playout


def playout_from_match(match: Match) -> Playout:
    """The round in play of a match, every tile known."""
    round_ = match.round
    return playout_class(match.terms)(
        match.terms,
        hands=round_.hands,
        boneyard=round_.boneyard,
        layout=round_.layout,
        turn=round_.turn,
        scores=match.scores,
        before=match.ended[-1].scores if match.ended else (0,) * len(match.scores),
        gone=round_.gone,
        leadable=round_.leadable(),
        passed=count_passes(round_.log, round_.gone),
        earlier=RoundHistory(
            kept=match.kept,
            carried=match.carried,
            won=match.rounds_with_winner,
            leader=round_.leader,
            closer=None if round_.layout is None else round_.closer,
            lone_lead=len(round_.laid) == 1,
        ),
    )
