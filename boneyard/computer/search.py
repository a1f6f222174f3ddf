"""Sampling search: play every move out in random deals that agree with the view.

All moves get the same deals (common random numbers), so luck does not favour one. Moves are compared by their mean
value over the deals.
"""

from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from typing import NamedTuple

from boneyard.engine.full_playout import playout_class
from boneyard.engine.layout import Layout, TipKind, lay_out
from boneyard.engine.moves import Move
from boneyard.engine.perspective import View
from boneyard.engine.playout import Playout, RoundHistory
from boneyard.engine.rounds import count_passes
from boneyard.engine.tiles import Mask, Tile

from .beliefs import Beliefs, SampledDeal
from .endings import Ending, TooMuchWork, is_solvable, possible_hands
from .evaluation import PointLead, WinChance, measure_pace
from .greedy import careful_policy, greedy_policy
from .later_moves import LaterMoves
from .one_ply import rank_by_heuristic
from .pairs_network import network_for, score_moves
from .styles import PLAIN, Style

_DEALS_PER_BATCH = 10
# Deals that are sampled for the hands and their weights in an ending.
_ENDING_DEALS = 200
# A move more than this many standard errors behind the best is dropped.
_DROP_BEHIND_ERRORS = 2.5
# Moves that differ by fewer standard errors are nearly equal.
_STYLE_ERRORS = 0.25
# Work of a turn of `FullPlayout` beyond that of `Playout`.
_FULL_PLAYOUT_WORK = 2
# Work of a choice for a later move, as in `SearchPlan.work`.
_CHOICE_WORK = 6
# Only turns that may lay several tiles have more moves than this.
_MAX_MOVES = 32


class SearchPlan(NamedTuple):
    """The settings of a search.

    samples      deals for each move
    work         limit of the work of deals and play-outs, a unit being about a microsecond; checked after each deal
    reads_plays  whether the beliefs learn from plays, not only from passes and draws
    by_chance    whether moves are compared by the chance to win the match instead of points
    careful      whether play-outs use the careful policy instead of the greedy one
    stops_early  whether clearly worse moves are dropped during the search
    margin       the best move by heuristic is made unless it is this many standard errors behind the best
    ending_work  limit of the work of solving an ending (`endings`); 0 to solve none
    later_moves  the number of the seat's next moves that are searched, too (`LaterMoves`); only with two seats
    keeps_leads  whether the candidates have the lead in points, too
    score_weight how much a play's score (`pairs_network`) counts beside its value in each deal: times what a standard
                 deviation of a round's points is worth at the scores
    """

    samples: int
    work: int
    reads_plays: bool = False
    by_chance: bool = False
    careful: bool = False
    stops_early: bool = False
    margin: float = 0.0
    ending_work: int = 0
    later_moves: int = 0
    keeps_leads: bool = False
    score_weight: float = 0.0


class Candidate(NamedTuple):
    """A move and the value of its outcome, by deal; `leads` are the leads in points, if the plan keeps them."""

    move: Move
    worths: list[float]
    leads: list[float]


def search(view: View, plan: SearchPlan, rng: Random, style: Style = PLAIN) -> Move:
    """Return the move to make by this plan; the style decides among moves that are nearly equal."""
    if plan.ending_work and is_solvable(view) and (solved := solve_ending(view, plan, rng)):
        return max(solved, key=lambda each: each[1])[0]
    candidates = rank_moves(view, plan, rng)
    chosen = best = candidates[0]
    if plan.margin:
        first = rank_by_heuristic(view, [each.move for each in candidates])[0]
        close = [each for each in candidates if not is_behind(each, best, plan.margin)]
        chosen = next((each for each in close if each.move == first), best)
    nearly_equal = [
        each
        for each in candidates
        if not is_behind(each, chosen, _STYLE_ERRORS) and not is_behind(chosen, each, _STYLE_ERRORS)
    ]
    return max((chosen, *nearly_equal), key=lambda each: style.preference(view, each.move)).move


