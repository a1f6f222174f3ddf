"""What the end of a round gives (docs/rules.md, "The end of a round"), and what a score may take.

Each option of it is a table from its values to what they mean, so a new value is a new line.

>>> from .presets import PRESETS
>>> from .terms import terms
>>> in_unit(13, "nearest_five")
15
>>> round_bonuses(terms(PRESETS["draw"].rules, 3), False, 0, (0, 9, 12), frozenset())
[21, 0, 0]
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from .options import BlockedBonus, BlockedTie, BlockedWinner, BonusUnit, OutBonus
from .rules import Rules
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
    # With it a bonus is 1 from the start, and so is what a block keeps (`round_bonuses`, `carried_by_block`).
    "one": lambda pips: pips,
}


def awarded_points(rules: Rules, score: int, points: int) -> int:
    """What a side with this score is given of a play's points, what was kept for it among them."""
    if rules.exact and score + points > rules.target:
        return 0
    return points if rules.opening is None or not too_few_to_open(rules, score, points) else 0


def can_be_awarded(terms: Terms, scores: Sequence[int], seat: int, points: int) -> bool:
    """Whether the side of this seat would be given anything of these points, as the scores stand."""
    return awarded_points(terms.rules, scores[terms.side_of[seat]], points) > 0


def too_few_to_open(rules: Rules, score: int, points: int) -> bool:
    return rules.opening is not None and not score and points < rules.opening.points


def split_award(
    rules: Rules, score: int, kept: int, points: int, ceiling: int | None = None
) -> tuple[int, int]:
    """What a side with this score is given of these points, and what is then kept for it (`opening.kept`); `kept`
    is what was kept before."""
    got = awarded_points(rules, score, points + kept)
    if ceiling is not None:
        got = max(0, min(got, ceiling - score))
    if got:
        return got, 0
    keeps = rules.opening is not None and rules.opening.kept
    return 0, kept + points if keeps and too_few_to_open(rules, score, points + kept) else kept


def pips_by_side(terms: Terms, pips: Sequence[int]) -> Sequence[int]:
    """The pips of each side, its hands together; `pips` are by seat."""
    if len(terms.sides) == terms.seats:
        return pips
    return [pips[one] + pips[other] for one, other in terms.sides]


# What a side (the last argument) earns by winning, or is charged with by `own`, from the pips of each side.
_Award = Callable[[Sequence[int], int], int]


def _nothing(weights: Sequence[int], side: int) -> int:
    return 0


def _others(weights: Sequence[int], side: int) -> int:
    return sum(weights) - weights[side]


def _others_less_own(weights: Sequence[int], side: int) -> int:
    return max(0, sum(weights) - 2 * weights[side])


def _heavier_less_own(weights: Sequence[int], side: int) -> int:
    return sum(max(0, weight - weights[side]) for weight in weights)


def _all(weights: Sequence[int], side: int) -> int:
    return sum(weights)


def _its_own(weights: Sequence[int], side: int) -> int:
    return weights[side]


BONUSES: dict[OutBonus | BlockedBonus, _Award] = {
    "none": _nothing,
    "table": _all,
    "own": _its_own,
    # For going out alone.
    "opponents": _others_less_own,
    "losers": _others,
    # By a block alone.
    "total": _others,
    "difference": _others_less_own,
    "chain": _heavier_less_own,
}


def _awarded(terms: Terms, rule: OutBonus | BlockedBonus, winner: int, gone: frozenset[int]) -> Sequence[int]:
    """The sides that are given or charged with something: the winner's alone by most rules."""
    if rule == "chain":
        return terms.staying(gone)
    side = terms.side_of[winner]
    if rule == "own":
        return [other for other in terms.staying(gone) if other != side]
    return (side,)


def _bonuses(
    terms: Terms,
    rule: OutBonus | BlockedBonus,
    pips: Sequence[int],
    winner: int,
    gone: frozenset[int],
    carried: int = 0,
) -> list[int]:
    weights, award = pips_by_side(terms, pips), BONUSES[rule]
    bonuses = [0] * len(weights)
    for side in _awarded(terms, rule, winner, gone):
        bonuses[side] = award(weights, side) + carried
    return bonuses


class Round(NamedTuple):
    """A round that is over, as far as its end goes by it.

    hands   the tiles that remain to each seat, as sets
    gone    the seats that have left
    leader  the seat that had the lead
    closer  the seat that laid the last tile
    """

    hands: Sequence[Mask]
    gone: frozenset[int]
    leader: int
    closer: int


