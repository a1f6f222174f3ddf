"""Make a table, sit down and leave."""

from collections.abc import Iterable, Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

import games.services
from accounts import relations
from accounts.models import User
from live.broadcast import broadcast_page_changed
from lobbies.game import Game
from lobbies.models import Sitting, Table
from lobbies.refusals import TableRefused

from . import rows
from .starting import PAGE_TTL, advance_locked

SEEN_WRITE_INTERVAL = timedelta(seconds=3)
CLOSED_PAGE_GRACE = timedelta(seconds=8)  # a change of page takes less, also on a line of 3 s latency


def make_table(
    host: User,
    game: Game,
    *,
    levels: Sequence[str] = (),
    private: bool = False,
    quick: bool = False,
    kept_for: User | None = None,
    address: str = "",
    commitment: str | None = None,
) -> Table:
    """Create a table with the host at seat 0 and computers by `levels` (by seat, "" for a person).

    House rules, a new game, computers or no clock make it casual. `address` is the host's, hashed; `commitment` "" if
    the host adds nothing to the shuffle, None if that is not known yet. Raise `TableRefused`.
    """
    computers = {position: level for position, level in enumerate(levels[: game.seats]) if level and position}
    may_rate = not (game.changed or game.is_never_rated or computers)
    rated = game.rated and may_rate and game.clock is not None
    rows.refuse_person(host, rated=rated)
    with transaction.atomic():
        rows.lock_for_limits(host)
        rows.refuse_excess(host, making=True, by_days=game.days is not None)
        table = rows.new_table(host, game, rated=rated, private=private, quick=quick, kept_for=kept_for)
        rows.seat_person(table, 0, host, address, commitment, quick=quick)
        rows.seat_computers(table, computers)
        rows.mark_full(table, 1 + len(computers))
        rows.notify(table)
        advance_if_full(table)
    return table


def advance_if_full(row: Table, sittings: Sequence[Sitting] | None = None) -> None:
    """Fix the commitments of a locked or new table if it has just become full and all have committed."""
    if row.full_at is not None:
        advance_locked(row, sittings or Sitting.objects.at(row), row.full_at)


def sit(
    table: Table,
    user: User,
    position: int | None = None,
    address: str = "",
    commitment: str | None = None,
    *,
    quick: bool = False,
) -> Table:
    """Take the seat at `position`, or the first free one. Raise `TableRefused`.

    `address` and `commitment` are those of `make_table`; `quick` if quick play has chosen the table.
    """
    with transaction.atomic():
        rows.lock_for_limits(user)
        row = rows.lock_open(table)
        _refuse_drawn(row)
        rows.refuse_person(user, rated=row.rated)
        sittings = Sitting.objects.at(row)
        taken = {sitting.position: sitting.user_id for sitting in sittings}
        if user.pk in taken.values():
            raise TableRefused("seated")
        here = {key for key in (row.kept_for_id, *taken.values()) if key}
        apart = rows.refuse_no_shows(user) if is_for_anybody(row) else frozenset()
        if apart & here or relations.blocked_among(user, here):
            raise TableRefused("not_together", 403)
        if len(taken) == row.seats:
            raise TableRefused("full")
        if row.rematch_of:
            position = rows.rematch_seat(row, user, position)
        if row.kept_for_id is not None:
            position = rows.challenge_seat(row, user, position)
        if position is None:
            position = next(seat for seat in range(row.seats) if seat not in taken)
        if not 0 <= position < row.seats:
            raise TableRefused("no_such_seat")
        if position in taken:
            raise TableRefused("taken")
        rows.refuse_excess(user, making=False, by_days=row.days is not None)
        sittings.append(rows.seat_person(row, position, user, address, commitment, quick=quick))
        rows.mark_full(row, len(sittings))
        rows.notify(row)
        advance_if_full(row, sorted(sittings, key=lambda sitting: sitting.position))
    return row


def _refuse_drawn(row: Table) -> None:
    if row.night:
        raise TableRefused("drawn", 403)


def is_for_anybody(row: Table) -> bool:
    """Return whether people who do not know each other meet at this table at once."""
    return not (row.private or row.rematch_of or row.kept_for_id or row.days)


def leave(table: Table, user: User) -> Table:
    """Free the person's seat (see `rows.free_seat`). Raise `TableRefused`."""
    with transaction.atomic():
        row = rows.lock_open(table)
        _refuse_drawn(row)
        sitting = row.sittings.filter(user=user).first()
        if sitting is None:
            raise TableRefused("not_seated", 403)
        rows.free_seat(row, sitting)
    return row


def keep_seats(sittings: Iterable[Sitting]) -> None:
    """Note that a page of the person who waits in these seats is open."""
    now = timezone.now()
    due = [sitting for sitting in sittings if sitting.seen_at < now - SEEN_WRITE_INTERVAL]
    if due:
        Sitting.objects.filter(pk__in=[sitting.pk for sitting in due]).update(seen_at=now)
    for sitting in due:
        if sitting.table.night and sitting.seen_at <= now - rows.AWAY_AFTER:
            _notify_night(sitting.table)


def _notify_night(table: Table) -> None:
    """Notify the pages of the night, and the strips, which say who is there."""
    broadcast_page_changed(f"night.{table.night}", "night")
    rows.notify(table)


def record_closed_page(user: User) -> None:
    """Record that a page of somebody who waits was closed. Another page that is open, or opens, undoes it.

    An offer of a rematch, and presence at a night's table, end soon. At other tables the seat is kept for a while, but
    nobody waits for the person's part in the shuffle.
    """
    waiting = Sitting.objects.filter(user=user, table__status=Table.Status.OPEN, table__full_at=None)
    if not waiting.exists():
        return
    now = timezone.now()
    with transaction.atomic():
        offers = waiting.exclude(table__rematch_of="", table__night="")
        ended = offers.update(seen_at=now - rows.AWAY_AFTER + CLOSED_PAGE_GRACE)
        others = waiting.filter(table__rematch_of="", table__night="")
        others = others.filter(seen_at__gt=now - PAGE_TTL + CLOSED_PAGE_GRACE)
        if others.update(seen_at=now - PAGE_TTL + CLOSED_PAGE_GRACE) or ended:
            rows.notify_people([user.pk])  # the other pages answer by `keep_seats`


def seen(table: Table, user: User, address: str = "") -> bool:
    """Note that the person's page is open, and its hashed address if known; return whether they sit here."""
    now = timezone.now()
    own = table.sittings.filter(user=user)
    has_come = bool(table.night) and own.filter(seen_at__lte=now - rows.AWAY_AFTER).exists()
    sits_here = bool(own.update(seen_at=now))
    if has_come:
        _notify_night(table)
    record_address(table.code, user, address)
    return sits_here


def record_address(code: str, user: User, address: str) -> None:
    """Record a hashed address from which a person asked for anything of a table where they sit, or of its match."""
    sittings = Sitting.objects.filter(table__code=code, table__status=Table.Status.OPEN, user=user)
    games.services.record_address(code=code, user=user, address=address, is_waiting=sittings.exists)


def close_tables(tables: QuerySet[Table]) -> list[Table]:
    """Close those of the tables that are open, for staff; return them."""
    with transaction.atomic():
        closed = list(rows.lock_all_open(tables).values())
        for row in closed:
            rows.close(row)
    return closed
