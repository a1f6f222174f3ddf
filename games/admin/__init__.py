"""The admin of matches, changes of ratings, talk, reports and the audit log. It reveals no secrets and no hidden tiles.

Matches are read-only; changes are admin actions, which call services.
"""

from games.admin import audit, desk, matches, rating_changes

__all__ = ["audit", "desk", "matches", "rating_changes"]
