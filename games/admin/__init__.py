"""Matches, talk and reports for the operators. Nothing here shows a secret or a tile that is still hidden.

Match rows are read-only: what can be done is an action, and goes through services like everything else.
"""

from games.admin import desk, matches

__all__ = ["desk", "matches"]
