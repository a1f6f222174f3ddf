"""The winner of a block, the bonuses of a round, and the points a score accepts (docs/rules.md, "The end of a round").

Each option is a table from its values to functions.

>>> from .presets import PRESETS
>>> from .terms import terms
>>> in_unit(13, "nearest_five")
15
>>> round_bonuses(terms(PRESETS["draw"].rules, 3), False, 0, (0, 9, 12), frozenset())
[21, 0, 0]
"""

from collections.abc import Callable, Collection, Sequence
from typing import Literal, NamedTuple

from .options import BlockedBonus, BlockedTie, BlockedWinner, BonusUnit, OutBonus
from .rules import Rules
from .terms import Terms
from .tiles import PIPS, Mask, members

Operation = Literal["+", "×", "÷", "round", "limit"]
# What an addition adds: pips in hands, one for the round, what a tied block left, extras, what was kept to open with.
Added = Literal["", "pips", "round", "carried", "extras", "kept"]


class Step(NamedTuple):
    """A step of the sum of what a round's end gives a side.

    operation  +, × or ÷ with these numbers, the first of them the result before, if any. "round" and "limit" have no
               numbers: their result replaces the one before
    numbers    with their signs; a sum of pips is not below 0, and a division is rounded up
    added      what a + adds to the result before
    seats      of pips, the seat that holds each of the numbers; -1 for a 0 from which others are taken
    """

    operation: Operation
    numbers: tuple[int, ...]
    result: int
    added: Added = ""
    seats: tuple[int, ...] = ()


# The steps of one side's bonus. Its settlement is nothing else, so that a page that shows them shows what was given.
Sum = tuple[Step, ...]

# Build a named tuple from a tuple: twice as fast as its constructor (bench/engine.py).
_new = tuple.__new__


def result_of(steps: Sum) -> int:
    return steps[-1].result if steps else 0


def earned_part(steps: Sum) -> Sum:
    """Return the steps before a limit."""
    return tuple([step for step in steps if step.operation != "limit"])


def _add(steps: Sum, added: Added, *points: int) -> Sum:
    numbers = (result_of(steps), *points) if steps else points
    return (*steps, _new(Step, ("+", numbers, sum(numbers), added, ()))) if any(points) else steps


def _round_to_five(steps: Sum) -> Sum:
    rounded = (result_of(steps) + 2) // 5 * 5
    return steps if rounded == result_of(steps) else (*steps, Step("round", (), rounded))


