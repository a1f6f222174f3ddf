"""Measure what a player that knows all hands wins: an estimate of what the master could gain by better beliefs.

    python -m bench.ceiling [--minutes 10]

It plays every move out in deals with the true hands and an unknown order of the boneyard. Every deal is played twice
with the seats swapped; prints a table of Markdown with 95 % intervals. It is not a bound: after its move it plays by
the careful policy, too. No computer of the site gets the hands.
"""

import argparse
import itertools
import time
from collections.abc import Callable
from random import Random

from bench import matchups
from bench.matchups import Choose, Pair
from bench.peers import players
from bench.strength_report import points, share
from boneyard.computer.beliefs import Beliefs
from boneyard.computer.players import due_claim
from boneyard.computer.search import SearchPlan, evaluate, moves_to_search
from boneyard.computer.selfplay import begin_seeded
from boneyard.engine.matches import Match
from boneyard.engine.moves import Move
from boneyard.engine.perspective import perspective
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules

PLAN = SearchPlan(samples=40, work=1 << 60, by_chance=True, careful=True)
# The rules, the seats, the other player, and whether whole matches are played.
OPPONENTS: dict[str, tuple[Rules, int, Choose, bool]] = {
    "casual, matches of all-fives": (PRESETS["all-fives"].rules, 2, matchups.player_of("casual"), True),
    "dominoes, rounds of 4 seats": (matchups.PAIRS_BLOCK, 4, players.choose_dominoes, False),
    "ismcts-200, rounds of 2 seats": (matchups.TWO_BLOCK, 2, players.choose_ismcts, False),
}


def choose_knowing_hands(match: Match) -> Move:
    """Return the best move for the seat on turn, by play-outs of the true hands."""
    assert match.turn is not None
    view = perspective(match, match.turn)
    hands = {seat: hand for seat, hand in enumerate(match.round.hands) if seat != match.turn}
    beliefs = Beliefs(view, reads_plays=False, revealed=hands)
    moves = moves_to_search(view)
    rows = evaluate(view, moves, list(beliefs.deals(Random(match.move_count), PLAN.samples)), PLAN)
    sums = [sum(column) for column in zip(*rows, strict=True)]
    return moves[sums.index(max(sums))]


def play_pair(rules: Rules, seats: int, other: Choose, whole: bool, seed: str) -> Pair:
    """Play a match or a round twice, with the seats swapped."""
    ends: Callable[[Match], bool] = (
        (lambda match: match.result is not None) if whole else (lambda match: bool(match.ended))
    )
    both = []
    for swapped in (0, 1):
        match = begin_seeded(rules, seats, seed)
        while match.turn is not None and not ends(match):
            view = perspective(match, match.turn)
            if len(view.legal) == 1:
                move = view.legal[0]
            elif match.turn % 2 == swapped:
                move = choose_knowing_hands(match)
            else:
                move = other(view, matchups.choice_seed(match, seed))
            match = match.play(match.turn, move, due_claim(view, move)).after_calls()
        both.append(_result(match, swapped, whole))
    return Pair(*(sum(values) / 2 for values in zip(*both, strict=True)))


def _result(match: Match, swapped: int, whole: bool) -> Pair:
    ahead = sum(match.scores[swapped::2]) - sum(match.scores[1 - swapped :: 2])
    if whole and match.result is not None:
        return Pair(float(match.result.winners[0] % 2 == swapped), ahead / len(match.ended))
    winner = match.ended[0].end.winner
    return Pair(0.5 if winner is None else float(winner % 2 == swapped), float(ahead))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=10.0, help="for all three together (10)")
    options = parser.parse_args()
    players.install()
    print("| knows all hands v | won in per cent | points a round |\n| --- | --- | --- |")
    for name, opponent in OPPONENTS.items():
        until, results = time.monotonic() + 60 * options.minutes / len(OPPONENTS), []
        for number in itertools.count():
            results.append(play_pair(*opponent, f"ceiling:{number}"))
            if time.monotonic() > until:
                break
        wins, ahead = zip(*results, strict=True)
        print(f"| {name} | {share(wins)} | {points(ahead)} |", flush=True)


if __name__ == "__main__":
    main()
