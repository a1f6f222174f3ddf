"""Every change to the play: one transaction each, with the version check; announced after the commit."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from accounts import elo
from accounts.models import Rating, User
from games import clocks, values
from games.calling_off import costs_the_match
from games.engine import moves as notation
from games.engine.errors import EngineError, Malformed
from games.engine.moves import ABORT, ABSENT, RESIGN, TAKEOVER, TIME, Move
from games.engine.perspective import perspective
from games.engine.presets import PRESETS
from games.engine.rules import Rules
from games.engine.shuffle import chain
from games.models import Connection, Match, SealedSecret, Seat
from games.models import Move as MoveRow
from games.outage import changing
from games.presence import grace_ends, presence_of, prodded_since
from games.seats import Viewer
from games.services import endings
from games.values import Snapshot
from live.announce import announce, page_changed

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
FORGOTTEN_AFTER = timedelta(hours=24)
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


class MoveRefused(Exception):
    """A refusal: `reason` is one of STATUS, `error` the engine's own word where it refused."""

    def __init__(self, reason: str, error: EngineError | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.error = error

    @property
    def status(self) -> int:
        return STATUS[self.reason]


@dataclass(frozen=True)
class Seated:
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
    seats: Sequence[Seated],
    entropy: str,
    clock: tuple[int, int] | None = None,
    private: bool = False,
) -> Match:
    """Begin the match that was sealed under this code; there is no other way. `clock`: seconds and increment."""
    now = timezone.now()
    pool = PRESETS[preset].pool(len(seats)) if preset else ""
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
        players = [s.user for s in seats if s.user is not None and s.kind == Seat.Kind.PLAYER]
        ratings = dict.fromkeys([player.pk for player in players], elo.START) if pool else {}
        ratings |= Rating.objects.filter(pool=pool, user__in=players).values_list("user_id", "value")
        rows = Seat.objects.bulk_create(
            Seat(
                match=match,
                position=position,
                user=seated.user,
                kind=seated.kind,
                level=seated.level,
                name=seated.name,
                clock_ms=clock[0] * 1000 if clock else None,
                rating_before=ratings.get(seated.user.pk) if seated.user else None,
            )
            for position, seated in enumerate(seats)
        )
        snapshot = Snapshot(match, rows, values.opening(match))
        match.scores = list(snapshot.value.scores)
        match.next_action_at = clocks.next_action(snapshot, now)
        match.save(update_fields=["scores", "next_action_at"])
        transaction.on_commit(lambda: values.remember(match.pk, 0, snapshot.value))
        page_changed("lobby", "lobby")
    return match


def play(*, match: Match, seat: Seat, move: str, seen_version: int, claim: int | None = None) -> Match:
    """Play `move` for `seat` of a match last seen at `seen_version`; the match as it is then, or MoveRefused."""
    parsed = parse(move)
    if seat.match_id != match.pk or seat.taken_over:
        raise MoveRefused("not_seated")
    return _play(match, seat.position, parsed, seen_version, claim).match


def play_as(*, code: str, user: Viewer, move: str, seen_version: int, claim: int | None = None) -> Snapshot:
    """Play `move` for the seat that `user` has in the match `code`: what a form or a frame asks for, in as few
    statements as it can be done. The match as it is then, or MoveRefused. Raises `Match.DoesNotExist`."""
    parsed = parse(move)
    with changing(code=code) as (snapshot, now):
        seat = snapshot.seat_of(user)
        if seat is None:
            raise MoveRefused("not_seated")
        if not _is_due(snapshot.match, now):
            return _play_locked(snapshot, seat.position, parsed, seen_version, claim, now)
    # What time has decided is stored before the move is looked at, and no refusal takes it back.
    return _play(snapshot.match, seat.position, parsed, seen_version, claim)


def parse(move: str) -> Move:
    """The move a person sent. Raises MoveRefused for those that only time or the other players bring about."""
    try:
        parsed = notation.parse(move)
    except Malformed as error:
        raise MoveRefused("malformed", error) from error
    if parsed.kind not in BY_PERSONS:
        raise MoveRefused("malformed")
    return parsed


def play_for_computer(*, match: Match, seat: int, move: Move, claim: int | None, seen_version: int) -> Match:
    """A computer's move enters by the same door as everybody's; a late one is refused because of its version."""
    return _play(match, seat, move, seen_version, claim).match


