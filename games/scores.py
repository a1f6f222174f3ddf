"""By how much a side leads: with the highest score, or the lowest where the rules say so."""

from collections.abc import Sequence

from games.engine.rules import Rules


def points_ahead(rules: Rules, scores: Sequence[int], side: int) -> int:
    """By how many points the side is ahead of the best other one; below 0, behind."""
    others = [score for other, score in enumerate(scores) if other != side]
    return min(others) - scores[side] if rules.lowest_wins else scores[side] - max(others)
