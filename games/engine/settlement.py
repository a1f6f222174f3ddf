"""What the end of a round gives (docs/rules.md, The end of a round), and what a score may take.

Each option of it is a table from its values to what they mean, so a new value is a new line.

>>> from .presets import PRESETS
>>> from .terms import terms
>>> in_unit(13, "nearest_five")
15
>>> out_bonuses(terms(PRESETS["draw"].rules, 3), (0, 9, 12), seat=0)
[21, 0, 0]
"""

from collections.abc import Callable, Sequence

from .rules import BlockedBonus, BlockedTie, BonusUnit, OutBonus, Rules
from .terms import Terms
from .tiles import PIPS, Mask, members


def in_unit(pips: int, unit: BonusUnit) -> int:
    """A bonus in the option `bonus_unit`."""
    return UNITS[unit](pips)


UNITS: dict[BonusUnit, Callable[[int], int]] = {
    "pips": lambda pips: pips,
    "nearest_five": lambda pips: (pips + 2) // 5 * 5,
    "fifths_nearest": lambda pips: (pips + 2) // 5,
    "fifths_up": lambda pips: (pips + 4) // 5,
}


def points_given(rules: Rules, score: int, points: int) -> int:
    """What a side with this score is given of a play's points."""
    return 0 if rules.exact and score + points > rules.target else points


def bonus_given(rules: Rules, score: int, pips: int) -> int:
    """What a side with this score is given of a bonus of so many pips: put into its unit, then cut by
    `bonus_ceiling` or refused by `exact`."""
    bonus = in_unit(pips, rules.bonus_unit)
    if rules.bonus_ceiling is not None:
        return max(0, min(bonus, rules.bonus_ceiling - score))
    return points_given(rules, score, bonus)


def by_side(terms: Terms, pips: tuple[int, ...]) -> Sequence[int]:
    """The pips of each side, its hands together; `pips` are by seat."""
    if len(terms.sides) == terms.seats:
        return pips
    return [sum(pips[seat] for seat in side) for side in terms.sides]


# What a side (the last argument) earns by winning, from the pips of each side.
_Award = Callable[[Sequence[int], int], int]


def _nothing(weights: Sequence[int], side: int) -> int:
    return 0


def _others(weights: Sequence[int], side: int) -> int:
    return sum(weights) - weights[side]


def _others_less_own(weights: Sequence[int], side: int) -> int:
    return max(0, sum(weights) - 2 * weights[side])


def _heavier_less_own(weights: Sequence[int], side: int) -> int:
    return sum(max(0, weight - weights[side]) for weight in weights)


OUT_BONUSES: dict[OutBonus, _Award] = {"opponents": _others_less_own, "none": _nothing}
BLOCKED_BONUSES: dict[BlockedBonus, _Award] = {
    "total": _others,
    "difference": _others_less_own,
    "chain": _heavier_less_own,
    "none": _nothing,
}
# By these every side that stays is awarded, not the winner's alone.
_AWARD_ALL: frozenset[BlockedBonus] = frozenset({"chain"})


def out_bonuses(terms: Terms, pips: tuple[int, ...], seat: int) -> list[int]:
    """The pips that each side earns when `seat` plays its last tile; `pips` are by seat."""
    weights = by_side(terms, pips)
    bonuses = [0] * len(weights)
    side = terms.side_of[seat]
    bonuses[side] = OUT_BONUSES[terms.rules.out_bonus](weights, side)
    return bonuses


def blocked_winner(
    terms: Terms, hands: tuple[Mask, ...], pips: tuple[int, ...], gone: frozenset[int]
) -> int | None:
    """The seat that wins a blocked round, or None. A side with a seat that is gone cannot win."""
    weights = by_side(terms, pips)
    staying = terms.staying(gone)
    lightest = min(weights[side] for side in staying)
    tied = [side for side in staying if weights[side] == lightest]
    if len(tied) > 1:
        tied = TIES[terms.rules.blocked_tie](terms, hands, tied)
    if len(tied) > 1:
        return None
    return min(terms.sides[tied[0]], key=lambda seat: (pips[seat], seat))


def _with_lightest_tile(terms: Terms, hands: tuple[Mask, ...], sides: list[int]) -> list[int]:
    tile = {
        side: min(PIPS[tile] for seat in terms.sides[side] for tile in members(hands[seat])) for side in sides
    }
    return [side for side in sides if tile[side] == min(tile.values())]


def _still_tied(terms: Terms, hands: tuple[Mask, ...], sides: list[int]) -> list[int]:
    return sides


# Which of the tied sides are still level.
TIES: dict[BlockedTie, Callable[[Terms, tuple[Mask, ...], list[int]], list[int]]] = {
    "lightest_tile": _with_lightest_tile,
    "nobody": _still_tied,
}


def blocked_bonuses(
    terms: Terms, pips: tuple[int, ...], winner: int | None, gone: frozenset[int]
) -> list[int]:
    """The pips that each side earns by a block won by the seat `winner`; `pips` are by seat."""
    weights = by_side(terms, pips)
    bonuses = [0] * len(weights)
    if winner is None:
        return bonuses
    rule = terms.rules.blocked_bonus
    awarded = terms.staying(gone) if rule in _AWARD_ALL else (terms.side_of[winner],)
    for side in awarded:
        bonuses[side] = BLOCKED_BONUSES[rule](weights, side)
    return bonuses
