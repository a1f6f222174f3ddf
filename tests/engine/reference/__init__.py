"""A second, slow implementation of docs/rules.md and docs/record.md, to compare the engine with.

It must not import the engine: only independent implementations are worth comparing.
"""

from tests.engine.reference.conflicts import objections
from tests.engine.reference.house_rules import random_rules
from tests.engine.reference.match import Match, NotAllowed
from tests.engine.reference.replay import replay

__all__ = ["Match", "NotAllowed", "objections", "random_rules", "replay"]
