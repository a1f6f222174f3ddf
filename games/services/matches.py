"""Every change of the play. One transaction each, with the version check; announced after the commit."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts import elo
from accounts.models import Rating, User
from games import clocks, values
from games.calling_off import costs_the_match
from games.engine import moves as notation
from games.engine.errors import EngineError, Malformed
from games.engine.moves import ABORT, LEFT, RESIGN, TAKEOVER, TIME, Move
from games.engine.perspective import perspective
from games.engine.presets import PRESETS
from games.engine.rules import Rules
from games.engine.shuffle import chain
from games.models import Match, SealedSecret, Seat, Talk
from games.models import Move as MoveRow
from games.presence import claimable_at, presence_of
from games.services import endings
from games.values import Snapshot, lock
from live.announce import announce

CHANGED_BY_A_MOVE = [
    "status",
    "version",
    "next_action_at",
    "turn_began_at",
    "pause_until",
    "wait_until",
    "result_how",
    "winners",
    "scores",
    "ended_at",
    "rating_order",
]
BY_PERSONS = frozenset({"play", "draw", "pass", "muggins", "resign", "abort"})
ON_TURN = frozenset({"play", "draw", "pass"})
STATUS = {
    "malformed": 400,
    "not_seated": 403,
    "stale": 409,
    "over": 422,
    "not_your_turn": 422,
    "wait": 422,
    "illegal": 422,
}


class Refused(Exception):
    """A refusal: `reason` is one of STATUS, `error` the engine's own word where it refused."""

    def __init__(self, reason: str, error: EngineError | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.error = error

    @property
    def status(self) -> int:
        return STATUS[self.reason]


@dataclass(frozen=True)
class Sitting:
    """Who takes a seat: a person's `user`, or a computer's `level`."""

    name: str
    kind: str
    user: User | None = None
    level: str = ""


def seal(code: str, secret: bytes = b"") -> str:
    """Seal a secret of 32 bytes for the table and the match of this code, a drawn one unless given; its seal in hex."""
    secret = secret or secrets.token_bytes(32)
    return SealedSecret.objects.create(code=code, secret=secret.hex(), seal=chain(secret).seal).seal


def start(
    *,
    code: str,
    preset: str | None,
    rules: Rules,
    rated: bool,
    seats: Sequence[Sitting],
    entropy: str,
    clock: tuple[int, int] | None = None,
    private: bool = False,
) -> Match:
    """Begin the match that was sealed under this code: the one way there is. `clock`: seconds and increment."""
    now = timezone.now()
    pool = PRESETS[preset].rating_pool if preset else ""
    with transaction.atomic():
        match = Match.objects.create(
            code=code,
            preset=preset,
            pool=pool,
            rules=rules.as_dict(),
            rated=rated,
            private=private,
            clock_seconds=clock[0] if clock else None,
            clock_increment=clock[1] if clock else None,
            seal=SealedSecret.objects.get(code=code).seal,
            entropy=entropy,
            started_at=now,
            turn_began_at=now,
        )
        players = [s.user for s in seats if s.kind == Seat.Kind.PLAYER]
        ratings = dict.fromkeys([player.pk for player in players], elo.START) if pool else {}
        ratings |= Rating.objects.filter(pool=pool, user__in=players).values_list("user_id", "value")
        rows = Seat.objects.bulk_create(
            Seat(
                match=match,
                position=position,
                user=sitting.user,
                kind=sitting.kind,
                level=sitting.level,
                name=sitting.name,
                clock_ms=clock[0] * 1000 if clock else None,
                rating_before=ratings.get(sitting.user.pk) if sitting.user else None,
            )
            for position, sitting in enumerate(seats)
        )
        snapshot = Snapshot(match, rows, values.opening(match))
        match.scores = list(snapshot.value.scores)
        match.next_action_at = clocks.next_action(snapshot, now)
        match.save(update_fields=["scores", "next_action_at"])
        transaction.on_commit(lambda: values.remember(match.pk, 0, snapshot.value))
        announce("lobby", {"type": "page.changed", "topic": "lobby", "stamp": match.pk})
    return match


def play(*, match: Match, seat: Seat, move: str, seen_version: int, claim: int | None = None) -> Match:
    """Play `move` for `seat` of a match last seen at `seen_version`; the match as it is then, or Refused."""
    parsed = parse(move)
    if seat.match_id != match.pk or seat.taken_over:
        raise Refused("not_seated")
    return _play(match, seat.position, parsed, seen_version, claim)


def parse(move: str) -> Move:
    """The move that a person sent, or Refused: moves that only time and the others make are not sent."""
    try:
        parsed = notation.parse(move)
    except Malformed as error:
        raise Refused("malformed", error) from error
    if parsed.kind not in BY_PERSONS:
        raise Refused("malformed")
    return parsed


def play_for_computer(
    *, match: Match, position: int, move: Move, claim: int | None, seen_version: int
) -> Match:
    """A computer's answer goes through the same door; a late one is refused by its version."""
    return _play(match, position, move, seen_version, claim)


def _play(match: Match, position: int, move: Move, seen_version: int, claim: int | None) -> Match:
    now = timezone.now()
    advance(match, now)
    with transaction.atomic():
        snapshot = lock(match.pk)
        row, value = snapshot.match, snapshot.value
        if row.version != seen_version:
            raise Refused("stale")
        if not row.playing:
            raise Refused("over")
        if move.kind in ON_TURN and value.turn != position:
            raise Refused("not_your_turn")
        if move.kind in ON_TURN and row.wait_until and now < row.wait_until:
            raise Refused("wait")
        if move.kind == "abort":
            move = _called_off(snapshot, position, now)
        _append(snapshot, position, move, claim, now)
    return row


def _called_off(snapshot: Snapshot, position: int, now: datetime) -> Move:
    """Calling off, or resigning where that is what it costs."""
    seat, view = snapshot.seats[position], perspective(snapshot.value, position)
    if not view.may_abort or not costs_the_match(snapshot.match, seat, now):
        return ABORT
    seat.called_off = True
    seat.save(update_fields=["called_off"])
    return RESIGN


def advance(match: Match, now: datetime) -> None:
    """Apply what time alone has decided: a clock that has run out. Committed by itself, before anything else."""
    if not match.timed or not match.playing or match.next_action_at is None or match.next_action_at > now:
        return
    with transaction.atomic():
        snapshot = lock(match.pk)
        row, turn = snapshot.match, snapshot.value.turn
        if not row.playing or turn is None:
            return
        deadline = clocks.deadline_of(row, snapshot.seats, turn)
        if deadline is not None and deadline <= now:
            _append(snapshot, turn, TIME, None, deadline)


def claim_absent(*, match: Match, seat: Seat, take: str) -> Match:
    """Claim against the absent player on turn: `win` (they have left) or `computer` (it plays on for them)."""
    now = timezone.now()
    with transaction.atomic():
        snapshot = lock(match.pk)
        row, turn = snapshot.match, snapshot.value.turn
        if seat.match_id != row.pk or seat.taken_over or seat.left:
            raise Refused("not_seated")
        if not row.playing or turn is None:
            raise Refused("over")
        absent = snapshot.seats[turn]
        claimable = claimable_at(row, absent, presence_of(row, now))
        if claimable is None or turn == seat.position:
            raise Refused("illegal", EngineError("not_absent", name=absent.name))
        if now < claimable:
            left = int((claimable - now).total_seconds()) + 1
            raise Refused("illegal", EngineError("grace", name=absent.name, seconds=left))
        if take == "computer" and row.rated:
            raise Refused("illegal", EngineError("rated_takeover"))
        if take not in ("win", "computer"):
            raise Refused("malformed")
        _append(snapshot, turn, TAKEOVER if take == "computer" else LEFT, None, now)
    return row


def leave(*, match: Match, user: User) -> None:
    """Resign for somebody whose account goes, whatever has been played meanwhile; nothing if they have left already."""
    now = timezone.now()
    advance(match, now)
    with transaction.atomic():
        snapshot = lock(match.pk)
        seat = next((seat for seat in snapshot.seats if seat.user_id == user.pk), None)
        if seat is None or seat.taken_over or not snapshot.match.playing:
            return
        if seat.position not in snapshot.value.left:
            _append(snapshot, seat.position, RESIGN, None, now)


def continue_match(*, match: Match, seat: Seat) -> None:
    """Continue: this person needs no more of the pause after a round. It ends when all have said so."""
    now = timezone.now()
    with transaction.atomic():
        snapshot = lock(match.pk)
        row, seats = snapshot.match, snapshot.seats
        if seat.match_id != row.pk or seat.taken_over:
            raise Refused("not_seated")
        if not row.playing or row.pause_until is None or row.pause_until <= now:
            return
        ended = len(snapshot.value.ended)
        seats[seat.position].continued_round = ended
        seats[seat.position].save(update_fields=["continued_round"])
        if all(s.computer or s.left or s.continued_round >= ended for s in seats):
            clocks.end_pause(snapshot, now)
            row.save(update_fields=["pause_until", "turn_began_at", "next_action_at"])
        _tell(row, "pause")


def lease(match: Match, seen_version: int, until: datetime) -> bool:
    """Take a due row for oneself until `until`; False if another process did, or the play went on."""
    taken = Match.objects.filter(
        pk=match.pk, version=seen_version, next_action_at=match.next_action_at, status=Match.Status.PLAYING
    ).update(next_action_at=until)
    return taken == 1


def let_stand(match: Match, seen_version: int) -> None:
    """No computer wants to call muggins: the deadline is that of the turn again."""
    now = timezone.now()
    with transaction.atomic():
        snapshot = lock(match.pk)
        row = snapshot.match
        if row.version == seen_version and row.playing:
            row.next_action_at = clocks.turn_action(snapshot, now)
            row.save(update_fields=["next_action_at"])


def note_rematch(match: Match, code: str) -> None:
    """A rematch waits at the table `code`: the pages of the finished match lead there."""
    with transaction.atomic():
        Match.objects.filter(pk=match.pk).update(rematch_code=code)
        _tell(match, "rematch")


def take_names_out(user: User) -> None:
    """A person who has deleted the account: their seats and lines stay without a name."""
    Seat.objects.filter(user=user).update(name="")
    Talk.objects.filter(user=user).update(name="", hidden=True)


def _append(snapshot: Snapshot, seat: int, move: Move, claim: int | None, now: datetime) -> None:
    """The move into the match, its row and its clocks. The engine refuses before anything is written."""
    row, seats, value = snapshot.match, snapshot.seats, snapshot.value
    try:
        after = value.play(seat, move, claim)
    except EngineError as error:
        reason = error.code if error.code in ("over", "not_your_turn") else "illegal"
        raise Refused(reason, error) from error
    row.version += 1
    claimed = claim if move.kind == "play" and value.rules.claims == "muggins" else None
    MoveRow.objects.create(
        match=row, number=row.version, seat=seat, text=str(move), claim=claimed or None, at=now
    )
    if row.timed and move.kind in clocks.STOPS_THE_CLOCK:
        clocks.charge(row, seats[seat], now)
        seats[seat].save(update_fields=["clock_ms"])
    if move == TAKEOVER:
        seats[seat].taken_over = True
        seats[seat].save(update_fields=["taken_over"])
    clocks.begin_turn(row, value, after, move, now)
    moved = replace(snapshot, value=after)
    if after.result is not None:
        endings.finish(moved, now)
    else:
        row.next_action_at = clocks.next_action(moved, now)
    row.scores = list(after.scores)
    row.save(update_fields=CHANGED_BY_A_MOVE)
    transaction.on_commit(lambda: values.remember(row.pk, row.version, after))
    announce(f"match.{row.code}", {"type": "match.changed", "version": row.version})


def _tell(row: Match, topic: str) -> None:
    stamp = int(timezone.now().timestamp() * 1000)
    announce(f"match.{row.code}", {"type": "page.changed", "topic": topic, "stamp": stamp})