def rank_moves(view: View, plan: SearchPlan, rng: Random) -> list[Candidate]:
    """Return the moves still in question when the plan is done, best first.

    The work is counted, not timed: the same arguments give the same result on any machine under any load.
    """
    beliefs = Beliefs(view, reads_plays=plan.reads_plays)
    position = _Position(view, plan)
    candidates = [Candidate(move, [], []) for move in moves_to_search(view)]
    if len(candidates) == 1:
        return candidates
    score_values = _score_values(view, plan, position, [each.move for each in candidates])
    for sample, deal in enumerate(beliefs.deals(rng, plan.samples)):
        for move, worths, leads in candidates:
            worths.append(position.worth(move, deal) + score_values.get(move, 0.0))
            if plan.keeps_leads:
                leads.append(position.lead)
        position.work += beliefs.work_per_deal
        if plan.stops_early and sample % _DEALS_PER_BATCH == _DEALS_PER_BATCH - 1:
            candidates = _drop_clearly_worse(candidates)
        if len(candidates) == 1 or position.work > plan.work:
            break
    return sorted(candidates, key=lambda each: -sum(each.worths))


def _score_values(
    view: View, plan: SearchPlan, position: "_Position", moves: Sequence[Move]
) -> dict[Move, float]:
    """Return what each move's score adds to its value; nothing without a weight or a network for these rules."""
    network = network_for(view.terms) if plan.score_weight else None
    if network is None:
        return {}
    unit = plan.score_weight * position.spread_value()
    return {move: unit * score for move, score in zip(moves, score_moves(view, network, moves), strict=True)}


def solve_ending(view: View, plan: SearchPlan, rng: Random) -> list[tuple[Move, float]]:
    """Return the moves of an ending with their values; none if that is more work than the plan allows."""
    beliefs = Beliefs(view, reads_plays=plan.reads_plays)
    other = 1 - (view.seat or 0)
    weighed = (beliefs.weigh(rng) for _ in range(_ENDING_DEALS))
    hands = possible_hands((deal.hands[other], weight) for deal, weight in weighed)
    ending = Ending(view, _Position(view, plan).end_value, plan.ending_work)
    whole = sum(hands.values())
    try:
        return [(move, ending.value(move, hands) / whole) for move in moves_to_search(view)]
    except TooMuchWork:
        return []


def evaluate(
    view: View, moves: Sequence[Move], deals: Sequence[SampledDeal], plan: SearchPlan
) -> list[list[float]]:
    """Return the values of these moves in each deal, by deal."""
    position = _Position(view, plan)
    return [[position.worth(move, deal) for move in moves] for deal in deals]


def moves_to_search(view: View) -> list[Move]:
    """Return the distinct moves; of very many, only the best by heuristic."""
    moves = distinct_moves(view)
    return moves if len(moves) <= _MAX_MOVES else rank_by_heuristic(view, moves)[:_MAX_MOVES]


def distinct_moves(view: View) -> list[Move]:
    """Return the legal moves, of equivalent ones only the first.

    Two moves are equivalent if they lay the same tiles and leave the same ends, wherever those lie.
    """
    layout = view.layout()
    moves: dict[object, Move] = {}
    for move in view.legal:
        moves.setdefault(_outcome(view, layout, move), move)
    return list(moves.values())


def _outcome(view: View, layout: Layout | None, move: Move) -> object:
    if move.kind != "play" or layout is None:
        return move
    layout = lay_out(view.terms.tip_table, layout, move.plays)
    return move.tiles, sorted_tips(layout), layout.spinner


def sorted_tips(layout: Layout) -> tuple[tuple[TipKind, int], ...]:
    return tuple(sorted((tip.kind, tip.suit) for tip in layout.tips))


