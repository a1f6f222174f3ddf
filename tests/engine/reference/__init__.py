"""The rules a second time, plain and slow, written from docs/rules.md and docs/record.md alone.

Nothing here imports the engine: two readings of one text are worth comparing only while neither has
seen the other.
"""

from tests.engine.reference.conflicts import objections
from tests.engine.reference.house_rules import random_rules
from tests.engine.reference.match import Match, NotAllowed
from tests.engine.reference.replay import replay

__all__ = ["Match", "NotAllowed", "objections", "random_rules", "replay"]
