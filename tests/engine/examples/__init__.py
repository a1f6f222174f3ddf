"""Worked examples of the rules as data: position, moves and expected results.

test_worked_examples.py runs them on every implementation.
"""

from tests.engine.examples import letter, letter_play, lines, matches, rounds
from tests.engine.examples.example import Deal, Example

EXAMPLES: list[Example] = [
    *lines.EXAMPLES,
    *rounds.EXAMPLES,
    *matches.EXAMPLES,
    *letter.EXAMPLES,
    *letter_play.EXAMPLES,
]

__all__ = ["EXAMPLES", "Deal", "Example"]
