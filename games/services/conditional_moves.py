"""Store conditional moves, and find the one to play after the other's move."""

from boneyard.engine import moves as notation
from boneyard.engine.moves import Move
from boneyard.engine.perspective import perspective
from boneyard.engine.state import TURN_KINDS
from games.conditional_moves import ANY, list_answers, may_plan
from games.locking import locked_match
from games.models import ConditionalMove
from games.repository import Snapshot
from games.seats import Viewer
from games.services.refusals import MoveRefused, refuse_during_halt


def plan(*, code: str, user: Viewer, condition: str, move: str, seen_version: int) -> None:
    """Plan `move` for the case that the other's turn ends with `condition`; an empty move cancels the plan.

    Raise `MoveRefused` or `Match.DoesNotExist`.
    """
    with locked_match(code=code) as (snapshot, _now):
        row, value, seat = snapshot.match, snapshot.value, snapshot.seat_of(user)
        if seat is None or seat.user_id is None:
            raise MoveRefused("not_seated")
        if row.version != seen_version:
            raise MoveRefused("stale")
        if not row.playing:
            raise MoveRefused("over")
        refuse_during_halt()
        if not may_plan(row, value.terms, value.turn, seat.position):
            raise MoveRefused("illegal")
        planned = ConditionalMove.objects.filter(match=row, user=seat.user_id)
        if not move:
            planned.filter(condition=condition).delete()
            return
        answers = list_answers(perspective(value, seat.position)).get(condition, ())
        if move not in map(str, answers):
            raise MoveRefused("illegal")
        planned.update_or_create({"move": move}, match=row, user_id=seat.user_id, condition=condition)


def take_answer(snapshot: Snapshot, seat: int, move: Move) -> Move | None:
    """Return the move planned against this one of `seat` if it is legal now.

    All plans of the match end with the turn, whatever ended it.
    """
    row, value = snapshot.match, snapshot.value
    if not row.days or value.seats != 2:
        return None
    is_new_round = not value.round.log  # not the one that was planned for
    if move.kind == "draw" and value.turn == seat and not is_new_round:
        return None  # the turn goes on
    planned = list(ConditionalMove.objects.filter(match=row))
    if not planned:
        return None
    ConditionalMove.objects.filter(match=row).delete()
    if move.kind not in TURN_KINDS or value.turn == seat or is_new_round:
        return None
    mover = snapshot.seats[seat].user_id
    by_condition = {each.condition: each.move for each in planned if each.user_id != mover}
    text = by_condition.get(str(move), by_condition.get(ANY))
    answer = notation.parse(text) if text else None
    return answer if answer in value.legal_moves else None
