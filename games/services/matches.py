"""Apply moves: one transaction each with a version check, broadcast after the commit."""

from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from boneyard.engine import moves as notation
from boneyard.engine.errors import EngineError, Malformed
from boneyard.engine.matches import Match as Value
from boneyard.engine.moves import ABORT, ABSENT, DRAW, LEAVING, ON_TURN, RESIGN, TAKEOVER, TIME, Move
from boneyard.engine.perspective import perspective
from boneyard.engine.state import TURN_KINDS
from core.prepared import PreparedInsert, PreparedUpdate
from games import leaving, repository
from games.locking import locked_match
from games.models import Match, Seat
from games.models import Move as MoveRow
from games.repository import Snapshot
from games.seats import Viewer
from games.services import conditional_moves, endings, round_ends, turns
from games.services.connections import record_hand_sent
from games.services.refusals import MoveRefused, refuse_during_halt
from games.time import clocks, vacations
from games.time.day_clocks import get_initial_ms
from games.time.pace import is_slow_turn
from games.time.presence import load_presence
from live.broadcast import broadcast, broadcast_page_changed

MATCH_FIELDS_OF_A_MOVE = [
    "status",
    "version",
    "next_action_at",
    "turn_began_at",
    "turn_used_ms",
    "pause_until",
    "wait_until",
    "result_how",
    "winners",
    "scores",
    "ended_at",
    "rating_order",
    "prodded_at",
    "leaver",
    "leaving",
    "left_at",
    "agreed",
]
_MATCH_UPDATE = PreparedUpdate(Match, MATCH_FIELDS_OF_A_MOVE)
_SEAT_UPDATE = PreparedUpdate(Seat, ["clock_ms", "slow_turns", "left", "unfinished", "taken_over"])
_MOVE_INSERT = PreparedInsert(MoveRow, ["match", "number", "seat", "text", "claim", "at", "clock_ms"])
TURN_ENDING_KINDS = ON_TURN - {"draw"} | LEAVING | {"takeover"}
PLAYER_MOVE_KINDS = ON_TURN | {"muggins", "resign", "abort"}


class MoveAttempt(NamedTuple):
    """A move to play, and the conditions under which it is accepted (`play_as`)."""

    move: Move
    seen_version: int | None
    claim: int | None
    until_fits: bool = False
    is_late: bool = False


def play(*, match: Match, seat: Seat, move: str, seen_version: int, claim: int | None = None) -> Match:
    """Play `move` for `seat` of a match last seen at `seen_version`; return the match. Raise `MoveRefused`."""
    parsed = parse_move(move)
    if seat.match_id != match.pk or seat.taken_over:
        raise MoveRefused("not_seated")
    return _play(match, seat.position, MoveAttempt(parsed, seen_version, claim)).match


def play_as(
    *,
    code: str,
    user: Viewer,
    move: str,
    seen_version: int | None,
    claim: int | None = None,
    until_fits: bool = False,
    is_late: bool = False,
) -> Snapshot:
    """Play `move` for the seat of `user` in the match `code`, with few queries; return the new snapshot.

    `seen_version` None accepts the move at any version. With `until_fits` a draw that must be followed by another one
    is, until a tile fits or none is left to draw. A move that `is_late`, of which the page has said that it was not
    sent, is refused unless it is stored already.
    Raise `MoveRefused` or `Match.DoesNotExist`.
    """
    attempt = MoveAttempt(parse_move(move), seen_version, claim, until_fits, is_late)
    with locked_match(code=code) as (snapshot, now):
        seat = snapshot.seat_of(user)
        if seat is None:
            raise MoveRefused("not_seated")
        if not _is_due(snapshot.match, now):
            return _play_locked(snapshot, seat.position, attempt, now)
    # Store what expired clocks decide in a transaction of its own, so that a refused move does not roll it back.
    return _play(snapshot.match, seat.position, attempt)


def parse_move(move: str) -> Move:
    """Parse a move sent by a person. Raise `MoveRefused`, also for kinds that only the server plays."""
    try:
        parsed = notation.parse(move)
    except Malformed as error:
        raise MoveRefused.from_engine(error) from error
    if parsed.kind not in PLAYER_MOVE_KINDS:
        raise MoveRefused("malformed")
    return parsed


