"""Formatting and parsing of numbers."""

from math import floor

MAX_DIGITS = 8


def display_rating(rating: float) -> int:
    """Round a rating to the nearest whole number, halves up."""
    return floor(rating + 0.5)


def format_change(change: float) -> str:
    """Format a change with its sign: +9, −12.5 (a true minus), ±0."""
    return f"{change:+g}".replace("-", "−") if change else "±0"


def format_points(points: int) -> str:
    """Format points with a true minus: 12, −4."""
    return f"{points}".replace("-", "−")


def parse_whole_number(text: str, max_digits: int = MAX_DIGITS) -> int | None:
    """Parse ASCII digits, at most `max_digits`; return None for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= max_digits else None
