"""Play the matches, rounds and positions that `bench.strength` measures; deterministic for a seed."""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from boneyard.analysis.decisions import are_equivalent
from boneyard.analysis.peek import score_move
from boneyard.computer.endings import is_solvable
from boneyard.computer.players import STRATEGIES, choose_move, due_claim
from boneyard.computer.search import SearchPlan, distinct_moves, search, solve_ending
from boneyard.computer.selfplay import begin_seeded, play_match
from boneyard.engine.matches import Match
from boneyard.engine.moves import Move
from boneyard.engine.perspective import View, perspective
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules

# The games of the other packages: Block in pairs with all tiles dealt, and with two seats.
PAIRS_BLOCK = PRESETS["block"].rules.replace(partners=True, hand_size={"2": 7, "3": 7, "4": 7})
TWO_BLOCK = PRESETS["block"].rules
# Without a limit some endings take minutes.
_SOLUTION = SearchPlan(0, 0, ending_work=3_000_000)

Choose = Callable[[View, int], Move]


class Pair(NamedTuple):
    """The result of two matches for the first player: share of wins, and point difference per round."""

    win_share: float
    points: float


def play_pairs(rules: Rules, seats: int, players: tuple[str, str], seed: str) -> Iterator[Pair]:
    """Yield the results of pairs of matches. With four seats the players take alternate seats."""
    number = 0
    while True:
        number += 1
        yield play_pair(rules, seats, players, f"{seed}:{number}")


def play_pair(rules: Rules, seats: int, players: tuple[str, str], seed: str) -> Pair:
    """Play two matches of the same deals, with the seats swapped."""
    both = [
        _result_for_first(play_match(rules, _seat_players(players, seats, swapped), seed), swapped)
        for swapped in (False, True)
    ]
    return Pair(*(statistics.fmean(values) for values in zip(*both, strict=True)))


def _seat_players(players: tuple[str, str], seats: int, swapped: bool) -> list[str]:
    return [players[(seat + swapped) % 2] for seat in range(seats)]


def _result_for_first(match: Match, swapped: bool) -> Pair:
    assert match.result is not None  # play_match plays to the end
    own = range(int(swapped), len(match.sides), 2)
    others = range(1 - int(swapped), len(match.sides), 2)
    win_share = sum(side in own for side in match.result.winners) / len(match.result.winners)
    ahead = statistics.fmean(match.scores[side] for side in own)
    ahead -= statistics.fmean(match.scores[side] for side in others)
    sign = -1 if match.rules.lowest_wins else 1
    return Pair(win_share, sign * ahead / len(match.ended))


def play_round(rules: Rules, seats: int, players: tuple[Choose, Choose], seed: str) -> Pair:
    """Play a round twice with the seats swapped; a round without a winner counts half.

    With four seats the players take alternate seats. All claim the points of their plays.
    """
    return _play_both(begin_seeded(rules, seats, seed), players, seed)


def _play_both(start: Match, players: tuple[Choose, Choose], seed: str) -> Pair:
    both = []
    for swapped in (0, 1):
        match = start
        while not match.ended:
            view = perspective(match, match.turn)
            choose = players[(match.turn + swapped) % 2]
            move = view.legal[0] if len(view.legal) == 1 else choose(view, choice_seed(match, seed))
            match = match.play(match.turn, move, due_claim(view, move)).after_calls()
        winner, scores = match.ended[0].end.winner, match.ended[0].scores
        sign = -1 if match.rules.lowest_wins else 1
        ahead = statistics.fmean(scores[swapped::2]) - statistics.fmean(scores[1 - swapped :: 2])
        both.append(Pair(0.5 if winner is None else float(winner % 2 == swapped), sign * ahead))
    return Pair(*(statistics.fmean(values) for values in zip(*both, strict=True)))


def choice_seed(match: Match, seed: str) -> int:
    """Return the seed of the next choice, the same for both seatings of a deal."""
    return Random(f"{seed} {match.move_count}").getrandbits(32)


def player_of(level: str, figure: int | None = None) -> Choose:
    """Return the function by which this level chooses a move, in the style of a persona if one is given."""
    return lambda view, seed: choose_move(view, level, seed, figure=figure)[0]


def time_round(rules: Rules, seats: int, level: str, seed: str) -> list[float]:
    """Return the CPU milliseconds of each move with a choice in a round in which all play at this level."""
    times, match = [], begin_seeded(rules, seats, seed)
    while match.turn is not None and not match.ended:
        view = perspective(match, match.turn)
        start = time.process_time()
        move, claim = choose_move(view, level, match.move_count)
        if len(view.legal) > 1:
            times.append(1000 * (time.process_time() - start))
        match = match.play(match.turn, move, claim).after_calls()
    return times


def score_round(rules: Rules, seats: int, level: str, seed: str) -> tuple[int, float]:
    """Return the number and the sum of the peek scores of a round in which all play at this level.

    In pairs each seat is scored against its partner's hand, otherwise against each other hand.
    """
    scores, match = [], begin_seeded(rules, seats, seed)
    while match.turn is not None and not match.ended:
        view, seat = perspective(match, match.turn), match.turn
        move, claim = choose_move(view, level, match.move_count)
        others = [(seat + 2) % 4] if match.rules.partners else [o for o in range(seats) if o != seat]
        scores += [peek.score for peek in score_move(match, move, others, seed)]
        match = match.play(seat, move, claim).after_calls()
    return len(scores), sum(scores)


def play_ending(rules: Rules, seed: str) -> Pair | None:
    """Play the ending of a round of two twice, master against one that solves no endings, with the seats swapped.

    `club` plays until the ending can be solved. None if the round ends before.
    """
    start = begin_seeded(rules, 2, seed)
    while not start.ended and not is_solvable(perspective(start, start.turn)):
        start = start.play(start.turn, player_of("club")(perspective(start, start.turn), start.move_count))
    return None if start.ended else _play_both(start, (player_of("master"), _without_endings), seed)


def _without_endings(view: View, seed: int) -> Move:
    plan = STRATEGIES["master"].uncounted
    return search(view, plan._replace(ending_work=0), Random(seed))


def measure_ending_losses(rules: Rules, levels: Sequence[str], seed: str) -> dict[str, list[float]]:
    """Return what each level loses in its decisions in the ending of a round of two that `club` plays.

    In points, against the best move by a solution without the limit of a computer's work, over all hands that passes
    and draws leave possible.
    """
    losses: dict[str, list[float]] = {level: [] for level in levels}
    match = begin_seeded(rules, 2, seed)
    while not match.ended:
        view = perspective(match, match.turn)
        if len(distinct_moves(view)) > 1 and is_solvable(view):
            values = dict(solve_ending(view, _SOLUTION, Random(match.move_count)))
            for level in levels if values else ():
                move = player_of(level)(view, match.move_count)
                made = next(value for each, value in values.items() if are_equivalent(view, each, move))
                losses[level].append(max(values.values()) - made)
        match = match.play(match.turn, player_of("club")(view, match.move_count))
    return losses