class _Position:
    """The position of a view, which can be played out with any deal."""

    def __init__(self, view: View, plan: SearchPlan) -> None:
        self._terms = terms = view.terms
        self._layout = view.layout()
        assert view.turn is not None  # only a seat on turn searches
        self._turn = view.turn
        self._gone = view.gone
        self._scores = view.scores
        self._before = view.ended[-1].scores if view.ended else (0,) * len(view.sides)
        self._passed = count_passes(view.log, view.skipped)
        self._history = RoundHistory(
            kept=view.kept,
            carried=view.carried,
            won=sum(ended.end.winner is not None for ended in view.ended),
            leader=view.leader,
            closer=view.laid[-1].seat if view.laid else None,
            lone_lead=len(view.laid) == 1,
            barred=view.barred,
        )
        self._playout = playout_class(terms)
        self._policy = careful_policy(terms) if plan.careful else greedy_policy(terms)
        # With more seats the same replies come too rarely to choose by (docs/computer.md).
        self._later = (
            LaterMoves(self._turn, plan.later_moves, self._policy.chooser())
            if plan.later_moves and terms.seats == 2
            else None
        )
        side = terms.side_of[self._turn]
        self._worth: Callable[[Sequence[float]], float] = (
            WinChance(terms, side, self._gone, terms.max_rounds - view.round)
            if plan.by_chance
            else PointLead(terms, side)
        )
        self._point_lead = PointLead(terms, side)
        self._scores_after: Sequence[int] = self._scores
        # Work per turn of a play-out, counted by the tiles examined: a clock would make moves depend on the load.
        examined = max(view.tiles) if plan.careful or terms.many_ends else 0
        self._cost = 3 + examined // 2 + (_FULL_PLAYOUT_WORK if terms.needs_full_playout else 0)
        if terms.many_ends:
            # Sets of tiles are chosen from the hands, with what they draw.
            self._cost += 10 + examined + view.boneyard // view.seats
        self.work = 0

    @property
    def lead(self) -> float:
        """Return the lead in points after the last deal played out."""
        return self._point_lead(self._scores_after)

    def spread_value(self) -> float:
        """Return what a standard deviation of a round's points is worth to the side on turn, around these scores."""
        half, side = measure_pace(self._terms).spread / 2, self._terms.side_of[self._turn]
        more, less = (
            [score + (change if each == side else 0.0) for each, score in enumerate(self._scores)]
            for change in (half, -half)
        )
        return self._worth(more) - self._worth(less)

    def worth(self, move: Move, deal: SampledDeal) -> float:
        """Play this deal out from the move on, and return the value of the result to the side on turn.

        With later moves it depends also on the deals played out before.
        """
        playout = self._begin(deal.hands, deal.boneyard, self._layout, self._turn, self._passed)
        playout.play(move)
        if self._later is None:
            self.work += self._cost * self._policy.play_out(playout)
            self._scores_after = playout.scores
            return self._worth(playout.scores)
        choices, turns = self._later.play(playout, move)
        turns += self._policy.play_out(playout)
        self._scores_after = playout.scores
        self.work += self._cost * turns + _CHOICE_WORK * len(choices)
        worth = self._worth(playout.scores)
        self._later.record(choices, worth)
        return worth

    def end_value(
        self, hands: Sequence[Mask], boneyard: Sequence[Tile], layout: Layout, turn: int, move: Move
    ) -> float:
        """Return the value of the result to the side on turn if this move of seat `turn` ends the round."""
        playout = self._begin(hands, boneyard, layout, turn, self._terms.seats - 1)
        playout.play(move)
        assert playout.end is not None
        return self._worth(playout.scores)

    def _begin(
        self, hands: Sequence[Mask], boneyard: Sequence[Tile], layout: Layout | None, turn: int, passed: int
    ) -> Playout:
        return self._playout(
            self._terms,
            hands=hands,
            boneyard=boneyard,
            layout=layout,
            turn=turn,
            scores=self._scores,
            before=self._before,
            gone=self._gone,
            passed=passed,
            history=self._history,
        )


def _drop_clearly_worse(candidates: list[Candidate]) -> list[Candidate]:
    """Return the candidates that are not clearly worse than the best."""
    best = max(candidates, key=lambda each: sum(each.worths))
    return [each for each in candidates if each is best or not is_behind(each, best, _DROP_BEHIND_ERRORS)]


def is_behind(candidate: Candidate, best: Candidate, errors: float) -> bool:
    """Return whether it is more than `errors` standard errors behind the best, by paired differences."""
    behind = [its - own for its, own in zip(best.worths, candidate.worths, strict=True)]
    count = len(behind)
    if count < 2:
        return sum(behind) > 0
    mean = sum(behind) / count
    variance = sum((each - mean) ** 2 for each in behind) / (count - 1)
    return mean > errors * sqrt(variance / count)
