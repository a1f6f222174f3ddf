"""Train the network that scores plays in pairs (`boneyard.computer.pairs_network`): `python -m bench.train_pairs`.

Rounds are played by the network itself, one move in ten at random. At every decision each play is played out once with
all tiles as they lie, by the careful policy, in the last part by the network. The network learns by how much the value
of each play differs from their mean (least squares, Adam). The value is the lead in points, in standard deviations of a
round's points, and `WIN_VALUE` for winning the round. Half of the rounds begin as the rules say, half with any lead of
any seat.

Prints the progress, and at the end how many rounds the network wins against the careful policy, each deal twice with
the seats swapped. The same arguments make the same weights.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from math import sqrt
from operator import mul
from pathlib import Path
from random import Random
from typing import NamedTuple

from bench.intervals import mean_and_interval
from boneyard.computer.greedy import CarefulPolicy, careful_policy
from boneyard.computer.pairs_network import INPUTS, SEATS, Network, PublicRound
from boneyard.computer.selfplay import begin_seeded
from boneyard.engine.full_playout import playout_class, playout_from_match
from boneyard.engine.moves import Move
from boneyard.engine.playout import Playout
from boneyard.engine.presets import PRESETS
from boneyard.engine.terms import Terms, terms

WIN_VALUE = 0.6
RANDOM_MOVES_SHARE = 0.1
BATCH_DECISIONS = 200
FIRST_RATE, LAST_RATE = 0.005, 0.0005
MOMENTUM, SQUARES_MOMENTUM = 0.9, 0.99
# Rounds by which the standard deviation of a round's points is measured.
SPREAD_ROUNDS = 2000
PROGRESS_DECISIONS = 10_000


# The inputs of a play, and how much too low its score is.
Example = tuple[list[float], float]


def is_learnable(terms: Terms) -> bool:
    """Return whether the inputs say all that matters by these rules: pairs on one line, without draws and counts."""
    rules = terms.rules
    return (
        terms.seats == SEATS
        and rules.partners
        and rules.count == "none"
        and rules.spinner == "none"
        and rules.draw == "none"
        and terms.plays_only
        and not terms.has_extras
        and not terms.matching
        and not rules.lowest_wins
    )


class Decision(NamedTuple):
    """The moves of the seat on turn, which differ in effect, with the inputs and scores of the network.

    Both are empty if there is only one move.
    """

    playout: Playout
    known: PublicRound
    moves: list[Move]
    inputs: list[list[float]]
    scores: list[float]

    @property
    def best(self) -> Move:
        if not self.scores:
            return self.moves[0]
        return self.moves[self.scores.index(max(self.scores))]


def decide(network: Network, playout: Playout, known: PublicRound) -> Decision:
    moves = known.distinct(playout.legal())
    if len(moves) == 1:
        return Decision(playout, known, moves, [], [])
    inputs = known.inputs(playout.turn, playout.hands[playout.turn], [move.plays[0] for move in moves])
    return Decision(playout, known, moves, inputs, [network.score(each) for each in inputs])


class Trainer:
    """A network in training, for the pairs of a preset."""

    def __init__(self, terms_: Terms, hidden: int, seed: str, spread_rounds: int = SPREAD_ROUNDS) -> None:
        self.terms = terms_
        self.rng = Random(seed)
        self.policy: CarefulPolicy = careful_policy(terms_)
        # The rows of the hidden units, the linear row, and the outputs.
        self.rows = [[self.rng.gauss(0, 0.3) for _ in range(INPUTS)] for _ in range(hidden)] + [
            [0.0] * INPUTS
        ]
        self.rows.append([self.rng.gauss(0, 0.1) for _ in range(hidden)])
        self.network = self._network()
        self._means = [[0.0] * len(row) for row in self.rows]
        self._squares = [[0.0] * len(row) for row in self.rows]
        self._steps = 0
        self.spread = statistics.pstdev(self._lead_of_careful_round() for _ in range(spread_rounds))

    def _network(self) -> Network:
        *hidden, linear, outputs = self.rows
        return Network(tuple(linear), tuple(map(tuple, hidden)), tuple(outputs))

    def train(self, decisions: int, own_share: float) -> Iterator[int]:
        """Learn from this many decisions; yield their number after each batch."""
        own_from = (1 - own_share) * decisions
        batch: list[Example] = []
        for done, decision in zip(range(1, decisions + 1), self._decisions(), strict=False):
            batch += self._examples(decision, self.network if done > own_from else None)
            if done % BATCH_DECISIONS == 0:
                self.learn(batch, FIRST_RATE + (LAST_RATE - FIRST_RATE) * done / decisions)
                batch = []
                yield done

    def _decisions(self) -> Iterator[Decision]:
        """Play rounds and yield each decision before it is made."""
        while True:
            playout, known = self._begin()
            while playout.end is None:
                decision = decide(self.network, playout, known)
                move = decision.best
                if len(decision.moves) > 1:
                    yield decision
                    if self.rng.random() < RANDOM_MOVES_SHARE:
                        move = self.rng.choice(decision.moves)
                known.record(playout.turn, move)
                playout.play(move)

    def _examples(self, decision: Decision, judge: Network | None) -> list[Example]:
        """Return the inputs of each play, and how much too low its score is."""
        values = [self._value(decision, move, judge) for move in decision.moves]
        mean, mean_score = statistics.fmean(values), statistics.fmean(decision.scores)
        return [
            (inputs, (value - mean) - (score - mean_score))
            for inputs, value, score in zip(decision.inputs, values, decision.scores, strict=True)
        ]

    def learn(self, batch: Sequence[Example], rate: float) -> None:
        """Move the weights along the gradient of a batch of inputs and errors (Adam)."""
        *hidden, _, outputs = self.rows
        columns = list(zip(*(inputs for inputs, _ in batch), strict=True))
        errors = [error for _, error in batch]
        gradients = []
        output_gradient = []
        for weights, output in zip(hidden, outputs, strict=True):
            activations = [sum(map(mul, weights, inputs)) for inputs, _ in batch]
            passed = [output * error if z > 0 else 0.0 for z, error in zip(activations, errors, strict=True)]
            gradients.append([sum(map(mul, passed, column)) for column in columns])
            output_gradient.append(
                sum(z * error for z, error in zip(activations, errors, strict=True) if z > 0)
            )
        gradients.append([sum(map(mul, errors, column)) for column in columns])
        gradients.append(output_gradient)
        self._steps += 1
        rate *= sqrt(1 - SQUARES_MOMENTUM**self._steps) / (1 - MOMENTUM**self._steps)
        for row, means, squares, gradient in zip(
            self.rows, self._means, self._squares, gradients, strict=True
        ):
            for index, slope in enumerate(gradient):
                means[index] += (1 - MOMENTUM) * (slope - means[index])
                squares[index] += (1 - SQUARES_MOMENTUM) * (slope * slope - squares[index])
                row[index] += rate * means[index] / (sqrt(squares[index]) + 1e-9)
        self.network = self._network()

    def _begin(self) -> tuple[Playout, PublicRound]:
        match = begin_seeded(self.terms.rules, SEATS, str(self.rng.getrandbits(64)))
        playout, known = playout_from_match(match), PublicRound(self.terms)
        if self.rng.random() < 0.5:
            playout.turn = self.rng.randrange(SEATS)
            playout.leadable = playout.hands[playout.turn]
        return playout, known

    def _value(self, decision: Decision, move: Move, judge: Network | None) -> float:
        """Return the value of a play, played out by this network or the careful policy."""
        side = self.terms.side_of[decision.playout.turn]
        playout, known = copy_of(decision.playout), decision.known.copy()
        known.record(playout.turn, move)
        playout.play(move)
        if judge is None:
            self.policy.play_out(playout)
        while playout.end is None:
            assert judge is not None  # the policy plays to the end
            move = decide(judge, playout, known).best
            known.record(playout.turn, move)
            playout.play(move)
        lead = (playout.scores[side] - playout.scores[1 - side]) / self.spread
        if playout.winner is None:
            return lead
        return lead + (WIN_VALUE if self.terms.side_of[playout.winner] == side else -WIN_VALUE)

    def _lead_of_careful_round(self) -> int:
        playout, _ = self._begin()
        self.policy.play_out(playout)
        return playout.scores[0] - playout.scores[1]


def rounded(network: Network) -> Network:
    """Return the network with the weights as they are stored, rounded to four digits."""
    return Network(
        tuple(round(weight, 4) for weight in network.linear),
        tuple(tuple(round(weight, 4) for weight in row) for row in network.hidden),
        tuple(round(weight, 4) for weight in network.outputs),
    )


def store(file: Path, preset: str, network: Network) -> None:
    """Put the network of a preset into the file of all, as `pairs_network` reads it; others stay."""
    stored = json.loads(file.read_text()) if file.exists() else {}
    stored[preset] = network._asdict()
    file.write_text(json.dumps(stored, sort_keys=True, separators=(",", ":")) + "\n")


def copy_of(playout: Playout) -> Playout:
    return playout_class(playout.terms)(
        playout.terms,
        hands=playout.hands,
        boneyard=playout.boneyard,
        layout=None if playout.tips is None else playout.layout(),
        turn=playout.turn,
        scores=playout.scores,
        passed=playout.passed,
    )


def measure(terms_: Terms, network: Network, pairs: int, seed: str) -> list[float]:
    """Return the share of rounds won against the careful policy in each of these pairs of rounds."""
    policy = careful_policy(terms_)
    shares = []
    for number in range(pairs):
        wins = 0.0
        for side in range(2):
            playout = playout_from_match(begin_seeded(terms_.rules, SEATS, f"{seed}:{number}"))
            known = PublicRound(terms_)
            while playout.end is None:
                is_own = terms_.side_of[playout.turn] == side
                move = decide(network, playout, known).best if is_own else policy.move(playout)
                known.record(playout.turn, move)
                playout.play(move)
            wins += 0.5 if playout.winner is None else terms_.side_of[playout.winner] == side
        shares.append(wins / 2)
    return shares


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("preset", help="the game, such as pairs-international")
    parser.add_argument("--decisions", type=int, default=800_000, help="to learn from (800,000)")
    parser.add_argument(
        "--own-share", type=float, default=0.15, help="of them played out by the network (0.15)"
    )
    parser.add_argument("--hidden", type=int, default=16, help="hidden units (16)")
    parser.add_argument(
        "--pairs", type=int, default=2000, help="of rounds against the careful policy (2,000)"
    )
    parser.add_argument("--seed", default="1")
    parser.add_argument(
        "--file", type=Path, help="the weights are written into it: boneyard/computer/pairs_network.json"
    )
    options = parser.parse_args()
    if options.preset not in PRESETS or not is_learnable(
        agreed := terms(PRESETS[options.preset].rules, SEATS)
    ):
        parser.error(
            f"{options.preset} is no game of pairs on one line without draws, counts and extra points"
        )
    trainer, started = Trainer(agreed, options.hidden, options.seed), time.process_time()
    for done in trainer.train(options.decisions, options.own_share):
        if done % PROGRESS_DECISIONS == 0:
            seconds = time.process_time() - started
            print(f"{done:,} decisions, {seconds:.0f} CPU s", file=sys.stderr, flush=True)
    network = rounded(trainer.network)
    if options.file:
        store(options.file, options.preset, network)
    mean, half = mean_and_interval(measure(agreed, network, options.pairs, f"{options.seed}:measure"))
    print(f"{mean:.1%} ± {half:.1%} of rounds won against the careful policy")


if __name__ == "__main__":
    main()