def play_for_computer(*, match: Match, seat: int, move: Move, claim: int | None, seen_version: int) -> Match:
    """Play a computer's move; a late one is refused because of its version."""
    return _play(match, seat, MoveAttempt(move, seen_version, claim)).match


def _play(match: Match, seat: int, attempt: MoveAttempt) -> Snapshot:
    advance(match, timezone.now())
    with locked_match(pk=match.pk) as (snapshot, now):
        return _play_locked(snapshot, seat, attempt, now)


def _play_locked(snapshot: Snapshot, seat: int, attempt: MoveAttempt, now: datetime) -> Snapshot:
    row, value = snapshot.match, snapshot.value
    move, seen_version, claim, until_fits, is_late = attempt
    if seen_version is not None and row.version != seen_version:
        if repository.is_stored(row, seat, str(move), number=seen_version + 1):
            raise MoveRefused("stale", "repeated")
        raise MoveRefused("stale")
    if not row.playing:
        raise MoveRefused("over")
    if is_late:
        raise MoveRefused("stale", "late")
    refuse_during_halt()
    if move.kind in ON_TURN and value.turn != seat:
        raise MoveRefused("not_your_turn")
    if row.leaver == seat and row.leaving == str(move):
        raise MoveRefused("stale", "repeated")
    if row.leaver is not None:
        raise MoveRefused("wait", "choosing", name=snapshot.seats[row.leaver].display_name)
    if move.kind in ON_TURN and row.wait_until and now < row.wait_until:
        raise MoveRefused("wait")
    if row.concealed and (move.kind == "abort" or move.kind in LEAVING):
        raise MoveRefused("illegal", "deals_open")
    if move.kind == "abort":
        move = _resolve_abort(snapshot, seat, now, by_clock=False)
    if move.kind in LEAVING and not claim:
        record_hand_sent(snapshot.seats[seat])
        return leave_seat(snapshot, seat, move, now, now)
    snapshot = append_move(snapshot, seat, move, claim, now)
    while until_fits and move is DRAW and _must_draw_again(snapshot.value, seat):
        snapshot = append_move(snapshot, seat, DRAW, None, now)
    return snapshot


def _must_draw_again(value: Value, seat: int) -> bool:
    """Return whether the seat can only draw once more, and has no choice about drawing at this table."""
    return value.rules.draw == "until_playable" and value.legal(seat) == (DRAW,)


def _is_due(match: Match, now: datetime) -> bool:
    """Return whether a clock, a pause for calls or the choice about a leaver's seat may have expired."""
    if not match.playing or match.next_action_at is None or match.next_action_at > now:
        return False
    return match.timed or match.left_at is not None or match.wait_until is not None


def leave_seat(snapshot: Snapshot, seat: int, move: Move, at: datetime, now: datetime) -> Snapshot:
    """Let the seat leave at `at`. If people who may ask for a computer are present, play waits for their answers."""
    row, value = snapshot.match, snapshot.value
    present = load_presence(row, snapshot.seats, now).seats
    if seat not in value.gone:
        _record_departure(snapshot, seat, move, is_present=seat in present)
    choosers = leaving.find_choosers(row, value, snapshot.seats, seat)
    if seat in value.gone or not choosers & present:
        return append_departure(snapshot, seat, move, at)
    begin_choice(snapshot, seat, move, now)
    return snapshot


def _record_departure(snapshot: Snapshot, position: int, move: Move, *, is_present: bool) -> None:
    """Record whether leaving this way counts against completion: not a resignation at a table of two, nor a clock that
    ran out at the page."""
    if move.kind == "resign":
        unfinished = snapshot.value.seats > 2
    else:
        unfinished = move.kind != "time" or not is_present
    seat = snapshot.seats[position]
    if unfinished and not seat.unfinished:
        seat.unfinished = True
        seat.save(update_fields=["unfinished"])


def begin_choice(snapshot: Snapshot, seat: int, move: Move, now: datetime) -> None:
    """Ask those who play on whether a computer takes the seat of a player who leaves by `move`."""
    row = snapshot.match
    row.leaver, row.leaving, row.left_at, row.agreed = seat, str(move), now, []
    row.next_action_at = clocks.get_next_action(snapshot, now)
    row.save(update_fields=["leaver", "leaving", "left_at", "agreed", "next_action_at"])
    broadcast_page_changed(f"match.{row.code}", "leaving")


