"""Notify people of their turn, and find forced moves, in matches with a clock of days."""

from boneyard.engine.moves import DRAW, PASS, Move
from games.repository import Snapshot
from live.broadcast import broadcast_page_changed


def notify(snapshot: Snapshot, last: int | None = None) -> None:
    """Notify all pages of the people who are and who were (`last`) on turn, and at the end of the match of all.

    Pages other than the match's do not subscribe to a match with a clock of days (`lobbies.strip`).
    """
    turn = snapshot.value.turn
    if not snapshot.match.days or turn == last:
        return
    for seat in snapshot.seats:
        concerns = turn is None or seat.position in (turn, last)
        if concerns and seat.user_id is not None:
            broadcast_page_changed(f"user.{seat.user_id}", "mine")


def find_forced_move(snapshot: Snapshot) -> Move | None:
    """Return the draw or pass that is the only legal move of a person on turn, with a clock of days.

    It is played for them at once, so that they need not come back for it.
    """
    row, value = snapshot.match, snapshot.value
    if not row.days or not row.playing or value.turn is None or snapshot.seats[value.turn].computer:
        return None
    legal = value.legal(value.turn)
    return legal[0] if legal in ((DRAW,), (PASS,)) else None
