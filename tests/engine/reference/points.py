"""What plays and round ends are worth: docs/rules.md §3 `count`, §7."""

from tests.engine.reference.tiles import Tile, pips, weight


def counted(count: int, rules: dict) -> int:
    """The points of a count."""
    how = rules["count"]
    points = 0
    if how == "fives" and count % 5 == 0:
        points += count
    if how in ("fives_by_one", "fives_threes") and count % 5 == 0:
        points += count // 5
    if how == "fives_threes" and count % 3 == 0:
        points += count // 3
    return points


def in_unit(bonus: int, unit: str) -> int:
    """A bonus of so many pips in `bonus_unit`."""
    if unit == "pips":
        return bonus
    if unit == "fifths_up":
        return -(-bonus // 5)
    fifths = bonus // 5 if bonus % 5 <= 2 else bonus // 5 + 1
    return fifths * 5 if unit == "nearest_five" else fifths


def out_bonus(winner: int, hands: list[list[Tile]], sides: list[list[int]], rules: dict) -> list[int]:
    """The pips each side is given, not yet in any unit, when `winner` has gone out."""
    bonuses = [0 for _ in sides]
    if rules["out_bonus"] == "none":
        return bonuses
    side = side_of(winner, sides)
    partners = sum(weight(hands[seat]) for seat in sides[side])
    others = sum(weight(hand) for hand in hands) - partners
    bonuses[side] = max(0, others - partners)
    return bonuses


def block_winner(hands: list[list[Tile]], sides: list[list[int]], able: list[int], rules: dict) -> int | None:
    """The seat that wins a blocked round, or None. Only the sides in `able` have not left and can win."""
    weights = {side: _side_weight(sides[side], hands) for side in able}
    lightest = [sides[side] for side in able if weights[side] == min(weights.values())]
    if len(lightest) > 1 and rules["blocked_tie"] == "nobody":
        return None
    if len(lightest) > 1:
        singles = [min(pips(tile) for seat in side for tile in hands[seat]) for side in lightest]
        lightest = [side for side, own in zip(lightest, singles, strict=True) if own == min(singles)]
    if len(lightest) > 1:
        return None
    return min(lightest[0], key=lambda seat: (weight(hands[seat]), seat))


def blocked_bonus(
    winner: int | None, hands: list[list[Tile]], sides: list[list[int]], able: list[int], rules: dict
) -> list[int]:
    """The pips each side is given, not yet in any unit, when the round was blocked."""
    bonuses = [0 for _ in sides]
    if winner is None:
        return bonuses
    weights = [_side_weight(side, hands) for side in sides]
    winning = side_of(winner, sides)
    if rules["blocked_bonus"] == "total":
        bonuses[winning] = sum(weights) - weights[winning]
    if rules["blocked_bonus"] == "difference":
        bonuses[winning] = max(0, sum(weights) - 2 * weights[winning])
    if rules["blocked_bonus"] == "chain":
        for side in able:
            bonuses[side] = sum(other - weights[side] for other in weights if other > weights[side])
    return bonuses


def side_of(seat: int, sides: list[list[int]]) -> int:
    return [number for number, side in enumerate(sides) if seat in side][0]


def _side_weight(side: list[int], hands: list[list[Tile]]) -> int:
    return sum(weight(hands[seat]) for seat in side)
