"""When somebody is away, has left, or lets the others wait: what those may do; and matches that nobody plays."""

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from accounts.models import User
from games import clocks, leaving
from games.engine import moves as notation
from games.engine.moves import ABORT, ABSENT, RESIGN, TAKEOVER
from games.locking import locked_match
from games.models import Connection, Match, Seat
from games.models import Move as MoveRow
from games.presence import get_grace_end, get_prod_time, load_presence
from games.repository import Snapshot
from games.services.matches import MoveRefused, advance, append, leave_seat, resolve_departure
from live.broadcast import broadcast_page_changed

ABANDONED_AFTER = timedelta(hours=24)


def answer_absence(*, match: Match, seat: Seat, take: str) -> Match:
    """Go on without the absent player on turn, or one who has left: `take` is `win` (the seat is empty) or `computer`
    (one plays on). In pairs the partner who is here is asked first."""
    advance(match, timezone.now())
    with locked_match(pk=match.pk) as (snapshot, now):
        row = snapshot.match
        if row.leaver is not None:
            _choose(snapshot, seat, take, now)
            return row
        turn = _turn_of_another(snapshot, seat)
        absent, here = snapshot.seats[turn], load_presence(row, snapshot.seats, now)
        grace = get_grace_end(row, snapshot.seats, turn, snapshot.value, here)
        if grace is None:
            raise MoveRefused("illegal", "not_absent", name=absent.display_name)
        if now < grace:
            seconds = int((grace - now).total_seconds()) + 1
            raise MoveRefused(
                "illegal",
                "prodded" if turn in here.seats else "grace",
                name=absent.display_name,
                seconds=seconds,
            )
        asked = leaving.find_choosers(snapshot.value, snapshot.seats, turn)
        if take == "computer" and row.rated and not asked:
            raise MoveRefused("illegal", "rated_takeover")
        if take not in ("win", "computer"):
            raise MoveRefused("malformed")
        if seat.position not in asked and asked & here.seats:
            leave_seat(snapshot, turn, ABSENT, now, now)
        else:
            append(snapshot, turn, TAKEOVER if take == "computer" else ABSENT, None, now)
    return row


def _choose(snapshot: Snapshot, seat: Seat, take: str, now: datetime) -> None:
    """Answer whether a computer takes the leaver's seat; the first answer decides."""
    row, leaver = snapshot.match, snapshot.match.leaver
    if leaver is None or seat.match_id != row.pk or seat.taken_over or seat.position == leaver:
        raise MoveRefused("not_seated")
    if seat.position not in leaving.find_choosers(snapshot.value, snapshot.seats, leaver):
        raise MoveRefused("illegal", "not_your_choice", name=snapshot.seats[leaver].display_name)
    if take not in ("win", "computer"):
        raise MoveRefused("malformed")
    resolve_departure(snapshot, TAKEOVER if take == "computer" else notation.parse(row.leaving), now)


def prod(*, match: Match, seat: Seat) -> None:
    """Ask the player on turn to move, where no clock does; to ask again changes nothing."""
    with locked_match(pk=match.pk) as (snapshot, now):
        row, turn = snapshot.match, _turn_of_another(snapshot, seat)
        if row.leaver is not None:
            raise MoveRefused("wait", "choosing", name=snapshot.seats[row.leaver].display_name)
        deadline = clocks.get_clock_deadline(row, snapshot.seats, turn, snapshot.value)
        if snapshot.seats[turn].computer or deadline is not None:
            raise MoveRefused("illegal", "no_need_to_prod", name=snapshot.seats[turn].display_name)
        if get_prod_time(row) is None:
            row.prodded_at, row.prodded_by = max(now, row.turn_began_at), seat.position
            row.save(update_fields=["prodded_at", "prodded_by"])
            broadcast_page_changed(f"match.{row.code}", "prod")


def _turn_of_another(snapshot: Snapshot, seat: Seat) -> int:
    """The seat on turn, of which `seat` is to ask something."""
    if seat.match_id != snapshot.match.pk or seat.taken_over or seat.position in snapshot.value.gone:
        raise MoveRefused("not_seated")
    if not snapshot.match.playing or snapshot.value.turn is None:
        raise MoveRefused("over")
    if snapshot.value.turn == seat.position:
        raise MoveRefused("illegal", "own_turn")
    return snapshot.value.turn


def end_abandoned(match: Match) -> None:
    """End a match that nobody has looked at or moved in for a day, by the seat on turn: called off if it has not yet
    played a tile, else left, until the match is over."""
    with locked_match(pk=match.pk) as (snapshot, now):
        if snapshot.match.left_at or not find_abandoned(Match.objects.filter(pk=match.pk), now).exists():
            return
        while (turn := snapshot.value.turn) is not None and not snapshot.seats[turn].computer:
            move = ABSENT if snapshot.value.has_played(turn) else ABORT
            snapshot = append(snapshot, turn, move, None, now)


def find_abandoned(matches: QuerySet[Match], now: datetime) -> QuerySet[Match]:
    """Those being played in which for a day nobody has moved, and of which nobody has had a page open."""
    since = now - ABANDONED_AFTER
    last_move = MoveRow.objects.filter(match=OuterRef("pk"), at__gt=since)
    last_socket = Connection.objects.filter(match=OuterRef("pk"), seen_at__gt=since)
    old = matches.filter(status=Match.Status.PLAYING, started_at__lt=since, looked_at__lt=since)
    return old.exclude(Exists(last_move)).exclude(Exists(last_socket))


def leave(*, match: Match, user: User) -> None:
    """Resign for somebody whose account goes, whatever has been played meanwhile; nothing if they have left already."""
    advance(match, timezone.now())
    with locked_match(pk=match.pk) as (snapshot, now):
        row = snapshot.match
        seat = next((seat for seat in snapshot.seats if seat.user_id == user.pk), None)
        if seat is None or seat.taken_over or not row.playing or row.leaver == seat.position:
            return
        if row.leaver is not None:  # the choice about somebody else is cut short
            snapshot = resolve_departure(snapshot, notation.parse(row.leaving), now)
        if row.playing and seat.position not in snapshot.value.gone:
            leave_seat(snapshot, seat.position, RESIGN, now, now)
