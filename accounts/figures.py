"""Numbers as people read and write them: one home for each, so that no two pages differ."""

from math import floor

LONGEST = 8  # digits


def shown(rating: float) -> int:
    """A rating as people see it: to the nearest whole number, halves upward."""
    return floor(rating + 0.5)


def signed(change: int) -> str:
    """A change with its sign: +9, −13 (a true minus), ±0."""
    return f"{change:+d}".replace("-", "−") if change else "±0"


def whole(text: str) -> int | None:
    """The whole number written in ASCII digits, at most eight of them; None if it is anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST else None