def agree_to_computer(snapshot: Snapshot, seat: int, now: datetime) -> None:
    """Record that a seat agrees to a computer in the leaver's seat, and seat it once all who play on agree."""
    row, leaver = snapshot.match, snapshot.match.leaver
    if leaver is None or seat in row.agreed:
        return
    row.agreed = [*row.agreed, seat]
    if leaving.find_choosers(row, snapshot.value, snapshot.seats, leaver) <= set(row.agreed):
        resolve_departure(snapshot, TAKEOVER, now)
        return
    row.save(update_fields=["agreed"])
    broadcast_page_changed(f"match.{row.code}", "leaving")


def resolve_departure(snapshot: Snapshot, move: Move, now: datetime) -> Snapshot:
    """Play `move` for the leaver: the seat stays empty or a computer takes it. The choice's time costs no clock."""
    row, leaver = snapshot.match, snapshot.match.leaver
    if leaver is None or row.left_at is None:
        raise ValueError(f"nothing is to be chosen in {row.code}")
    before = _MATCH_UPDATE.values(row)
    clocks.extend_deadlines(row, row.left_at, now)
    row.leaver, row.leaving, row.left_at, row.agreed = None, "", None, []
    _MATCH_UPDATE.save_changes(row, before)
    return append_departure(snapshot, leaver, move, now)


def append_departure(snapshot: Snapshot, seat: int, move: Move, at: datetime) -> Snapshot:
    """Append the move by which a seat leaves.

    If one person is left at a rated table of three or four for themselves, the match ends: computers leave first.
    """
    row, value = snapshot.match, snapshot.value
    one_left = len(leaving.find_staying(value, snapshot.seats, seat)) == 1
    if move != TAKEOVER and row.rated and not leaving.is_in_pairs(value) and one_left:
        computers = [s.position for s in snapshot.seats if s.computer and s.position not in value.gone]
        for computer in computers:
            snapshot = append_move(snapshot, computer, ABSENT, None, at)
            if snapshot.value.result is not None:
                return snapshot
    return append_move(snapshot, seat, move, None, at)


def _resolve_abort(snapshot: Snapshot, position: int, now: datetime, *, by_clock: bool) -> Move:
    """Return ABORT, or RESIGN if calling off costs the match."""
    seat = snapshot.seats[position]
    if perspective(snapshot.value, position).may_abort:
        endings.record_early_departure(snapshot.match, seat, snapshot.seats, now, by_clock=by_clock)
    return RESIGN if seat.called_off else ABORT


def advance(match: Match, now: datetime) -> None:
    """Apply an expired clock, pause for calls or choice, in a transaction of its own."""
    if not _is_due(match, now):
        return
    with locked_match(pk=match.pk) as (snapshot, now):
        row, turn = snapshot.match, snapshot.value.turn
        if not row.playing:
            return
        if row.left_at is not None:
            if row.left_at + clocks.CHOICE_TIMEOUT <= now:
                resolve_departure(snapshot, notation.parse(row.leaving), now)
            return
        if turn is None:
            _end_calls(snapshot, now)
            return
        deadline = clocks.get_turn_deadline(row, snapshot.seats, turn, snapshot.value)
        if deadline is not None and deadline <= now:
            _end_turn_by_time(snapshot, turn, deadline, now)
        elif row.next_action_at is not None and row.next_action_at <= now:
            row.next_action_at = clocks.get_next_action(snapshot, now)
            row.save(update_fields=["next_action_at"])


def _end_turn_by_time(snapshot: Snapshot, turn: int, deadline: datetime, now: datetime) -> None:
    """Play the move of a seat whose time is up: TIME, or the call-off of a match in its first turns."""
    clock_ran = clocks.get_clock_start(snapshot.match, turn, snapshot.value) is not None
    has_begun = not snapshot.match.days or snapshot.value.has_had_turn()
    move = TIME if clock_ran and has_begun else _resolve_abort(snapshot, turn, now, by_clock=True)
    if move.kind in LEAVING:
        leave_seat(snapshot, turn, move, deadline, now)
    else:
        append_move(snapshot, turn, move, None, deadline)


def _end_calls(snapshot: Snapshot, now: datetime) -> None:
    """Close the round whose last play nobody has called, once its pause is over."""
    row, closer = snapshot.match, snapshot.value.closing_seat
    if closer is None:
        return
    if row.wait_until is None or row.wait_until <= now:
        append_move(snapshot, closer, notation.CLOSE, None, now)
    else:
        row.next_action_at = clocks.get_next_action(snapshot, now)
        row.save(update_fields=["next_action_at"])


