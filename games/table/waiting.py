"""Who keeps the others waiting, and what these may do: go on without them, choose a computer, ask them to move."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from games import leaving, presence
from games.clocks import CHOICE_TIMEOUT, get_clock_deadline
from games.engine.matches import Match as Value
from games.engine.perspective import View
from games.models import Match, Seat
from games.table.plates import Plates


class Absent(NamedTuple):
    """A player on turn who is away, or was asked to move: from when the others may go on without them, and whether
    that is now; whether a computer may take the seat; what else becomes of the match: the viewer's `win`, its `end`
    where a partner is away, or it goes `on`."""

    name: str
    until: datetime
    now: bool
    computer: bool
    prodded: bool
    otherwise: str


class Leaver(NamedTuple):
    """Somebody has left, and it is being chosen whether a computer takes the seat: by whom, by the viewer or about
    them, until when; what the other choice is, and whether it is a rated match."""

    name: str
    by: str
    mine: bool
    me: bool
    until: datetime
    pairs: bool
    rated: bool


class Prods(NamedTuple):
    """Asking the player on turn to move: whom the viewer may ask, or who has asked the viewer and until when."""

    may: str = ""
    by: str = ""
    until: datetime | None = None


def absent(
    view: View, match: Match, value: Value, rows: Sequence[Seat], plates: Plates, now: datetime
) -> Absent | None:
    """Whoever the others may go on without, now or soon."""
    if view.turn is None or view.turn == view.seat:
        return None
    row = rows[view.turn]
    until = plates.grace_ends(row)
    if until is None:
        return None
    computer = not match.rated or bool(leaving.find_choosers(value, rows, view.turn))
    prodded = view.turn in plates.here.seats
    return Absent(row.display_name, until, until <= now, computer, prodded, _without(view, view.turn))


def _without(view: View, absent: int) -> str:
    if len(view.terms.staying(view.gone | {absent})) > 1:
        return "on"
    return "end" if view.seat in view.sides[view.terms.side_of[absent]] else "win"


def leaver(view: View, match: Match, value: Value, rows: Sequence[Seat]) -> Leaver | None:
    """Whoever has left while it is being chosen whether a computer takes the seat."""
    seat = match.leaver
    if seat is None or match.left_at is None:
        return None
    asked = leaving.find_choosers(value, rows, seat)
    return Leaver(
        rows[seat].display_name,
        ", ".join(rows[other].display_name for other in sorted(asked)),
        view.seat in asked,
        view.seat == seat,
        match.left_at + CHOICE_TIMEOUT,
        len(view.sides) == 2,
        match.rated,
    )


def prods(view: View, match: Match, rows: Sequence[Seat], here: presence.Presence) -> Prods:
    """Where no clock runs: whom the viewer may ask to move, or who has asked the viewer."""
    if view.turn is None or match.left_at is not None or rows[view.turn].computer:
        return Prods()
    if get_clock_deadline(match, rows, view.turn, view) is not None:
        return Prods()
    since = presence.get_prod_time(match)
    if since is None:
        wanted = view.turn != view.seat and view.turn in here.seats
        return Prods(may=rows[view.turn].display_name) if wanted else Prods()
    if view.turn != view.seat or match.prodded_by is None:
        return Prods()
    return Prods(by=rows[match.prodded_by].display_name, until=since + presence.PROD_TIMEOUT)