def _divide_by_five(steps: Sum) -> Sum:
    number = result_of(steps)
    return (*steps, Step("÷", (number, 5), (number + 4) // 5)) if number else steps


def _double(steps: Sum) -> Sum:
    number = result_of(steps)
    return (*steps, Step("×", (number, 2), 2 * number)) if number else steps


UNITS: dict[BonusUnit, Callable[[Sum], Sum]] = {
    "pips": lambda steps: steps,
    "nearest_five": _round_to_five,
    "fifths_nearest": lambda steps: _divide_by_five(_round_to_five(steps)),
    "fifths_up": _divide_by_five,
    # The bonus, or what a block carries, is already 1 (`round_sums`, `carried_by_block`).
    "one": lambda steps: steps,
}


def in_unit(pips: int, unit: BonusUnit) -> int:
    """Return a bonus of this many pips in the option `bonus_unit`."""
    return result_of(UNITS[unit](_add((), "pips", pips)))


def awarded_points(rules: Rules, score: int, points: int) -> int:
    """Return the points that a side with this score receives of `points`: all of them or 0.

    `points` include those kept for the side. Not for a side that is barred (`past_target: round`).
    """
    if passes_target(rules, score, points):
        return 0
    return points if rules.opening is None or not too_few_to_open(rules, score, points) else 0


def passes_target(rules: Rules, score: int, points: int) -> bool:
    """Return whether `exact` refuses these points at this score."""
    return rules.exact and rules.target is not None and score + points > rules.target


def can_be_awarded(
    terms: Terms, scores: Sequence[int], barred: Collection[int], seat: int, points: int
) -> bool:
    """Return whether the side of this seat would receive these points at these scores."""
    side = terms.side_of[seat]
    return side not in barred and awarded_points(terms.rules, scores[side], points) > 0


def too_few_to_open(rules: Rules, score: int, points: int) -> bool:
    return rules.opening is not None and not score and points < rules.opening.points


def split_award(
    rules: Rules, score: int, kept: int, points: int, ceiling: int | None = None
) -> tuple[int, int]:
    """Return the points that a side with this score receives, and the points then kept for it (`opening.kept`).

    `kept` are the points kept before; `ceiling` limits the resulting score.
    """
    awarded = awarded_points(rules, score, points + kept)
    if ceiling is not None:
        awarded = max(0, min(awarded, ceiling - score))
    if awarded:
        return awarded, 0
    keeps = rules.opening is not None and rules.opening.kept
    return 0, kept + points if keeps and too_few_to_open(rules, score, points + kept) else kept


def pips_by_side(terms: Terms, pips: Sequence[int]) -> Sequence[int]:
    """Return the pips of each side; `pips` are by seat."""
    if len(terms.sides) == terms.seats:
        return pips
    return [pips[one] + pips[other] for one, other in terms.sides]


# What a bonus counts: whether the pips of the own side are added (1), taken off (-1) or left out, and those of others.
COUNTED: dict[OutBonus | BlockedBonus, tuple[int, int]] = {
    "none": (0, 0),
    "table": (1, 1),
    "own": (1, 0),
    # Only for going out.
    "opponents": (-1, 1),
    "losers": (0, 1),
    # Only for a block.
    "total": (0, 1),
    "difference": (-1, 1),
    "chain": (-1, 1),
}


def _awarded_sides(
    terms: Terms, rule: OutBonus | BlockedBonus, winner: int, gone: frozenset[int]
) -> Sequence[int]:
    """Return the sides that earn or are charged something: by most rules only the winner's."""
    if rule == "chain":
        return terms.staying(gone)
    side = terms.side_of[winner]
    if rule == "own":
        return [other for other in terms.staying(gone) if other != side]
    return (side,)


def _sum_of_pips(terms: Terms, rule: OutBonus | BlockedBonus, pips: Sequence[int], side: int) -> Sum:
    """Return the sum of the pips that `rule` counts for a side, seat by seat."""
    own, others = COUNTED[rule]
    side_of = terms.side_of
    mine, theirs = [], []
    for seat, number in enumerate(pips):
        if number:
            if side_of[seat] == side:
                mine.append((own * number, seat))
            elif others:
                theirs.append((number, seat))
    if rule == "chain":
        weights = pips_by_side(terms, pips)
        heavier = {other for other in terms.all_sides if other != side and weights[other] >= weights[side]}
        theirs = [(number, seat) for number, seat in theirs if side_of[seat] in heavier]
        mine *= len(heavier)
    if own > 0:
        counted = (*mine, *theirs)
    elif own and mine:
        counted = (*(theirs or [(0, -1)]), *mine)
    else:
        counted = tuple(theirs)
    if not counted:
        return ()
    numbers, seats = zip(*counted, strict=True)
    return (_new(Step, ("+", numbers, max(0, sum(numbers)), "pips", seats)),)


class FinalPosition(NamedTuple):
    """The end of a round, as far as it decides the winner.

    hands   the remaining tiles of each seat, as sets
    gone    the seats that have left
    leader  the seat that had the lead
    closer  the seat that laid the last tile
    """

    hands: Sequence[Mask]
    gone: frozenset[int]
    leader: int
    closer: int


def blocked_winner(terms: Terms, final: FinalPosition, pips: Sequence[int]) -> int | None:
    """Return the seat that wins a blocked round, or None. A side with a seat that is gone cannot win."""
    seats, weights = WINNERS[terms.rules.blocked_winner](terms, final, pips)
    lightest = min(weights.values())
    tied = [side for side, weight in weights.items() if weight == lightest]
    if len(tied) > 1:
        tied = TIES[terms.rules.blocked_tie](terms, final, tied)
    if len(tied) > 1:
        return None
    own = terms.sides[tied[0]]
    if len(own) == 1:
        return own[0]
    _, seat = min([(pips[seat], seat) for seat in own if seat in seats])
    return seat


# The seats that are compared, and the weight of each of their sides.
_Compared = tuple[Sequence[int], dict[int, int]]


def _sides(terms: Terms, final: FinalPosition, pips: Sequence[int]) -> _Compared:
    weights = dict(enumerate(pips_by_side(terms, pips)))
    if final.gone:
        weights = {side: weights[side] for side in terms.staying(final.gone)}
    return range(terms.seats), weights


def _hands(terms: Terms, final: FinalPosition, pips: Sequence[int]) -> _Compared:
    return _lightest(terms, pips, [seat for side in terms.staying(final.gone) for seat in terms.sides[side]])


def _closer_and_next(terms: Terms, final: FinalPosition, pips: Sequence[int]) -> _Compared:
    return _lightest(terms, pips, closer_and_next(terms, final))


def closer_and_next(terms: Terms, final: FinalPosition) -> list[int]:
    """Return the seats whose hands `blocked_winner: closer` compares."""
    return _seats_from(terms, final, final.closer)[:2]


def _lightest(terms: Terms, pips: Sequence[int], seats: Sequence[int]) -> _Compared:
    """Return the seats and the lightest hand of each side among them."""
    weights: dict[int, int] = {}
    for seat in seats:
        side = terms.side_of[seat]
        weights[side] = min(pips[seat], weights.get(side, pips[seat]))
    return seats, weights


def _seats_from(terms: Terms, final: FinalPosition, first: int) -> list[int]:
    """Return the seats that are not gone in playing order, beginning with `first`."""
    order = [(first + step) % terms.seats for step in range(terms.seats)]
    return [seat for seat in order if seat not in final.gone]


WINNERS: dict[BlockedWinner, Callable[[Terms, FinalPosition, Sequence[int]], _Compared]] = {
    "side": _sides,
    "hand": _hands,
    "closer": _closer_and_next,
}


def _with_lightest_tile(terms: Terms, final: FinalPosition, sides: list[int]) -> list[int]:
    tile = {
        side: min(PIPS[tile] for seat in terms.sides[side] for tile in members(final.hands[seat]))
        for side in sides
    }
    return [side for side in sides if tile[side] == min(tile.values())]


def _still_tied(terms: Terms, final: FinalPosition, sides: list[int]) -> list[int]:
    return sides


def _first_from(terms: Terms, final: FinalPosition, sides: list[int], seat: int) -> list[int]:
    return [terms.side_of[each] for each in _seats_from(terms, final, seat) if terms.side_of[each] in sides][
        :1
    ]


# The sides that are still tied.
TIES: dict[BlockedTie, Callable[[Terms, FinalPosition, list[int]], list[int]]] = {
    "lightest_tile": _with_lightest_tile,
    "nobody": _still_tied,
    "carry": _still_tied,
    "leader": lambda terms, final, sides: _first_from(terms, final, sides, final.leader),
    "closer": lambda terms, final, sides: _first_from(terms, final, sides, final.closer),
}


def carried_by_block(terms: Terms, pips: Sequence[int]) -> int:
    """Return what a block without a winner carries to the next winner (`blocked_tie: carry`)."""
    if terms.rules.blocked_tie != "carry":
        return 0
    return 1 if terms.rules.unit_of_block == "one" else sum(pips)


def round_sums(
    terms: Terms,
    blocked: bool,
    winner: int,
    pips: Sequence[int],
    gone: frozenset[int],
    carried: int = 0,
    extras: Sequence[int] = (),
) -> list[Sum]:
    """Return the sum of the bonus of each side for a round with this winner, in `bonus_unit` or `blocked_unit`.

    The winner's side also gets `carried` and `extras`. `opening`, `bonus_ceiling` and `exact` are applied later
    (`awarded_sum`), and what `partner_pips` takes from a score (`pips_taken`).
    """
    rules = terms.rules
    rule = rules.blocked_bonus if blocked else rules.out_bonus
    unit = rules.unit_of_block if blocked else rules.bonus_unit
    if terms.partner_pays and not blocked:
        rule = "losers"
    sums: list[Sum] = [()] * len(terms.sides)
    for side in _awarded_sides(terms, rule, winner, gone):
        steps = (
            _add((), "round", int(rule != "none")) if unit == "one" else _sum_of_pips(terms, rule, pips, side)
        )
        if carried:
            steps = _add(steps, "carried", carried)
        steps = steps if unit == "pips" else UNITS[unit](steps)
        sums[side] = _double(steps) if blocked and rules.blocked_double else steps
    if extras:
        side = terms.side_of[winner]
        sums[side] = _add(sums[side], "extras", *extras)
    return sums


def round_bonuses(
    terms: Terms,
    blocked: bool,
    winner: int,
    pips: Sequence[int],
    gone: frozenset[int],
    carried: int = 0,
    extras: int = 0,
) -> list[int]:
    """Return the results of `round_sums`."""
    sums = round_sums(terms, blocked, winner, pips, gone, carried, (extras,) if extras else ())
    return [*map(result_of, sums)]


def awarded_sum(steps: Sum, kept: int, awarded: int) -> Sum:
    """Return the sum of a bonus when `awarded` of it is given, with what was kept for the side (`opening.kept`)."""
    if awarded:
        steps = _add(steps, "kept", kept)
    return steps if result_of(steps) == awarded else (*steps, Step("limit", (), awarded))


def is_level(terms: Terms, gone: frozenset[int], scores: Sequence[int]) -> bool:
    """Return whether `reset` has the next round led as the first one is: all have nothing, or one each."""
    rule = terms.rules.reset
    if rule == "none":
        return False
    present = {scores[side] for side in terms.staying(gone)}
    return present == {0} or (rule == "one_all" and present == {1})


def lost_by_reset(
    terms: Terms, gone: frozenset[int], before: Sequence[int], scores: Sequence[int]
) -> tuple[int, ...]:
    """Return what each side loses under `reset` after a round, () for nothing; `before` are the scores before it."""
    rule, staying = terms.rules.reset, terms.staying(gone)
    present = [scores[side] for side in staying]
    if rule == "none" or not min(present) or max(present) >= terms.winning_score:
        return ()
    if rule == "one_all":
        if max(present) == 1:
            return ()
        if all(before[side] == 1 for side in staying):
            lost = tuple([score if score == then else 0 for score, then in zip(scores, before, strict=True)])
            return lost if any(lost) else ()
    return tuple(scores)


def pips_taken(terms: Terms, winner: int, pips: Sequence[int]) -> int:
    """Return what is taken from the score of the side of `winner`, which went out, for its partner's tiles."""
    if not terms.partner_pays:
        return 0
    own = sum([pips[seat] for seat in terms.sides[terms.side_of[winner]]])
    return in_unit(own, terms.rules.bonus_unit) if terms.rules.partner_pips == "score_unit" else own
