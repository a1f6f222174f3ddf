"""Assign hidden tiles to the places where they may lie."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from boneyard.engine.tiles import Mask, Tile, mask_of, members


class Slot(NamedTuple):
    """A place for a hidden tile, and the tiles that may lie there."""

    seat: int
    birth: int
    possible: Mask


def assign_slots(
    slots: Sequence[Slot], rest: list[Tile], rng: Random
) -> tuple[list[tuple[Slot, Tile]], float]:
    """Take a tile of `rest`, which is in random order, for each slot; return (slot, tile) pairs and their weight.

    Where slots are restricted, some assignments come more often than others. The weight is the product of the shares of
    the tiles left that were possible for each slot: with it all assignments count the same.

    If no tile is possible for a slot, earlier assignments are exchanged; if that fails too, any tile is taken: a deal
    is always found.
    """
    assigned: list[tuple[Slot, Tile]] = []
    left, weight = mask_of(rest), 1.0
    for slot in slots:
        possible = slot.possible & left
        if not possible:
            _free_a_tile(slot.possible, assigned, rest, set())
            left = mask_of(rest)
            possible = slot.possible & left or left
        elif possible != left:
            weight *= possible.bit_count() / len(rest)
        tile = rest[-1] if possible == left else rng.choice(members(possible))
        rest.remove(tile)
        left &= ~(1 << tile)
        assigned.append((slot, tile))
    return assigned, weight


def _free_a_tile(
    possible: Mask, assigned: list[tuple[Slot, Tile]], rest: list[Tile], tried: set[int]
) -> bool:
    """Exchange assignments to return a possible tile to `rest`; return whether that succeeded."""
    for index, (slot, tile) in enumerate(assigned):
        if not possible >> tile & 1 or index in tried:
            continue
        tried.add(index)
        own = slot.possible
        if any(own >> other & 1 for other in rest) or _free_a_tile(own, assigned, rest, tried):
            other = next(other for other in rest if own >> other & 1)
            rest.remove(other)
            rest.append(tile)
            assigned[index] = (slot, other)
            return True
    return False
