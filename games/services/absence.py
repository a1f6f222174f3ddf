"""Handle absent, slow and leaving players, and end abandoned matches."""

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from accounts.models import User
from boneyard.engine import moves as notation
from boneyard.engine.moves import ABORT, ABSENT, RESIGN, TAKEOVER
from games import leaving
from games.locking import locked_match
from games.models import Connection, Match, Seat
from games.models import Move as MoveRow
from games.repository import Snapshot
from games.services.matches import (
    advance,
    agree_to_computer,
    append_departure,
    append_move,
    begin_choice,
    end_by_time,
    leave_seat,
    resolve_departure,
)
from games.services.refusals import MoveRefused, refuse_during_halt
from games.time import clocks
from games.time.day_clocks import DAY_SECONDS
from games.time.presence import get_grace_end, get_prod_time, load_presence
from live.broadcast import broadcast_page_changed

ABANDONED_AFTER = timedelta(hours=24)


def answer_absence(*, match: Match, seat: Seat, take: str) -> Match:
    """Continue without the absent player on turn, or answer about one who has left; return the match.

    `take` is `win` (the seat stays empty) or `computer` (a computer plays on). In pairs a computer needs the consent of
    every person who plays on, and `win` ends the match. Raise `MoveRefused`.
    """
    if take not in ("win", "computer"):
        raise MoveRefused("malformed")
    advance(match, timezone.now())
    with locked_match(pk=match.pk) as (snapshot, now):
        refuse_during_halt()
        if snapshot.match.leaver is not None:
            _answer_choice(snapshot, seat, take, now)
        else:
            _claim(snapshot, seat, take, now)
    return snapshot.match


def _claim(snapshot: Snapshot, seat: Seat, take: str, now: datetime) -> None:
    """Claim against the player on turn, whose grace must have run out."""
    row, turn = snapshot.match, _require_other_on_turn(snapshot, seat)
    absent, present = snapshot.seats[turn], load_presence(row, snapshot.seats, now)
    grace = get_grace_end(row, snapshot.seats, turn, snapshot.value, present)
    if row.days:
        raise MoveRefused("illegal", "own_pace", name=absent.display_name)
    if grace is None:
        raise MoveRefused("illegal", "not_absent", name=absent.display_name)
    if now < grace:
        seconds = int((grace - now).total_seconds()) + 1
        raise MoveRefused(
            "illegal",
            "prodded" if turn in present.seats else "grace",
            name=absent.display_name,
            seconds=seconds,
        )
    choosers = leaving.find_choosers(row, snapshot.value, snapshot.seats, turn)
    if take == "computer" and row.rated and not choosers:
        raise MoveRefused("illegal", "rated_takeover")
    absent.unfinished = True
    absent.save(update_fields=["unfinished"])
    if take == "win":
        append_departure(snapshot, turn, ABSENT, now)
    elif leaving.is_in_pairs(snapshot.value):
        begin_choice(snapshot, turn, ABSENT, now)
        agree_to_computer(snapshot, seat.position, now)
    else:
        append_departure(snapshot, turn, TAKEOVER, now)


def _answer_choice(snapshot: Snapshot, seat: Seat, take: str, now: datetime) -> None:
    """Answer whether a computer takes the leaver's seat: in pairs all must agree, else the first answer decides."""
    row, leaver = snapshot.match, snapshot.match.leaver
    if leaver is None or seat.match_id != row.pk:
        raise MoveRefused("not_seated")
    if seat.position not in leaving.find_choosers(row, snapshot.value, snapshot.seats, leaver):
        raise MoveRefused("not_seated")
    if take == "win":
        resolve_departure(snapshot, notation.parse(row.leaving), now)
    elif leaving.is_in_pairs(snapshot.value):
        agree_to_computer(snapshot, seat.position, now)
    else:
        resolve_departure(snapshot, TAKEOVER, now)


def prod(*, match: Match, seat: Seat) -> None:
    """Ask the player on turn to move in a match without a clock. Do nothing if already asked. Raise `MoveRefused`."""
    with locked_match(pk=match.pk) as (snapshot, now):
        row, turn = snapshot.match, _require_other_on_turn(snapshot, seat)
        refuse_during_halt()
        if row.leaver is not None:
            raise MoveRefused("wait", "choosing", name=snapshot.seats[row.leaver].display_name)
        deadline = clocks.get_turn_deadline(row, snapshot.seats, turn, snapshot.value)
        if snapshot.seats[turn].computer or deadline is not None:
            raise MoveRefused("illegal", "no_need_to_prod", name=snapshot.seats[turn].display_name)
        if get_prod_time(row) is None:
            row.prodded_at, row.prodded_by = max(now, row.turn_began_at), seat.position
            row.save(update_fields=["prodded_at", "prodded_by"])
            broadcast_page_changed(f"match.{row.code}", "prod")


def _require_other_on_turn(snapshot: Snapshot, seat: Seat) -> int:
    """Return the seat on turn, if `seat` may act on it. Raise `MoveRefused`."""
    if seat.match_id != snapshot.match.pk or seat.taken_over or seat.position in snapshot.value.gone:
        raise MoveRefused("not_seated")
    if not snapshot.match.playing:
        raise MoveRefused("over")
    if snapshot.value.turn is None:
        raise MoveRefused("wait")
    if snapshot.value.turn == seat.position:
        raise MoveRefused("illegal", "own_turn")
    return snapshot.value.turn


def end_abandoned(match: Match) -> None:
    """End an abandoned match: the seat on turn calls it off before its first play, else leaves, until it is over."""
    with locked_match(pk=match.pk) as (snapshot, now):
        if snapshot.match.left_at or not find_abandoned(Match.objects.filter(pk=match.pk), now).exists():
            return
        while (turn := snapshot.value.turn) is not None and not snapshot.seats[turn].computer:
            move = ABSENT if snapshot.value.has_played(turn) else ABORT
            snapshot = append_move(snapshot, turn, move, None, now)


def find_abandoned(matches: QuerySet[Match], now: datetime) -> QuerySet[Match]:
    """Return the running matches in which nobody has moved, or had a page open, for `ABANDONED_AFTER`."""
    cutoff = now - ABANDONED_AFTER
    last_move = MoveRow.objects.filter(match=OuterRef("pk"), at__gt=cutoff)
    last_socket = Connection.objects.filter(match=OuterRef("pk"), seen_at__gt=cutoff)
    # A match of an open set of deals waits for the close, and one with a clock of days for its clock.
    old = matches.exclude(clock_seconds__gte=DAY_SECONDS).filter(
        status=Match.Status.PLAYING, concealed=False, started_at__lt=cutoff, looked_at__lt=cutoff
    )
    return old.exclude(Exists(last_move)).exclude(Exists(last_socket))


def leave(*, match: Match, user: User) -> None:
    """Resign for a user whose account is deleted. Do nothing if they have left already."""
    advance(match, timezone.now())
    with locked_match(pk=match.pk) as (snapshot, now):
        row = snapshot.match
        seat = next((seat for seat in snapshot.seats if seat.user_id == user.pk), None)
        if seat is None or seat.taken_over or not row.playing or row.leaver == seat.position:
            return
        if row.leaver is not None:  # end the choice about another leaver
            snapshot = resolve_departure(snapshot, notation.parse(row.leaving), now)
        if row.concealed:
            end_by_time(snapshot, now)
        elif row.playing and seat.position not in snapshot.value.gone:
            leave_seat(snapshot, seat.position, RESIGN, now, now)