def continue_match(*, match: Match, seat: Seat) -> None:
    """Record that a player continues; the pause after a round ends once all have. Raise `MoveRefused`."""
    with locked_match(pk=match.pk) as (snapshot, now):
        row, seats = snapshot.match, snapshot.seats
        if seat.match_id != row.pk or seat.taken_over:
            raise MoveRefused("not_seated")
        if not row.playing or row.pause_until is None or row.pause_until <= now or row.left_at is not None:
            return
        refuse_during_halt()
        ended = len(snapshot.value.ended)
        seats[seat.position].continued_round = ended
        seats[seat.position].save(update_fields=["continued_round"])
        if all(s.computer or s.left or s.continued_round >= ended for s in seats):
            clocks.end_pause(snapshot, now)
            row.save(update_fields=["pause_until", "turn_began_at", "next_action_at"])
        broadcast_page_changed(f"match.{row.code}", "pause")


def append_move(snapshot: Snapshot, seat: int, move: Move, claim: int | None, now: datetime) -> Snapshot:
    """Append the move, update the row and its clocks, and return the new snapshot.

    The caller has saved its own changes to the row. Raise `MoveRefused` before anything is written.
    """
    row, seats, value = snapshot.match, snapshot.seats, snapshot.value
    try:
        after = value.play(seat, move, claim)
    except EngineError as error:
        raise MoveRefused.from_engine(error) from error
    before = _MATCH_UPDATE.values(row)
    row.version += 1
    claimed = claim if move.kind == "play" and value.rules.claims == "muggins" else None
    _change_seat(row, seats[seat], value, move, now)
    _MOVE_INSERT.add(row.pk, row.version, seat, str(move), claimed or None, now, seats[seat].clock_ms)
    clocks.begin_turn(row, value, after, move, now)
    vacations.delay_turn(row, seats, after.turn, now)
    after_move = Snapshot(row, seats, after, snapshot.at)
    if after.result is not None:
        endings.finish(after_move, now)
    else:
        row.next_action_at = clocks.get_next_action(after_move, now)
    row.scores = list(after.scores)
    _MATCH_UPDATE.save_changes(row, before)
    is_last_round = bool(
        row.deals and len(after.ended) > len(value.ended) and not round_ends.notify(after_move, now)
    )
    left = repository.copy_snapshot(after_move)
    transaction.on_commit(lambda: repository.cache_snapshot(left))
    broadcast(f"match.{row.code}", {"type": "match.changed", "version": row.version})
    if is_last_round:
        return end_by_time(after_move, now)
    planned = conditional_moves.take_answer(after_move, seat, move)
    if (next_move := planned or turns.find_forced_move(after_move)) is not None:
        return append_move(after_move, after.turn or 0, next_move, None, now)
    turns.notify(after_move, value.turn)
    return after_move


def end_by_time(snapshot: Snapshot, now: datetime) -> Snapshot:
    """End a match against computers by the move `time` of each seat, people first, until it is over."""
    for seat in sorted(snapshot.seats, key=lambda seat: seat.computer):
        if not snapshot.match.playing:
            break
        if seat.position not in snapshot.value.gone:
            snapshot = append_move(snapshot, seat.position, TIME, None, now)
    return snapshot


def _change_seat(match: Match, seat: Seat, value: Value, move: Move, now: datetime) -> None:
    """Update the seat of a move in one statement."""
    before = _SEAT_UPDATE.values(seat)
    use = clocks.get_clock_use(match, value.turn, value, now) if value.turn == seat.position else None
    if use is not None and move.kind in TURN_ENDING_KINDS and is_slow_turn(match, use):
        seat.slow_turns += 1
    if use is not None and move.kind in TURN_KINDS:
        clocks.charge_clock(match, seat, use)
    if move.kind == "time":
        seat.clock_ms = 0
    if move.kind in LEAVING:
        seat.left = True
        seat.unfinished |= move.kind == "left"
    if move == TAKEOVER:
        seat.taken_over = True
        if match.clock_seconds is not None:
            seat.clock_ms = get_initial_ms(match.clock_seconds)  # the leaver's clock may have expired
    _SEAT_UPDATE.save_changes(seat, before)
