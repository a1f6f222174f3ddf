"""Compute how likely a seat was to make its plays, given its hand.

The model of a player is a softmax over the values of the careful policy: Rebstock, Solinas and Buro, "Policy Based
Inference in Trick-Taking Card Games" (2019).
"""

from collections.abc import Iterator
from math import exp
from typing import NamedTuple

from boneyard.engine.layout import Layout, lay_out
from boneyard.engine.moves import ENDS, Move, Play
from boneyard.engine.terms import Terms
from boneyard.engine.tiles import Mask, members

from .greedy import careful_policy

# The share of plays that are taken as random, so that no hand is excluded.
_RANDOM_SHARE = 0.05
_MAX_HAND_TILES = 91


class PossiblePlay(NamedTuple):
    """A play that some hand could make.

    tile    the tile, as a set
    weight  its weight in the softmax if no other tile of the hand fits afterwards
    fits    the tiles that fit afterwards
    """

    tile: Mask
    weight: float
    fits: Mask


class ObservedPlay(NamedTuple):
    """A play that was made, among all that some hand could have made.

    by_fitting  factors of a weight, by the number of other tiles of the hand that fit afterwards
    """

    made: PossiblePlay
    possible: tuple[PossiblePlay, ...]
    by_fitting: tuple[float, ...]

    def likelihood(self, hand: Mask) -> float:
        """Return the probability that a seat with this hand, which held the tile, made the play."""
        by_fitting = self.by_fitting
        total, number = 0.0, 0
        for tile, weight, fits in self.possible:
            if hand & tile:
                total += weight * by_fitting[(hand & fits & ~tile).bit_count()]
                number += 1
        tile, weight, fits = self.made
        share = weight * by_fitting[(hand & fits & ~tile).bit_count()] / total
        return _RANDOM_SHARE / number + (1 - _RANDOM_SHARE) * share


def observe(terms: Terms, layout: Layout | None, move: Move, held: Mask, unlaid: Mask) -> ObservedPlay | None:
    """Return the observation of a play of a single tile; None for other moves.

    `held` are the tiles that the seat may have held, and `unlaid` all that were not on the table.
    """
    if len(move.plays) != 1:
        return None
    policy = careful_policy(terms)
    possible: dict[object, PossiblePlay] = {}
    made: object = None
    for play in _plays(layout, held):
        after = lay_out(terms.tip_table, layout, [play])
        tile = 1 << play[0]
        outcome = tile, tuple(sorted((tip.kind, tip.suit) for tip in after.tips))
        if outcome not in possible:
            value, fits = policy.appraise(after, play[0], unlaid & ~tile)
            possible[outcome] = PossiblePlay(tile, exp(value / policy.temperature), fits)
        if play == move.plays[0]:
            made = outcome
    factor = exp(policy.fitting_value / policy.temperature)
    return ObservedPlay(
        possible[made], tuple(possible.values()), tuple(factor**number for number in range(_MAX_HAND_TILES))
    )


def _plays(layout: Layout | None, tiles: Mask) -> Iterator[Play]:
    if layout is None:
        yield from ((tile, None) for tile in members(tiles))
        return
    for end, tip in zip(ENDS, layout.tips, strict=False):
        yield from ((tile, end) for tile in members(tiles & tip.fits))