def _play(match: Match, seat: int, move: Move, seen_version: int, claim: int | None) -> Snapshot:
    advance(match, timezone.now())
    with changing(pk=match.pk) as (snapshot, now):
        return _play_locked(snapshot, seat, move, seen_version, claim, now)


def _play_locked(
    snapshot: Snapshot, seat: int, move: Move, seen_version: int, claim: int | None, now: datetime
) -> Snapshot:
    row, value = snapshot.match, snapshot.value
    if row.version != seen_version:
        raise MoveRefused("stale")
    if not row.playing:
        raise MoveRefused("over")
    if move.kind in ON_TURN and value.turn != seat:
        raise MoveRefused("not_your_turn")
    if move.kind in ON_TURN and row.wait_until and now < row.wait_until:
        raise MoveRefused("wait")
    if move.kind == "abort":
        move = _called_off(snapshot, seat, now)
    return _append(snapshot, seat, move, claim, now)


def _is_due(match: Match, now: datetime) -> bool:
    return match.timed and match.playing and match.next_action_at is not None and match.next_action_at <= now


def _called_off(snapshot: Snapshot, position: int, now: datetime) -> Move:
    """Calling off, or resigning where that is what it costs."""
    seat, view = snapshot.seats[position], perspective(snapshot.value, position)
    if not view.may_abort or not costs_the_match(snapshot.match, seat, now):
        return ABORT
    seat.called_off = True
    seat.save(update_fields=["called_off"])
    return RESIGN


def advance(match: Match, now: datetime) -> None:
    """Apply what time alone has decided, a clock that has run out, in a transaction before any other."""
    if not _is_due(match, now):
        return
    with changing(pk=match.pk) as (snapshot, now):
        row, turn = snapshot.match, snapshot.value.turn
        if not row.playing or turn is None:
            return
        deadline = clocks.deadline_of(row, snapshot.seats, turn)
        if deadline is not None and deadline <= now:
            _append(snapshot, turn, TIME, None, deadline)
        elif row.next_action_at is not None and row.next_action_at <= now:
            row.next_action_at = clocks.next_action(snapshot, now)
            row.save(update_fields=["next_action_at"])


def answer_absence(*, match: Match, seat: Seat, take: str) -> Match:
    """Go on without the absent player on turn: `take` is `win` (they have left the match) or `computer` (one plays on
    for them)."""
    with changing(pk=match.pk) as (snapshot, now):
        row, turn = snapshot.match, _turn_of_another(snapshot, seat)
        absent, here = snapshot.seats[turn], presence_of(row, snapshot.seats, now)
        grace = grace_ends(row, snapshot.seats, turn, here)
        if grace is None:
            raise MoveRefused("illegal", EngineError("not_absent", name=absent.shown_name))
        if now < grace:
            seconds = int((grace - now).total_seconds()) + 1
            code = "prodded" if turn in here.seats else "grace"
            raise MoveRefused("illegal", EngineError(code, name=absent.shown_name, seconds=seconds))
        if take == "computer" and row.rated:
            raise MoveRefused("illegal", EngineError("rated_takeover"))
        if take not in ("win", "computer"):
            raise MoveRefused("malformed")
        _append(snapshot, turn, TAKEOVER if take == "computer" else ABSENT, None, now)
    return row


def end_forgotten(match: Match) -> None:
    """End a match that nobody has looked at or moved in for a day, by the seat on turn: called off if it has not yet
    played a tile, else left, until the match is over."""
    with changing(pk=match.pk) as (snapshot, now):
        if not forgotten(Match.objects.filter(pk=match.pk), now).exists():
            return
        while (turn := snapshot.value.turn) is not None and not snapshot.seats[turn].computer:
            move = ABSENT if snapshot.value.first_play_made(turn) else ABORT
            snapshot = _append(snapshot, turn, move, None, now)


def forgotten(matches: QuerySet[Match], now: datetime) -> QuerySet[Match]:
    """Those being played in which for a day nobody has moved, and of which nobody has had a page open."""
    since = now - FORGOTTEN_AFTER
    last_move = MoveRow.objects.filter(match=OuterRef("pk"), at__gt=since)
    last_socket = Connection.objects.filter(match=OuterRef("pk"), seen_at__gt=since)
    old = matches.filter(status=Match.Status.PLAYING, started_at__lt=since, looked_at__lt=since)
    return old.exclude(Exists(last_move)).exclude(Exists(last_socket))


