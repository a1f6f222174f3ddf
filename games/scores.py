"""Compute a side's lead; with some rules the lowest score leads."""

from collections.abc import Sequence

from boneyard.engine.rules import Rules


def points_ahead(rules: Rules, scores: Sequence[int], side: int) -> int:
    """Return by how many points the side is ahead of the best other one; negative if behind."""
    others = [score for other, score in enumerate(scores) if other != side]
    return min(others) - scores[side] if rules.lowest_wins else scores[side] - max(others)
