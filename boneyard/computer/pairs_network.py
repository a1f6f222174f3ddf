"""Score the plays of a seat in pairs by what everybody has played, with a small neural network.

The network has one hidden layer of rectified linear units beside a linear part. Only the differences of the scores in
one position mean something: they are in standard deviations of a round's points, and winning it counts, too. The
weights are in pairs_network.json, by the game that they were trained for; `python -m bench.train_pairs` makes them from
rounds of selfplay (docs/computer.md, "A network for pairs").
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import comb
from operator import mul
from pathlib import Path
from typing import Any, NamedTuple

from boneyard.engine.moves import Move, Play
from boneyard.engine.perspective import View
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from boneyard.engine.terms import Terms
from boneyard.engine.tiles import (
    DOUBLE,
    DOUBLES,
    HIGH,
    LOW,
    PIPS,
    SET_SIZES,
    SUITS,
    Mask,
    Tile,
    mask_of,
    pips,
    tile,
)

INPUTS = 68
SEATS = 4
_MAX_SUITS = 13
_WEIGHTS_FILE = Path(__file__).with_name("pairs_network.json")
# Options in which rules may differ from those of the training, with the values that they may have; None stands for all.
_FREE_OPTIONS: Mapping[str, tuple[str, ...] | None] = {
    **dict.fromkeys(("players", "max_same_suit", "max_doubles")),
    **dict.fromkeys(
        ("first_lead", "lead_tile", "lead_draws", "lead_with", "next_lead", "next_lead_after_block")
    ),
    **dict.fromkeys(("target", "goal", "finish", "extra_rounds", "rounds", "reset", "blocked_tie")),
    "out_bonus": ("losers", "opponents", "table"),
    "blocked_bonus": ("total", "opponents", "table"),
    "blocked_winner": ("side", "hand"),
    "bonus_unit": ("pips", "one"),
}


class Network(NamedTuple):
    """The weights of a network.

    linear   a weight for each input; 0 for what the plays of a position have in common
    hidden   for each hidden unit a weight for each input
    outputs  a weight for each hidden unit
    """

    linear: tuple[float, ...]
    hidden: tuple[tuple[float, ...], ...]
    outputs: tuple[float, ...]

    def score(self, inputs: Sequence[float]) -> float:
        """Return the score of a play with these inputs."""
        score = sum(map(mul, self.linear, inputs))
        for weights, output in zip(self.hidden, self.outputs, strict=True):
            activation = sum(map(mul, weights, inputs))
            if activation > 0:
                score += output * activation
        return score


class PublicRound:
    """A round of pairs on one line, as everybody sees it.

    ends     the suits of the two ends; None before the lead
    laid     the tiles on the table
    tiles    the number of tiles of each seat
    lacking  for each seat the tiles that its passes exclude
    opened   for each seat how often its plays opened each suit
    covered  for each seat how often its plays covered each suit
    """

    __slots__ = ("covered", "ends", "in_set", "lacking", "laid", "opened", "tiles")

    def __init__(self, terms: Terms) -> None:
        self.in_set: Mask = (1 << SET_SIZES[terms.rules.set]) - 1
        self.ends: tuple[int, int] | None = None
        self.laid: Mask = 0
        self.tiles = [terms.hand_size] * SEATS
        self.lacking: list[Mask] = [0] * SEATS
        self.opened = [[0] * _MAX_SUITS for _ in range(SEATS)]
        self.covered = [[0] * _MAX_SUITS for _ in range(SEATS)]

    @classmethod
    def from_view(cls, view: View) -> "PublicRound":
        known = cls(view.terms)
        for entry in view.log:
            known.record(entry.seat, entry.move)
        # Draws for the lead add tiles to those dealt.
        known.tiles = list(view.tiles)
        return known

    def copy(self) -> "PublicRound":
        other = object.__new__(PublicRound)
        other.in_set, other.ends, other.laid = self.in_set, self.ends, self.laid
        other.tiles, other.lacking = self.tiles[:], self.lacking[:]
        other.opened = [counts[:] for counts in self.opened]
        other.covered = [counts[:] for counts in self.covered]
        return other

    def record(self, seat: int, move: Move) -> None:
        """Add a play or a pass of this seat; other moves change nothing."""
        if move.kind == "play":
            self._record_play(seat, move.plays[0])
        elif move.kind == "pass" and self.ends is not None:
            left, right = self.ends
            self.lacking[seat] |= SUITS[left] | SUITS[right]

    def _record_play(self, seat: int, play: Play) -> None:
        laid = play[0]
        covered, opened, other = self.suits_of(play)
        self.opened[seat][opened] += 1
        if covered is None:
            if not DOUBLE[laid]:
                self.opened[seat][other] += 1
            self.ends = opened, other
        else:
            if not DOUBLE[laid]:
                self.covered[seat][covered] += 1
            self.ends = (opened, other) if play[1] == "L" else (other, opened)
        self.laid |= 1 << laid
        self.tiles[seat] -= 1

    def suits_of(self, play: Play) -> tuple[int | None, int, int]:
        """Return the suit that the play covers, the one that it opens, and that of the other end.

        A lead covers none; its higher suit counts as opened.
        """
        laid, end = play
        if self.ends is None:
            return None, HIGH[laid], LOW[laid]
        covered, other = self.ends if end == "L" else self.ends[::-1]
        return covered, PIPS[laid] - covered, other

    def distinct(self, moves: Iterable[Move]) -> list[Move]:
        """Return these moves, of those that lay the same tile and leave the same ends only the first."""
        distinct: dict[object, Move] = {}
        for move in moves:
            distinct.setdefault((move.tiles, self.suits_of(move.plays[0]) if move.plays else None), move)
        return list(distinct.values())

    def inputs(self, seat: int, hand: Mask, plays: Iterable[Play]) -> list[list[float]]:
        """Return the inputs of the network for each play of this seat, which holds `hand`."""
        seen = self._seen_by(seat, hand)
        situation = [*seen.situation(self.ends), self.ends is None]
        return [[*situation, *seen.consequences(play[0], *self.suits_of(play))] for play in plays]

    def _seen_by(self, seat: int, hand: Mask) -> "_Seen":
        order = [(seat + step) % SEATS for step in range(SEATS)]
        unseen = self.in_set & ~self.laid & ~hand
        return _Seen(
            hand,
            unseen,
            mean_pips=pips(unseen) / unseen.bit_count() if unseen else 0.0,
            tiles=[self.tiles[each] for each in order],
            lacking=[self.lacking[each] for each in order[1:]],
            possible=[unseen & ~self.lacking[each] for each in order[1:]],
            opened=[self.opened[each] for each in order],
            covered=[self.covered[each] for each in order],
        )


class _Seen(NamedTuple):
    """What a seat on turn knows. Lists are by seat, in the order of turns from this one.

    tiles     the numbers of tiles
    lacking   for each of the others the tiles that its passes exclude
    possible  for each of the others the unseen tiles that it may hold
    opened    how often plays opened each suit
    covered   how often plays covered each suit
    """

    hand: Mask
    unseen: Mask
    mean_pips: float
    tiles: list[int]
    lacking: list[Mask]
    possible: list[Mask]
    opened: list[list[int]]
    covered: list[list[int]]

    def situation(self, ends: tuple[int, int] | None) -> list[float]:
        """Return the inputs that all plays have in common."""
        own, *others = self.tiles
        fitting = self.hand if ends is None else self.hand & (SUITS[ends[0]] | SUITS[ends[1]])
        return [
            own / 7,
            *[(number - own) / 3 for number in others],
            own == 1,
            own == 2,
            *[number == 1 for number in others],
            pips(self.hand) / 40,
            (self.hand & DOUBLES).bit_count() / 3,
            fitting.bit_count() / 4,
            self.mean_pips / 8,
            *[tiles != 0 for tiles in self.lacking],
        ]

    def consequences(self, laid: Tile, covers: int | None, opens: int, other: int) -> list[float]:
        """Return the inputs of a play, by its tile, the suits it covers and opens, and the suit of the other end."""
        rest, unseen, possible = self.hand & ~(1 << laid), self.unseen, self.possible
        of_opened, of_other = SUITS[opens], SUITS[other]
        of_covered = 0 if covers is None else SUITS[covers]
        fits = of_opened | of_other
        return [
            PIPS[laid] / 12,
            DOUBLE[laid],
            (rest & of_opened).bit_count() / 4,
            (rest & of_other).bit_count() / 4,
            (rest & fits).bit_count() / 4,
            (rest & of_covered).bit_count() / 4,
            (unseen & of_opened).bit_count() / 5,
            (unseen & of_other).bit_count() / 5,
            (unseen & of_covered).bit_count() / 5,
            *self._stuck(fits),
            *[not tiles & of_opened for tiles in possible],
            *[not tiles & of_other for tiles in possible],
            *[counts[opens] / 2 for counts in self.opened],
            *[counts[other] / 2 for counts in self.opened],
            *[0 if covers is None else counts[covers] / 2 for counts in self.opened],
            *[counts[opens] / 2 for counts in self.covered],
            *[counts[other] / 2 for counts in self.covered],
            opens == other,
            unseen >> tile(opens, opens) & 1,
            unseen >> tile(other, other) & 1,
            rest >> tile(opens, opens) & 1,
            rest >> tile(other, other) & 1,
            self.tiles[0] == 1,
            *self._block(rest, fits),
            not rest & fits,
            1,
        ]

    def _stuck(self, fits: Mask) -> list[float]:
        """Return how likely the others can play nothing if these tiles fit: each one, and some together."""
        following, partner, last = [
            chance_of_none(tiles.bit_count(), number, (tiles & fits).bit_count())
            for tiles, number in zip(self.possible, self.tiles[1:], strict=True)
        ]
        both = following * last
        return [following, partner, last, following * (1 - partner), both, following * partner * last]

    def _block(self, rest: Mask, fits: Mask) -> list[float]:
        """Return whether nobody can play then, and the pips by which the own side is expected to be behind."""
        if (self.unseen | rest) & fits:
            return [0, 0]
        _, following, partner, last = self.tiles
        return [1, (pips(rest) + self.mean_pips * (partner - following - last)) / 20]


@lru_cache(maxsize=4096)
def chance_of_none(possible: int, held: int, fitting: int) -> float:
    """Return the probability that none of `held` tiles out of `possible` is one of the `fitting`."""
    ways = comb(possible, held)
    return comb(possible - fitting, held) / ways if ways else float(not fitting)


@lru_cache(maxsize=256)
def network_for(terms: Terms) -> Network | None:
    """Return the network that was trained for rules like these, the nearest ones; None if there is none."""
    if terms.seats != SEATS:
        return None
    networks = _read_networks()
    differing = {game: _differing_options(terms.rules, PRESETS[game].rules) for game in networks}
    alike = [game for game, options in differing.items() if all(map(_is_free, options.items()))]
    return networks[min(alike, key=lambda game: len(differing[game]))] if alike else None


def _differing_options(rules: Rules, trained: Rules) -> dict[str, Any]:
    """Return the values of the options in which these rules differ from those of the training."""
    theirs = trained.as_dict()
    return {name: value for name, value in rules.as_dict().items() if value != theirs[name]}


def _is_free(option: tuple[str, Any]) -> bool:
    name, value = option
    values = _FREE_OPTIONS.get(name, ())
    return values is None or value in values


@lru_cache(maxsize=1)
def _read_networks() -> dict[str, Network]:
    """Return the stored networks by the preset that they were trained for.

    Raise `ValueError` if a row has not as many weights as a play has inputs.
    """
    networks = {}
    for game, stored in json.loads(_WEIGHTS_FILE.read_text()).items():
        network = Network(
            tuple(stored["linear"]), tuple(map(tuple, stored["hidden"])), tuple(stored["outputs"])
        )
        if {len(row) for row in (network.linear, *network.hidden)} != {INPUTS}:
            raise ValueError(f"{_WEIGHTS_FILE.name}, {game}: not {INPUTS} weights in each row")
        networks[game] = network
    return networks


def score_moves(view: View, network: Network, moves: Sequence[Move]) -> list[float]:
    """Return the scores of these plays of the seat on turn."""
    assert view.seat is not None  # a view of the seat on turn
    plays = [move.plays[0] for move in moves]
    inputs = PublicRound.from_view(view).inputs(view.seat, mask_of(view.hand), plays)
    return [network.score(each) for each in inputs]