def prod(*, match: Match, seat: Seat) -> None:
    """Ask the player on turn to move, where no clock does; to ask again changes nothing."""
    with changing(pk=match.pk) as (snapshot, now):
        row, turn = snapshot.match, _turn_of_another(snapshot, seat)
        if snapshot.seats[turn].computer or clocks.deadline_of(row, snapshot.seats, turn) is not None:
            raise MoveRefused("illegal", EngineError("no_need_to_prod", name=snapshot.seats[turn].shown_name))
        if prodded_since(row) is None:
            row.prodded_at, row.prodded_by = max(now, row.turn_began_at), seat.position
            row.save(update_fields=["prodded_at", "prodded_by"])
            page_changed(f"match.{row.code}", "prod")


def _turn_of_another(snapshot: Snapshot, seat: Seat) -> int:
    """The seat on turn, of which `seat` is to ask something."""
    if seat.match_id != snapshot.match.pk or seat.taken_over or seat.position in snapshot.value.gone:
        raise MoveRefused("not_seated")
    if not snapshot.match.playing or snapshot.value.turn is None:
        raise MoveRefused("over")
    if snapshot.value.turn == seat.position:
        raise MoveRefused("illegal", EngineError("own_turn"))
    return snapshot.value.turn


def leave(*, match: Match, user: User) -> None:
    """Resign for somebody whose account goes, whatever has been played meanwhile; nothing if they have left already."""
    advance(match, timezone.now())
    with changing(pk=match.pk) as (snapshot, now):
        seat = next((seat for seat in snapshot.seats if seat.user_id == user.pk), None)
        if seat is None or seat.taken_over or not snapshot.match.playing:
            return
        if seat.position not in snapshot.value.gone:
            _append(snapshot, seat.position, RESIGN, None, now)


def continue_match(*, match: Match, seat: Seat) -> None:
    """This person wants to continue: the pause after a round ends once all have said so."""
    with changing(pk=match.pk) as (snapshot, now):
        row, seats = snapshot.match, snapshot.seats
        if seat.match_id != row.pk or seat.taken_over:
            raise MoveRefused("not_seated")
        if not row.playing or row.pause_until is None or row.pause_until <= now:
            return
        ended = len(snapshot.value.ended)
        seats[seat.position].continued_round = ended
        seats[seat.position].save(update_fields=["continued_round"])
        if all(s.computer or s.left or s.continued_round >= ended for s in seats):
            clocks.end_pause(snapshot, now)
            row.save(update_fields=["pause_until", "turn_began_at", "next_action_at"])
        page_changed(f"match.{row.code}", "pause")


def lease(match: Match, seen_version: int, until: datetime) -> bool:
    """Reserve a due row for this process until `until`; False if another has it, or play has moved on."""
    taken = Match.objects.filter(
        pk=match.pk, version=seen_version, next_action_at=match.next_action_at, status=Match.Status.PLAYING
    ).update(next_action_at=until)
    return taken == 1


def let_stand(match: Match, seen_version: int) -> None:
    """No computer calls muggins: what is due next is the turn again."""
    with changing(pk=match.pk) as (snapshot, now):
        row = snapshot.match
        if row.version == seen_version and row.playing:
            row.next_action_at = clocks.turn_action(snapshot, now)
            row.save(update_fields=["next_action_at"])


def note_rematch(match: Match, code: str) -> None:
    """A rematch is waiting at the table `code`, and the pages of the finished match lead there."""
    with transaction.atomic():
        Match.objects.filter(pk=match.pk).update(rematch_code=code)
        page_changed(f"match.{match.code}", "rematch")


def _append(snapshot: Snapshot, seat: int, move: Move, claim: int | None, now: datetime) -> Snapshot:
    """Append the move and set the row and its clocks by it; the match as it is then. The engine refuses before
    anything is written."""
    row, seats, value = snapshot.match, snapshot.seats, snapshot.value
    try:
        after = value.play(seat, move, claim)
    except EngineError as error:
        reason = error.code if error.code in ("over", "not_your_turn") else "illegal"
        raise MoveRefused(reason, error) from error
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
    left = values.copied(moved)
    transaction.on_commit(lambda: values.leave(left))
    announce(f"match.{row.code}", {"type": "match.changed", "version": row.version})
    return moved
