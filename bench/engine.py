"""Compare the engine's rounds per second with other Python packages: `python -m bench.engine`.

Players choose uniformly among the legal moves. Seconds are CPU time of this process; figures are medians of several
alternating runs. Peers are measured if installed (`pip install dominoes all-fives-domino`); they shuffle with
`random`, while the engine deals by HMAC from its seal.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable, Iterator

from boneyard.engine.dealing import deal
from boneyard.engine.matches import Match, begin_with_keys
from boneyard.engine.moves import Move
from boneyard.engine.playout import Playout
from boneyard.engine.presets import PRESETS
from boneyard.engine.round_ends import EndedRound
from boneyard.engine.rules import Rules
from boneyard.engine.shuffle import chain
from boneyard.engine.terms import terms

ALL_FIVES = PRESETS["all-fives"].rules
# The game that the package `dominoes` plays.
BLOCK = PRESETS["block"].rules.replace(partners=True, hand_size={"2": 7, "3": 7, "4": 7})


def matches(rules: Rules, seats: int) -> Iterator[Match]:
    """Yield new matches. They share one chain of keys: a real match is sealed when its table is created."""
    keys = chain(random.randbytes(32))
    while True:
        yield begin_with_keys(rules, seats, keys, str(random.random()))


def play_matches(rules: Rules, seats: int, rounds: int) -> None:
    """Play whole matches with `Match.legal` and `Match.play`, until the number of rounds is reached."""
    chance = random.random
    for match in matches(rules, seats):
        while (seat := match.turn) is not None:
            moves = match.legal(seat)
            match = match.play(seat, moves[int(chance() * len(moves))])
        rounds -= len(match.ended)
        if rounds <= 0:
            return


def prepare_deals(rules: Rules, seats: int, rounds: int) -> Callable[[], None]:
    """Return a function that does only the sealed deals of these rounds, without creating keys and entropy."""
    keys, agreed = chain(random.randbytes(32)), terms(rules, seats)
    ended = next(ended for ended in play_first_rounds(rules, seats) if ended.end.winner is not None)
    entropies = [str(random.random()) for _ in range(rounds)]

    def run() -> None:
        for entropy in entropies:
            deal(agreed, keys, entropy, frozenset(), ended)

    return run


def play_first_rounds(rules: Rules, seats: int) -> Iterator[EndedRound]:
    for match in matches(rules, seats):
        while not match.ended:
            match = match.play(match.turn, random.choice(match.legal(match.turn)))
        yield match.ended[0]


def prepare_playouts(rounds: int) -> Callable[[], None]:
    """Return a function that runs the play-out core on deals prepared beforehand."""
    starts = [match.round for match, _ in zip(matches(ALL_FIVES, 2), range(rounds), strict=False)]

    def run() -> None:
        for start in starts:
            Playout(
                start.terms,
                hands=start.hands,
                boneyard=start.deal.boneyard,
                layout=None,
                turn=start.turn,
                scores=(0, 0),
            ).run(_choose_randomly)

    return run


# Cheaper than a float; the bias is below 2^-50.
def _choose_randomly(moves: tuple[Move, ...], bits: Callable[[int], int] = random.getrandbits) -> Move:
    return moves[bits(60) % len(moves)]


def play_peer_dominoes(rounds: int) -> None:
    import dominoes

    bits = random.getrandbits
    for _ in range(rounds):
        game = dominoes.Game.new()
        while game.result is None:
            moves = game.valid_moves
            game.make_move(*moves[bits(60) % len(moves)])


def play_peer_all_fives(rounds: int) -> None:
    from src.main.game.Brain import RandomBrain
    from src.main.game.DominoRound import DominoRound
    from src.main.game.Game import Game
    from src.main.game.Player import Player

    for _ in range(rounds):
        game = Game(Player(RandomBrain(), "one"), Player(RandomBrain(), "two"))
        DominoRound(game.player1, game.player2, game).run()


def measure_rate(run: Callable[[], None], rounds: int) -> float:
    """Return rounds per CPU second."""
    start = time.process_time()
    run()
    return rounds / (time.process_time() - start)


FULL = "All Fives, two seats, public values, sealed deals included"
DEALS = "  of that the deals alone"
WITHOUT_DEALS = "  the same without its deals (reckoned from these two)"


def build_runs(rounds: int) -> dict[str, tuple[Callable[[], None], int]]:
    """Return the functions to measure by label, each with its number of rounds."""
    peer_rounds = max(1, rounds // 50)
    return {
        FULL: (lambda: play_matches(ALL_FIVES, 2, rounds), rounds),
        DEALS: (prepare_deals(ALL_FIVES, 2, rounds), rounds),
        "All Fives, two seats, play-out core, deals made before": (prepare_playouts(rounds), rounds),
        "Block, four seats of seven, public values, sealed deals included": (
            lambda: play_matches(BLOCK, 4, rounds),
            rounds,
        ),
        "peer dominoes: Block, four seats of seven, shuffles included": (
            lambda: play_peer_dominoes(rounds),
            rounds,
        ),
        "peer all-fives-domino: All Fives, two seats, shuffles included": (
            lambda: play_peer_all_fives(peer_rounds),
            peer_rounds,
        ),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--rounds", type=int, default=5000, help="rounds in each run (the slow peer: a fiftieth)"
    )
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    runs = build_runs(options.rounds)
    rates: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(options.runs):
        for name, (run, rounds) in runs.items():
            try:
                rates[name].append(measure_rate(run, rounds))
            except ModuleNotFoundError:
                continue
    medians = {name: statistics.median(measured) for name, measured in rates.items() if measured}
    medians[WITHOUT_DEALS] = 1 / (1 / medians[FULL] - 1 / medians[DEALS])
    for name in (FULL, DEALS, WITHOUT_DEALS, *list(runs)[2:]):
        figure = f"{medians[name]:,.0f} rounds/s" if name in medians else "not installed"
        print(f"{name:70s} {figure:>20s}")


if __name__ == "__main__":
    main()
