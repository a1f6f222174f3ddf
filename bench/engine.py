"""How many rounds a second the engine plays, beside other Python packages: `python -m bench.engine`.

Every player chooses uniformly among the legal moves, all in this process, on one core. The seconds are those
that the process itself had, so that a busy machine counts little; the figures are medians of several runs, taken
in turn. Peers are measured where they are installed (`pip install dominoes all-fives-domino`); they shuffle with
`random`, the engine deals by HMAC from its seal.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable, Iterator

from games.engine.dealing import deal
from games.engine.matches import Match, begin_with_keys
from games.engine.moves import Move
from games.engine.playout import Playout
from games.engine.presets import PRESETS
from games.engine.round_ends import EndedRound
from games.engine.rules import Rules
from games.engine.shuffle import chain
from games.engine.terms import terms

ALL_FIVES = PRESETS["all-fives"].rules
# The game that the package `dominoes` plays.
BLOCK = PRESETS["block"].rules.replace(partners=True, hand_size={"2": 7, "3": 7, "4": 7})


def matches(rules: Rules, seats: int) -> Iterator[Match]:
    """Fresh matches. One chain of keys serves them all: sealing is done once a match, when its table is made."""
    keys = chain(random.randbytes(32))
    while True:
        yield begin_with_keys(rules, seats, keys, str(random.random()))


def public_values(rules: Rules, seats: int, rounds: int) -> None:
    """Whole matches through `Match.legal` and `Match.play`: every move listed, every move checked."""
    chance = random.random
    for match in matches(rules, seats):
        while (seat := match.turn) is not None:
            moves = match.legal(seat)
            match = match.play(seat, moves[int(chance() * len(moves))])
        rounds -= len(match.ended)
        if rounds <= 0:
            return


def deals(rules: Rules, seats: int, rounds: int) -> Callable[[], None]:
    """What the sealed deals among the above cost, without the making of keys and entropy, once a match."""
    keys, agreed = chain(random.randbytes(32)), terms(rules, seats)
    ended = next(ended for ended in first_rounds(rules, seats) if ended.end.winner is not None)
    entropies = [str(random.random()) for _ in range(rounds)]

    def run() -> None:
        for entropy in entropies:
            deal(agreed, keys, entropy, frozenset(), ended)

    return run


def first_rounds(rules: Rules, seats: int) -> Iterator[EndedRound]:
    for match in matches(rules, seats):
        while not match.ended:
            match = match.play(match.turn, random.choice(match.legal(match.turn)))
        yield match.ended[0]


def play_outs(rounds: int) -> Callable[[], None]:
    """The play-out core, from deals made beforehand, as a simulation has them."""
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
            ).run(_at_random)

    return run


# By 60 bits no move is likelier than another by more than one in 2^50: cheaper than a float, and no less fair.
def _at_random(moves: tuple[Move, ...], bits: Callable[[int], int] = random.getrandbits) -> Move:
    return moves[bits(60) % len(moves)]


def peer_dominoes(rounds: int) -> None:
    import dominoes

    bits = random.getrandbits
    for _ in range(rounds):
        game = dominoes.Game.new()
        while game.result is None:
            moves = game.valid_moves
            game.make_move(*moves[bits(60) % len(moves)])


def peer_all_fives(rounds: int) -> None:
    from src.main.game.Brain import RandomBrain
    from src.main.game.DominoRound import DominoRound
    from src.main.game.Game import Game
    from src.main.game.Player import Player

    for _ in range(rounds):
        game = Game(Player(RandomBrain(), "one"), Player(RandomBrain(), "two"))
        DominoRound(game.player1, game.player2, game).run()


def rate(run: Callable[[], None], rounds: int) -> float:
    """Rounds a second of this process's own time."""
    start = time.process_time()
    run()
    return rounds / (time.process_time() - start)


WHOLE = "All Fives, two seats, public values, sealed deals included"
DEALS = "  of that the deals alone"
LESS = "  the same without its deals (reckoned from these two)"


def runs_of(rounds: int) -> dict[str, tuple[Callable[[], None], int]]:
    """What is measured, each with the rounds that it plays."""
    few = max(1, rounds // 50)
    return {
        WHOLE: (lambda: public_values(ALL_FIVES, 2, rounds), rounds),
        DEALS: (deals(ALL_FIVES, 2, rounds), rounds),
        "All Fives, two seats, play-out core, deals made before": (play_outs(rounds), rounds),
        "Block, four seats of seven, public values, sealed deals included": (
            lambda: public_values(BLOCK, 4, rounds),
            rounds,
        ),
        "peer dominoes: Block, four seats of seven, shuffles included": (
            lambda: peer_dominoes(rounds),
            rounds,
        ),
        "peer all-fives-domino: All Fives, two seats, shuffles included": (lambda: peer_all_fives(few), few),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--rounds", type=int, default=5000, help="rounds in each run (the slow peer: a fiftieth)"
    )
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    runs = runs_of(options.rounds)
    rates: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(options.runs):
        for name, (run, rounds) in runs.items():
            try:
                rates[name].append(rate(run, rounds))
            except ModuleNotFoundError:
                continue
    medians = {name: statistics.median(measured) for name, measured in rates.items() if measured}
    medians[LESS] = 1 / (1 / medians[WHOLE] - 1 / medians[DEALS])
    for name in (WHOLE, DEALS, LESS, *list(runs)[2:]):
        figure = f"{medians[name]:,.0f} rounds/s" if name in medians else "not installed"
        print(f"{name:70s} {figure:>20s}")


if __name__ == "__main__":
    main()
