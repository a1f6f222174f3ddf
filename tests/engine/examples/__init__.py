"""Worked examples of the rules as data: what is set up, what is played, what comes of it.

No implementation is named here: test_worked_examples.py has every one of them play them all.
"""

from tests.engine.examples import lines, matches, rounds
from tests.engine.examples.example import Deal, Example

EXAMPLES: list[Example] = [*lines.EXAMPLES, *rounds.EXAMPLES, *matches.EXAMPLES]

__all__ = ["EXAMPLES", "Deal", "Example"]