def blocked_winner(terms: Terms, over: Round, pips: Sequence[int]) -> int | None:
    """The seat that wins a blocked round, or None. A side with a seat that is gone cannot win."""
    seats, weights = WINNERS[terms.rules.blocked_winner](terms, over, pips)
    lightest = min(weights.values())
    tied = [side for side, weight in weights.items() if weight == lightest]
    if len(tied) > 1:
        tied = TIES[terms.rules.blocked_tie](terms, over, tied)
    if len(tied) > 1:
        return None
    own = terms.sides[tied[0]]
    if len(own) == 1:
        return own[0]
    _, seat = min([(pips[seat], seat) for seat in own if seat in seats])
    return seat


# The seats that are looked at, and what each of their sides weighs.
_Compared = tuple[Sequence[int], dict[int, int]]


def _sides(terms: Terms, over: Round, pips: Sequence[int]) -> _Compared:
    weights = dict(enumerate(pips_by_side(terms, pips)))
    if over.gone:
        weights = {side: weights[side] for side in terms.staying(over.gone)}
    return range(terms.seats), weights


def _hands(terms: Terms, over: Round, pips: Sequence[int]) -> _Compared:
    return _lightest(terms, pips, [seat for side in terms.staying(over.gone) for seat in terms.sides[side]])


def _closer_and_next(terms: Terms, over: Round, pips: Sequence[int]) -> _Compared:
    return _lightest(terms, pips, _from_on(terms, over, over.closer)[:2])


def _lightest(terms: Terms, pips: Sequence[int], seats: Sequence[int]) -> _Compared:
    """The seats, and the lightest hand of each side among them."""
    weights: dict[int, int] = {}
    for seat in seats:
        side = terms.side_of[seat]
        weights[side] = min(pips[seat], weights.get(side, pips[seat]))
    return seats, weights


def _from_on(terms: Terms, over: Round, first: int) -> list[int]:
    """The seats at the table in playing order, from this one on."""
    order = [(first + step) % terms.seats for step in range(terms.seats)]
    return [seat for seat in order if seat not in over.gone]


WINNERS: dict[BlockedWinner, Callable[[Terms, Round, Sequence[int]], _Compared]] = {
    "side": _sides,
    "hand": _hands,
    "closer": _closer_and_next,
}


def _with_lightest_tile(terms: Terms, over: Round, sides: list[int]) -> list[int]:
    tile = {
        side: min(PIPS[tile] for seat in terms.sides[side] for tile in members(over.hands[seat]))
        for side in sides
    }
    return [side for side in sides if tile[side] == min(tile.values())]


def _still_tied(terms: Terms, over: Round, sides: list[int]) -> list[int]:
    return sides


def _first_from(terms: Terms, over: Round, sides: list[int], seat: int) -> list[int]:
    return [terms.side_of[each] for each in _from_on(terms, over, seat) if terms.side_of[each] in sides][:1]


# Which of the tied sides are still level.
TIES: dict[BlockedTie, Callable[[Terms, Round, list[int]], list[int]]] = {
    "lightest_tile": _with_lightest_tile,
    "nobody": _still_tied,
    "carry": _still_tied,
    "leader": lambda terms, over, sides: _first_from(terms, over, sides, over.leader),
    "closer": lambda terms, over, sides: _first_from(terms, over, sides, over.closer),
}


def carried_by_block(terms: Terms, pips: Sequence[int]) -> int:
    """What a block that nobody wins keeps for the next winner (`blocked_tie: carry`)."""
    if terms.rules.blocked_tie != "carry":
        return 0
    return 1 if terms.rules.bonus_unit == "one" else sum(pips)


def round_bonuses(
    terms: Terms,
    blocked: bool,
    winner: int,
    pips: Sequence[int],
    gone: frozenset[int],
    carried: int = 0,
    extras: int = 0,
) -> list[int]:
    """What each side is to be given for a round with this winner, in `bonus_unit`, with what was carried to it
    and the winner's extras; `opening`, `bonus_ceiling` and `exact` come after."""
    rules, side = terms.rules, terms.side_of[winner]
    rule = rules.blocked_bonus if blocked else rules.out_bonus
    if rules.bonus_unit == "one":
        bonuses = [0] * len(terms.sides)
        bonuses[side] = carried + (rule != "none")
    else:
        bonuses = _bonuses(terms, rule, pips, winner, gone, carried)
        if rules.bonus_unit != "pips":
            bonuses = [*map(UNITS[rules.bonus_unit], bonuses)]
    bonuses[side] += extras
    return bonuses
