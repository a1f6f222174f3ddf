"""Players who keep the others waiting, and what the others may do about it."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from boneyard.engine.matches import Match as Value
from boneyard.engine.perspective import View
from games import leaving
from games.models import Match, Seat
from games.table.plates import Plates
from games.time.clocks import CHOICE_TIMEOUT, get_turn_deadline
from games.time.presence import PROD_TIMEOUT, Presence, get_prod_time


class AbsentPlayer(NamedTuple):
    """A player on turn who is away, or was asked to move.

    until      when the others may go on without them; `now` whether that has come
    computer   whether a computer may take the seat
    pairs      whether all who play on must agree to a computer
    prodded    whether they are connected, and were asked to move
    otherwise  what going on without them means: the viewer's "win", the "end" of the match as a partner is away, or
               the match goes "on"
    """

    name: str
    until: datetime
    now: bool
    computer: bool
    pairs: bool
    prodded: bool
    otherwise: str


class Leaver(NamedTuple):
    """A player who has left, while the others choose whether a computer takes the seat.

    by     the names of those who have not answered; `mine` whether the viewer has not
    me     whether the viewer has left
    until  when the choice ends
    pairs  whether all must agree to a computer, without which the match ends
    """

    name: str
    by: str
    mine: bool
    me: bool
    until: datetime
    pairs: bool
    rated: bool


class Prods(NamedTuple):
    """Asking the player on turn to move: whom the viewer may ask, or who has asked them and until when."""

    may: str = ""
    by: str = ""
    until: datetime | None = None


def find_absent(
    view: View, match: Match, value: Value, rows: Sequence[Seat], plates: Plates, now: datetime
) -> AbsentPlayer | None:
    """Return the player without whom the others may go on, now or soon."""
    until = plates.grace_end
    if until is None or view.turn is None or view.turn == view.seat:
        return None
    computer = not match.rated or bool(leaving.find_choosers(match, value, rows, view.turn))
    prodded = view.turn in plates.presence.seats
    return AbsentPlayer(
        rows[view.turn].display_name,
        until,
        until <= now,
        computer,
        leaving.is_in_pairs(value),
        prodded,
        _outcome_without(view, match, value, rows),
    )


def _outcome_without(view: View, match: Match, value: Value, rows: Sequence[Seat]) -> str:
    """Return what going on without the player on turn comes to: see `AbsentPlayer.otherwise`."""
    absent = value.turn or 0
    if leaving.is_in_pairs(value):
        return "end" if view.seat in view.sides[view.terms.side_of[absent]] else "win"
    last = match.rated and len(leaving.find_staying(value, rows, absent)) == 1
    return "on" if not last and len(view.terms.staying(view.gone | {absent})) > 1 else "win"


def find_leaver(view: View, match: Match, value: Value, rows: Sequence[Seat]) -> Leaver | None:
    """Return the player who has left, while the others choose whether a computer takes the seat."""
    seat = match.leaver
    if seat is None or match.left_at is None:
        return None
    choosers = leaving.find_choosers(match, value, rows, seat) - set(match.agreed)
    return Leaver(
        rows[seat].display_name,
        ", ".join(rows[other].display_name for other in sorted(choosers)),
        view.seat in choosers,
        view.seat == seat,
        match.left_at + CHOICE_TIMEOUT,
        len(view.sides) < view.seats,
        match.rated,
    )


def find_prods(view: View, match: Match, rows: Sequence[Seat], presence: Presence) -> Prods:
    """Return whom the viewer may ask to move, or who has asked them; nobody while a clock runs."""
    if view.turn is None or match.left_at is not None or rows[view.turn].computer:
        return Prods()
    if get_turn_deadline(match, rows, view.turn, view) is not None:
        return Prods()
    since = get_prod_time(match)
    if since is None:
        may_ask = view.turn != view.seat and view.turn in presence.seats
        return Prods(may=rows[view.turn].display_name) if may_ask else Prods()
    if view.turn != view.seat or match.prodded_by is None:
        return Prods()
    return Prods(by=rows[match.prodded_by].display_name, until=since + PROD_TIMEOUT)
