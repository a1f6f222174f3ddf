"""Players of other Python packages, which choose a move from a view: opponents in `bench.strength`.

    dominoes    `probabilistic_alphabeta(12, 10)` of the package `dominoes`, before the twelfth move the heaviest tile
    ismcts-200  OpenSpiel's IS-MCTS with 200 simulations, at its own two-seat Block

Both get the tiles of their seat and what was played, and arbitrary hidden tiles. They are installed under var/.
"""

import random
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

from boneyard.computer.beliefs import Beliefs
from boneyard.engine.layout import lay_out
from boneyard.engine.moves import INDEX, Move
from boneyard.engine.perspective import View
from boneyard.engine.tiles import HIGH, LOW, Tile, mask_of, members

from . import INSTALL_TIMEOUT_SECONDS, Unavailable

INSTALL_FOLDER = Path(__file__).resolve().parents[2] / "var" / "peers" / "python"
REQUIREMENTS = Path(__file__).parent / "requirements.txt"
# The scale of points in OpenSpiel's Block: a round is worth up to 69.
_EXPLORATION = 20.0
_SIMULATIONS = 200


def install() -> None:
    """Make the packages importable. Raise `Unavailable`."""
    marker = INSTALL_FOLDER / REQUIREMENTS.name  # written after a complete installation
    if not marker.exists() or marker.read_bytes() != REQUIREMENTS.read_bytes():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", "--upgrade"]
        command += ["--target", str(INSTALL_FOLDER), "--requirement", str(REQUIREMENTS)]
        try:
            subprocess.run(
                command, check=True, capture_output=True, text=True, timeout=INSTALL_TIMEOUT_SECONDS
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise Unavailable(f"the players' packages were not installed: {error}") from error
        marker.write_bytes(REQUIREMENTS.read_bytes())
    if str(INSTALL_FOLDER) not in sys.path:
        sys.path.append(str(INSTALL_FOLDER))


def choose_dominoes(view: View, seed: int) -> Move:
    """Return the move of the package `dominoes` at Block in pairs with all tiles dealt."""
    import dominoes

    random.seed(seed)  # the package samples with `random`

    def piece(tile: Tile) -> Any:
        return dominoes.Domino(HIGH[tile], LOW[tile])

    board = dominoes.Board()
    moves: list[tuple[Any, bool] | None] = []
    for entry in view.log:
        if entry.move.kind != "play":
            moves.append(None)
            continue
        ((tile, end),) = entry.move.plays
        board.add(piece(tile), end != "R")
        moves.append((piece(tile), end != "R"))
    unseen = list(members(view.unseen))
    hands = []
    for seat, size in enumerate(view.tiles):
        held = view.hand if seat == view.seat else [unseen.pop() for _ in range(size)]
        hands.append(dominoes.Hand([piece(tile) for tile in held]))
    choices: dict[tuple[int, int, bool], Move] = {}
    for move in view.legal:
        ((tile, end),) = move.plays
        choices.setdefault((HIGH[tile], LOW[tile], end != "R"), move)
    valid = tuple((piece(members(move.tiles)[0]), left) for (_, _, left), move in choices.items())
    game = dominoes.Game(board, hands, moves, view.turn, valid, view.leader, None)
    if moves:
        game._update_valid_moves()
    dominoes.players.bota_gorda(game)
    dominoes.players.probabilistic_alphabeta(start_move=12, sample_size=10)(game)
    chosen, left = game.valid_moves[0]
    key = max(chosen.first, chosen.second), min(chosen.first, chosen.second)
    # Where both ends have one suit, the package lists the left one only.
    return choices.get((*key, left)) or choices[(*key, not left)]


def choose_ismcts(view: View, seed: int) -> Move:
    """Return the move of OpenSpiel's IS-MCTS at Block with two seats."""
    import numpy
    from open_spiel.python.algorithms import ismcts, mcts

    game, actions = _block()
    beliefs, rng = Beliefs(view, reads_plays=False), random.Random(seed)
    other = 1 - view.seat
    state = numpy.random.RandomState(seed)
    bot = ismcts.ISMCTSBot(
        game,
        mcts.RandomRolloutEvaluator(1, state),
        uct_c=_EXPLORATION,
        max_simulations=_SIMULATIONS,
        random_state=state,
    )
    bot.set_resampler(lambda _state, _player: _rebuild(view, members(beliefs.deal(rng).hands[other])))
    chosen = bot.step(_rebuild(view, members(beliefs.deal(rng).hands[other])))
    layout, player = view.layout(), int(view.seat != view.leader)
    by_action: dict[int, Move] = {}
    for move in view.legal:
        ((tile, end),) = move.plays
        suit = None if layout is None else layout.tips[INDEX[end]].suit
        by_action.setdefault(actions[_action(player, tile, suit)], move)
    return by_action[chosen]


@cache
def _block() -> tuple[Any, dict[str, int]]:
    """Return OpenSpiel's Block, and its actions by text."""
    import pyspiel
    from open_spiel.python.games import block_dominoes

    game = pyspiel.load_game("python_block_dominoes")
    return game, {text: number for number, text in enumerate(block_dominoes._ACTIONS_STR)}


def _action(player: int, tile: Tile, suit: int | None) -> str:
    edge = None if suit is None else float(suit)
    return f"p{player} tile:{(float(LOW[tile]), float(HIGH[tile]))} pip:{edge}"


def _rebuild(view: View, hidden: tuple[Tile, ...]) -> Any:
    """Return OpenSpiel's state of this view with these hidden tiles of the other seat."""
    game, actions = _block()
    seats = (view.leader, 1 - view.leader)
    played = {
        seat: mask_of([tile for entry in view.log if entry.seat == seat for tile, _ in entry.move.plays])
        for seat in seats
    }
    state = game.new_initial_state()
    for seat in seats:
        for tile in (*(view.hand if seat == view.seat else hidden), *members(played[seat])):
            # The tiles of the package are in the order 0-0, 0-1, … 0-6, 1-1, …
            state.apply_action(LOW[tile] * 7 - LOW[tile] * (LOW[tile] - 1) // 2 + HIGH[tile] - LOW[tile])
    layout = None
    for entry in view.log:
        for tile, end in entry.move.plays:
            suit = None if layout is None else layout.tips[INDEX[end]].suit
            state.apply_action(actions[_action(seats.index(entry.seat), tile, suit)])
            layout = lay_out(view.terms.tip_table, layout, [(tile, end)])
    return state
