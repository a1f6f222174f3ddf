"""Helpers for assertions on HTML text."""

import re


def collapse_whitespace(html: str) -> str:
    """Return the HTML with single spaces, and without whitespace between tags and text."""
    return re.sub(r"(?<=>) | (?=<)", "", re.sub(r"\s+", " ", html))
