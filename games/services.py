"""Every change of a match. One transaction each, with the version check; announced after the commit.

Nobody else writes the rows of games. What a person may not do raises `Refused` and stores nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts import elo
from accounts.models import Rating, User
from games import archive, endings
from games.engine import moves as notation
from games.engine.errors import EngineError, Malformed
from games.engine.matches import Match as Value
from games.engine.moves import ABSENT, TAKEOVER, TIME, Move
from games.engine.presets import PRESETS
from games.engine.rules import Rules
from games.engine.shuffle import chain
from games.models import Match, Seat, Talk
from games.models import Move as MoveRow
from games.presence import claimable_at, presence_of
from live.announce import announce

ROUND_PAUSE = timedelta(seconds=6)
CALLS_AFTER = 0.6  # of the pause: when a computer calls muggins; persons come first

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


def start(
    *,
    code: str,
    preset: str | None,
    rules: Rules,
    rated: bool,
    seats: Sequence[Sitting],
    secret: str,
    entropy: str,
    clock: tuple[int, int] | None = None,
    private: bool = False,
) -> Match:
    """Begin a match: the one way there is. `secret` is s[1000] in hex, `clock` seconds and increment."""
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
            secret=secret,
            seal=chain(bytes.fromhex(secret)).seal,
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
        value = archive.opening(match)
        match.scores = list(value.scores)
        match.next_action_at = _next_action(match, value, rows, now)
        match.save(update_fields=["scores", "next_action_at"])
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
        row, seats, value = _locked(match.pk)
        if row.version != seen_version:
            raise Refused("stale")
        if not row.playing:
            raise Refused("over")
        if move.kind in ON_TURN and value.turn != position:
            raise Refused("not_your_turn")
        if move.kind in ON_TURN and row.wait_until and now < row.wait_until:
            raise Refused("wait")
        _append(row, seats, value, position, move, claim, now)
    return row


def advance(match: Match, now: datetime) -> None:
    """Apply what time alone has decided: a clock that has run out. Committed by itself, before anything else."""
    if not match.timed or not match.playing or match.next_action_at is None or match.next_action_at > now:
        return
    with transaction.atomic():
        row, seats, value = _locked(match.pk)
        if not row.playing or value.turn is None:
            return
        deadline = deadline_of(row, seats, value)
        if deadline is not None and deadline <= now:
            _append(row, seats, value, value.turn, TIME, None, deadline)


def claim_absent(*, match: Match, seat: Seat, take: str) -> Match:
    """Claim against the absent player on turn: `win` (they have left) or `computer` (it plays on for them)."""
    now = timezone.now()
    with transaction.atomic():
        row, seats, value = _locked(match.pk)
        if seat.match_id != row.pk or seat.taken_over or seat.left:
            raise Refused("not_seated")
        if not row.playing or value.turn is None:
            raise Refused("over")
        absent = seats[value.turn]
        claimable = claimable_at(row, absent, presence_of(row, now))
        if claimable is None or absent.position == seat.position:
            raise Refused("illegal", EngineError("not_absent", name=absent.name))
        if now < claimable:
            left = int((claimable - now).total_seconds()) + 1
            raise Refused("illegal", EngineError("grace", name=absent.name, seconds=left))
        if take == "computer" and row.rated:
            raise Refused("illegal", EngineError("rated_takeover"))
        if take not in ("win", "computer"):
            raise Refused("malformed")
        _append(row, seats, value, absent.position, TAKEOVER if take == "computer" else ABSENT, None, now)
    return row


def wave_on(*, match: Match, seat: Seat) -> None:
    """Continue: this person needs no more of the pause after a round. It ends when all have said so."""
    now = timezone.now()
    with transaction.atomic():
        row, seats, value = _locked(match.pk)
        if seat.match_id != row.pk or seat.taken_over:
            raise Refused("not_seated")
        if not row.playing or row.pause_until is None or row.pause_until <= now:
            return
        ended = len(value.ended)
        seats[seat.position].continued_round = ended
        seats[seat.position].save(update_fields=["continued_round"])
        if all(s.computer or s.left or s.continued_round >= ended for s in seats):
            row.pause_until = now
            row.turn_began_at = now
            row.next_action_at = _next_action(row, value, seats, now)
            row.save(update_fields=["pause_until", "turn_began_at", "next_action_at"])
        _tell(row, "pause")


def postpone(match: Match, seen_version: int, until: datetime) -> bool:
    """Take a due row for oneself until `until`; False if another process did, or the play went on."""
    taken = Match.objects.filter(
        pk=match.pk, version=seen_version, next_action_at=match.next_action_at, status=Match.Status.PLAYING
    ).update(next_action_at=until)
    return taken == 1


def no_calls(match: Match, seen_version: int) -> None:
    """No computer wants to call muggins: the deadline is that of the turn again."""
    now = timezone.now()
    with transaction.atomic():
        row, seats, value = _locked(match.pk)
        if row.version == seen_version and row.playing:
            row.next_action_at = _turn_action(row, value, seats, now)
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


def deadline_of(match: Match, seats: Sequence[Seat], value: Value) -> datetime | None:
    """When the running clock ends; None without a clock or with nobody on turn."""
    if not match.timed or value.turn is None or not match.playing:
        return None
    return match.turn_began_at + timedelta(milliseconds=seats[value.turn].clock_ms or 0)


def _locked(pk: int) -> tuple[Match, list[Seat], Value]:
    row = Match.objects.select_for_update().get(pk=pk)
    return row, list(row.seats.all()), archive.value_of(row)


def _append(
    row: Match, seats: list[Seat], value: Value, position: int, move: Move, claim: int | None, now: datetime
) -> None:
    """The move into the match, its row and its clocks. The engine refuses before anything is written."""
    try:
        after = value.play(position, move, claim)
    except EngineError as error:
        reason = error.code if error.code in ("over", "not_your_turn") else "illegal"
        raise Refused(reason, error) from error
    row.version += 1
    claimed = claim if move.kind == "play" and value.rules.claims == "muggins" else None
    MoveRow.objects.create(
        match=row, number=row.version, seat=position, text=str(move), claim=claimed or None, at=now
    )
    if move.kind in ("play", "pass") and row.timed:
        _charge(row, seats[position], now)
    if move == TAKEOVER:
        seats[position].taken_over = True
        seats[position].save(update_fields=["taken_over"])
    _set_times(row, value, after, move, now)
    if after.result is not None:
        endings.finish(row, seats, after, now)
    else:
        row.next_action_at = _next_action(row, after, seats, now)
    row.scores = list(after.scores)
    row.save(update_fields=CHANGED_BY_A_MOVE)
    transaction.on_commit(lambda: archive.remember(row.pk, row.version, after))
    announce(f"match.{row.code}", {"type": "match.changed", "version": row.version})


def _charge(row: Match, seat: Seat, now: datetime) -> None:
    used = max(timedelta(0), now - row.turn_began_at) // timedelta(milliseconds=1)
    seat.clock_ms = max(0, (seat.clock_ms or 0) - used) + (row.clock_increment or 0) * 1000
    seat.save(update_fields=["clock_ms"])


def _set_times(row: Match, before: Value, after: Value, move: Move, now: datetime) -> None:
    round_ended = len(after.ended) > len(before.ended)
    if round_ended:
        row.pause_until = now + ROUND_PAUSE
    if move.kind == "play" and after.rules.claims == "muggins" and after.seats > 2 and not round_ended:
        row.wait_until = now + timedelta(milliseconds=settings.CALL_PAUSE_MS)
    if round_ended or move.kind in ("play", "pass") or after.turn != before.turn:
        row.turn_began_at = max(now, row.pause_until or now, row.wait_until or now)


def _next_action(row: Match, value: Value, seats: Sequence[Seat], now: datetime) -> datetime | None:
    """The one deadline of a match: a computer's call or move, or the end of the running clock."""
    if row.wait_until and row.wait_until > now and computers_that_may_call(value, seats):
        return now + CALLS_AFTER * (row.wait_until - now)
    return _turn_action(row, value, seats, now)


def _turn_action(row: Match, value: Value, seats: Sequence[Seat], now: datetime) -> datetime | None:
    if value.turn is None:
        return None
    if seats[value.turn].computer:
        return max(now, row.turn_began_at) + timedelta(milliseconds=settings.COMPUTER_PAUSE_MS)
    return deadline_of(row, seats, value)


def computers_that_may_call(value: Value, seats: Sequence[Seat]) -> list[int]:
    return [s.position for s in seats if s.computer and not s.left and value.may_call(s.position)]


def _tell(row: Match, topic: str) -> None:
    stamp = int(timezone.now().timestamp() * 1000)
    announce(f"match.{row.code}", {"type": "page.changed", "topic": topic, "stamp": stamp})
