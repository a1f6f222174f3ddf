"""Pages as text to look things up in."""

import re


def squeezed(page: str) -> str:
    """The page without what only its lines and indents put between and inside tags."""
    return re.sub(r"(?<=>) | (?=<)", "", re.sub(r"\s+", " ", page))
