"""The players that look ahead: deals by lot that agree with the view, every move played out in the same deals.

The same deals for all moves (common random numbers), so that luck falls on all alike. What a move is compared
by is the mean over the deals.
"""

from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from typing import NamedTuple

from games.engine.house_playout import kind_of
from games.engine.layout import Layout, TipKind, laid_out
from games.engine.moves import Move
from games.engine.perspective import View
from games.engine.playout import Earlier
from games.engine.rounds import passes

from .beliefs import Beliefs, Dealt
from .greedy import careful, greedy
from .one_ply import by_first_sight
from .worth import Chance, Points

_BATCH = 10
# A move this many standard errors behind the best is dropped.
_CLEARLY = 2.5
# More moves than this only come of laying several tiles at once.
_MOST = 32


class Plan(NamedTuple):
    """How much a level thinks.

    samples      deals for each move
    work         what all play-outs together may cost, some microseconds each; then no further deal is begun
    reads_plays  whether the beliefs learn from plays, not only from passes and draws
    by_chance    whether moves are compared by the chance to win the match, or by points
    careful      whether the play-outs are careful ones, or greedy
    stops_early  whether clearly worse moves are dropped on the way
    margin       the best move at first sight is made unless it is this many standard errors behind the best
    """

    samples: int
    work: int
    reads_plays: bool = False
    by_chance: bool = False
    careful: bool = False
    stops_early: bool = False
    margin: float = 0.0


class Candidate(NamedTuple):
    """A move and the worth of what it led to, by deal."""

    move: Move
    worths: list[float]


def search(view: View, plan: Plan, rng: Random) -> Move:
    """Return the move to make by this plan."""
    best, *others = ranked(view, plan, rng)
    if not plan.margin or not others:
        return best.move
    first = by_first_sight(view, [best.move, *(each.move for each in others)])[0]
    close = (each.move for each in others if not _is_behind(each, best, plan.margin))
    return first if first in close else best.move


def ranked(view: View, plan: Plan, rng: Random) -> list[Candidate]:
    """Return the moves still in question when the plan is done, best first.

    The work is counted, not timed: the same arguments give the same result on any machine under any load.
    """
    beliefs = Beliefs(view, reads_plays=plan.reads_plays)
    position = _Position(view, plan)
    candidates = [Candidate(move, []) for move in worth_a_thought(view)]
    for sample in range(plan.samples):
        if len(candidates) == 1 or position.work > plan.work:
            break
        deal = beliefs.deal(rng)
        for move, worths in candidates:
            worths.append(position.worth(move, deal))
        if plan.stops_early and sample % _BATCH == _BATCH - 1:
            candidates = _in_question(candidates)
    return sorted(candidates, key=lambda each: -sum(each.worths))


def worth_a_thought(view: View) -> list[Move]:
    """The distinct moves; where a turn may lay many tiles in too many ways, only the best at first sight."""
    moves = distinct(view)
    return moves if len(moves) <= _MOST else by_first_sight(view, moves)[:_MOST]


def distinct(view: View) -> list[Move]:
    """The legal moves, of those that come to the same only the first.

    Two moves come to the same when they lay the same tiles and leave the same ends, wherever those lie.
    """
    layout = view.layout()
    moves: dict[object, Move] = {}
    for move in view.legal:
        moves.setdefault(_outcome(view, layout, move), move)
    return list(moves.values())


def _outcome(view: View, layout: Layout | None, move: Move) -> object:
    if move.kind != "play" or layout is None:
        return move
    layout = laid_out(view.terms.tips, layout, move.plays)
    return move.tiles, sorted_tips(layout), layout.spinner


def sorted_tips(layout: Layout) -> tuple[tuple[TipKind, int], ...]:
    return tuple(sorted((tip.kind, tip.suit) for tip in layout.tips))


class _Position:
    """The position of a view, to be played out with any deal."""

    def __init__(self, view: View, plan: Plan) -> None:
        self._terms = terms = view.terms
        self._layout = view.layout()
        assert view.turn is not None  # only a seat on turn thinks about its move
        self._turn = view.turn
        self._gone = view.gone
        self._scores = view.scores
        self._before = view.ended[-1].scores if view.ended else (0,) * len(view.sides)
        self._passed = passes(view.log, self._gone)
        self._earlier = Earlier(
            kept=view.kept,
            carried=view.carried,
            won=sum(ended.end.winner is not None for ended in view.ended),
            leader=view.leader,
            closer=view.laid[-1].seat if view.laid else None,
            lone_lead=len(view.laid) == 1,
        )
        self._playout = kind_of(terms)
        self._policy = careful(terms) if plan.careful else greedy(terms)
        side = terms.side_of[self._turn]
        self._worth: Callable[[Sequence[int]], float] = (
            Chance(terms, side, self._gone) if plan.by_chance else Points(terms, side)
        )
        # By the tiles looked at, not by the clock, so that the same view is always thought about alike.
        looked_at = max(view.tiles) if plan.careful or terms.many_ends else 0
        self._cost = 3 + looked_at // 2 + (10 if terms.many_ends else 0)
        self.work = 0

    def worth(self, move: Move, deal: Dealt) -> float:
        """What this deal, played out from the move on, is worth to the side on turn."""
        playout = self._playout(
            self._terms,
            hands=deal.hands,
            boneyard=deal.boneyard,
            layout=self._layout,
            turn=self._turn,
            scores=self._scores,
            before=self._before,
            gone=self._gone,
            passed=self._passed,
            earlier=self._earlier,
        )
        playout.play(move)
        self.work += self._cost * self._policy.play_out(playout)
        return self._worth(playout.scores)


def _in_question(candidates: list[Candidate]) -> list[Candidate]:
    """Those that are not clearly worse than the best."""
    best = max(candidates, key=lambda each: sum(each.worths))
    return [each for each in candidates if each is best or not _is_behind(each, best, _CLEARLY)]


def _is_behind(candidate: Candidate, best: Candidate, errors: float) -> bool:
    """Whether it is more than this many standard errors behind the best, by the differences in the same deals."""
    behind = [its - own for its, own in zip(best.worths, candidate.worths, strict=True)]
    count = len(behind)
    if count < 2:
        return sum(behind) > 0
    mean = sum(behind) / count
    variance = sum((each - mean) ** 2 for each in behind) / (count - 1)
    return mean > errors * sqrt(variance / count)
