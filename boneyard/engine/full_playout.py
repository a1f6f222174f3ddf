"""Fast play to the end of a round with all options: awards for passes, `opening`, branching doubles, extras, ….

`Terms.needs_full_playout` says which games need it.

>>> from .presets import PRESETS
>>> from .terms import terms
>>> [playout_class(terms(PRESETS[preset].rules, 4)).__name__ for preset in ("block", "dominican")]
['Playout', 'FullPlayout']
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
from .settlement import FinalPosition, passes_target, round_bonuses, split_award
from .terms import Terms, matched
from .tiles import Mask, Tile


class FullPlayout(Playout):
    """A mutable round of any game.

    kept, leader, closer, lone_lead  as in `RoundHistory`, updated with each move
    skipped                          the seats that turns pass over
    last_tile_points                 the extras earned by the tile that went out
    """

    __slots__ = ("history", "kept", "leader", "closer", "lone_lead", "skipped", "last_tile_points")

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
            history=history,
        )
        self.history = history
        self.kept = list(history.kept)
        self.leader = turn if history.leader is None else history.leader
        self.closer = turn if history.closer is None else history.closer
        self.lone_lead = history.lone_lead
        self.skipped = set(gone)
        if terms.both_out:
            self.skipped.update(seat for seat, hand in enumerate(self.hands) if not hand)
        self.last_tile_points = 0

    def layout(self) -> Layout:
        assert self.tips is not None
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
            self.turn = terms.seat_after(turn, self.skipped)
            if terms.pass_extra and self._award_passed_round():
                return
        else:
            self._lay_and_score(move)
        if self.end is None and (not self.drawable or terms.any_pass):
            self._end_if_blocked()

    def _lay_and_score(self, move: Move) -> None:
        turn, terms, leader = self.turn, self.terms, self.closer
        awarded = terms.pass_extra and self._award_passed_lead()
        hand = self.hands[turn] = self.hands[turn] & ~move.tiles
        before = None if hand or self.tips is None else self.layout()
        self.lone_lead = self.tips is None
        self._lay(move)
        self.closer = turn
        self.passed = 0
        points = matched(self.tips or ()) if terms.matching else terms.points[self.count]
        goes_out = not hand
        if not hand and terms.both_out:
            self.skipped.add(turn)
            goes_out = not self.hands[(turn + 2) % 4]
        if goes_out:
            points += terms.rules.out_points
        stopped = points and self._score(terms.side_of[turn], points)
        if stopped or (awarded and terms.at_once and self._has_won(terms.side_of[leader])):
            self.end = "stopped"
        elif goes_out:
            self.last_tile_points = sum(n for _, n in last_tile_extras(terms.rules.extras, move, before))
            self._finish("out", turn, terms.weights(self.hands))
        else:
            self.turn = terms.seat_after(turn, self.skipped)

    def _award(self, side: int, points: int, ceiling: int | None = None) -> int:
        if side in self.barred:
            return 0
        kept = self.kept[side] if self.kept else 0
        if self.terms.bars and passes_target(self.terms.rules, self.scores[side], kept + points):
            self.barred = {*self.barred, side}
        awarded, kept = split_award(self.terms.rules, self.scores[side], kept, points, ceiling)
        self.scores[side] += awarded
        if self.kept:
            self.kept[side] = kept
        return awarded

    def _award_passed_lead(self) -> bool:
        """Award `pass_lead` if this play completes it; return whether points were added."""
        points = self.terms.rules.extras.pass_lead
        if not points or not self.lone_lead or self.passed != 1:
            return False
        leader = self.closer
        if leader == self.turn or leader in self.gone or self.terms.seats - len(self.gone) < 3:
            return False
        return self._award(self.terms.side_of[leader], points) > 0

    def _award_passed_round(self) -> bool:
        """Award `pass_round` if this pass completes it; return whether that ends the match."""
        points = self.terms.rules.extras.pass_round
        others = self.terms.seats - len(self.skipped) - 1
        if not points or self.turn != self.closer or self.passed < others:
            return False
        side = self.terms.side_of[self.closer]
        if self._award(side, points) and self.terms.at_once and self._has_won(side):
            self.end = "stopped"
        return self.end is not None

    def _end_if_blocked(self) -> None:
        tips, gone = self.tips, self.gone
        if tips is None:
            return
        if self.passed < self.terms.seats - len(self.skipped):
            if self.drawable:
                return
            fits = reduce(or_, [tip.fits for tip in tips])
            if any(hand & fits and seat not in gone for seat, hand in enumerate(self.hands)):
                return
        self._block(FinalPosition(self.hands, gone, self.leader, self.closer))

    def _bonuses(self, winner: int, weights: Sequence[int]) -> list[int]:
        terms, history, blocked = self.terms, self.history, self.end == "blocked"
        extras = self.last_tile_points
        extras += sum(number for _, number in round_extras(terms.rules.extras, history.won, blocked))
        return round_bonuses(terms, blocked, winner, weights, self.gone, history.carried, extras)


def playout_class(terms: Terms) -> type[Playout]:
    """Return the class that plays out rounds under these terms."""
    return FullPlayout if terms.needs_full_playout else Playout


def playout_from_match(match: Match) -> Playout:
    """Return a playout of the round in play of a match, with all tiles known."""
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
        passed=count_passes(round_.log, round_.skipped),
        history=RoundHistory(
            kept=match.kept,
            carried=match.carried,
            won=match.rounds_with_winner,
            leader=round_.leader,
            closer=None if round_.layout is None else round_.closer,
            lone_lead=len(round_.laid) == 1,
            barred=round_.barred,
        ),
    )
