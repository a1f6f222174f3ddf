"""Conditional moves: for which of the other's moves a person can plan an answer, and which answers there are.

Both follow from what the person sees: the tiles that the other may hold are all that the person does not see.
"""

from collections.abc import Iterator

from django.db.models import QuerySet

from boneyard.engine.moves import PASS, Move, leads
from boneyard.engine.perspective import View
from boneyard.engine.terms import Terms
from boneyard.engine.tiles import mask_of
from games.models import ConditionalMove, Match, Seat

# The condition that every play and pass fulfils.
ANY = ""


def may_plan(match: Match, terms: Terms, turn: int | None, seat: int | None) -> bool:
    """Return whether this seat may plan moves: it waits for the other of two players, who may take days.

    Not where points are called, as a move says its claim there.
    """
    is_waiting = seat is not None and turn is not None and turn != seat
    is_suitable = match.days is not None and terms.seats == 2 and not terms.must_claim
    return is_suitable and is_waiting and match.playing and not match.concealed


def list_answers(view: View) -> dict[str, tuple[Move, ...]]:
    """Return, by condition, the plays of a single tile that may be legal after it.

    The conditions are each play of a single tile that the viewer does not see, a pass, and `ANY`.
    """
    hand = mask_of(view.hand)
    found = {condition: view.layout_after(move).moves(hand) for condition, move in _list_plays(view)}
    if (layout := view.layout()) is not None:
        found |= {str(PASS): layout.moves(hand), ANY: layout.moves(hand)}
    return {condition: answers for condition, answers in found.items() if answers}


def _list_plays(view: View) -> Iterator[tuple[str, Move]]:
    """Yield the other's possible plays with their text."""
    layout = view.layout()
    for move in leads(view.unseen) if layout is None else layout.moves(view.unseen):
        yield str(move), move


def list_planned(seat: Seat) -> list[ConditionalMove]:
    """Return the conditional moves of this seat's person, the one for any move last."""
    return sorted(_planned_by(seat), key=lambda row: (row.condition == ANY, row.pk))


def count_planned(seat: Seat) -> int:
    """Return the number of conditional moves of this seat's person."""
    return _planned_by(seat).count()


def _planned_by(seat: Seat) -> QuerySet[ConditionalMove]:
    return ConditionalMove.objects.filter(match=seat.match_id, user=seat.user_id)
