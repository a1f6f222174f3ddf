"""The value of a match from which its viewers' pages are built."""

from boneyard.engine.concealment import conceal
from boneyard.engine.matches import Match as Value
from games.models import Match
from games.table.derived_cache import DerivedCache

# Cache: key code and seat; bound MAX_CACHED_MATCHES; invalidated by another value of the match.
_concealed = DerivedCache[Value, Value]()


def get_visible_value(match: Match, value: Value, seat: int | None) -> Value:
    """Return the value; while the set of deals is open, without what the player may not know (`conceal`).

    Raise `PermissionError` for a spectator meanwhile.
    """
    if not match.concealed:
        return value
    if seat is None:
        raise PermissionError("the deals are not public yet")
    return _concealed.get((match.code, seat), value, lambda _before: conceal(value, seat))
