"""The points of plays and extras: docs/rules.md, "Scoring"."""

from tests.engine.reference.layout import Layout
from tests.engine.reference.tiles import pips


def counted(count: int, rules: dict) -> int:
    """Return the points of a count."""
    how = rules["count"]
    points = 0
    if how == "fives" and count % 5 == 0:
        points += count
    if how in ("fives_by_one", "fives_threes") and count % 5 == 0:
        points += count // 5
    if how == "fives_threes" and count % 3 == 0:
        points += count // 3
    return points


def of_layout(layout: Layout, rules: dict) -> int:
    """Return the points of a play that results in this layout, without `out_points`."""
    if rules["count"] == "matching":
        return layout.matching()
    return counted(layout.count(), rules)


def of_last_tile(play: str, ends_before: dict[str, int], rules: dict) -> dict[str, int]:
    """Return the `extras` for going out with this play, by name."""
    earned = []
    if "+" not in play:
        tile, _, end = play.partition("@")
        high, low = (int(half) for half in tile.split("-"))
        joins_both = sorted(ends_before.values()) == [low, high]
        if end and high == low:
            is_paid = joins_both and "capicua_double" in rules["extras"]
            earned.append("capicua_double" if is_paid else "double")
        elif end and joins_both:
            earned.append("capicua" if low > 0 else "capicua_blank")
        if pips((high, low)) == 0:
            earned.append("chucha")
    return {name: rules["extras"][name] for name in earned if name in rules["extras"]}


def of_round(won_before: int, blocked: bool, rules: dict) -> dict[str, int]:
    """Return the `extras` for winning a round after `won_before` rounds with a winner."""
    earned = {}
    rounds = rules["extras"].get("rounds", [])
    if won_before < len(rounds) and rounds[won_before] > 0:
        earned["rounds"] = rounds[won_before]
    if blocked and "block" in rules["extras"]:
        earned["block"] = rules["extras"]["block"]
    return earned
