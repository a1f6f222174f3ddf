"""What the end of a round gives (RULES.md §7), and what a score may take."""

from collections.abc import Sequence

from .rules import Rules
from .terms import Terms
from .tiles import PIPS, Mask, members


def in_unit(pips: int, unit: str) -> int:
    """A bonus in the option `bonus_unit`."""
    if unit == "pips":
        return pips
    if unit == "fifths_up":
        return (pips + 4) // 5
    fifths = (pips + 2) // 5
    return fifths * 5 if unit == "nearest_five" else fifths


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


def out_bonus(terms: Terms, pips: tuple[int, ...], seat: int) -> int:
    """The pips that `seat` earns by playing its last tile."""
    if terms.rules.out_bonus == "none":
        return 0
    own = by_side(terms, pips)[terms.side_of[seat]]
    return max(0, sum(pips) - 2 * own)


def blocked_winner(
    terms: Terms, hands: tuple[Mask, ...], pips: tuple[int, ...], left: frozenset[int]
) -> int | None:
    """The seat that wins a blocked round, or None. A side with a seat that left cannot win."""
    weights = by_side(terms, pips)
    staying = terms.staying(left)
    lightest = min(weights[side] for side in staying)
    tied = [side for side in staying if weights[side] == lightest]
    if len(tied) > 1 and terms.rules.blocked_tie == "lightest_tile":
        tied = _with_lightest_tile(terms, hands, tied)
    if len(tied) > 1:
        return None
    return min(terms.sides[tied[0]], key=lambda seat: (pips[seat], seat))


def _with_lightest_tile(terms: Terms, hands: tuple[Mask, ...], sides: list[int]) -> list[int]:
    tile = {
        side: min(PIPS[tile] for seat in terms.sides[side] for tile in members(hands[seat])) for side in sides
    }
    return [side for side in sides if tile[side] == min(tile.values())]


def blocked_bonuses(
    terms: Terms, pips: tuple[int, ...], winner: int | None, left: frozenset[int]
) -> list[int]:
    """The pips that each side earns by a block won by the seat `winner`."""
    weights = by_side(terms, pips)
    bonuses = [0] * len(weights)
    how = terms.rules.blocked_bonus
    if winner is None or how == "none":
        return bonuses
    if how == "chain":
        for side in terms.staying(left):
            bonuses[side] = sum(max(0, weight - weights[side]) for weight in weights)
        return bonuses
    side = terms.side_of[winner]
    own = weights[side]
    others = sum(weights) - own
    bonuses[side] = others if how == "total" else max(0, others - own)
    return bonuses
