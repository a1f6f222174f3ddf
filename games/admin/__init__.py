"""The admin of matches, talk and reports. It reveals no secrets and no hidden tiles.

Matches are read-only; changes are admin actions, which call services.
"""

from games.admin import desk, matches

__all__ = ["desk", "matches"]
