"""What follows when the turn passes to somebody: forced moves at one's own pace, and notices in other apps."""

from collections.abc import Callable
from functools import partial

from django.db import transaction

from games.engine.moves import DRAW, PASS, Move
from games.repository import Snapshot
from live.broadcast import broadcast_page_changed

TurnHandler = Callable[[str, int], None]  # takes the match's code and the key of the user on turn

_handlers: list[TurnHandler] = []


def register(handler: TurnHandler) -> None:
    """Call `handler` after the commit of each change that gives a person the turn. It must not raise."""
    _handlers.append(handler)


def notify(snapshot: Snapshot, last: int | None = None) -> None:
    """Notify other apps who is on turn now; `last` is the seat that was before.

    Pages elsewhere on the site do not follow a match with a clock of days (`lobbies.strip`): notify all pages of both
    people.
    """
    turn = snapshot.value.turn
    if turn == last:
        return
    if snapshot.match.days:
        for seat in snapshot.seats:
            if seat.position in (turn, last) and seat.user_id is not None:
                broadcast_page_changed(f"user.{seat.user_id}", "mine")
    if turn is None or snapshot.seats[turn].computer or snapshot.seats[turn].user_id is None:
        return
    for handler in _handlers:
        transaction.on_commit(partial(handler, snapshot.match.code, snapshot.seats[turn].player_id))


def find_forced_move(snapshot: Snapshot) -> Move | None:
    """Return the draw or pass that is all that a person on turn can do, with a clock of days.

    It is played for them at once: nobody has to come back for it.
    """
    row, value = snapshot.match, snapshot.value
    if not row.days or not row.playing or value.turn is None or snapshot.seats[value.turn].computer:
        return None
    legal = value.legal(value.turn)
    return legal[0] if legal in ((DRAW,), (PASS,)) else None
