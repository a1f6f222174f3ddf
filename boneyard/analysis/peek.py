"""Measure whether a seat played as if it had seen another hand: the peek scores of a record (docs/computer.md).

A move is judged by how a seat that knows the other hand would choose: by the values of the moves, each move's share
falls with how far it is behind the best. The score of a decision is the share of the move made under the true hand less
its mean share under the hands that are possible to the seat. To a seat that cannot see it, the true hand is one of
those, so its scores have the mean 0 whatever it plays.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Any, NamedTuple

from boneyard.computer.beliefs import Beliefs
from boneyard.computer.search import distinct_moves, evaluate
from boneyard.engine import matches, moves
from boneyard.engine.matches import Match
from boneyard.engine.moves import LEAVING, ON_TURN, Move
from boneyard.engine.perspective import View, perspective
from boneyard.engine.rules import Rules
from boneyard.engine.shuffle import published_keys
from boneyard.engine.tiles import Mask

from .decisions import are_equivalent, grading_plan

_POSSIBLE_HANDS = 12  # hands of the other seat that the true one is compared with
_DEALS_PER_HAND = 30
# Chance to win the match behind the best move at which the share of a move falls to 1/e.
_VALUE_SCALE = 0.01
# Turns that may lay several tiles have more moves; whether one is left out must not depend on the move made.
_MAX_MOVES = 12


class Peek(NamedTuple):
    """The score, -1 to 1, of one decision of `seat` against the hand of `other`.

    round, number  the round, and how many moves there were before the decision
    """

    seat: int
    other: int
    round: int
    number: int
    score: float


@dataclass(frozen=True)
class PeekSum:
    """Scores of one seat against one other hand.

    total    sum of the scores
    squares  sum of the squares of the sums by round: the variance of `total`. Scores within a round are dependent, as
             the hands are the same; those of different rounds are not
    """

    decisions: int = 0
    rounds: int = 0
    total: float = 0.0
    squares: float = 0.0

    def __add__(self, other: "PeekSum") -> "PeekSum":
        return PeekSum(
            self.decisions + other.decisions,
            self.rounds + other.rounds,
            self.total + other.total,
            self.squares + other.squares,
        )


def score_record(
    record: Mapping[str, Any], others: Mapping[int, Sequence[int]]
) -> dict[tuple[int, int | None], PeekSum]:
    """Return the sums of a finished match by (seat, other seat), and by (seat, None) over all its other seats.

    `others` gives the seats to score, each with the other seats. A seat's decisions end when a computer takes it over.
    The record must be valid: check it with `verification.verify` first.
    """
    by_round: dict[tuple[int, int | None, int], list[Peek]] = defaultdict(list)
    for peek in iter_peeks(record, others):
        by_round[peek.seat, peek.other, peek.round].append(peek)
        by_round[peek.seat, None, peek.round].append(peek)
    sums: dict[tuple[int, int | None], PeekSum] = defaultdict(PeekSum)
    for (seat, other, _round), peeks in by_round.items():
        total = sum(peek.score for peek in peeks)
        decisions = len({peek.number for peek in peeks})
        sums[seat, other] += PeekSum(decisions, 1, total, total * total)
    return dict(sums)


def iter_peeks(record: Mapping[str, Any], others: Mapping[int, Sequence[int]]) -> Iterator[Peek]:
    """Yield the scores of the decisions, in the order of the moves."""
    keys = published_keys(record["seal"], [round_["secret"] for round_ in record["rounds"]])
    match = matches.begin_with_keys(
        Rules.from_dict(record["rules"]), len(record["seats"]), keys, record["entropy"]
    )
    scored = set(others)
    for row in (row for round_ in record["rounds"] for row in round_["moves"]):
        seat, move = row["seat"], moves.parse(row["move"])
        if move.kind == "takeover" or move.kind in LEAVING:
            scored.discard(seat)
        elif seat in scored and move.kind in ON_TURN:
            yield from score_move(match, move, others[seat], record["match"])
        match = match.play(seat, move, row.get("claim"))


def score_move(match: Match, move: Move, others: Sequence[int], seed: str) -> Iterator[Peek]:
    """Yield the score of this move of the seat on turn against each of these hands; none if there was no choice."""
    seat = match.turn
    assert seat is not None
    view = perspective(match, seat)
    choices = distinct_moves(view)
    if not 1 < len(choices) <= _MAX_MOVES:
        return
    made = next(index for index, choice in enumerate(choices) if are_equivalent(view, choice, move))
    for other in others:
        if other not in view.gone and view.tiles[other]:
            rng = Random(f"peek {seed} {view.move_count} {other}")  # noqa: S311 - repeatable on purpose
            scores = score_choices(view, choices, other, match.round.hands[other], rng)
            yield Peek(seat, other, view.round, view.move_count, scores[made])


def score_choices(view: View, choices: Sequence[Move], other: int, hand: Mask, rng: Random) -> list[float]:
    """Return the score of each of these moves against the hand of another seat; they sum to 0."""
    blind = Beliefs(view, reads_plays=True)
    possible = [deal.hands[other] for deal in blind.deals(rng, _POSSIBLE_HANDS)]
    expected = [_shares(_values(view, choices, other, each, rng)) for each in possible]
    shares = _shares(_values(view, choices, other, hand, rng))
    return [
        share - sum(column) / _POSSIBLE_HANDS
        for share, column in zip(shares, zip(*expected, strict=True), strict=True)
    ]


def _values(view: View, choices: Sequence[Move], other: int, hand: Mask, rng: Random) -> list[float]:
    """Return the value of each move, as a chance to win the match, if the other seat has this hand."""
    informed = Beliefs(view, reads_plays=True, revealed={other: hand})
    deals = list(informed.deals(rng, _DEALS_PER_HAND))
    rows = evaluate(view, choices, deals, grading_plan(_DEALS_PER_HAND))
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


def _shares(values: Sequence[float]) -> list[float]:
    """Return the share of each move by its value; they sum to 1."""
    best = max(values)
    weights = [exp((value - best) / _VALUE_SCALE) for value in values]
    return [weight / sum(weights) for weight in weights]
