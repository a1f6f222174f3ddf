"""End a running match for the site's staff."""

from boneyard.engine.moves import VOID
from games.locking import locked_match
from games.models import Match
from games.services.matches import append_move
from games.services.refusals import MoveRefused


def void(match: Match) -> Match:
    """End a running match without a winner or ratings, and return it. Raise `MoveRefused` if it is over."""
    with locked_match(pk=match.pk) as (snapshot, now):
        row, seat = snapshot.match, snapshot.value.voiding_seat
        if not row.playing or seat is None:
            raise MoveRefused("over")
        if row.leaver is not None:  # nobody chooses any more
            row.leaver, row.leaving, row.left_at, row.agreed = None, "", None, []
            row.save(update_fields=["leaver", "leaving", "left_at", "agreed"])
        append_move(snapshot, seat, VOID, None, now)
    return row
