"""Store conditional moves, and find the one to play after the other's move."""

from boneyard.engine import moves as notation
from boneyard.engine.errors import Illegal, Malformed
from boneyard.engine.moves import Move
from boneyard.engine.perspective import View, perspective
from boneyard.engine.state import TURN_KINDS
from games.conditional_moves import (
    ANY,
    change_lines,
    follow_up,
    list_answers,
    list_later_answers,
    may_plan,
)
from games.locking import locked_match
from games.models import ConditionalMove
from games.repository import Snapshot
from games.seats import Viewer
from games.services.refusals import MoveRefused, refuse_during_halt


def plan(*, code: str, user: Viewer, condition: str, move: str, seen_version: int) -> None:
    """Plan `move` for the case that the other's turn ends with `condition`; an empty move cancels the plan.

    After an answer that is planned the condition is a path of moves that begins with the condition of that answer.
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
        first, *later = condition.split(" ", 2)
        planned = ConditionalMove.objects.filter(match=row, user=seat.user_id, condition=first)
        if move and move not in _list_texts(perspective(value, seat.position), condition):
            raise MoveRefused("illegal")
        if later:
            _change_later(planned.filter(move=later[0]).first(), " ".join(later[1:]), move)
        elif not move:
            planned.delete()
        elif not planned.filter(move=move).exists():  # else it stays with what follows it
            planned.delete()
            ConditionalMove.objects.create(match=row, user_id=seat.user_id, condition=first, move=move)


def _list_texts(view: View, condition: str) -> list[str]:
    """Return the answers to a condition, or to a path, as texts."""
    before, _, last = condition.rpartition(" ")
    try:
        answers = list_later_answers(view, before) if before else list_answers(view)
    except (Malformed, Illegal):
        return []
    return [str(answer) for answer in answers.get(last, ())]


def _change_later(first: ConditionalMove | None, path: str, move: str) -> None:
    """Plan a later answer, or cancel it, with those that follow it. Raise `MoveRefused`."""
    then = change_lines(first.then, path, move) if first is not None and path else None
    if first is None or then is None:
        raise MoveRefused("illegal")
    first.then = then
    first.save(update_fields=["then"])


def take_answer(snapshot: Snapshot, seat: int, move: Move) -> Move | None:
    """Return the move planned against this one of `seat` if it is legal now.

    With the turn all plans for it end; what was planned after the answer holds for the next one.
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
    mover = snapshot.seats[seat].user_id
    goes_on = move.kind in TURN_KINDS and value.turn != seat and not is_new_round
    own = [each for each in planned if each.user_id == mover]  # follow the answer that the mover had planned
    if goes_on and len(own) == len(planned):
        return None
    ended = [each.pk for each in planned if not goes_on or each not in own]
    ConditionalMove.objects.filter(pk__in=ended).delete()
    if not goes_on:
        return None
    by_condition = {each.condition: each for each in planned if each.user_id != mover}
    found = by_condition.get(str(move)) or by_condition.get(ANY)
    answer = notation.parse(found.move) if found else None
    if found is None or answer not in value.legal_moves:
        return None
    ConditionalMove.objects.bulk_create(
        ConditionalMove(match=row, user_id=found.user_id, condition=condition, move=planned_move, then=then)
        for condition, planned_move, then in follow_up(found.then)
    )
    return answer
